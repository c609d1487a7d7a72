#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vtopo::detail {

/// A machine file that comes with vtopo.
struct ShippedMachine {
  std::string name;  ///< of the file without its extension: `lumi`
  std::string file;  ///< path
};

/// Folder of the files: `share/vtopo/platforms` or `platforms`, the first that is found above the
/// program, or above the library that this code is in. Empty if there is none.
std::string shipped_machine_folder();

/// All of them, sorted by name.
std::vector<ShippedMachine> shipped_machines();

/// The machine that a word names: its name in any case and without regard to dashes, or the
/// beginning of only one name, of at least three letters: `perlmutter` is `perlmutter-gpu`.
std::optional<ShippedMachine> find_shipped_machine(std::string_view word);

/// The file that `text` means: itself if there is such a file, else that of the shipped machine of
/// this name. What looks like a path, with a slash or a dot, is returned as it is.
/// @throws InputError for a word that is neither, with the nearest name.
std::string machine_path(const std::string& text);

}  // namespace vtopo::detail
