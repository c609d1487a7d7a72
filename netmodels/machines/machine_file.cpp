#include "netmodels/machines/machine_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <utility>

#include "netmodels/fabric/fabric.hpp"
#include "netmodels/host_names.hpp"
#include "netmodels/machines/ibnetdiscover.hpp"
#include "netmodels/machines/platform_files.hpp"
#include "netmodels/machines/shipped_machines.hpp"
#include "netmodels/machines/slurm_topology.hpp"
#include "netmodels/network_spec.hpp"
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
  constexpr std::size_t enough = 65536;  // long comments come first
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

/// Cables as assumed, or as the file's own rates.
std::shared_ptr<const Network> network_of(const std::string& path, const SlurmGrid& grid,
                                          const MachineOptions& options) {
  NetworkDefaults defaults{options.cables.bandwidth, options.cables.latency};
  try {
    defaults.host_names = std::make_shared<const std::vector<std::string>>(grid.hosts);
    return make_network(grid.spec, defaults, options.routing);
  } catch (const UsageError& error) {
    throw input_error({path}, error.what());
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

namespace {

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

/// Format by what the file holds; nothing if no reader takes such a file.
std::optional<MachineFormat> format_of_content(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == text.npos) return std::nullopt;
  if (text[start] == '<') return MachineFormat::simgrid;
  if (is_infiniband_listing(text)) return MachineFormat::ibnetdiscover;
  if (has_slurm_key(text, "SwitchName") || has_slurm_key(text, "BlockName"))
    return MachineFormat::slurm_conf;
  const std::string_view first = first_line(text);
  if (first.starts_with("Include ") || first.starts_with("include "))
    return MachineFormat::slurm_conf;
  const bool is_list = first.starts_with('-') || first.starts_with('[');
  for (const std::string_view kind : {"tree", "block", "torus3d", "ring", "flat"})
    if (first.starts_with("- topology:") ||
        (is_list && has_yaml_key(text, "topology") && has_yaml_key(text, kind)))
      return MachineFormat::slurm_yaml;
  return std::nullopt;
}

}  // namespace

MachineFormat machine_format_of(const std::string& name) {
  const std::string path = machine_path(name);
  if (path.ends_with(".xml")) return MachineFormat::simgrid;
  return format_of_content(beginning_of(path)).value_or(MachineFormat::simgrid);
}

namespace {

/// @throws InputError for a file that no reader takes.
void check_machine_file(const std::string& path) {
  if (!std::filesystem::is_regular_file(path) || format_of_content(beginning_of(path))) return;
  throw input_error({path},
                    "not a machine file that vtopo knows: accepted are platforms of SimGrid "
                    "(XML), topology.conf and topology.yaml of Slurm, what \"scontrol show "
                    "topology\", ibnetdiscover (-p too) and iblinkinfo print, and net files "
                    "of ibsim");
}

}  // namespace

std::shared_ptr<const Network> load_machine(const std::string& name,
                                            const MachineOptions& options) {
  const std::string path = machine_path(name);
  auto with_routing = [&](FabricSpec spec) {
    spec.routing = options.routing;
    if (spec.routing.rule == Routing::automatic) spec.routing.rule = Routing::simgrid;
    return with_host_names(make_fabric(std::move(spec)), options.host_names);
  };
  switch (options.format.value_or(machine_format_of(path))) {
    case MachineFormat::slurm_conf:
      return with_routing(read_slurm_conf(path, options.cables));
    case MachineFormat::slurm_yaml:
      if (const auto grid = read_slurm_grid(path)) return network_of(path, *grid, options);
      return with_routing(read_slurm_yaml(path, options.cables));
    case MachineFormat::ibnetdiscover:
      return with_routing(read_infiniband(path, options.cables, options.platform.remark));
    case MachineFormat::simgrid:
      break;
  }
  check_machine_file(path);
  PlatformOptions platform = options.platform;
  platform.host_names = options.host_names;
  return platform_files().read(path, platform);
}

bool detail::is_machine_file(const std::string& path) {
  std::error_code none;
  if (path.ends_with(".graphml") || !std::filesystem::is_regular_file(path, none)) return false;
  for (const std::string_view extension : {".xml", ".conf", ".yaml", ".yml"})
    if (path.ends_with(extension)) return true;
  const std::string text = beginning_of(path);
  return format_of_content(text).value_or(MachineFormat::simgrid) != MachineFormat::simgrid ||
         text.find("<platform") != std::string::npos;
}

const PlatformFiles& detail::platform_files() {
  if (&vtopo_platform_files == nullptr)
    throw UsageError(
        "a platform file of SimGrid needs the library vtopo::platform, which this program was "
        "linked without");
  return vtopo_platform_files;
}

}  // namespace vtopo
