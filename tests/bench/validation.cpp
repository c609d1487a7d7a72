// Writes the validation document: simulated times against calculations by hand, against SimGrid's
// own zones and routes, and static bounds on random scenarios. Exits with 1 if a time is off
// or outside its bounds.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <limits>

#include "cli/output/output.hpp"
#include "sim/clock/simgrid/run_ranks.hpp"
#include "sim/clock/simulate.hpp"
#include "tests/bench/validation_report.hpp"
#include "topology/base/error.hpp"

namespace vtopo {

double largest_difference(const std::vector<double>& times, const std::vector<double>& expected) {
  if (times.size() != expected.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = 0; i < times.size(); ++i)
    largest = std::max(largest, std::abs(times[i] / expected[i] - 1));
  return largest;
}

std::vector<double> numbers(const std::vector<Seconds>& times) {
  std::vector<double> values;
  for (const Seconds time : times) values.push_back(time.value);
  return values;
}

}  // namespace vtopo

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Folder for platform files, gone with the object.
struct Folder {
  Folder() : path((std::filesystem::temp_directory_path() / "vtopo-validation-XXXXXX").string()) {
    if (mkdtemp(path.data()) == nullptr) throw InputError("cannot make the folder " + path);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string path;
};

int run(int count, std::uint64_t first, const std::string& output) {
  check_output(output);
  const Folder folder;
  ValidationReport report;
  report.text = fmt::format(
      "# Validation\n\nWritten by `build/release/bin/validation --count {} --seed {}`; SimGrid {}, "
      "network model CM02 without cross traffic and without TCP window unless said. Times that "
      "differ "
      "by less than {:g}, relative, agree.\n\n",
      count, first, simgrid_version(), accepted_difference);
  check_by_hand(report, folder.path);
  check_own_zones(report);
  check_bounds(report, folder.path, count, first);
  report.text += fmt::format("\n{} of all checks failed.\n", report.failures);
  write_output(output, report.text);
  if (report.failures > 0) say(fmt::format("{} checks failed", report.failures));
  return report.failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  int count = 200;
  std::uint64_t first = 1;
  std::string output = "-";
  CLI::App app("Simulated times against hand calculations, SimGrid alone and static bounds");
  app.add_option("--count", count, "drawn scenarios")->check(CLI::Range(1, 1'000'000));
  app.add_option("--seed", first, "seed of the first");
  app.add_option("-o", output, "document to write, - for standard output");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(count, first, output);
  } catch (const Error& error) {
    say(error.what());
    return 3;
  }
}
