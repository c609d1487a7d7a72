# Spack recipe: put this folder as packages/vtopo into a repository of yours (spack repo create).
from spack.package import *


class Vtopo(CMakePackage):
    """MPI virtual topologies on modelled interconnects: what a placement of ranks costs, and a better one."""

    license("MIT")

    version("0.2.0", tag="v0.2.0")

    variant("scotch", default=True, description="the mapper scotch")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("boost@1.74: +graph +regex")
    depends_on("eigen@3.4:", type="build")
    depends_on("fmt@9:")
    depends_on("cli11@2.1:", type="build")
    depends_on("nlohmann-json@3.11:")
    depends_on("pugixml@1.13:")
    depends_on("yaml-cpp@0.7:")
    depends_on("pkgconfig", type="build")
    depends_on("simgrid@3.32: +smpi")
    depends_on("scotch@7:", when="+scotch")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define_from_variant("VTOPO_WITH_SCOTCH", "scotch"),
            self.define("VTOPO_BUILD_TESTS", False),
        ]
