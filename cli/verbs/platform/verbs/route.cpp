#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command/scenario_verb.hpp"
#include "cli/command/words.hpp"
#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "cli/verbs/platform/platform_description.hpp"
#include "netmodels/machines/shipped_machines.hpp"
#include "sim/report/csv_cells.hpp"
#include "sim/report/json_parts.hpp"
#include "sim/report/text_columns.hpp"
#include "sim/run/load_network.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/scenario_options.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail::verbs {

namespace {

using Json = nlohmann::ordered_json;

struct RouteOptions {
  std::string from;
  std::string to;
  std::string file;
  Scenario network;
  std::string format = "table";
};

/// A link of the route.
struct Step {
  std::string name;
  std::string kind;
  LinkProperties properties;
  double share = 1;
  Seconds latency_so_far;  ///< of the whole route up to here; only where there is one route
};

/// What `platform route` says.
struct RouteAnswer {
  std::string network;
  std::string routing;
  std::string from;
  std::string to;
  bool splits = false;  ///< the flow takes several routes
  int hops = 0;         ///< of the shortest
  double mean_hops = 0;
  Seconds latency;       ///< mean over the routes by share, that of the flow itself included
  Seconds flow_latency;  ///< `Network::flow_latency`
  std::vector<Step> steps;
};

constexpr const char* route_examples =
    "Examples:\n"
    "  vtopo platform route 0 63 --network torus:4x4x4\n"
    "  vtopo platform route host-0 host-3 --network torus:8x8 --fail-link 'd0+:1->2'\n"
    "  vtopo platform route 0 15 --network 'fat-tree:2;4,4;1,2;1,2' --format csv\n"
    "  vtopo platform route platforms/two-rooms.xml alpha eta";

/// Host of this name, or else of this id.
HostId find_host(const Network& network, const std::string& text) {
  std::vector<std::string> names;
  for (int h = 0; h < network.num_hosts(); ++h) {
    names.push_back(network.host_name(HostId{h}));
    if (names.back() == text) return HostId{h};
  }
  const auto id = parse_integer(text);
  if (id && *id >= 0 && *id < network.num_hosts()) return HostId{static_cast<std::int32_t>(*id)};
  constexpr std::size_t max_names_for_a_suggestion = 200'000;
  throw UsageError(
      fmt::format("host \"{}\": accepted are the names \"{}\" to \"{}\" and the ids 0 to {}{}",
                  text, names.front(), names.back(), names.size() - 1,
                  names.size() <= max_names_for_a_suggestion ? suggestion(text, names) : ""));
}

std::vector<Step> steps_of(const Network& network, const std::vector<LinkShare>& shares) {
  const auto kinds = network.link_classes();
  std::vector<Step> steps;
  Seconds latency;
  for (const auto& [link, share] : shares) {
    const LinkProperties properties = network.link(link);
    latency += properties.latency * share;
    steps.push_back({network.link_name(link),
                     kinds[static_cast<std::size_t>(network.link_class(link))].name, properties,
                     share, latency});
  }
  return steps;
}

RouteAnswer answer(const RouteOptions& options) {
  const LoadedNetwork loaded = load_network(options.network, console());
  const Network& network = *loaded.network;
  const HostId from = find_host(network, options.from), to = find_host(network, options.to);
  std::vector<LinkShare> shares;
  network.append_shares(from, to, shares);
  RouteAnswer result{loaded.text,
                     to_string(network.routing()),
                     network.host_name(from),
                     network.host_name(to),
                     false,
                     network.hops(from, to),
                     network.mean_hops(from, to),
                     network.flow_latency(from, to),
                     network.flow_latency(from, to),
                     steps_of(network, shares)};
  for (const Step& step : result.steps) result.splits = result.splits || step.share < 1;
  if (!result.steps.empty()) result.latency += result.steps.back().latency_so_far;
  return result;
}

std::string bandwidth_text(const LinkProperties& properties) {
  return format_bandwidth(properties.bandwidth) +
         (properties.sharing == LinkSharing::fatpipe ? " fatpipe" : "");
}

std::string render_table(const RouteAnswer& route) {
  std::vector<TextColumn> columns{{"", "link", {}, Align::left},
                                  {"", "kind", {}, Align::left},
                                  {"", "bandwidth", {}, Align::right},
                                  {"", "latency", {}, Align::right},
                                  {"", route.splits ? "share" : "so far", {}, Align::right}};
  for (const Step& step : route.steps) {
    columns[0].cells.push_back(step.name);
    columns[1].cells.push_back(step.kind + (step.properties.hops > 0 ? "" : ", no hop"));
    columns[2].cells.push_back(bandwidth_text(step.properties));
    columns[3].cells.push_back(format_seconds(step.properties.latency));
    columns[4].cells.push_back(route.splits ? fmt::format("{:.4g}", step.share)
                                            : format_seconds(step.latency_so_far));
  }
  const TextStyle style = text_style();
  std::string text = key_line("network", 12, route.network, style.width) +
                     key_line("routing", 12, route.routing, style.width) + '\n';
  if (route.steps.empty())
    text += route.from == route.to ? "no links: the host reaches itself without the network\n"
                                   : "no links: only coordinates join the two hosts\n";
  else
    text += text_table(columns, {style});
  std::string sentence =
      fmt::format("\n{} to {}: {}", route.from, route.to, counted(route.hops, "hop"));
  if (route.splits)
    sentence += fmt::format(" on the shortest route, {:.4g} on average", route.mean_hops);
  sentence += fmt::format(", latency {}", format_seconds(route.latency));
  if (route.flow_latency.value > 0)
    sentence += fmt::format(", {} of it from coordinates", format_seconds(route.flow_latency));
  return text + folded(sentence, style.width) + '\n';
}

std::string render_csv(const RouteAnswer& route) {
  std::string text = "link,kind,bandwidth,latency,share,sharing,counts_as_hop\n";
  for (const auto& [name, kind, properties, share, latency_so_far] : route.steps)
    text += fmt::format("{},{},{},{},{},{},{}\n", csv_text(name), csv_text(kind),
                        properties.bandwidth.value, properties.latency.value, share,
                        properties.sharing == LinkSharing::fatpipe ? "fatpipe" : "shared",
                        properties.hops > 0);
  return text;
}

Json json_of(const Step& step, bool splits) {
  return {{"name", step.name},
          {"kind", step.kind},
          {"bandwidth", vtopo::detail::json_of(step.properties.bandwidth)},
          {"latency", step.properties.latency.value},
          {"sharing", step.properties.sharing == LinkSharing::fatpipe ? "fatpipe" : "shared"},
          {"counts_as_hop", step.properties.hops > 0},
          {"share", step.share},
          {"latency_so_far", splits ? Json(nullptr) : Json(step.latency_so_far.value)}};
}

std::string render_json(const RouteAnswer& route, const RouteOptions& options) {
  Json object = Json::object();
  object["schema"] = "vtopo/platform-route/v1";
  object["scenario"] = scenario_object(described(options.network, network_groups));
  object["from"] = route.from;
  object["to"] = route.to;
  object["hops"] = route.hops;
  object["mean_hops"] = route.mean_hops;
  object["latency"] = route.latency.value;
  object["flow_latency"] = route.flow_latency.value;
  object["splits"] = route.splits;
  object["links"] = Json::array();
  for (const Step& step : route.steps) object["links"].push_back(json_of(step, route.splits));
  return object.dump(2) + '\n';
}

/// Whether a word is more likely a host than a machine.
bool may_be_host(const std::string& word) {
  return !std::filesystem::exists(word) && machine_option(word).starts_with("--platform=") &&
         !find_shipped_machine(word);
}

/// `MACHINE A B`: the machine comes first, as with the other verbs. `A B MACHINE` is taken too.
RouteOptions with_plain_file(RouteOptions options) {
  if (options.file.empty()) return options;
  if (may_be_host(options.file)) {
    std::swap(options.file, options.to);
    std::swap(options.file, options.from);
  }
  use_plain_file(options.network, options.file);
  return options;
}

int run_route(const RouteOptions& given) {
  const OutputFormat format = parse_output_format(given.format);
  const RouteOptions options = with_plain_file(given);
  const RouteAnswer route = answer(options);
  write_output("-", format == OutputFormat::json  ? render_json(route, options)
                    : format == OutputFormat::csv ? render_csv(route)
                                                  : render_table(route));
  return 0;
}

}  // namespace

Verb platform_route() {
  auto options = std::make_shared<RouteOptions>();
  Verb subcommand{"route", "the links from one host to another, one per line"};
  subcommand.examples = route_examples;
  subcommand.add("A", &options->from, "host that sends: name or id; MACHINE may come first")
      ->required();
  subcommand.add("B", &options->to, "host that receives: name or id")->required();
  subcommand.add("MACHINE", &options->file, plain_file_help);
  add_network_options(subcommand, options->network);
  add_platform_limit_options(subcommand, options->network.limits);
  subcommand.group("Output");
  subcommand.add("--format", &options->format, "table, csv or json");
  subcommand.run = [options](const Invocation&) { return run_route(*options); };
  return subcommand;
}

}  // namespace vtopo::detail::verbs
