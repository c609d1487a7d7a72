// Takes the place of the function by which vtopo has SimGrid compute routes: clusters need not have
// SimGrid, and its library has functions of MPI in it that are none of the program's.

#include "netmodels/platform/platform_network.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

std::shared_ptr<const Network> make_platform_network(const PlatformFile&, const PlatformOptions&) {
  throw UsageError(
      "VTOPO_PLATFORM: the routes of this file are only known to SimGrid; accepted under a real "
      "MPI are files of one torus, fat tree or dragonfly, files with the property vtopo-network, "
      "topology files of Slurm, and what ibnetdiscover prints");
}

}  // namespace vtopo::detail
