#include "netmodels/machine_file.hpp"

#include <array>

#include "netmodels/readers/ibnetdiscover.hpp"
#include "tests/fuzz/target.hpp"
#include "topology/host_list.hpp"

namespace vtopo::fuzz::targets {

namespace {

const std::array<std::string, 4> names{"slurm", "slurm-yaml", "ibnetdiscover", "detect"};

FabricSpec read(const std::string& format, const std::string& path) {
  if (format == "slurm") return read_slurm_conf(path, {});
  if (format == "slurm-yaml") return read_slurm_yaml(path, {});
  return read_ibnetdiscover(path, {});
}

void run(std::string_view input) {
  const NamedInput named = named_input(names, input);
  const MemoryFile file(named.content);
  if (names[named.format] == "detect") {
    machine_format_of(file.path());
    return;
  }
  const FabricSpec spec = read(names[named.format], file.path());
  require(!spec.hosts.empty(), "a machine without hosts");
  const auto network = make_fabric(spec);
  require(network->num_hosts() == static_cast<int>(spec.hosts.size()), "hosts are lost");
}

}  // namespace

Target machine_file() {
  return {"Slurm's topology files and ibnetdiscover", run, {1024 * max_host_list_names, 64}};
}

}  // namespace vtopo::fuzz::targets
