#include "sim/placement/host_selection.hpp"

#include "netmodels/network_spec.hpp"
#include "tests/fuzz/target.hpp"

namespace vtopo::fuzz::targets {

using namespace vtopo::detail;

namespace {

void run_hostfile(std::string_view input) {
  static const auto network = make_network("torus:4x4x2", {});
  const MemoryFile file(input);
  for (const HostfileEntry& entry : read_hostfile(file.path(), *network)) {
    require(number(entry.host) < network->num_hosts(), "a host that is not there");
    require(!entry.slots || *entry.slots >= 1, "a host without slots");
  }
}

}  // namespace

Target hostfile() {
  return {"hostfiles", run_hostfile, {}};
}

}  // namespace vtopo::fuzz::targets
