#include <fnmatch.h>

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command/scenario_verb.hpp"
#include "cli/command/verb.hpp"
#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "cli/verbs/platform/platform_description.hpp"
#include "sim/report/csv_cells.hpp"
#include "sim/report/json_parts.hpp"
#include "sim/report/text_columns.hpp"
#include "sim/run/load_network.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/scenario_options.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail::verbs {

namespace {

using Json = nlohmann::ordered_json;

struct LinksOptions {
  std::string file;
  std::string pattern = "*";
  Scenario network;
  std::string format = "table";
};

constexpr const char* links_examples =
    "Examples:\n"
    "  vtopo platform links platforms/two-rooms.xml\n"
    "  vtopo platform links --network torus:4x4 --match 'd0+:*'\n"
    "  vtopo platform links platforms/frontera.xml --format csv";

/// A link as it is listed.
struct ListedLink {
  std::string name;
  std::string kind;
  LinkProperties properties;
  std::string from;  ///< empty: unknown
  std::string to;
  bool up = true;
};

std::vector<ListedLink> list_links(const Network& network, const std::string& pattern) {
  const auto kinds = network.link_classes();
  std::vector<ListedLink> links;
  for (int l = 0; l < network.num_links(); ++l) {
    const LinkId id{l};
    ListedLink link{network.link_name(id), {}, network.link(id), {}, {}, network.link_is_up(id)};
    if (fnmatch(pattern.c_str(), link.name.c_str(), 0) != 0) continue;
    link.kind = kinds[static_cast<std::size_t>(network.link_class(id))].name;
    auto ends = network.link_ends(id);
    if (!ends) ends = network.link_sides(id);  // carries both ways, or lies inside a switch
    if (ends) {
      link.from = network.vertex_name(ends->from);
      link.to = network.vertex_name(ends->to);
    }
    links.push_back(std::move(link));
  }
  return links;
}

std::string sharing_of(const ListedLink& link) {
  return link.properties.sharing == LinkSharing::fatpipe ? "fatpipe" : "shared";
}

std::string links_table(const std::vector<ListedLink>& links) {
  std::vector<TextColumn> columns{
      {"", "link", {}, Align::left},       {"", "kind", {}, Align::left},
      {"", "bandwidth", {}, Align::right}, {"", "latency", {}, Align::right},
      {"", "from", {}, Align::left},       {"", "to", {}, Align::left}};
  for (const ListedLink& link : links) {
    columns[0].cells.push_back(link.name + (link.up ? "" : ", failed"));
    columns[1].cells.push_back(link.kind);
    columns[2].cells.push_back(format_bandwidth(link.properties.bandwidth) +
                               (link.properties.sharing == LinkSharing::fatpipe ? " fatpipe" : ""));
    columns[3].cells.push_back(format_seconds(link.properties.latency));
    columns[4].cells.push_back(link.from.empty() ? "?" : link.from);
    columns[5].cells.push_back(link.to.empty() ? "?" : link.to);
  }
  return text_table(columns, {text_style()});
}

std::string links_csv(const std::vector<ListedLink>& links) {
  std::string text = "link,kind,bandwidth,latency,sharing,from,to,up\n";
  for (const ListedLink& link : links)
    text += fmt::format("{},{},{},{},{},{},{},{}\n", csv_text(link.name), csv_text(link.kind),
                        link.properties.bandwidth.value, link.properties.latency.value,
                        sharing_of(link), csv_text(link.from), csv_text(link.to), link.up);
  return text;
}

std::string links_json(const std::vector<ListedLink>& links, const Scenario& scenario) {
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
  };
  Json object{{"schema", "vtopo/platform-links/v1"},
              {"scenario", scenario_object(described(scenario, network_groups))},
              {"links", Json::array()}};
  for (const ListedLink& link : links)
    object["links"].push_back({{"name", link.name},
                               {"kind", link.kind},
                               {"bandwidth", json_of(link.properties.bandwidth)},
                               {"latency", link.properties.latency.value},
                               {"sharing", sharing_of(link)},
                               {"from", text_or_null(link.from)},
                               {"to", text_or_null(link.to)},
                               {"up", link.up}});
  return object.dump(2) + '\n';
}

int run_links(const LinksOptions& options) {
  const OutputFormat format = parse_output_format(options.format);
  Scenario scenario = options.network;
  use_plain_file(scenario, options.file);
  const LoadedNetwork loaded = load_network(scenario, console());
  const auto links = list_links(*loaded.network, options.pattern);
  write_output("-", format == OutputFormat::json  ? links_json(links, scenario)
                    : format == OutputFormat::csv ? links_csv(links)
                                                  : links_table(links));
  return 0;
}

}  // namespace

Verb platform_links() {
  auto options = std::make_shared<LinksOptions>();
  Verb subcommand{"links", "names of the links with their ends, bandwidths and latencies"};
  subcommand.examples = links_examples;
  subcommand.add("MACHINE", &options->file, plain_file_help);
  subcommand.add("--match", &options->pattern, "only links whose names fit this pattern");
  add_network_options(subcommand, options->network);
  add_platform_limit_options(subcommand, options->network.limits);
  subcommand.group("Output");
  subcommand.add("--format", &options->format, "table, csv or json");
  subcommand.run = [options](const Invocation&) { return run_links(*options); };
  return subcommand;
}

}  // namespace vtopo::detail::verbs
