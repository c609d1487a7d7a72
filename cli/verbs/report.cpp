#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include "cli/command/command_line.hpp"
#include "cli/command/scenario_file.hpp"
#include "cli/command/study_options.hpp"
#include "cli/command/verb.hpp"
#include "cli/command/what_if.hpp"
#include "cli/output/report_output.hpp"
#include "sim/study/lines.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail::verbs {

namespace {

struct ReportOptions : WhatIfOptions {
  std::vector<std::string> inputs;
};

constexpr const char* examples =
    "Examples:\n"
    "  vtopo report --topology cart:16x16 --network torus:16x16 -o halo.html\n"
    "  vtopo report result.json -o result.html\n"
    "  vtopo report examples/scenario.json --mapper block,greedy -o figures/\n"
    "  vtopo report result.html --network torus:8x8x4 -o other-network.svg\n"
    "  vtopo report results.jsonl -o study.html\n"
    "\n"
    "IN is a scenario, a JSON report or an HTML report: its rows are made again, and options of "
    "the\n"
    "command line win over it. FILE.html is one page that needs nothing else; FILE.svg shows the\n"
    "load of links before and after; FOLDER/ takes every picture as SVG, its numbers as CSV, a\n"
    "gnuplot script and the page. Several IN go to folders of their own inside FOLDER/. Lines of "
    "a\n"
    "sweep give the report of vtopo sweep report, also as a table.";

void add_options(Verb& verb, WhatIfOptions& options) {
  options.scenario.mappers = "block,round_robin,random,greedy,exchange";
  add_what_if_options(verb, options,
                      "comma list of NAME[:option=value], or all (see vtopo mappers)");
}

/// @param loaded plugins of the inputs before: their mappers are in the table already.
int run_one(const WhatIfOptions& options, std::set<std::string>& loaded) {
  for (const std::string& plugin : options.scenario.plugins)
    if (loaded.insert(plugin).second) load_plugins({plugin});
  return run_what_if(options);
}

/// Options that were given, as one word each, without `--output`.
std::vector<std::string> given_words(const Invocation& invocation) {
  std::vector<std::string> words;
  for (const auto& [name, value] : invocation.given)
    if (name != "output") words.push_back(fmt::format("--{}={}", name, value));
  return words;
}

/// The report of one file; what the command line gave wins.
int run_input(std::vector<std::string> words, const std::string& input, const std::string& output,
              std::set<std::string>& loaded) {
  WhatIfOptions options;
  Verb verb{"report", ""};
  add_options(verb, options);
  words.insert(words.begin(), "--scenario=" + input);
  words.push_back("--output=" + output);
  parse_options(verb, with_scenario_file(verb, std::move(words)));
  return run_one(options, loaded);
}

/// Folder for each input inside the one given, named as the file.
std::vector<std::string> folders_for(const ReportOptions& options) {
  if (!options.output.ends_with('/'))
    throw UsageError(fmt::format("{} inputs need a folder: -o \"{}\" has no / at its end",
                                 options.inputs.size(), options.output));
  std::vector<std::string> folders;
  std::set<std::string> taken;
  for (const std::string& input : options.inputs) {
    const std::string stem = std::filesystem::path(input).stem().string();
    if (stem == "." || stem == "..")
      throw UsageError(fmt::format("\"{}\" would be reported to the folder \"{}\": it needs a name",
                                   input, stem));
    if (!taken.insert(stem).second)
      throw UsageError(
          fmt::format("two inputs are called \"{}\": their folders would be one", stem));
    folders.push_back(fmt::format("{}{}/", options.output, stem));
  }
  return folders;
}

/// The report on a sweep, whose rows are as they are.
int report_sweeps(const ReportOptions& options) {
  StudyOptions study;
  study.format = options.format;
  study.output = options.output;
  const StudyOutput output = study_output(study);
  write_study(read_study(options.inputs), output);
  return 0;
}

int run_report(const ReportOptions& options, const Invocation& invocation) {
  if (!options.inputs.empty() &&
      std::all_of(options.inputs.begin(), options.inputs.end(), is_file_of_lines))
    return report_sweeps(options);
  if (!has_pictures(choose_report_form(options.format, options.output))) {
    for (const std::string& input : options.inputs)  // it may be meant to be the lines of a sweep
      if (input != "-" && !std::filesystem::exists(std::filesystem::status(input)))
        throw InputError(fmt::format("{}: no such file", input));
    throw UsageError(
        fmt::format("-o \"{}\" is not a picture; accepted: .html, .svg, a folder with / at its "
                    "end, or --format html or svg",
                    options.output));
  }
  std::set<std::string> loaded;
  if (options.inputs.empty()) return run_one(options, loaded);
  if (!options.scenario_file.empty())
    throw UsageError(fmt::format("\"{}\" and --scenario \"{}\" both are scenarios",
                                 options.inputs.front(), options.scenario_file));
  const std::vector<std::string> words = given_words(invocation);
  if (options.inputs.size() == 1)
    return run_input(words, options.inputs[0], options.output, loaded);
  const std::vector<std::string> folders = folders_for(options);
  int code = 0;
  for (std::size_t i = 0; i < folders.size(); ++i)
    code = std::max(code, run_input(words, options.inputs[i], folders[i], loaded));
  return code;
}

}  // namespace

Verb report() {
  auto options = std::make_shared<ReportOptions>();
  Verb verb{"report", "compare -o: pictures of a scenario, of a result or of the lines of a sweep"};
  verb.listed = {VerbHeading::others, 2};
  verb.examples = examples;
  verb.common = {"--mapper",     "--topology",  "--network",   "--platform", "--hosts",
                 "--slots",      "--bytes",     "--pattern",   "--traffic",  "--trace",
                 "--background", "--fail-link", "--objective", "--routing",  "--sensitivity",
                 "--top-links",  "--steps",     "--fail-if",   "--format",   "--output"};
  verb.add("IN", &options->inputs,
           "scenario, JSON report, HTML report or lines of a sweep; may be repeated");
  add_options(verb, *options);
  verb.run = [options](const Invocation& invocation) { return run_report(*options, invocation); };
  return verb;
}

}  // namespace vtopo::detail::verbs
