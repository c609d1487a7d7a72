#include "netmodels/machines/machine_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <utility>

#include "netmodels/fabric/fabric.hpp"
#include "netmodels/machines/ibnetdiscover.hpp"
#include "netmodels/machines/platform_files.hpp"
#include "netmodels/machines/shipped_machines.hpp"
#include "netmodels/machines/slurm_topology.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

using namespace detail;

namespace {

constexpr std::array<std::pair<std::string_view, MachineFormat>, 4> formats{
    {{"simgrid", MachineFormat::simgrid},
     {"slurm", MachineFormat::slurm_conf},
     {"slurm-yaml", MachineFormat::slurm_yaml},
     {"ibnetdiscover", MachineFormat::ibnetdiscover}}};

/// First lines of a file; empty if it cannot be read: its reader will say why.
std::string beginning_of(const std::string& path) {
  constexpr std::size_t enough = 4096;
  if (!std::filesystem::is_regular_file(path)) return {};
  std::ifstream file(path, std::ios::binary);
  std::string text(enough, '\0');
  file.read(text.data(), static_cast<std::streamsize>(enough));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

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

}  // namespace

MachineFormat parse_machine_format(std::string_view name) {
  std::array<std::string, formats.size()> names;
  for (std::size_t i = 0; i < formats.size(); ++i) {
    if (formats[i].first == name) return formats[i].second;
    names[i] = formats[i].first;
  }
  throw UsageError(fmt::format("platform format \"{}\"; accepted: {}{}", name,
                               fmt::join(names, ", "), suggestion(name, names)));
}

MachineFormat machine_format_of(const std::string& name) {
  const std::string path = machine_path(name);
  if (path.ends_with(".xml")) return MachineFormat::simgrid;
  if (path.ends_with(".conf")) return MachineFormat::slurm_conf;
  if (path.ends_with(".yaml") || path.ends_with(".yml")) return MachineFormat::slurm_yaml;
  const std::string text = beginning_of(path);
  auto has = [&](std::string_view word) { return text.find(word) != std::string::npos; };
  if (has("<platform") || has("<?xml")) return MachineFormat::simgrid;
  if (has("switchguid=") || has("caguid=") || has("vendid=")) return MachineFormat::ibnetdiscover;
  if (has_slurm_key(text, "SwitchName") || has_slurm_key(text, "BlockName"))
    return MachineFormat::slurm_conf;
  if (has("topology:")) return MachineFormat::slurm_yaml;
  return MachineFormat::simgrid;
}

std::shared_ptr<const Network> load_machine(const std::string& name,
                                            const MachineOptions& options) {
  const std::string path = machine_path(name);
  auto with_routing = [&](FabricSpec spec) {
    spec.routing = options.routing;
    if (spec.routing.rule == Routing::automatic) spec.routing.rule = Routing::simgrid;
    return make_fabric(std::move(spec));
  };
  switch (options.format.value_or(machine_format_of(path))) {
    case MachineFormat::slurm_conf:
      return with_routing(read_slurm_conf(path, options.cables));
    case MachineFormat::slurm_yaml:
      return with_routing(read_slurm_yaml(path, options.cables));
    case MachineFormat::ibnetdiscover:
      return with_routing(read_ibnetdiscover(path, options.cables.latency));
    case MachineFormat::simgrid:
      break;
  }
  return platform_files().read(path, options.platform);
}

const PlatformFiles& detail::platform_files() {
  if (&vtopo_platform_files == nullptr)
    throw UsageError(
        "a platform file of SimGrid needs the library vtopo::platform, which this program was "
        "linked without");
  return vtopo_platform_files;
}

}  // namespace vtopo
