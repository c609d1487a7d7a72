#include <algorithm>
#include <array>
#include <memory>

#include "cli/command/scenario_verb.hpp"
#include "cli/output/output.hpp"
#include "cli/verbs/platform/platform_description.hpp"
#include "sim/report/text_columns.hpp"
#include "sim/scenario/scenario.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail::verbs {

namespace {

struct DescribeOptions {
  std::string file;
  Scenario network;
  std::string format = "table";
  bool effective_bisection = false;
  EffectiveBisectionOptions matchings = {};
};

constexpr const char* describe_examples =
    "Examples:\n"
    "  vtopo platform describe --network torus:8x8x8\n"
    "  vtopo platform describe --network 'fat-tree:2;4,4;1,2;1,2' --format json\n"
    "  vtopo platform describe platforms/frontera.xml\n"
    "  vtopo platform describe --network 'fat-tree:3;8,8,8;1,8,8;1,1,1' --effective-bisection\n"
    "  vtopo platform describe --network torus:8x8 --fail-link 'd0+:0->1' --fail-host host-9\n"
    "  vtopo platform describe --network torus:8x8 --scale-bandwidth 'd1?:*=0.5'";

std::string describe_distances(const DistanceSummary& distances, std::string_view unit) {
  const std::int64_t reached = distances.pairs - distances.unreached;
  const std::string pairs =
      distances.unreached == 0
          ? (distances.exact ? "all " : "") + counted(distances.pairs, "pair")
          : fmt::format("the {} of {} pairs that have one", reached, distances.pairs);
  const std::string which = distances.exact
                                ? "over " + pairs
                                : fmt::format("over {}, from {} sampled: the most is a lower bound",
                                              pairs, counted(distances.hosts_looked_at, "host"));
  return fmt::format("{} at most, {:.4g} on average ({})", counted(distances.diameter, unit),
                     distances.mean, which);
}

std::string describe_links_by_sharing(const PlatformDescription& description) {
  const LinkCounts& counts = description.counts;
  std::vector<std::string> words;
  const auto add = [&words](std::int64_t count, std::string_view kind) {
    if (count > 0) words.push_back(fmt::format("{} {}", count, kind));
  };
  add(counts.shared, "shared");
  add(counts.fatpipe, "fatpipe");
  add(counts.limiter, "limiter");
  add(counts.loopback, "loopback");
  return fmt::format("{} directed{}{}", description.links, words.empty() ? "" : ": ",
                     join(words, ", "));
}

std::string describe_injection(const PlatformDescription& description) {
  const InjectionRange& range = description.injection;
  std::string text = bandwidth_range(range.least, range.most);
  if (description.places_per_node > 1) {
    text += " per place within its node";
    if (const auto& node = description.node_injection)
      text = bandwidth_range(node->least, node->most) + " per node into the network; " + text;
    return text;
  }
  if (range.hosts_looked_at == description.hosts_up) return text + " per host";
  return fmt::format("{} per host ({} looked at)", text, counted(range.hosts_looked_at, "host"));
}

std::string describe_bisection(const PlatformDescription& description) {
  if (description.hosts_up < 2) return "none: it takes two hosts that work";
  if (!description.bisection) return "unknown: only routes are known, not where links lead";
  const Bisection& bisection = *description.bisection;
  std::string text = fmt::format("{} over {} per direction", format_bandwidth(bisection.bandwidth),
                                 counted(bisection.links, "link"));
  const std::string at_most = bisection.exact ? text : "at most " + text;
  if (const auto& bound = description.bisection_bound; bound && bound->value > 0) {
    constexpr double rounding = 1e-9;
    const bool meets = bound->value >= bisection.bandwidth.value * (1 - rounding);
    if (meets)
      return text + " (exact: uniform traffic over shortest paths needs as much as the cut found)";
    return at_most + fmt::format(" ({}), at least {} (uniform traffic over shortest paths)",
                                 bisection.method, format_bandwidth(*bound));
  }
  return at_most + fmt::format(" ({})", bisection.method);
}

std::string describe_effective(const EffectiveBisection& effective, const std::string& routing) {
  std::string text = fmt::format("{:.3f} of a link's bandwidth per flow by routing {}",
                                 effective.as_given, routing);
  if (effective.random)
    text += fmt::format(", {:.3f} by random shortest routes", *effective.random);
  return text + fmt::format(" (mean over {} random matchings)", effective.options.matchings);
}

std::string describe_connectivity(const PlatformDescription& description) {
  const auto& groups = description.groups;
  if (groups.size() > 1) {
    constexpr std::size_t most = 4;
    std::vector<std::string> words;
    for (std::size_t g = 0; g < std::min(most, groups.size()); ++g)
      words.push_back(fmt::format("{} with {}", groups[g].size(), description.group_heads[g]));
    return fmt::format("hosts fall into {} groups that do not reach each other: {}{}",
                       groups.size(), join(words, ", "), groups.size() > most ? ", ..." : "");
  }
  if (description.unreached_pair)
    return fmt::format("{} of {} pairs have no route, such as {} to {}",
                       description.routes.unreached, description.routes.pairs,
                       description.unreached_pair->first, description.unreached_pair->second);
  if (description.hosts_up == 0) return "no host is up";
  return "every host reaches every other";
}

std::string kinds_table(const std::vector<LinkRanges>& kinds) {
  std::vector<TextColumn> columns{{"", "kind of link", {}, Align::left},
                                  {"", "links", {}, Align::right},
                                  {"", "bandwidth", {}, Align::right},
                                  {"", "latency", {}, Align::right}};
  for (const LinkRanges& kind : kinds) {
    if (kind.links == 0) continue;
    columns[0].cells.push_back(kind.name);
    columns[1].cells.push_back(std::to_string(kind.links));
    columns[2].cells.push_back(bandwidth_range(kind.least_bandwidth, kind.max_bandwidth));
    columns[3].cells.push_back(latency_range(kind.least_latency, kind.max_latency));
  }
  return text_table(columns, {text_style()});
}

std::string render_table(const PlatformDescription& description) {
  std::string text;
  const auto add = [&text](std::string_view heading, std::string_view value) {
    text += key_line(heading, 16, value, text_style().width);
  };
  const int failed = description.hosts - description.hosts_up;
  add("network", description.typed);
  add("routing", description.routing + (description.splits_flows ? ", splits flows" : ""));
  add("hosts",
      fmt::format("{}{}", description.hosts, failed > 0 ? fmt::format(", {} down", failed) : ""));
  if (description.switches) add("switches", std::to_string(*description.switches));
  add("links", describe_links_by_sharing(description));
  add("routes", describe_distances(description.routes, "hop"));
  if (description.shortest)
    add("shortest paths", describe_distances(*description.shortest, "link"));
  add("connectivity", describe_connectivity(description));
  add("injection", describe_injection(description));
  add("bisection", describe_bisection(description));
  if (description.effective)
    add("effective", describe_effective(*description.effective, description.routing));
  return text + '\n' + kinds_table(description.kinds);
}

int run_describe(const DescribeOptions& options) {
  check_format(options.format, std::array<std::string, 2>{"table", "json"});
  Scenario scenario = options.network;
  use_plain_file(scenario, options.file);
  PlatformDescription description = describe_platform(scenario);
  if (options.effective_bisection)
    description.effective = describe_matchings(scenario, options.matchings);
  write_output("-",
               options.format == "json" ? render_json(description) : render_table(description));
  return 0;
}

}  // namespace

Verb platform_describe() {
  auto options = std::make_shared<DescribeOptions>();
  Verb subcommand{"describe",
                  "hosts, links, distances, bisection and connectivity of an interconnect"};
  subcommand.examples = describe_examples;
  subcommand.add("MACHINE", &options->file, plain_file_help);
  add_network_options(subcommand, options->network);
  add_platform_limit_options(subcommand, options->network.limits);
  subcommand.group("Effective bisection bandwidth");
  subcommand.add("--effective-bisection", &options->effective_bisection,
                 "mean bandwidth of a flow in random perfect matchings of the hosts (Hoefler, "
                 "Schneider, Lumsdaine 2008), 1 / most flows on a link of its route; also with "
                 "random shortest routes");
  subcommand.add("--matchings", &options->matchings.matchings, "number of random matchings")
      ->check(whole_number(1000000, 1))
      ->needs("--effective-bisection");
  subcommand.add("--seed", &options->matchings.seed, "of the matchings")
      ->check(whole_number())
      ->needs("--effective-bisection");
  subcommand.group("Output");
  subcommand.add("--format", &options->format, "table or json");
  subcommand.run = [options](const Invocation&) { return run_describe(*options); };
  return subcommand;
}

}  // namespace vtopo::detail::verbs
