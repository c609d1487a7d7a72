#include "sim/study/host_choice_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "sim/report/csv_cells.hpp"
#include "sim/report/table_parts.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/host_list.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

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

}  // namespace

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

std::string host_choice_json(const HostChoice& choice) {
  HostChoiceJson scenario = HostChoiceJson::object(), gain, predicted;
  for (const auto& [option, value] : choice.scenario) {
    if (!scenario.contains(option))
      scenario[option] = value;
    else if (scenario[option].is_array())
      scenario[option].push_back(value);
    else
      scenario[option] = HostChoiceJson::array({scenario[option], value});
  }
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
                                   {"scenario", scenario},
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

std::string host_choice_csv(const HostChoice& choice) {
  std::string text = "host,node,slots\n";
  const auto names = host_names_of(choice);
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{},{},{}\n", csv_text(names[i]),
                        csv_text(choice.network->host_place(choice.hosts.hosts[i]).node),
                        choice.hosts.slots[i]);
  return text;
}

}  // namespace vtopo::detail
