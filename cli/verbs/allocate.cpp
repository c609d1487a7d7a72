#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command/scenario_verb.hpp"
#include "cli/command/verb.hpp"
#include "cli/command/what_if.hpp"
#include "cli/command/words.hpp"
#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "sim/report/csv_cells.hpp"
#include "sim/report/json_parts.hpp"
#include "sim/report/table_parts.hpp"
#include "sim/report/text_columns.hpp"
#include "sim/study/choose_hosts.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/host_list.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail::verbs {

namespace {

using HostChoiceJson = nlohmann::ordered_json;

std::vector<std::string> host_names_of(const HostChoice& choice) {
  std::vector<std::string> names;
  for (const HostId host : choice.hosts.hosts) names.push_back(choice.network->host_name(host));
  return names;
}

/// Machines, each once.
std::vector<std::string> nodes_of(const HostChoice& choice) {
  std::vector<std::string> nodes;
  for (const HostId host : choice.hosts.hosts) {
    std::string node = choice.network->host_place(host).node;
    if (nodes.empty() || nodes.back() != node) nodes.push_back(std::move(node));
  }
  return nodes;
}

std::string how_searched(const HostChoice& choice) {
  if (choice.complete && choice.tried == 1) return "the only set of hosts";
  if (choice.complete) return fmt::format("all {} sets of hosts", choice.tried);
  return counted(choice.tried, "set") + " of hosts" +
         (choice.all_sets ? fmt::format(" of {}", *choice.all_sets) : "");
}

/// A node list, what it saves, and how it was found.
std::string host_choice_text(const HostChoice& choice, const TextStyle& style) {
  const auto line = [&](std::string_view key, const std::string& value) {
    return value.empty() ? "" : key_line(key, key_width, value, style.width);
  };
  std::string text = line("application", choice.guest_text) + line("network", choice.network_text) +
                     line("background", choice.background_text) + '\n';
  const auto list = compressed_host_list(nodes_of(choice));
  text += fmt::format("--nodelist={}\n\n", list ? *list : join(nodes_of(choice), " "));
  text +=
      folded(fmt::format("{} for {} on {} of {} (found by: {})\n", format_seconds(choice.time),
                         counted(choice.ranks, "rank"), counted(choice.hosts.num_hosts(), "host"),
                         counted(choice.free_hosts, "free one"), choice.origin),
             style.width);
  for (const ComparedHosts& other : choice.compared)
    text += fmt::format("  {:<10} {:>10}   saved {:>5.1f} %\n", other.name,
                        format_seconds(other.time), 100 * other.gain);
  return text +
         folded(fmt::format("times are {}, of random the mean of ten sets; scheduler: "
                            "Slurm's best fit; tried: {}\n",
                            choice.simulated ? "simulated" : "static bounds", how_searched(choice)),
                style.width);
}

/// Object `vtopo/allocation/v1`.
std::string host_choice_json(const HostChoice& choice) {
  HostChoiceJson gain, predicted;
  for (const ComparedHosts& other : choice.compared) {
    gain[other.name] = other.gain;
    predicted[other.name] = other.time.value;
  }
  HostChoiceJson ids = HostChoiceJson::array();
  for (const HostId host : choice.hosts.hosts) ids.push_back(number(host));
  const auto list = compressed_host_list(nodes_of(choice));
  const auto or_null = [](const auto& value) {
    return value ? HostChoiceJson(*value) : HostChoiceJson(nullptr);
  };
  const HostChoiceJson document = {{"schema", "vtopo/allocation/v1"},
                                   {"scenario", scenario_object(choice.scenario)},
                                   {"ranks", choice.ranks},
                                   {"free_hosts", choice.free_hosts},
                                   {"hosts", host_names_of(choice)},
                                   {"host_numbers", ids},
                                   {"slots", choice.hosts.slots},
                                   {"slurm_nodelist", or_null(list)},
                                   {"predicted_seconds", choice.time.value},
                                   {"simulated", choice.simulated},
                                   {"gain", gain},
                                   {"predicted_seconds_of", predicted},
                                   {"found_by", choice.origin},
                                   {"sets_tried", choice.tried},
                                   {"sets", or_null(choice.all_sets)},
                                   {"complete", choice.complete}};
  return document.dump(2) + '\n';
}

/// `host,node,slots`, a line per host.
std::string host_choice_csv(const HostChoice& choice) {
  std::string text = "host,node,slots\n";
  const auto names = host_names_of(choice);
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{},{},{}\n", csv_text(names[i]),
                        csv_text(choice.network->host_place(choice.hosts.hosts[i]).node),
                        choice.hosts.slots[i]);
  return text;
}

struct AllocateOptions : ListOutput {
  HostRequest request;
};

int run_allocate(const AllocateOptions& options) {
  load_plugins(options.request.scenario.plugins);
  const OutputFormat format = choose_output_format(options.format, options.output);
  check_not_input({options.output}, input_files(options.request.scenario));
  check_output(options.output);
  Console console;
  write_output(options.output, in_format(format, host_choice_text, host_choice_csv,
                                         host_choice_json, choose_hosts(options.request, console)));
  return 0;
}

}  // namespace

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
  add_scenario_group(verb, scenario, guest_group, "ranks");
  add_network_options(verb, scenario);
  add_scenario_group(verb, scenario, allocation_group, "hosts");
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
  add_list_output(verb, *options);
  verb.run = [options](const Invocation&) { return run_allocate(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
