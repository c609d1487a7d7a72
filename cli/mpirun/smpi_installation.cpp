#include "cli/mpirun/smpi_installation.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

namespace fs = std::filesystem;

bool is_executable(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

/// Programs of smpicc are shared objects: they name SimGrid's library, or at least no loader, as
/// those do that the system starts. (With SMPI_NO_UNDEFINED_CHECK the linker leaves the name out.)
/// Those of `vtopo cc` have a loader and a mark (sim/mpi/program_start.c).
bool is_for_smpi(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  return content.starts_with("\177ELF") &&
         (content.find("libsimgrid.so") != std::string::npos ||
          content.find("simulated ranks of vtopo") != std::string::npos ||
          content.find("/ld-linux") == std::string::npos);
}

}  // namespace

std::optional<std::string> program_on_path(const std::string& name) {
  const char* list = std::getenv("PATH");
  if (list == nullptr) return std::nullopt;
  for (const std::string_view folder : split(list, ':')) {
    const fs::path candidate = fs::path(folder.empty() ? "." : std::string(folder)) / name;
    if (is_executable(candidate)) return candidate.string();
  }
  return std::nullopt;
}

std::string find_smpirun() {
  if (const auto found = program_on_path("smpirun")) return *found;
  throw InputError(
      "smpirun is not on PATH: it is part of SimGrid, in Debian the package libsimgrid-dev");
}

std::string find_topology_library() {
  constexpr const char* name = "libvtopo_smpi.so";
  if (const char* given = std::getenv("VTOPO_SMPI_LIBRARY"); given != nullptr && *given != '\0') {
    std::error_code ignored;
    if (fs::is_regular_file(given, ignored)) return fs::absolute(given).string();
    throw InputError(
        fmt::format("VTOPO_SMPI_LIBRARY=\"{}\" is not a file; it names {}", given, name));
  }
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  std::vector<std::string> places;
  for (const char* libraries : {"lib", VTOPO_LIBRARY_FOLDER}) {
    const fs::path place = (folder.parent_path() / libraries / name).lexically_normal();
    if (fs::is_regular_file(place, error)) return place.string();
    if (places.empty() || places.back() != place) places.push_back(place.string());
  }
  throw InputError(
      fmt::format("{} is missing: build it by cmake --workflow --preset tools (target vtopo_smpi, "
                  "which needs SimGrid's smpi/smpi.h; Debian: libsimgrid-dev); looked for {}; "
                  "VTOPO_SMPI_LIBRARY may name it",
                  name, join(places, " and ")));
}

std::string find_mpi_header() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path places[] = {(folder / "../include/vtopo/vtopo_mpi.h").lexically_normal(),
                             fs::path(VTOPO_SOURCE_FOLDER) / "sim/mpi/vtopo_mpi.h"};
  for (const fs::path& place : places)
    if (fs::is_regular_file(place, error)) return place.string();
  throw InputError(fmt::format("vtopo_mpi.h is missing; looked for {} and {}", places[0].string(),
                               places[1].string()));
}

std::optional<std::string> find_program_start() {
  const fs::path object = fs::path(find_topology_library()).parent_path() / "vtopo_program_start.o";
  std::error_code error;
  return fs::is_regular_file(object, error) ? std::optional(object.string()) : std::nullopt;
}

std::optional<std::string> find_fortran_modules() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* place : {"../include/vtopo/fortran", "../fortran"}) {
    const fs::path modules = (folder / place).lexically_normal();
    if (fs::is_regular_file(modules / "mpi_f08.mod", error)) return modules.string();
  }
  return std::nullopt;
}

std::string find_mpi_program(const std::string& name) {
  std::optional<std::string> path;
  if (name.find('/') != std::string::npos)
    path = name;
  else if (!(path = program_on_path(name)))
    path = "./" + name;
  std::error_code error;
  if (!fs::exists(*path, error)) throw InputError(fmt::format("there is no program \"{}\"", name));
  if (!is_executable(*path)) throw InputError(fmt::format("\"{}\" is not executable", name));
  if (!is_for_smpi(*path))
    throw InputError(fmt::format(
        "\"{}\" is not compiled for simulated ranks: compile it with smpicc, smpicxx or smpif90 "
        "instead of mpicc, mpicxx and mpifort",
        name));
  return *path;
}

}  // namespace vtopo::detail
