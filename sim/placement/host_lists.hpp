#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topology/base/error.hpp"

namespace vtopo::detail {

/// A host as a list names it; a list may name it several times.
struct ListedHost {
  std::string name;
  std::optional<int> slots;  ///< absent: the list does not count them
  FilePosition where;
};

/// Reads what batch systems and users write for launchers, in the order of the file:
/// - a host per line, as `name`, `name:slots` (SMPI, hydra; a third field is an interface),
///   `name slots=n` (Open MPI, blanks around the sign or not) or `name n queue processors` (SGE),
///   with words that do not concern us, such as `binding=`, `user=`; `max_slots=` counts where
///   `slots=` is missing; `user@name`; or a table in CSV with a column `host` and perhaps one
///   `slots`;
/// - a host per slot in lines (PBS, OAR, LSF) or words of a line (LSB_HOSTS), or name and number by
///   turns (LSB_MCPU_HOSTS), or `name cores numa policy` for each task (LSF's affinity file);
/// - lists such as `node[01-04,07]` (Slurm), also with commas or `*n` behind a name; `2*a:1*b`
///   (LSF); `a/0*4+b/0`, `a/0-3,6+b/0`, `(a:ncpus=2)+(b:ncpus=2)`, `b:ppn=2` (PBS, Torque); lines
///   of the environment with SLURM_JOB_NODELIST and SLURM_TASKS_PER_NODE, or LSB_HOSTS or
///   LSB_MCPU_HOSTS;
/// - JSON: R of Flux (RFC 20), a slot for each core; an array of names or of objects with `host`
///   and perhaps `slots`; an object with such an array as `hosts` or `nodes`, or with the slots of
///   each name.
/// Addresses of IPv6 are names, in brackets where slots follow. Blank lines and comments behind
/// `#`, `//` and `%` are skipped.
/// @throws InputError with file, line and column; UsageError in a program without vtopo::formats.
std::vector<ListedHost> read_listed_hosts(const std::string& path);

}  // namespace vtopo::detail
