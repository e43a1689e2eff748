# cmake --install: program, manual, libraries, headers, find_package(copse) and pkg-config.
include(CMakePackageConfigHelpers)

get_property(rooms GLOBAL PROPERTY COPSE_ROOMS)
add_library(copse INTERFACE)
add_library(copse::copse ALIAS copse)
list(REMOVE_ITEM rooms copse_cli copse_server copse_python)
target_link_libraries(copse INTERFACE ${rooms})

install(TARGETS copse ${rooms} EXPORT copseTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT copseTargets NAMESPACE copse:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/copse)
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_INCLUDEDIR BASE_DIRECTORY "\${CMAKE_INSTALL_PREFIX}"
  OUTPUT_VARIABLE includedir)
install(CODE "
  include(\"${PROJECT_SOURCE_DIR}/cmake/PublicHeaders.cmake\")
  copse_public_headers(\"${PROJECT_SOURCE_DIR}\" headers)
  foreach(header \${headers})
    cmake_path(GET header PARENT_PATH folder)
    file(INSTALL \"${PROJECT_SOURCE_DIR}/\${header}\" DESTINATION \"${includedir}/\${folder}\")
  endforeach()")
install(TARGETS copse_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/copse.1
  COMMAND copse_program manual > ${PROJECT_BINARY_DIR}/copse.1
  DEPENDS copse_program
  COMMENT "Writing the manual page" VERBATIM)
add_custom_target(copse_manual ALL DEPENDS ${PROJECT_BINARY_DIR}/copse.1)
# All that cmake --install wants to find, and nothing that only tests need.
add_custom_target(copse_product DEPENDS copse_program copse_manual ${rooms})
install(FILES ${PROJECT_BINARY_DIR}/copse.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/copseConfig.cmake.in
  ${PROJECT_BINARY_DIR}/copseConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/copse)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/copseConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/copseConfig.cmake ${PROJECT_BINARY_DIR}/copseConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/copse)

# The prefix is where the file lies, wherever cmake --install --prefix has put it.
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(COPSE_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  string(REGEX REPLACE "/$" "" up "${up}")
  set(COPSE_PC_PREFIX "\${pcfiledir}/${up}")
endif()
# Static libraries in the order a linker needs them: users before the used.
list(REVERSE rooms)
list(TRANSFORM rooms PREPEND "-l" OUTPUT_VARIABLE COPSE_PC_LIBS)
list(JOIN COPSE_PC_LIBS " " COPSE_PC_LIBS)
configure_file(${PROJECT_SOURCE_DIR}/cmake/copse.pc.in ${PROJECT_BINARY_DIR}/copse.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/copse.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
