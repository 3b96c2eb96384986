# lucid._C.engine, and a package that runs from the build tree: PYTHONPATH=<build>/stage.
file(GLOB_RECURSE lucid_binding_sources CONFIGURE_DEPENDS "${LUCID_CPP_DIR}/bindings/*.cpp")
if(lucid_binding_sources)
  execute_process(COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir
    OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  find_package(nanobind 3.1 CONFIG REQUIRED)
  # Split mode: the module carries no copy of nanobind's core and one abi3 file serves 3.11 and later.
  set(lucid_nanobind_mode BACKEND_MODULE nanobind_backend STABLE_ABI_VERSION 3.11)
  if(LUCID_NANOBIND_LINKED)
    set(lucid_nanobind_mode STABLE_ABI NB_STATIC NB_DOMAIN lucid)
  endif()
  nanobind_add_module(engine ${lucid_nanobind_mode} NOMINSIZE NOSTRIP NB_SUPPRESS_WARNINGS
    ${lucid_binding_sources})
  lucid_use_root(engine bindings)
  target_link_libraries(engine PRIVATE lucid Threads::Threads)
  set_target_properties(engine PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY "${LUCID_STAGE_DIR}/lucid/_C"
    INSTALL_RPATH "$ORIGIN/../lib")
endif()

# Always run: links each entry of python/lucid, so new files need neither a configure nor an install.
set(lucid_stage_prefix "${LUCID_STAGE_DIR}/lucid")
if(LUCID_INSTALL_BASE)
  set(lucid_stage_prefix "${LUCID_STAGE_DIR}")
endif()
add_custom_target(lucid_stage ALL
  COMMAND "${CMAKE_COMMAND}" -DFROM=${PROJECT_SOURCE_DIR}/python/lucid
          -DTO=${LUCID_STAGE_DIR}/lucid -DBUILD=${PROJECT_BINARY_DIR} -DPREFIX=${lucid_stage_prefix}
          -P "${PROJECT_SOURCE_DIR}/cmake/StagePackage.cmake"
  COMMENT "" VERBATIM)
