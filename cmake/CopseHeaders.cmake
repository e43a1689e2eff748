# Headers that nearly every file includes, compiled once per build. That saves a third of a cold build;
# a compiler cache can make little of it, so that who builds the same files again and again leaves it
# off. No file may rely on it: every other build is without.
option(COPSE_PCH "Precompile the standard headers" OFF)

# copse_precompile_headers(name STATIC|EXECUTABLE [library header ...]): a target that has them, for
# libraries or, with other code generation, for programs.
function(copse_precompile_headers name kind)
  if(NOT COPSE_PCH)
    return()
  endif()
  set(source ${PROJECT_BINARY_DIR}/generated/${name}.cc)
  file(GENERATE OUTPUT ${source} CONTENT "int main() { return 0; }\n")
  if(kind STREQUAL EXECUTABLE)
    add_executable(${name} ${source})
  else()
    add_library(${name} STATIC ${source})
    # What is precompiled must be compiled as its readers, the rooms, are.
    target_compile_options(${name} PRIVATE ${COPSE_ROOM_OPTIONS})
  endif()
  list(POP_FRONT ARGN library)
  target_link_libraries(${name} PRIVATE copse_options fmt::fmt Threads::Threads ${library})
  target_precompile_headers(${name} PRIVATE
    <algorithm> <array> <cmath> <cstddef> <cstdint> <cstring> <functional> <limits> <map> <memory>
    <optional> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>
    <fmt/core.h> ${ARGN})
endfunction()

# A file with options of its own cannot use what was compiled without them.
function(copse_precompile target headers)
  if(NOT COPSE_PCH)
    return()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${headers})
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    if(options)
      set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()
