# Scotch, which Debian ships without a CMake or pkg-config file: target Scotch::scotch.
find_path(Scotch_INCLUDE_DIR scotch.h PATH_SUFFIXES scotch scotch-int32)
find_library(Scotch_LIBRARY scotch)
mark_as_advanced(Scotch_INCLUDE_DIR Scotch_LIBRARY)
if(Scotch_INCLUDE_DIR)
  file(STRINGS "${Scotch_INCLUDE_DIR}/scotch.h" versions
    REGEX "^#define SCOTCH_(VERSION|RELEASE|PATCHLEVEL) [0-9]+")
  string(REGEX REPLACE "[^0-9;]" "" versions "${versions}")
  list(JOIN versions "." Scotch_VERSION)
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Scotch
  REQUIRED_VARS Scotch_LIBRARY Scotch_INCLUDE_DIR VERSION_VAR Scotch_VERSION)
if(Scotch_FOUND AND NOT TARGET Scotch::scotch)
  add_library(Scotch::scotch UNKNOWN IMPORTED)
  set_target_properties(Scotch::scotch PROPERTIES
    IMPORTED_LOCATION "${Scotch_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Scotch_INCLUDE_DIR}")
endif()
