# COPSE_PYTHON: the Python module. On where pybind11 and the headers of Debian's Python are; another
# python3 that comes first in PATH (pyenv, conda, a virtual environment) is not looked at unless
# -DPython_EXECUTABLE names it.
if(NOT Python_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python QUIET COMPONENTS Interpreter Development.Module)
find_package(pybind11 QUIET CONFIG)
set(copse_python_found OFF)
if(Python_Development.Module_FOUND AND pybind11_FOUND)
  set(copse_python_found ON)
endif()
if(COPSE_SANITIZE OR COPSE_FUZZERS)
  set(copse_python_found OFF)  # an instrumented module cannot be loaded by a Python that is not
endif()
option(COPSE_PYTHON "Build the Python module" ${copse_python_found})
if(COPSE_PYTHON AND NOT copse_python_found)
  message(FATAL_ERROR "The Python module needs pybind11-dev and python3-dev "
    "(scripts/install-packages python).")
endif()
# Its tests are no part of `make test`: building and running them takes minutes of the processor.
option(COPSE_PYTHON_TESTS "Add the tests of the Python module" OFF)
