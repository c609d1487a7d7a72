#include "netmodels/machines/machine_file.hpp"
#include "sim/formats/machines/slurm_topology.hpp"

#include <array>

#include "sim/formats/machines/ibnetdiscover.hpp"
#include "tests/fuzz/target.hpp"
#include "topology/base/host_list.hpp"

namespace vtopo::fuzz::targets {

using namespace vtopo::detail;

namespace {

const std::array<std::string, 5> machine_formats{"slurm", "slurm-yaml", "ibnetdiscover",
                                                 "infiniband", "detect"};

FabricSpec read_machine(const std::string& format, const std::string& path) {
  if (format == "slurm") return read_slurm_conf(path, {});
  if (format == "slurm-yaml") return read_slurm_yaml(path, {});
  return format == "infiniband" ? read_infiniband(path, {}) : read_ibnetdiscover(path, {});
}

void run_machine_file(std::string_view input) {
  const NamedInput named = named_input(machine_formats, input);
  const MemoryFile file(named.content);
  if (machine_formats[named.format] == "detect") {
    machine_format_of(file.path());
    return;
  }
  if (machine_formats[named.format] == "slurm-yaml") read_slurm_grid(file.path());
  const FabricSpec spec = read_machine(machine_formats[named.format], file.path());
  require(!spec.hosts.empty(), "a machine without hosts");
  const auto network = make_fabric(spec);
  require(network->num_hosts() == static_cast<int>(spec.hosts.size()), "hosts are lost");
}

}  // namespace

Target machine_file() {
  return {"Slurm's topology files and listings of InfiniBand",
          run_machine_file,
          {1024 * max_host_list_names, 64}};
}

}  // namespace vtopo::fuzz::targets
