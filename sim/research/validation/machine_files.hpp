#pragma once

#include <string>
#include <vector>

#include "sim/research/validation/measured_runs.hpp"

namespace vtopo::detail {

/// Measured points of one machine and its platform file.
struct MachineFiles {
  std::string machine, platform;
  std::vector<MeasuredPoint> points;  ///< in the order of the file
};

/// Which machines of measured points to take, and where their platform files are.
struct MachineSelection {
  std::string machine = {};    ///< empty: all
  std::string platform = {};   ///< file of the only machine; empty: from the folder
  std::string platforms = {};  ///< folder of platform files; empty: the shipped one
};

/// Points of `FOLDER/runs.csv` by machine. The platform file of `mare_nostrum` is
/// `mare-nostrum.xml` of the folder, or the only one whose name goes on with a dash.
/// @throws InputError for a folder without points of the machine, or a machine without a platform
/// file; UsageError for one file for several machines.
std::vector<MachineFiles> machine_files(const std::string& folder,
                                        const MachineSelection& selection);

}  // namespace vtopo::detail
