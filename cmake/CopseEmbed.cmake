# copse_embed(target HEADER path/to/embedded.h SYMBOL name FILE path): makes the bytes of FILE
# available as `inline constexpr std::string_view copse::embedded::name`, so that the installed
# program needs no data folder.
function(copse_embed target)
  cmake_parse_arguments(EMBED "" "HEADER;SYMBOL;FILE" "" ${ARGN})
  get_filename_component(source ${EMBED_FILE} ABSOLUTE)
  set(header ${PROJECT_BINARY_DIR}/generated/${EMBED_HEADER})
  add_custom_command(
    OUTPUT ${header}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${source} -DOUTPUT=${header} -DSYMBOL=${EMBED_SYMBOL}
            -P ${PROJECT_SOURCE_DIR}/cmake/EmbedFile.cmake
    DEPENDS ${source} ${PROJECT_SOURCE_DIR}/cmake/EmbedFile.cmake
    COMMENT "Embedding ${EMBED_FILE}" VERBATIM)
  # A target of its own, because a command of `target` would wait for all that `target` links.
  add_custom_target(copse_embed_${EMBED_SYMBOL} DEPENDS ${header})
  add_dependencies(${target} copse_embed_${EMBED_SYMBOL})
  set_property(GLOBAL APPEND PROPERTY COPSE_GENERATED copse_embed_${EMBED_SYMBOL})
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/generated)
endfunction()
