# Compiler settings shared by every target of the project, as one interface library.
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

add_library(copse_options INTERFACE)
target_compile_features(copse_options INTERFACE cxx_std_20)
target_compile_options(copse_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Werror)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # Any x86-64 machine of the last fifteen years; faster paths are picked at run time.
  target_compile_options(copse_options INTERFACE -march=x86-64-v2)
endif()
if(COPSE_SANITIZE)
  target_compile_options(copse_options INTERFACE
    -fsanitize=${COPSE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(copse_options INTERFACE -fsanitize=${COPSE_SANITIZE})
  target_compile_definitions(copse_options INTERFACE COPSE_SANITIZED)  # tests then repeat less
endif()
set(COPSE_ROOM_OPTIONS "" CACHE STRING "Compiler options of the library alone, after all others")
if(COPSE_SANITIZE OR COPSE_PCH)
  # In instrumented code, and behind precompiled headers, GCC 12 warns of strings that are fine; builds
  # without both have these warnings.
  target_compile_options(copse_options INTERFACE
    "$<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-restrict;-Wno-stringop-overflow>")
endif()

option(COPSE_COVERAGE "Count which lines of the library are run (clang only)" OFF)
if(COPSE_COVERAGE)
  # Tests count as well: of an inline function the linker keeps whichever copy it meets first.
  target_compile_options(copse_options INTERFACE -fprofile-instr-generate -fcoverage-mapping)
  target_link_options(copse_options INTERFACE -fprofile-instr-generate)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  # Paths below the project count as relative: one clone finds what another has compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
endif()
