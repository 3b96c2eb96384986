# Finds the Python that builds the module and holds scipy-openblas32: the one given, else the checkout's
# .venv, else the first on the path.
if(NOT DEFINED Python_EXECUTABLE AND EXISTS "${PROJECT_SOURCE_DIR}/.venv/bin/python")
  set(Python_EXECUTABLE "${PROJECT_SOURCE_DIR}/.venv/bin/python" CACHE FILEPATH "Python that builds")
endif()
if(LUCID_BUILD_PYTHON)
  set(lucid_sabi "")
  if(LUCID_NANOBIND_LINKED)
    set(lucid_sabi OPTIONAL_COMPONENTS Development.SABIModule)
  endif()
  find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module ${lucid_sabi})
else()
  find_package(Python 3.11 COMPONENTS Interpreter)
endif()
