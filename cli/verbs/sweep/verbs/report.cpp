#include <memory>

#include "cli/command/study_options.hpp"
#include "cli/command/verb.hpp"
#include "cli/command/what_if.hpp"
#include "sim/study/lines.hpp"

namespace vtopo::detail::verbs {

namespace {

struct SweepReportOptions : StudyOptions {
  std::vector<std::string> files;
};

}  // namespace

Verb sweep_report() {
  auto options = std::make_shared<SweepReportOptions>();
  Verb report{"report", "what a sweep found: the best of each group as table, CSV, JSON or page"};
  report.examples =
      "Examples:\n"
      "  vtopo sweep report results.jsonl\n"
      "  vtopo sweep report results.jsonl --group-by network --best max_congestion\n"
      "  vtopo sweep report results.jsonl -o results.html\n"
      "  vtopo sweep report sweep.shard-*-of-8.jsonl -o results.csv\n"
      "\n"
      "The CSV has a line per embedding and a column for every setting, defaults included, and\n"
      "every metric. The page has a heat map over two axes and how metrics spread over seeds.";
  report.add("FILES", &options->files, "results of sweeps")->required();
  add_study_view(report, *options);
  add_columns_option(report, options->columns);
  report.add("--format", &options->format, "table, csv, json or html (default: by extension)");
  report.add("-o,--output", &options->output, "file (.txt, .csv, .json, .html), or - for stdout");
  report.run = [options](const Invocation&) {
    const StudyOutput output = study_output(*options);
    write_study(read_study(options->files), output);
    return 0;
  };
  return report;
}

}  // namespace vtopo::detail::verbs
