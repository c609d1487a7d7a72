# Compile options of every target of the project.
add_library(vtopo_options INTERFACE)
target_compile_features(vtopo_options INTERFACE cxx_std_20)
target_compile_options(vtopo_options INTERFACE
  $<BUILD_INTERFACE:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
    -Wnon-virtual-dtor -Woverloaded-virtual>
  # False alarms of g++ 12 on sums of strings (GCC bugs 105329 and 105651).
  $<BUILD_INTERFACE:$<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds -Wno-restrict -Wno-stringop-overflow>>
  $<BUILD_INTERFACE:$<$<BOOL:${VTOPO_WARNINGS_AS_ERRORS}>:-Werror>>)

# What most sources include, parsed once. The presets clang and tidy build without (CMAKE_DISABLE_PRECOMPILE_HEADERS),
# so that each source names what it needs.
set(VTOPO_STANDARD_HEADERS
  <algorithm> <array> <bit> <charconv> <chrono> <cmath> <cstddef> <cstdint> <cstdlib> <cstring>
  <filesystem> <functional> <iterator> <limits> <map> <memory> <mutex> <numeric> <optional> <set>
  <span> <sstream> <string> <string_view> <system_error> <tuple> <unordered_map> <utility> <variant>
  <vector> <fmt/format.h>)
add_library(vtopo_precompiled STATIC "${CMAKE_CURRENT_LIST_DIR}/precompiled.cpp")
set_target_properties(vtopo_precompiled PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF)
target_link_libraries(vtopo_precompiled PRIVATE vtopo_options fmt::fmt)
target_precompile_headers(vtopo_precompiled PRIVATE ${VTOPO_STANDARD_HEADERS})

# g++ 14 for x86 takes a precompiled header of -O3 in a source at -O1 only with these options of -O2 and above.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-munroll-only-small-loops VTOPO_HAS_SMALL_LOOPS_OPTION)
set(vtopo_quick_options -O1)
if(VTOPO_HAS_SMALL_LOOPS_OPTION)
  list(APPEND vtopo_quick_options -munroll-only-small-loops -mvzeroupper)
endif()

# vtopo_group_sources(<target> [<regex>]): with CMAKE_UNITY_BUILD up to ten sources of one folder are compiled as one, and
# so are those of all folders with less than four. Sources that match the regex take little time however they are
# compiled, so a release build compiles them at -O1.
function(vtopo_group_sources target)
  get_target_property(sources ${target} SOURCES)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS sources)
    get_filename_component(folder "${source}" DIRECTORY)
    string(MAKE_C_IDENTIFIER "sources_in_${folder}" count)
    math(EXPR ${count} "${${count}} + 1")
  endforeach()
  foreach(source IN LISTS sources)
    get_filename_component(folder "${source}" DIRECTORY)
    string(MAKE_C_IDENTIFIER "sources_in_${folder}" count)
    set(quick OFF)
    if(ARGC GREATER 1 AND source MATCHES "${ARGV1}")
      set(quick ON)
    elseif(${count} LESS 4)
      set(folder "small_folders")
    endif()
    string(MAKE_C_IDENTIFIER "in_${folder}" folder)
    math(EXPR ${folder} "${${folder}} + 1")
    math(EXPR number "${${folder}} / 10")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}_${number}")
    if(quick)
      if(CMAKE_UNITY_BUILD)  # options of a source would take it out of its group
        set(source "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/unity_${folder}_${number}_cxx.cxx")
      endif()
      set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:${vtopo_quick_options}>")
    endif()
  endforeach()
endfunction()

