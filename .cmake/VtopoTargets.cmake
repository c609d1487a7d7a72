# Compile options of every target of the project.
add_library(vtopo_options INTERFACE)
target_compile_features(vtopo_options INTERFACE cxx_std_20)
target_compile_options(vtopo_options INTERFACE
  $<BUILD_INTERFACE:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
    -Wnon-virtual-dtor -Woverloaded-virtual>
  $<BUILD_INTERFACE:$<$<BOOL:${VTOPO_WARNINGS_AS_ERRORS}>:-Werror>>)

# vtopo_add_room(<area> SOURCES ... [PUBLIC <targets>] [PRIVATE <targets>] [INTERNAL <headers>])
# One static library per area: target vtopo_<area>, alias and exported name vtopo::<area>. All headers
# of the area are installed but the internal ones.
function(vtopo_add_room area)
  cmake_parse_arguments(ROOM "" "" "SOURCES;PUBLIC;PRIVATE;INTERNAL" ${ARGN})
  add_library(vtopo_${area} STATIC ${ROOM_SOURCES})
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
    PUBLIC ${ROOM_PUBLIC}
    PRIVATE $<BUILD_INTERFACE:vtopo_options> ${ROOM_PRIVATE})
  install(TARGETS vtopo_${area} EXPORT vtopo ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}"
    "${CMAKE_CURRENT_SOURCE_DIR}/*.hpp")
  list(REMOVE_ITEM headers ${ROOM_INTERNAL})
  foreach(header IN LISTS headers)
    get_filename_component(folder "${header}" DIRECTORY)
    install(FILES "${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/vtopo/${area}/${folder}")
  endforeach()
endfunction()

# Exported targets and the files that find_package(vtopo) reads.
function(vtopo_install_package)
  include(CMakePackageConfigHelpers)
  set(destination "${CMAKE_INSTALL_LIBDIR}/cmake/vtopo")
  install(EXPORT vtopo NAMESPACE vtopo:: DESTINATION "${destination}" FILE vtopoTargets.cmake)
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/vtopoConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
  install(FILES
    "${PROJECT_SOURCE_DIR}/.cmake/FindScotch.cmake"
    "${PROJECT_SOURCE_DIR}/.cmake/vtopoConfig.cmake"
    "${PROJECT_BINARY_DIR}/vtopoConfigVersion.cmake"
    DESTINATION "${destination}")
endfunction()
