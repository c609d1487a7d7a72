#include <limits>

#include "cli/options/option_words.hpp"
#include "cli/what_if/what_if.hpp"
#include "sim/mapping/plugin/plugin.hpp"

namespace vtopo {

namespace {

constexpr int most_threads = 1024;

}  // namespace

void load_plugins(const std::vector<std::string>& plugins) {
  for (const std::string& plugin : plugins) add_plugin(plugin);
}

void add_plugin_option(Verb& verb, std::vector<std::string>& plugins) {
  verb.add("--plugin", &plugins,
           "shared library with more mappers (see examples/plugin); may be repeated");
}

void add_mapping_options(Verb& verb, WhatIfOptions& options, const std::string& mapper_help) {
  add_scenario_options(verb, options.scenario);
  verb.group("Mapping and simulation");
  verb.add("--mapper", &options.mappers, mapper_help).takes(mapper_words(), true);
  add_plugin_option(verb, options.plugins);
  verb.add(
          "--steps", &options.steps,
          "budget of refining mappers, in tried exchanges, of tabu in made ones (default: by size)")
      .whole_number();
  verb.add("--objective", &options.objective,
           objective_help() +
               "; a comma decides ties, 2*A+B weighs; simulated-time, in front: portfolio "
               "asks SimGrid, others minimise max-congestion, then hop-bytes")
      .takes(objective_words(), true);
  verb.add("--time-limit", &options.time_limit,
           "of each refining mapper, such as 10s: it returns the best found so far; so does the "
           "first Ctrl-C");
  verb.add("--threads", &options.threads,
           "of this command (0: as many as the hardware runs); they change no result, but "
           "for how far a mapper gets under --time-limit")
      .whole_number(most_threads);
  verb.add(
          "--simulate,!--no-simulate", &options.simulate,
          "replay the traffic by SimGrid's clock (default, unless the routing splits flows) or not")
      .noted_in(options.simulate_given);
  verb.add("--solver", &options.solver,
           "auto, fast or simgrid: fast is vtopo's own solver, the same times of model CM02 much "
           "sooner; auto takes it for CM02, SimGrid for other models");
  verb.add("--network-model", &options.network_model, "CM02, LV08 or SMPI");
  verb.add("--loopback-bandwidth", &options.loopback_bandwidth,
           "of messages inside a host; inf: they finish at once");
  add_limit_options(
      verb, options.scenario.limits,
      "of SimGrid, where it is used, such as 10m: a simulation or the loading of a platform file "
      "that takes longer is an error (default: 24h, 1h)",
      "of SimGrid, where it is used, such as 8GiB, on top of the problem (default: as the machine "
      "has)");
  verb.add("--rank-times", &options.rank_times, "write rank,finish_seconds to this CSV file");
}

void add_report_options(Verb& verb, WhatIfOptions& options) {
  verb.group("Output");
  verb.add("--top-links", &options.top_links, "list the most loaded links")
      .whole_number(std::numeric_limits<int>::max())
      .noted_in(options.top_links_given);
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

void add_embedding_options(Verb& verb, WhatIfOptions& options) {
  verb.group("Mapping and simulation");
  verb.add("--embedding", &options.embedding,
           "file that says which rank sits where, instead of a mapper; what vtopo map writes")
      .excludes("--mapper");
  verb.add("--embedding-format", &options.embedding_format,
           "csv, json, rankfile, ... (default: by extension; see vtopo map)")
      .needs("--embedding")
      .takes(embedding_format_names());
}

}  // namespace vtopo
