# OpenBLAS with prefixed symbols, from PyPI's scipy-openblas32: target Lucid::openblas.
# Asks Python_EXECUTABLE (or python3) where the package is; SCIPY_OPENBLAS_DIR names its folder directly.
if(NOT SCIPY_OPENBLAS_DIR)
  set(_lucid_python "${Python_EXECUTABLE}")
  if(NOT _lucid_python)
    find_program(LUCID_PYTHON3 python3)
    set(_lucid_python "${LUCID_PYTHON3}")
  endif()
  execute_process(
    COMMAND "${_lucid_python}" -c
      "import importlib.util as u; print(next(iter(u.find_spec('scipy_openblas32').submodule_search_locations)))"
    OUTPUT_VARIABLE _lucid_openblas_dir OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(_lucid_openblas_dir)
    set(SCIPY_OPENBLAS_DIR "${_lucid_openblas_dir}" CACHE PATH "Folder of the scipy_openblas32 package")
  endif()
endif()
find_path(SCIPY_OPENBLAS_INCLUDE_DIR cblas.h
  PATHS "${SCIPY_OPENBLAS_DIR}/include" NO_DEFAULT_PATH)
find_library(SCIPY_OPENBLAS_LIBRARY scipy_openblas
  PATHS "${SCIPY_OPENBLAS_DIR}/lib" NO_DEFAULT_PATH)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ScipyOpenBLAS
  REASON_FAILURE_MESSAGE "pip install 'scipy-openblas32>=0.3.30' into the Python that builds"
  REQUIRED_VARS SCIPY_OPENBLAS_LIBRARY SCIPY_OPENBLAS_INCLUDE_DIR)
if(ScipyOpenBLAS_FOUND AND NOT TARGET Lucid::openblas)
  add_library(Lucid::openblas UNKNOWN IMPORTED)
  set_target_properties(Lucid::openblas PROPERTIES
    IMPORTED_LOCATION "${SCIPY_OPENBLAS_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${SCIPY_OPENBLAS_INCLUDE_DIR}"
    INTERFACE_COMPILE_DEFINITIONS "BLAS_SYMBOL_PREFIX=scipy_")
endif()
