#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>
#include <utility>

#include "netmodels/host_names.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/formats/foreign.hpp"
#include "sim/formats/machines/ibnetdiscover.hpp"
#include "sim/formats/machines/slurm_topology.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// Whether a text has `key=` as Slurm reads it: in any case, with blanks in front of the sign.
bool has_slurm_key(std::string_view text, std::string_view key) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  for (auto at = text.begin();; ++at) {
    at = std::search(at, text.end(), key.begin(), key.end(), same);
    if (at == text.end()) return false;
    const auto behind = static_cast<std::size_t>(at - text.begin()) + key.size();
    const std::size_t sign = text.find_first_not_of(" \t", behind);
    if (sign != text.npos && text[sign] == '=') return true;
  }
}

/// The first line that is neither blank nor a comment, nor YAML's dashes.
std::string_view first_line(std::string_view text) {
  for (const std::string_view raw : split(text, '\n'))
    if (const auto line = trim(raw); !line.empty() && !line.starts_with('#') && line != "---")
      return line;
  return {};
}

/// Whether a text has a key of YAML, in a block or as in JSON.
bool has_yaml_key(std::string_view text, std::string_view key) {
  constexpr std::string_view around = " \t\"'\n,{[-";
  for (std::size_t at = text.find(key); at != text.npos; at = text.find(key, at + 1)) {
    const std::size_t sign = text.find_first_not_of("\"' ", at + key.size());
    if (at > 0 && around.find(text[at - 1]) != around.npos && sign != text.npos &&
        text[sign] == ':')
      return true;
  }
  return false;
}

/// Cables as assumed, or as the file's own rates.
std::shared_ptr<const Network> network_of(const std::string& path, const SlurmGrid& grid,
                                          const MachineOptions& options) {
  NetworkDefaults defaults{options.cables.bandwidth, options.cables.latency};
  try {
    defaults.host_names = options.host_names;
    if (!defaults.host_names)
      defaults.host_names = std::make_shared<const std::vector<std::string>>(grid.hosts);
    return make_network(grid.spec, defaults, options.routing);
  } catch (const UsageError& error) {
    throw input_error({path}, error.what());
  }
}

}  // namespace

std::optional<MachineFormat> foreign_machine_format(std::string_view text) {
  if (is_infiniband_listing(text)) return MachineFormat::ibnetdiscover;
  const std::string_view first = first_line(text);
  const bool is_list = first.starts_with('-') || first.starts_with('[');
  for (const std::string_view kind : {"tree", "block", "torus3d", "ring", "flat"})
    if (first.starts_with("- topology:") ||
        (is_list && has_yaml_key(text, "topology") && has_yaml_key(text, kind)))
      return MachineFormat::slurm_yaml;
  if (has_slurm_key(text, "SwitchName") || has_slurm_key(text, "BlockName") ||
      first.starts_with("Include ") || first.starts_with("include "))
    return MachineFormat::slurm_conf;
  return std::nullopt;
}

std::shared_ptr<const Network> read_foreign_machine(const std::string& path, MachineFormat format,
                                                    const MachineOptions& options) {
  const auto with_routing = [&](FabricSpec spec) {
    spec.routing = options.routing;
    if (spec.routing.rule == Routing::automatic) spec.routing.rule = Routing::simgrid;
    return with_host_names(make_fabric(std::move(spec)), options.host_names);
  };
  if (format == MachineFormat::slurm_conf)
    return with_routing(read_slurm_conf(path, options.cables, options.platform.remark));
  if (format == MachineFormat::ibnetdiscover)
    return with_routing(read_infiniband(path, options.cables, options.platform.remark));
  if (const auto grid = read_slurm_grid(path)) return network_of(path, *grid, options);
  return with_routing(read_slurm_yaml(path, options.cables, options.platform.remark));
}

}  // namespace vtopo::detail
