#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/command/study_options.hpp"
#include "cli/command/verb.hpp"
#include "cli/output/output.hpp"
#include "sim/study/lines.hpp"
#include "topology/base/counted.hpp"

namespace vtopo::detail::verbs {

namespace {

struct MergeOptions {
  std::string output;
  std::vector<std::string> files;
};

int run_merge(const MergeOptions& options) {
  check_sweep_output(options.output);
  check_output(options.output);
  const std::string text = merged_lines(options.files);
  if (names_study_report(options.output)) {
    StudyOptions report;
    report.output = options.output;
    write_study(read_study(options.files), study_output(report));
  } else {
    write_output(options.output, text);
  }
  say(fmt::format("{} of {} in \"{}\"",
                  counted(std::count(text.begin(), text.end(), '\n'), "scenario"),
                  counted(options.files.size(), "result file"), options.output));
  return 0;
}

}  // namespace

Verb sweep_merge() {
  auto options = std::make_shared<MergeOptions>();
  Verb merge{"merge",
             "one file of several: each scenario once, sorted; different results are an error"};
  merge.examples =
      "Examples:\n"
      "  vtopo sweep merge -o sweep.jsonl sweep.shard-*-of-8.jsonl";
  merge
      .add("-o,--output", &options->output,
           "file of lines, or - for stdout; a .csv, .json or .html is the report on them")
      ->required();
  merge.add("FILES", &options->files, "results of sweeps")->required();
  merge.run = [options](const Invocation&) { return run_merge(*options); };
  return merge;
}

}  // namespace vtopo::detail::verbs
