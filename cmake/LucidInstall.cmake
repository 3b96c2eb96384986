# The install tree. Public headers are every layer's but bindings', in its top folder, less those of the
# engine's inner parts. Components: lucid (what runs) and lucid_dev (headers and the CMake package).
include(CMakePackageConfigHelpers)

set(lucid_private_headers
  CpuBackend PendingCall SmallWork StreamWorker InstructionTable LoopKernel  # backend
  Accumulate DoubleBackward View                                  # autograd
  Install)                                                        # ops
list(JOIN lucid_private_headers "|" lucid_private_headers)
foreach(layer IN LISTS LUCID_LAYERS)
  if(layer STREQUAL "bindings")
    continue()
  endif()
  file(GLOB headers CONFIGURE_DEPENDS "${LUCID_CPP_DIR}/${layer}/*.h" "${LUCID_CPP_DIR}/${layer}/*.inc")
  list(FILTER headers EXCLUDE REGEX "/(${lucid_private_headers})\\.h$")
  install(FILES ${headers} DESTINATION "${LUCID_INSTALL_INCLUDEDIR}/lucid/${layer}" COMPONENT lucid_dev)
endforeach()
# What a CPU kernel of an extension gets.
install(FILES "${LUCID_CPP_DIR}/backend/cpu/View.h"
        DESTINATION "${LUCID_INSTALL_INCLUDEDIR}/lucid/backend/cpu" COMPONENT lucid_dev)
install(FILES "${LUCID_GENERATED_DIR}/include/lucid/core/Version.h"
        DESTINATION "${LUCID_INSTALL_INCLUDEDIR}/lucid/core" COMPONENT lucid_dev)
foreach(header "${LUCID_CPP_DIR}/lucid.h" "${LUCID_GENERATED_DIR}/umbrella/ops.h")
  if(EXISTS "${header}")
    install(FILES "${header}" DESTINATION "${LUCID_INSTALL_INCLUDEDIR}/lucid" COMPONENT lucid_dev)
  endif()
endforeach()
foreach(pair "nanobind_caster=nanobind" "pybind11_caster=pybind11" "PythonApi=python_api")
  string(REGEX MATCH "^([^=]+)=(.+)$" _ "${pair}")
  install(FILES "${LUCID_CPP_DIR}/bindings/${CMAKE_MATCH_1}.h" RENAME ${CMAKE_MATCH_2}.h OPTIONAL
          DESTINATION "${LUCID_INSTALL_INCLUDEDIR}/lucid" COMPONENT lucid_dev)
endforeach()

install(TARGETS lucid EXPORT LucidTargets
  LIBRARY DESTINATION "${LUCID_INSTALL_LIBDIR}" COMPONENT lucid
  ARCHIVE DESTINATION "${LUCID_INSTALL_LIBDIR}" COMPONENT lucid)
if(SKBUILD)
  # site-packages/lucid/lib beside site-packages/scipy_openblas32/lib. Highway is bundled (below).
  set_target_properties(lucid PROPERTIES INSTALL_RPATH "$ORIGIN;$ORIGIN/../../scipy_openblas32/lib")
else()
  get_filename_component(openblas_dir "${SCIPY_OPENBLAS_LIBRARY}" DIRECTORY)
  set_target_properties(lucid PROPERTIES INSTALL_RPATH "$ORIGIN;${openblas_dir}")
endif()

if(SKBUILD AND BUILD_SHARED_LIBS)
  # Debian ships Highway as shared objects only, so the wheel carries those that liblucid needs, under
  # the names (sonames) that the loader asks for.
  find_program(LUCID_READELF readelf REQUIRED)
  foreach(library "${LUCID_HIGHWAY_LIBRARY}" "${LUCID_HIGHWAY_CONTRIB_LIBRARY}")
    file(REAL_PATH "${library}" real)
    execute_process(COMMAND "${LUCID_READELF}" -d "${real}" OUTPUT_VARIABLE dynamic)
    string(REGEX MATCH "soname: \\[([^]]+)\\]" _ "${dynamic}")
    set(soname "${CMAKE_MATCH_1}")
    install(CODE "
      execute_process(COMMAND \"${LUCID_READELF}\" -d \"$<TARGET_FILE:lucid>\" OUTPUT_VARIABLE needed)
      if(needed MATCHES \"NEEDED[^\\n]*${soname}\")
        file(INSTALL \"${real}\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${LUCID_INSTALL_LIBDIR}\"
             TYPE FILE RENAME \"${soname}\")
      endif()" COMPONENT lucid)
  endforeach()
  install(FILES /usr/share/doc/libhwy-dev/copyright RENAME libhwy.LICENSE OPTIONAL
          DESTINATION "${LUCID_INSTALL_LIBDIR}" COMPONENT lucid)
endif()

if(TARGET engine)
  install(TARGETS engine LIBRARY DESTINATION "${LUCID_INSTALL_BASE}_C" COMPONENT python)
endif()

install(EXPORT LucidTargets NAMESPACE Lucid:: DESTINATION "${LUCID_INSTALL_CMAKEDIR}"
        COMPONENT lucid_dev)
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/LucidConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/LucidConfig.cmake" INSTALL_DESTINATION "${LUCID_INSTALL_CMAKEDIR}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/LucidConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/LucidConfig.cmake"
              "${PROJECT_BINARY_DIR}/LucidConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindLucidHighway.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindScipyOpenBLAS.cmake"
        DESTINATION "${LUCID_INSTALL_CMAKEDIR}" COMPONENT lucid_dev)
