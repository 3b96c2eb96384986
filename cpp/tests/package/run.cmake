# cmake -DPREFIX=... -DSOURCE=... -DBINARY=... -DVERSION=0.1 -DOPENBLAS=... -DCOMPILER=... -P run.cmake
# Builds and runs the project against an install tree; a version that is not there has to be refused.
file(REMOVE_RECURSE "${BINARY}")
# In a wheel, liblucid finds OpenBLAS in the folder of the package beside its own.
file(CREATE_LINK "${OPENBLAS}" "${PREFIX}/scipy_openblas32" SYMBOLIC)
set(configure "${CMAKE_COMMAND}" -G Ninja -S "${SOURCE}" -B "${BINARY}" "-DCMAKE_CXX_COMPILER=${COMPILER}"
    "-DLucid_DIR=${PREFIX}/${CMAKE_DIR}" "-DSCIPY_OPENBLAS_DIR=${OPENBLAS}")
execute_process(COMMAND ${configure} -DLUCID_WANTED=99.0 RESULT_VARIABLE result
                OUTPUT_QUIET ERROR_VARIABLE said)
if(result EQUAL 0 OR NOT said MATCHES "99\\.0")
  message(FATAL_ERROR "version 99.0 was not refused: ${said}")
endif()
file(REMOVE_RECURSE "${BINARY}")
execute_process(COMMAND ${configure} "-DLUCID_WANTED=${VERSION}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BINARY}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${BINARY}/package_test" COMMAND_ERROR_IS_FATAL ANY)
