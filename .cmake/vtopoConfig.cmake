include(CMakeFindDependencyMacro)
find_dependency(Boost COMPONENTS graph)
find_dependency(fmt)
find_dependency(nlohmann_json)
find_dependency(PkgConfig)
find_dependency(Threads)
if(@VTOPO_WINGS@)  # whether it was built with more than the core
  find_dependency(yaml-cpp)
  find_dependency(pugixml)
  pkg_check_modules(SimGrid REQUIRED IMPORTED_TARGET simgrid>=3.32)
endif()
pkg_check_modules(Clp QUIET IMPORTED_TARGET clp)  # as Scotch below
list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")
find_package(Scotch QUIET)  # needed only by a vtopo that was built with it: see vtopoTargets.cmake
list(POP_BACK CMAKE_MODULE_PATH)
include("${CMAKE_CURRENT_LIST_DIR}/vtopoTargets.cmake")
if(NOT TARGET vtopo::vtopo)  # all libraries that are installed
  add_library(vtopo::vtopo INTERFACE IMPORTED)
  foreach(library core fabric networks ideal bounds report formats simgrid mappers adapters plugin platform)
    if(TARGET vtopo::${library})
      target_link_libraries(vtopo::vtopo INTERFACE vtopo::${library})
    endif()
  endforeach()
endif()
