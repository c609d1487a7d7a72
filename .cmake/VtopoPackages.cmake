# Packages: `cpack -G DEB` and `cpack -G TGZ` in a build folder. The archive has the libraries that the command needs,
# glibc's apart, in lib/vtopo, and runs wherever it is unpacked.

# Everything that the command is linked with, in a component of its own, which only the archive has.
function(vtopo_bundle_libraries target)
  install(CODE "
    file(GET_RUNTIME_DEPENDENCIES EXECUTABLES \"$<TARGET_FILE:${target}>\" RESOLVED_DEPENDENCIES_VAR libraries
      POST_EXCLUDE_REGEXES \"/(ld-linux.*|libc|libm|libdl|libpthread|librt|libresolv)\\\\.so\")
    file(INSTALL \${libraries} DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/vtopo\"
      TYPE SHARED_LIBRARY FOLLOW_SYMLINK_CHAIN)
    foreach(library IN LISTS libraries)
      file(REAL_PATH \"\${library}\" library)
      execute_process(COMMAND dpkg -S \"\${library}\" OUTPUT_VARIABLE owner ERROR_QUIET)
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
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libsimgrid-dev")  # smpicc and smpirun, for vtopo mpirun
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/CPackGenerator.cmake" @ONLY CONTENT [[
if(CPACK_GENERATOR STREQUAL "TGZ")
  set(CPACK_INSTALL_CMAKE_PROJECTS "@PROJECT_BINARY_DIR@;vtopo;ALL;/;@PROJECT_BINARY_DIR@;vtopo;bundle;/")
endif()
]])
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_BINARY_DIR}/CPackGenerator.cmake")
include(CPack)
