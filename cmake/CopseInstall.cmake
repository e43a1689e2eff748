# cmake --install: program, manual, libraries, headers, find_package(copse) and pkg-config.
include(CMakePackageConfigHelpers)

get_property(rooms GLOBAL PROPERTY COPSE_ROOMS)
add_library(copse INTERFACE)
add_library(copse::copse ALIAS copse)
list(REMOVE_ITEM rooms copse_cli)
target_link_libraries(copse INTERFACE ${rooms})

install(TARGETS copse ${rooms} EXPORT copseTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT copseTargets NAMESPACE copse:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/copse)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/copse DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "cli" EXCLUDE PATTERN "data" EXCLUDE)
install(TARGETS copse_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/copse.1
  COMMAND copse_program manual > ${PROJECT_BINARY_DIR}/copse.1
  DEPENDS copse_program
  COMMENT "Writing the manual page" VERBATIM)
add_custom_target(copse_manual ALL DEPENDS ${PROJECT_BINARY_DIR}/copse.1)
install(FILES ${PROJECT_BINARY_DIR}/copse.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/copseConfig.cmake.in
  ${PROJECT_BINARY_DIR}/copseConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/copse)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/copseConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/copseConfig.cmake ${PROJECT_BINARY_DIR}/copseConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/copse)

# Static libraries in the order a linker needs them: users before the used.
list(REVERSE rooms)
list(TRANSFORM rooms PREPEND "-l" OUTPUT_VARIABLE COPSE_PC_LIBS)
list(JOIN COPSE_PC_LIBS " " COPSE_PC_LIBS)
configure_file(${PROJECT_SOURCE_DIR}/cmake/copse.pc.in ${PROJECT_BINARY_DIR}/copse.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/copse.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
