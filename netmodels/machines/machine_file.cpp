#include "netmodels/machines/machine_file.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <utility>

#include "netmodels/machines/platform_files.hpp"
#include "netmodels/machines/shipped_machines.hpp"
#include "topology/base/error.hpp"
#include "topology/base/foreign_formats.hpp"
#include "topology/base/named_entries.hpp"
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

}  // namespace

MachineFormat parse_machine_format(std::string_view name) {
  return entry_named("platform format", name, formats).second;
}

namespace {

/// Format by what the file holds; nothing if no reader takes such a file.
std::optional<MachineFormat> format_of_content(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == text.npos) return std::nullopt;
  if (text[start] == '<') return MachineFormat::simgrid;
  if (&vtopo_foreign_formats == nullptr) return std::nullopt;
  return vtopo_foreign_formats.machine_format(text);
}

}  // namespace

MachineFormat machine_format_of(const std::string& name) {
  const std::string path = machine_path(name);
  if (path.ends_with(".xml")) return MachineFormat::simgrid;
  return format_of_content(beginning_of(path)).value_or(MachineFormat::simgrid);
}

namespace {

/// @throws InputError for a file that no reader takes, UsageError where a library of readers lacks.
void check_machine_file(const std::string& path) {
  if (!std::filesystem::is_regular_file(path) || format_of_content(beginning_of(path))) return;
  foreign_formats("a machine's file that is not XML");
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
  const MachineFormat format = options.format.value_or(machine_format_of(path));
  if (format != MachineFormat::simgrid)
    return foreign_formats("a listing of a machine").read_machine(path, format, options);
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
