#include "cli/command/option_words.hpp"
#include "cli/command/scenario_verb.hpp"
#include "cli/command/what_if.hpp"
#include "sim/mapping/plugin/plugin.hpp"

namespace vtopo::detail {

void load_plugins(const std::vector<std::string>& plugins) {
  for (const std::string& plugin : plugins) add_plugin(plugin);
}

void add_mapping_options(Verb& verb, WhatIfOptions& options, const std::string& mapper_help) {
  verb.group("Scenario from a file");
  verb.add("--scenario", &options.scenario_file,
           "JSON file with any of the options below but those of the output and --threads and "
           "limits of this machine, or a JSON report: what it was made of. Other options on the "
           "command line win");
  add_scenario_group(verb, options.scenario, guest_group);
  add_scenario_group(verb, options.scenario, trace_group);
  add_network_options(verb, options.scenario);
  add_scenario_group(verb, options.scenario, allocation_group);
  add_scenario_group(verb, options.scenario, mapping_group);
  for (Option& option : verb.options)
    if (option.names == "--mapper") option.help = mapper_help;
  verb.add("--rank-times", &options.rank_times,
           "write rank,finish_seconds to this CSV file, of programs also computing_seconds and "
           "waiting_seconds");
}

void add_report_options(Verb& verb, WhatIfOptions& options) {
  add_scenario_group(verb, options.scenario, output_group);
  verb.options.back().default_text = std::to_string(options.default_top_links);
  verb.add("--format", &options.format, "table, csv, json, html or svg (default: by extension)");
  verb.add("--timing", &options.timing,
           "on, or off: measured times are null and equal input gives equal bytes");
  verb.add("--fail-if", &options.fail_if,
           "exit with 5 if a row meets a condition such as max_congestion>2ms");
}

void add_what_if_options(Verb& verb, WhatIfOptions& options, const std::string& mapper_help) {
  add_mapping_options(verb, options, mapper_help);
  add_report_options(verb, options);
  verb.add("-o,--output", &options.output,
           "file (.txt, .csv, .json, .html, .svg), a folder with / at its end for all pictures, "
           "or - for stdout");
}

void add_embedding_options(Verb& verb, Scenario& scenario) {
  verb.group(std::string(mapping_group));
  add_embedding_file(
      verb, scenario,
      "file that says which rank sits where, instead of a mapper; what vtopo map writes",
      "--mapper");
}

}  // namespace vtopo::detail
