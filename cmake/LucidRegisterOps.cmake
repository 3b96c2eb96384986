# Writes register_ops.cpp from the op files: each line LUCID_REGISTER_OPS(Stem) names one list of OpDefs.
# No static initialisers, so nothing depends on their order or is dropped from a static library.
function(lucid_generate_op_registration sources out_file)
  set(stems "")
  foreach(source IN LISTS sources)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
    file(STRINGS "${source}" lines REGEX "^LUCID_REGISTER_OPS\\(")
    foreach(line IN LISTS lines)
      if(NOT line MATCHES "^LUCID_REGISTER_OPS\\(([A-Za-z_][A-Za-z_0-9]*)\\)")
        message(FATAL_ERROR "${source}: not of the form LUCID_REGISTER_OPS(Stem): ${line}")
      endif()
      set(stem "${CMAKE_MATCH_1}")
      if(DEFINED file_of_${stem})
        message(FATAL_ERROR "LUCID_REGISTER_OPS(${stem}) twice: ${file_of_${stem}} and ${source}")
      endif()
      set(file_of_${stem} "${source}")
      list(APPEND stems ${stem})
    endforeach()
  endforeach()
  list(SORT stems)
  set(declarations "")
  set(calls "")
  foreach(stem IN LISTS stems)
    string(APPEND declarations "std::span<const OpDef> ${stem}_op_defs();\n")
    string(APPEND calls "    register_op_defs(${stem}_op_defs());\n")
  endforeach()
  set(path "${LUCID_GENERATED_DIR}/register_ops.cpp")
  file(CONFIGURE OUTPUT "${path}" @ONLY CONTENT [[
// Written by CMake from the LUCID_REGISTER_OPS lines of cpp/ops; do not edit.
#include <span>

#include "lucid/kernel/OpDef.h"

LUCID_NAMESPACE_BEGIN
namespace ops {

@declarations@
void register_all_ops();

void register_all_ops() {
@calls@}

}  // namespace ops
LUCID_NAMESPACE_END
]])
  set(${out_file} "${path}" PARENT_SCOPE)
endfunction()

# Loading the library registers the ops and refuses one with an empty slot (no forward, kernel or
# gradient). Loading it once as part of the build makes that a build error.
function(lucid_check_op_table)
  set(path "${LUCID_GENERATED_DIR}/check_ops.cpp")
  file(CONFIGURE OUTPUT "${path}" @ONLY CONTENT [[
// Written by CMake; do not edit.
#include "lucid/core/OpRegistry.h"

int main() { return lucid::OpRegistry::size() > 0 ? 0 : 1; }
]])
  add_executable(lucid_check_ops "${path}")
  lucid_use_root(lucid_check_ops core)
  target_link_libraries(lucid_check_ops PRIVATE lucid)
  set(stamp "${PROJECT_BINARY_DIR}/op_table.checked")
  add_custom_command(OUTPUT "${stamp}"
    COMMAND lucid_check_ops
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    DEPENDS lucid lucid_check_ops COMMENT "Checking the op table" VERBATIM)
  add_custom_target(lucid_op_table ALL DEPENDS "${stamp}")
endfunction()
