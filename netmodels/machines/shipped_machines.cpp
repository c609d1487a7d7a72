#include "netmodels/machines/shipped_machines.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

namespace fs = std::filesystem;

/// Where `path` is a file of an installation or of a build folder in the source tree, the folder of
/// machine files there; else empty.
std::string folder_above(const fs::path& path) {
  std::error_code ignored;
  for (fs::path above = path.parent_path(); above.has_relative_path(); above = above.parent_path())
    for (const char* folder : {"share/vtopo/platforms", "platforms"})
      if (fs::is_directory(above / folder, ignored)) return above / folder;
  return {};
}

/// The library, or program, that this code is in.
fs::path own_object() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&own_object), &info) == 0) return {};
  std::error_code ignored;
  return fs::absolute(info.dli_fname, ignored);
}

/// The letters and digits of a name, in lower case.
std::string plain(std::string_view name) {
  std::string letters;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return letters;
}

bool is_file(const std::string& text) {
  std::error_code ignored;
  return fs::exists(text, ignored) && !fs::is_directory(text, ignored);
}

/// The machine of this name, else all whose names begin so.
std::vector<ShippedMachine> machines_meant(std::string_view word) {
  constexpr std::size_t least_letters = 3;
  const std::string wanted = plain(word);
  std::vector<ShippedMachine> begun;
  for (ShippedMachine& machine : shipped_machines()) {
    const std::string name = plain(machine.name);
    if (name == wanted) return {std::move(machine)};
    if (wanted.size() >= least_letters && name.starts_with(wanted))
      begun.push_back(std::move(machine));
  }
  return begun;
}

}  // namespace

std::string shipped_machine_folder() {
  std::error_code ignored;
  const std::string folder = folder_above(fs::read_symlink("/proc/self/exe", ignored));
  return folder.empty() ? folder_above(own_object()) : folder;
}

std::vector<ShippedMachine> shipped_machines() {
  std::vector<ShippedMachine> machines;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(shipped_machine_folder(), ignored))
    if (entry.path().extension() == ".xml") machines.push_back({entry.path().stem(), entry.path()});
  std::sort(machines.begin(), machines.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return machines;
}

std::optional<ShippedMachine> find_shipped_machine(std::string_view word) {
  std::vector<ShippedMachine> meant = machines_meant(word);
  if (meant.size() != 1) return std::nullopt;
  return std::move(meant.front());
}

std::string machine_path(const std::string& text) {
  if (text.find_first_of("/.") != std::string::npos || is_file(text)) return text;
  std::vector<ShippedMachine> meant = machines_meant(text);
  if (meant.size() == 1) return std::move(meant.front().file);
  std::vector<std::string> names;
  for (ShippedMachine& machine : meant) names.push_back(std::move(machine.name));
  std::string hint = names.empty() ? "" : fmt::format("; did you mean {}?", join(names, " or "));
  if (names.empty()) {
    for (ShippedMachine& machine : shipped_machines()) names.push_back(std::move(machine.name));
    hint = suggestion(text, names);
  }
  throw InputError(
      fmt::format("\"{}\" is neither a file nor a machine that vtopo knows; vtopo machines lists "
                  "those{}",
                  text, hint));
}

}  // namespace vtopo::detail
