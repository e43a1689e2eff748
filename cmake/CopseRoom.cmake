# copse_room(name SOURCES a.cc ... [USES room ...] [PUBLIC lib ...] [PRIVATE lib ...])
#
# One library per folder under copse/. USES names the rooms below it; nothing else of the
# project can be included, because nothing else is linked.
function(copse_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;USES;PUBLIC;PRIVATE" ${ARGN})
  add_library(copse_${name} STATIC ${ROOM_SOURCES})
  add_library(copse::${name} ALIAS copse_${name})
  set_target_properties(copse_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(copse_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(copse_${name} PUBLIC cxx_std_20)
  target_compile_options(copse_${name} PRIVATE ${COPSE_ROOM_OPTIONS})
  # What computes over arrays has no branches that bytes of a file could choose.
  if(COPSE_FUZZERS AND NOT name MATCHES "^(inference|learning)$")
    target_compile_options(copse_${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  list(TRANSFORM ROOM_USES PREPEND copse_)
  target_link_libraries(copse_${name}
    PUBLIC ${ROOM_USES} ${ROOM_PUBLIC}
    PRIVATE $<BUILD_INTERFACE:copse_options> ${ROOM_PRIVATE})
  set_property(GLOBAL APPEND PROPERTY COPSE_ROOMS copse_${name})
  cmake_language(EVAL CODE "
    cmake_language(DEFER CALL copse_precompile copse_${name} copse_headers)
    cmake_language(DEFER CALL copse_compile_together copse_${name})")
endfunction()

# copse_test(name SOURCES a_test.cc ... USES room ...): one GoogleTest binary, its tests in ctest.
function(copse_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;USES;LIBS" ${ARGN})
  add_executable(test_${name} ${TEST_SOURCES})
  list(TRANSFORM TEST_USES PREPEND copse_)
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(test_${name} PRIVATE
    ${TEST_USES} ${TEST_LIBS} copse_source_dir copse_options GTest::gtest GTest::gtest_main)
  cmake_language(EVAL CODE "
    cmake_language(DEFER CALL copse_precompile test_${name} copse_test_headers)
    cmake_language(DEFER CALL copse_compile_together test_${name})")
  gtest_discover_tests(test_${name} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 600)
endfunction()

# copse_benchmark(name SOURCES a.cc ... USES room ...): one Google Benchmark binary.
function(copse_benchmark name)
  cmake_parse_arguments(BENCH "" "" "SOURCES;USES;LIBS" ${ARGN})
  add_executable(bench_${name} ${BENCH_SOURCES})
  list(TRANSFORM BENCH_USES PREPEND copse_)
  target_include_directories(bench_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(bench_${name} PRIVATE
    ${BENCH_USES} ${BENCH_LIBS} copse_options benchmark::benchmark benchmark::benchmark_main)
endfunction()