# vtopo_add_module(<area> [PUBLIC <targets>] [PRIVATE <targets>] [GENERATED <sources>] [EXCLUDE <regex>] [QUICK <regex>])
# One static library of all sources below the folder, but those that match EXCLUDE: target vtopo_<area>,
# alias and exported name vtopo::<area>. QUICK: see vtopo_group_sources. The area's headers in
# .cmake/public_headers.txt are installed.
function(vtopo_add_module area)
  cmake_parse_arguments(MODULE "" "EXCLUDE;QUICK" "PUBLIC;PRIVATE;GENERATED" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" *.cpp)
  if(MODULE_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${MODULE_EXCLUDE}")
  endif()
  add_library(vtopo_${area} STATIC ${sources} ${MODULE_GENERATED})
  add_library(vtopo::${area} ALIAS vtopo_${area})
  set_target_properties(vtopo_${area} PROPERTIES
    EXPORT_NAME ${area}
    POSITION_INDEPENDENT_CODE ON
    CXX_EXTENSIONS OFF)
  target_compile_features(vtopo_${area} PUBLIC cxx_std_20)
  target_include_directories(vtopo_${area} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/vtopo>)
  target_link_libraries(vtopo_${area}
    PUBLIC ${MODULE_PUBLIC}
    PRIVATE $<BUILD_INTERFACE:vtopo_options> ${MODULE_PRIVATE})
  target_precompile_headers(vtopo_${area} REUSE_FROM vtopo_precompiled)
  vtopo_group_sources(vtopo_${area} ${MODULE_QUICK})
  if(area MATCHES "^(topology|netmodels|fabric|ideal|networks|process|platform|sim|bounds|report|formats|simgrid|adapters|mappers|plugin)$")
    install(TARGETS vtopo_${area} EXPORT vtopo ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    vtopo_install_headers("${MODULE_EXCLUDE}")
  endif()
endfunction()

# Public headers of this folder: those of .cmake/public_headers.txt, but for what matches the regex.
function(vtopo_install_headers excluded)
  file(STRINGS "${PROJECT_SOURCE_DIR}/.cmake/public_headers.txt" headers)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/.cmake/public_headers.txt")
  file(RELATIVE_PATH area "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  foreach(header IN LISTS headers)
    file(RELATIVE_PATH place "/${area}" "/${header}")
    get_filename_component(folder "${header}" DIRECTORY)
    if(NOT place MATCHES "^[.][.]/" AND NOT (excluded AND place MATCHES "${excluded}"))
      install(FILES "${PROJECT_SOURCE_DIR}/${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/vtopo/${folder}")
    endif()
  endforeach()
endfunction()

# <vtopo/vtopo.hpp>: all public headers, but those that need Boost.Graph.
function(vtopo_install_all_in_one)
  file(STRINGS "${PROJECT_SOURCE_DIR}/.cmake/public_headers.txt" headers)
  list(FILTER headers EXCLUDE REGEX "_bgl.hpp$")
  if(NOT VTOPO_WINGS)
    list(FILTER headers EXCLUDE REGEX "^(netmodels/(fabric|ideal|platform)|sim/report|sim/clock/simgrid|sim/mapping/plugin)/")
  endif()
  list(TRANSFORM headers REPLACE "(.+)" "#include \"\\1\"")
  list(JOIN headers "\n" includes)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/vtopo.hpp" @ONLY CONTENT
    "#pragma once\n\n// All public headers; those that need Boost.Graph (*_bgl.hpp) are included by themselves.\n@includes@\n")
  install(FILES "${PROJECT_BINARY_DIR}/vtopo.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/vtopo")
endfunction()

# Exported targets and the files that find_package(vtopo) reads.
function(vtopo_install_package)
  vtopo_install_all_in_one()
  include(CMakePackageConfigHelpers)
  set(destination "${CMAKE_INSTALL_LIBDIR}/cmake/vtopo")
  install(EXPORT vtopo NAMESPACE vtopo:: DESTINATION "${destination}" FILE vtopoTargets.cmake)
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/vtopoConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
  configure_file("${PROJECT_SOURCE_DIR}/.cmake/vtopoConfig.cmake" "${PROJECT_BINARY_DIR}/vtopoConfig.cmake" @ONLY)
  install(FILES
    "${PROJECT_SOURCE_DIR}/.cmake/FindScotch.cmake"
    "${PROJECT_BINARY_DIR}/vtopoConfig.cmake"
    "${PROJECT_BINARY_DIR}/vtopoConfigVersion.cmake"
    DESTINATION "${destination}")
  file(RELATIVE_PATH prefix_of_pc "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  set(wings_of_pc "")
  if(VTOPO_WINGS)
    foreach(object platform_files ideal_routing more_networks lower_bounds foreign_formats simgrid_clock mapper_adapters more_mappers)
      string(APPEND wings_of_pc " -Wl,--undefined=vtopo_${object}")
    endforeach()
    string(APPEND wings_of_pc " -lvtopo_bounds -lvtopo_report -lvtopo_formats -lvtopo_simgrid -lvtopo_adapters -lvtopo_mappers -lvtopo_plugin -lvtopo_platform -lvtopo_networks -lvtopo_fabric -lvtopo_ideal -lvtopo_process")
  endif()
  set(packages_of_pc "$<$<BOOL:${VTOPO_WINGS}>:simgrid pugixml yaml-cpp>")
  set(clp_of_pc "$<$<TARGET_EXISTS:PkgConfig::Clp>: clp>")
  set(scotch_of_pc "$<$<TARGET_EXISTS:Scotch::scotch>: -lscotch -lscotcherr>")
  configure_file("${PROJECT_SOURCE_DIR}/.cmake/vtopo.pc.in" "${PROJECT_BINARY_DIR}/vtopo.pc.in" @ONLY)
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/vtopo.pc" INPUT "${PROJECT_BINARY_DIR}/vtopo.pc.in")
  install(FILES "${PROJECT_BINARY_DIR}/vtopo.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()

# Reference of the public headers, where doxygen is installed: cmake --build --preset release --target vtopo_docs.
function(vtopo_add_docs)
  find_package(Doxygen QUIET)
  if(NOT DOXYGEN_FOUND)
    return()
  endif()
  file(STRINGS "${PROJECT_SOURCE_DIR}/.cmake/public_headers.txt" headers)
  list(FILTER headers EXCLUDE REGEX "_bgl.hpp$")  # specialise Boost's templates, which doxygen does not know
  list(TRANSFORM headers PREPEND "${PROJECT_SOURCE_DIR}/")
  set(DOXYGEN_QUIET YES)
  set(DOXYGEN_WARN_AS_ERROR FAIL_ON_WARNINGS)
  set(DOXYGEN_WARN_IF_UNDOCUMENTED YES)
  set(DOXYGEN_WARN_IF_INCOMPLETE_DOC NO)
  set(DOXYGEN_WARN_NO_PARAMDOC NO)
  set(DOXYGEN_HAVE_DOT NO)
  set(DOXYGEN_STRIP_FROM_PATH "${PROJECT_SOURCE_DIR}")
  doxygen_add_docs(vtopo_docs ${headers})
endfunction()
