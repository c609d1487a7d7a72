-- Lmod: MODULEPATH/vtopo/0.2.0.lua, for the archive unpacked into /opt/vtopo-0.2.0-Linux.
local root = "/opt/vtopo-0.2.0-Linux"
help("vtopo --help, man vtopo")
whatis("Name: vtopo")
whatis("Version: 0.2.0")
whatis("Description: MPI virtual topologies on modelled interconnects")
prepend_path("PATH", pathJoin(root, "bin"))
prepend_path("MANPATH", pathJoin(root, "share/man"))
prepend_path("CMAKE_PREFIX_PATH", root)
prepend_path("PKG_CONFIG_PATH", pathJoin(root, "lib/pkgconfig"))
