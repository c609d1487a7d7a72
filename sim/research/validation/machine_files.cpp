#include "sim/research/validation/machine_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

namespace fs = std::filesystem;

/// Of an installed command, or of a build folder in the source tree.
std::string shipped_platforms() {
  std::error_code error;
  const fs::path command = fs::read_symlink("/proc/self/exe", error);
  for (fs::path above = command.parent_path(); above.has_relative_path();
       above = above.parent_path())
    for (const char* folder : {"share/vtopo/platforms", "platforms"})
      if (fs::is_directory(above / folder, error)) return above / folder;
  throw InputError(
      "the folder of the shipped platform files is not beside the command; say it with "
      "--platforms DIR");
}

std::string platform_of(const std::string& machine, const std::string& folder) {
  std::string name = machine;
  std::replace(name.begin(), name.end(), '_', '-');
  std::error_code error;
  if (fs::exists(fs::path(folder) / (name + ".xml"), error)) return folder + '/' + name + ".xml";
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string file = entry.path().filename();
    if (file.starts_with(name + '-') && file.ends_with(".xml")) found.push_back(file);
  }
  std::sort(found.begin(), found.end());
  if (found.size() == 1) return folder + '/' + found.front();
  throw InputError(fmt::format(
      "\"{}\": {} for the machine \"{}\"; expected {}.xml, or give one "
      "with --machine and --platform",
      folder,
      found.empty() ? "no platform file" : "several platform files (" + join(found, ", ") + ")",
      machine, name));
}

}  // namespace

std::vector<MachineFiles> machine_files(const std::string& folder,
                                        const MachineSelection& selection) {
  std::vector<MachineFiles> machines;
  std::vector<std::string> names;
  for (MeasuredPoint& point : read_measured_runs(folder)) {
    const auto known = std::find(names.begin(), names.end(), point.machine);
    if (known == names.end()) names.push_back(point.machine);
    if (!selection.machine.empty() && point.machine != selection.machine) continue;
    const auto of = std::find_if(machines.begin(), machines.end(), [&](const MachineFiles& files) {
      return files.machine == point.machine;
    });
    MachineFiles& files =
        of != machines.end() ? *of : machines.emplace_back(MachineFiles{point.machine, {}, {}});
    files.points.push_back(std::move(point));
  }
  if (machines.empty())
    throw InputError(fmt::format("{}/runs.csv has no points of the machine \"{}\"; it has {}",
                                 folder, selection.machine,
                                 names.empty() ? "none" : join(names, ", ")));
  if (!selection.platform.empty() && machines.size() > 1)
    throw UsageError(fmt::format("--platform is of one machine; say with --machine which of {}",
                                 join(names, ", ")));
  for (MachineFiles& files : machines)
    files.platform =
        !selection.platform.empty()
            ? selection.platform
            : platform_of(files.machine,
                          selection.platforms.empty() ? shipped_platforms() : selection.platforms);
  return machines;
}

}  // namespace vtopo::detail
