# The models that come with copse: compressed in the repository (models/NAME.tar.zst), unpacked beside the
# program, where they are found by name and mapped as they are.
file(GLOB packed_models CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/models/*.tar.zst)
set(unpacked_models)
foreach(archive ${packed_models})
  cmake_path(GET archive FILENAME name)
  string(REPLACE ".tar.zst" ".copse" name ${name})
  set(model ${PROJECT_BINARY_DIR}/models/${name})
  add_custom_command(OUTPUT ${model}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/models
    COMMAND ${CMAKE_COMMAND} -E chdir ${PROJECT_BINARY_DIR}/models ${CMAKE_COMMAND} -E tar xf ${archive}
    COMMAND ${CMAKE_COMMAND} -E touch ${model}
    DEPENDS ${archive}
    COMMENT "Unpacking the model ${name}" VERBATIM)
  list(APPEND unpacked_models ${model})
endforeach()
add_custom_target(copse_models ALL DEPENDS ${unpacked_models})
add_dependencies(copse_program copse_models)
install(FILES ${unpacked_models} DESTINATION ${CMAKE_INSTALL_DATADIR}/copse/models)
