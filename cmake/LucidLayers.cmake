# The layers. Each has an include root, roots/<layer>/lucid/, that links only to the folders it may
# include: its own and those to its right in LUCID_LAYERS. A forbidden include does not compile
# (cpp/tests proves it for every pair). Each layer is an object library; liblucid is all but bindings.
set(LUCID_LAYERS bindings ops kernel autograd backend tensor core)
set(LUCID_CPP_DIR "${PROJECT_SOURCE_DIR}/cpp")
set(LUCID_ROOTS_DIR "${PROJECT_BINARY_DIR}/roots")
set(LUCID_GENERATED_DIR "${PROJECT_BINARY_DIR}/generated")

configure_file("${LUCID_CPP_DIR}/core/Version.h.in"
               "${LUCID_GENERATED_DIR}/include/lucid/core/Version.h" @ONLY)
# "lucid/ops.h" is the short name of the generated list of ops; one file, so no second definition.
file(CONFIGURE OUTPUT "${LUCID_GENERATED_DIR}/umbrella/ops.h"
     CONTENT "// Every op as a free function.\n#pragma once\n\n#include \"lucid/ops/ops.h\"\n")

set(lucid_allowed ${LUCID_LAYERS})
foreach(layer IN LISTS LUCID_LAYERS)
  set(root "${LUCID_ROOTS_DIR}/${layer}/lucid")
  file(MAKE_DIRECTORY "${root}")
  foreach(other IN LISTS LUCID_LAYERS)
    file(REMOVE "${root}/${other}")
    if(other IN_LIST lucid_allowed)
      file(CREATE_LINK "${LUCID_CPP_DIR}/${other}" "${root}/${other}" SYMBOLIC)
    endif()
  endforeach()
  list(REMOVE_ITEM lucid_allowed ${layer})
endforeach()
# The names of the installed tree that are not folders of layers: seen by bindings and tests only.
set(lucid_top_root "${LUCID_ROOTS_DIR}/bindings/lucid")
foreach(pair "lucid.h=${LUCID_CPP_DIR}/lucid.h" "ops.h=${LUCID_GENERATED_DIR}/umbrella/ops.h"
             "nanobind.h=${LUCID_CPP_DIR}/bindings/nanobind_caster.h"
             "pybind11.h=${LUCID_CPP_DIR}/bindings/pybind11_caster.h"
             "python_api.h=${LUCID_CPP_DIR}/bindings/PythonApi.h")
  string(REGEX MATCH "^([^=]+)=(.+)$" _ "${pair}")
  file(REMOVE "${lucid_top_root}/${CMAKE_MATCH_1}")
  file(CREATE_LINK "${CMAKE_MATCH_2}" "${lucid_top_root}/${CMAKE_MATCH_1}" SYMBOLIC)
endforeach()

function(lucid_use_root target layer)
  target_include_directories(${target} PRIVATE
    "${LUCID_ROOTS_DIR}/${layer}" "${LUCID_GENERATED_DIR}/include")
  target_link_libraries(${target} PRIVATE lucid_flags)
endfunction()

include(LucidRegisterOps)

set(lucid_objects "")
set(lucid_layer_targets "")
foreach(layer IN LISTS LUCID_LAYERS)
  if(layer STREQUAL "bindings")
    continue()  # LucidModule.cmake
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${LUCID_CPP_DIR}/${layer}/*.cpp")
  if(layer STREQUAL "ops")
    lucid_generate_op_registration("${sources}" register_ops_cpp)
    list(APPEND sources "${register_ops_cpp}")
  endif()
  if(NOT sources)
    continue()
  endif()
  add_library(lucid_${layer} OBJECT ${sources})
  lucid_use_root(lucid_${layer} ${layer})
  target_compile_definitions(lucid_${layer} PRIVATE LUCID_BUILDING)
  # A few hundred bytes of thread-locals, read by every op: no call of __tls_get_addr.
  target_compile_options(lucid_${layer} PRIVATE -ftls-model=initial-exec)
  list(APPEND lucid_objects $<TARGET_OBJECTS:lucid_${layer}>)
  list(APPEND lucid_layer_targets lucid_${layer})
endforeach()
if(TARGET lucid_backend)
  target_link_libraries(lucid_backend PRIVATE lucid_simd_flags Lucid::highway Lucid::openblas)
endif()

set(lucid_private_libraries Lucid::highway_contrib Lucid::highway Lucid::openblas Threads::Threads
    ${CMAKE_DL_LIBS})

# The library; the static one holds the same objects and is what the C++ tests link, so that they reach
# hidden symbols.
add_library(lucid ${lucid_objects})
add_library(Lucid::lucid ALIAS lucid)
set(lucid_libraries lucid)
if(BUILD_SHARED_LIBS)
  add_library(lucid_static STATIC EXCLUDE_FROM_ALL ${lucid_objects})
  list(APPEND lucid_libraries lucid_static)
else()
  add_library(lucid_static ALIAS lucid)
endif()
foreach(library IN LISTS lucid_libraries)
  set_target_properties(${library} PROPERTIES LINKER_LANGUAGE CXX)
  target_compile_features(${library} PUBLIC cxx_std_20)
  target_link_libraries(${library} PRIVATE $<BUILD_INTERFACE:lucid_flags> ${lucid_private_libraries})
  target_include_directories(${library} INTERFACE
    "$<INSTALL_INTERFACE:${LUCID_INSTALL_INCLUDEDIR}>")
endforeach()
set(LUCID_STAGE_DIR "${PROJECT_BINARY_DIR}/stage")
if(BUILD_SHARED_LIBS)
  # Calls inside the library are direct, not through the table of exported functions.
  target_link_options(lucid PRIVATE -Wl,--as-needed -Wl,-Bsymbolic-functions
                      $<$<CONFIG:Release>:-Wl,--no-undefined>)
  set_target_properties(lucid PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY "${LUCID_STAGE_DIR}/lucid/lib")
endif()
