#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <span>

#include "cli/command/scenario_verb.hpp"
#include "cli/command/verb.hpp"
#include "cli/output/output.hpp"
#include "netmodels/endpoints/endpoint_spec.hpp"
#include "netmodels/network_table.hpp"
#include "sim/report/csv_cells.hpp"
#include "sim/report/text_columns.hpp"
#include "topology/base/named_entries.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::verbs {

namespace {

using Networks = const std::vector<NetworkInfo>&;

struct NetworksOptions : ListOutput {
  std::string name;  ///< empty: all of them
};

std::string networks_table(Networks networks, const TextStyle& style) {
  std::string text;
  const auto add = [&](std::string_view left, std::string_view right) {
    text += key_line(left, 14, right, style.width);
  };
  const auto add_keys = [&](std::span<const NetworkKey> keys) {
    for (const NetworkKey& key : keys)
      add("", fmt::format("key {}: {} ({})", key.name, key.meaning, key.values));
  };
  for (const NetworkInfo& network : networks) {
    add(network.name, network.syntax);
    add("", fmt::format("example: {}", network.example));
    add("", fmt::format("source: {}", network.source));
    add_keys(std::span(network.keys).first(network.keys.size() - endpoint_keys().size()));
  }
  add("(all)", "what is between the ranks of a host and the network");
  add_keys(endpoint_keys());
  return text;
}

std::string networks_csv(Networks networks) {
  std::string text = "name,syntax,keys,example,source\n";
  for (const NetworkInfo& network : networks) {
    std::vector<std::string> keys;
    for (const NetworkKey& key : network.keys) keys.push_back(key.name);
    text +=
        fmt::format("{},{},{},{},{}\n", network.name, csv_text(network.syntax),
                    csv_text(join(keys, ",")), csv_text(network.example), csv_text(network.source));
  }
  return text;
}

std::string networks_json(Networks networks) {
  using NetworkJson = nlohmann::ordered_json;
  NetworkJson document = {{"schema", "vtopo/networks/v1"}, {"rows", NetworkJson::array()}};
  for (const NetworkInfo& network : networks) {
    NetworkJson keys = NetworkJson::array();
    for (const NetworkKey& key : network.keys)
      keys.push_back({{"name", key.name}, {"values", key.values}, {"meaning", key.meaning}});
    document["rows"].push_back({{"name", network.name},
                                {"syntax", network.syntax},
                                {"keys", keys},
                                {"example", network.example},
                                {"source", network.source}});
  }
  return document.dump(2) + '\n';
}

int run_networks(const NetworksOptions& options) {
  const OutputFormat format = choose_output_format(options.format, options.output);
  const std::vector<NetworkInfo> networks =
      options.name.empty() ? all_networks()
                           : std::vector{entry_named("network", options.name, all_networks())};
  write_output(options.output,
               in_format(format, networks_table, networks_csv, networks_json, networks));
  return 0;
}

}  // namespace

Verb networks() {
  auto options = std::make_shared<NetworksOptions>();
  Verb verb{"networks", "the networks of --network with their parameters, keys and sources"};
  verb.listed = {VerbHeading::others, 8};
  verb.examples =
      "Examples:\n"
      "  vtopo networks\n"
      "  vtopo networks torus\n"
      "  vtopo networks --format json";
  verb.add("NAME", &options->name, "of one network (default: all)");
  add_list_output(verb, *options);
  verb.run = [options](const Invocation&) { return run_networks(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
