# Packages: `cpack -G DEB` and `cpack -G TGZ` in a build folder. The archive has the libraries that the command needs,
# glibc's apart, in lib/vtopo, and runs wherever it is unpacked. Of Debian's packages, vtopo needs no MPI library:
# what is preloaded into MPI programs is in vtopo-openmpi and vtopo-mpich, the Python module in python3-vtopo.

# Everything that the command is linked with, in a component of its own, which only the archive has.
function(vtopo_bundle_libraries target)
  install(CODE "
    file(GET_RUNTIME_DEPENDENCIES EXECUTABLES \"$<TARGET_FILE:${target}>\" RESOLVED_DEPENDENCIES_VAR libraries
      POST_EXCLUDE_REGEXES \"/(ld-linux.*|libc|libm|libdl|libpthread|librt|libresolv)\\\\.so\")
    file(INSTALL \${libraries} DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/vtopo\"
      TYPE SHARED_LIBRARY FOLLOW_SYMLINK_CHAIN)
    set(files)
    foreach(library IN LISTS libraries)
      file(REAL_PATH \"\${library}\" library)
      list(APPEND files \"\${library}\")
    endforeach()
    execute_process(COMMAND dpkg -S \${files} OUTPUT_VARIABLE owners ERROR_QUIET)
    string(REGEX MATCHALL \"[^\\n]+\" owners \"\${owners}\")
    foreach(owner IN LISTS owners)
      if(owner MATCHES \"^([^:]+):\" AND EXISTS \"/usr/share/doc/\${CMAKE_MATCH_1}/copyright\")
        file(INSTALL \"/usr/share/doc/\${CMAKE_MATCH_1}/copyright\"
          DESTINATION \"\${CMAKE_INSTALL_PREFIX}/share/doc/vtopo/licences\" RENAME \"\${CMAKE_MATCH_1}\")
      endif()
    endforeach()"
    COMPONENT bundle EXCLUDE_FROM_ALL)
endfunction()

vtopo_bundle_libraries(vtopo)
install(FILES LICENSE THIRD_PARTY.md CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/vtopo")

set(CPACK_PACKAGE_NAME vtopo)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_CONTACT "the vtopo developers <vtopo@localhost>")
set(CPACK_PACKAGE_VENDOR vtopo)
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL Unspecified)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME vtopo)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SUGGESTS "libsimgrid-dev")  # smpicc and smpirun, for vtopo mpirun
set(CPACK_COMPONENT_UNSPECIFIED_DESCRIPTION "Command, libraries, platforms and documentation.")

# vtopo_package(<component> <target> <package> <depends> <description>): if the target is built.
macro(vtopo_package component target package depends description)
  if(TARGET ${target})
    list(APPEND CPACK_COMPONENTS_ALL ${component})
    string(TOUPPER ${component} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
    set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "vtopo (= ${PROJECT_VERSION})${depends}")
    set(CPACK_COMPONENT_${upper}_DESCRIPTION "${description}")
  endif()
endmacro()

vtopo_package(openmpi vtopo_mpi vtopo-openmpi "" "Reordering of ranks under Open MPI: libvtopo_mpi.so.")
vtopo_package(mpich vtopo_mpi_mpich vtopo-mpich "" "Reordering of ranks under MPICH: libvtopo_mpi_mpich.so.")
if(TARGET vtopo_python)  # the module is for one version of Python
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  math(EXPR next_python "${Python3_VERSION_MINOR} + 1")
  vtopo_package(python vtopo_python python3-vtopo
    ", python3 (>= 3.${Python3_VERSION_MINOR}), python3 (<< 3.${next_python})" "Module vtopo for Python.")
endif()
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-numpy")
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/CPackGenerator.cmake" @ONLY CONTENT [[
if(CPACK_GENERATOR STREQUAL "TGZ")
  set(CPACK_INSTALL_CMAKE_PROJECTS "@PROJECT_BINARY_DIR@;vtopo;ALL;/;@PROJECT_BINARY_DIR@;vtopo;bundle;/")
endif()
]])
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_BINARY_DIR}/CPackGenerator.cmake")
include(CPack)
