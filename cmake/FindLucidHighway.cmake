# Google Highway (Debian's libhwy-dev): target Lucid::highway, and Lucid::highway_contrib for vqsort.
find_path(LUCID_HIGHWAY_INCLUDE_DIR hwy/highway.h)
find_library(LUCID_HIGHWAY_LIBRARY hwy)
find_library(LUCID_HIGHWAY_CONTRIB_LIBRARY hwy_contrib)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LucidHighway
  REASON_FAILURE_MESSAGE "install Google Highway (Debian and Ubuntu: apt install libhwy-dev)"
  REQUIRED_VARS LUCID_HIGHWAY_LIBRARY LUCID_HIGHWAY_CONTRIB_LIBRARY LUCID_HIGHWAY_INCLUDE_DIR)
if(LucidHighway_FOUND AND NOT TARGET Lucid::highway)
  add_library(Lucid::highway UNKNOWN IMPORTED)
  set_target_properties(Lucid::highway PROPERTIES
    IMPORTED_LOCATION "${LUCID_HIGHWAY_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${LUCID_HIGHWAY_INCLUDE_DIR}")
  add_library(Lucid::highway_contrib UNKNOWN IMPORTED)
  set_target_properties(Lucid::highway_contrib PROPERTIES
    IMPORTED_LOCATION "${LUCID_HIGHWAY_CONTRIB_LIBRARY}"
    INTERFACE_LINK_LIBRARIES Lucid::highway)
endif()
