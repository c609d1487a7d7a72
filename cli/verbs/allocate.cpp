#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/command/scenario_verb.hpp"
#include "cli/command/verb.hpp"
#include "cli/command/what_if.hpp"
#include "cli/command/words.hpp"
#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "sim/study/host_choice_report.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

struct AllocateOptions {
  HostRequest request;
  std::optional<std::string> format;  ///< absent: by the extension of `output`
  std::string output = "-";
};

int run_allocate(const AllocateOptions& options) {
  load_plugins(options.request.scenario.plugins);
  const OutputFormat format = choose_output_format(options.format, options.output);
  check_not_input(options.output, input_files(options.request.scenario));
  check_output(options.output);
  Console console;
  write_output(options.output, in_format(format, host_choice_text, host_choice_csv,
                                         host_choice_json, choose_hosts(options.request, console)));
  return 0;
}

/// Options of a heading but those that `vtopo allocate` has in its own words.
void add_group_without(Verb& verb, Scenario& scenario, std::string_view group,
                       std::initializer_list<std::string_view> own) {
  verb.group(std::string(group));
  for (const ScenarioOption& option : scenario_options())
    if (option.group == group && option.negates.empty() &&
        std::find(own.begin(), own.end(), option.name) == own.end())
      add_scenario_option(verb, scenario, option.name);
}

}  // namespace

}  // namespace vtopo::detail

namespace vtopo::detail::verbs {

Verb allocate() {
  auto options = std::make_shared<AllocateOptions>();
  Scenario& scenario = options->request.scenario;
  Verb verb{"allocate", "which hosts to ask for, as a node list of Slurm"};
  verb.listed = {VerbHeading::placing, 3};
  verb.examples =
      "Examples:\n"
      "  vtopo allocate 64 torus:8x8x8\n"
      "  vtopo allocate 4x4 platforms/leonardo.xml --free 'slurm:lrdn[0001-0040]'\n"
      "  vtopo allocate examples/lammps-lj-64 'fat-tree:2;16,8;1,4;1,1' --free file:idle.txt "
      "-o job.json\n"
      "\n"
      "Tries boxes, parts of the machine, runs and grown sets of free hosts, and exchanges hosts "
      "while that lowers the predicted time; all sets, where they are few. Ranks are placed in the "
      "order of the hosts, as launchers fill a node list, or by --mapper. Times are compared with "
      "those on the first free hosts, on random ones (mean of ten sets) and on those that a batch "
      "system would give (best fit).";
  verb.own_ranks = true;
  verb.common = {"--ranks",   "--free",       "--slots",      "--bytes",     "--domain",
                 "--pattern", "--routing",    "--host-names", "--fail-host", "--background",
                 "--mapper",  "--time-limit", "--max-sets",   "--every-set", "--seed",
                 "--format",  "--output"};
  add_plain_arguments(verb);
  verb.group("Job");
  verb.add("--ranks", &options->request.ranks,
           "of the job; without --topology, --traffic and --schedule it exchanges with its "
           "neighbours on a grid of 3 dimensions (cart:, --bytes per neighbour)")
      ->check(whole_number(2147483647, 1));
  add_group_without(verb, scenario, guest_group, {"ranks"});
  add_network_options(verb, scenario);
  add_group_without(verb, scenario, allocation_group, {"hosts"});
  CLI::Option* free = add_scenario_option(verb, scenario, "hosts", "--free");
  const std::string help = free->get_description();
  free->description("hosts that may be asked for: " + help.substr(help.find(':') + 2));
  verb.group(std::string(mapping_group));
  for (const auto name : {"mapper", "plugin", "steps", "time-limit", "threads"})
    add_scenario_option(verb, scenario, name);
  verb.find_option("--mapper")
      ->description(
          "NAME[:option=value] that places the ranks on the best sets (see vtopo mappers)");
  for (const auto name : {"simulate", "solver", "network-model", "loopback-bandwidth", "overhead",
                          "gap", "eager-limit", "handshake", "memory-bandwidth",
                          "reduction-bandwidth", "run-limit", "memory-limit"})
    add_scenario_option(verb, scenario, name);
  verb.group("Search");
  verb.add("--max-sets", &options->request.most_sets,
           "sets that are tried (default: 200 to 200,000, by the size of the job and network)")
      ->check(whole_number(1000000000, 1));
  verb.add("--every-set", &options->request.every_set, "try all sets, up to 2,000,000: the optimum")
      ->excludes("--max-sets");
  verb.group(std::string(output_group));
  verb.add("--format", &options->format, "table, csv or json (default: by extension)");
  verb.add("-o,--output", &options->output, "file (.txt, .csv, .json), or - for stdout");
  verb.run = [options](const Invocation&) { return run_allocate(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
