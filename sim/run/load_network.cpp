#include "sim/run/load_network.hpp"

#include <fmt/format.h>

#include <cmath>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/load_routing/make_load_routing.hpp"
#include "netmodels/machines/machine_file.hpp"
#include "netmodels/machines/node_map.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/scenario/pieces.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

/// ` at 10 GB/s and 100 ns per link`, of what is given.
std::string at_rates(std::optional<BytesPerSecond> bandwidth, std::optional<Seconds> latency) {
  std::string text;
  if (bandwidth) text += " at " + format_bandwidth(*bandwidth);
  if (latency) text += (bandwidth ? " and " : " at ") + format_seconds(*latency);
  return text.empty() ? text : text + " per link";
}

/// The rates that a file of this format leaves to the scenario.
std::string at_rates(const MachineFile& file) {
  if (file.format == MachineFormat::simgrid) return {};
  if (file.format == MachineFormat::ibnetdiscover) return at_rates({}, file.cables.latency);
  return fmt::format(" at {} per host and {} per link, taper {}",
                     format_bandwidth(file.cables.bandwidth), format_seconds(file.cables.latency),
                     file.taper_text);
}

LoadedNetwork as_built(const MachineFile& file, const NetworkSource& source,
                       const RoutingOptions& routing, Observer& observer) {
  const auto work = observer.begin("loading " + file.path);
  PlatformProperties said;
  MachineOptions machine;
  machine.format = file.format;
  machine.platform = {source.routing.simgrid_compatible,
                      routing.rule,
                      work->callback(),
                      [&observer](const std::string& sentence) { observer.remark(sentence); },
                      source.limits,
                      [&said](const PlatformProperties& properties) { said = properties; }};
  machine.host_names = file.host_names;
  machine.cables = file.cables;
  machine.routing = routing;
  LoadedNetwork loaded;
  loaded.network = load_machine(file.path, machine);
  loaded.endpoint = endpoint_costs(source.endpoint, said.endpoint);
  loaded.assumptions = std::move(said.assumptions);
  loaded.knows_host_names = said.knows_host_names || file.host_names != nullptr;
  if (!file.node_map.empty()) check_node_map(read_node_map(file.node_map), *loaded.network);
  loaded.noise = said.endpoint.noise.value_or(0);
  const std::string model = loaded.network->description();
  const bool has_path = model.starts_with(file.path);  // perhaps with keys, which are properties
  loaded.text = file.path + at_rates(file);
  loaded.model = (has_path ? "" : file.path + " = ") + model + at_rates(file);
  return loaded;
}

/// A bare number is bytes per second, or seconds, which is rarely meant.
void remark_missing_unit(const NetworkSpecification& words, Observer& observer) {
  constexpr double long_latency = 0.1;
  if (words.links.latency.value >= long_latency)
    observer.remark(
        fmt::format("--latency: {} per link; a bare number is seconds, write 1us or 90ns",
                    format_seconds(words.links.latency)));
  const auto number = parse_number(words.bandwidth_text);
  if (!number || !std::isfinite(*number)) return;
  observer.remark(
      fmt::format("--bandwidth {0} has no unit: it is {1}; write {0}GBps if that is meant",
                  words.bandwidth_text, format_bandwidth(words.links.bandwidth)));
}

LoadedNetwork as_built(const NetworkSpecification& words, const NetworkSource& source,
                       const RoutingOptions& routing, Observer& observer) {
  remark_missing_unit(words, observer);
  LoadedNetwork loaded;
  loaded.network = make_network(words.spec, words.links, routing);
  if (!words.node_map.empty()) check_node_map(read_node_map(words.node_map), *loaded.network);
  loaded.endpoint = endpoint_costs(source.endpoint, {});
  loaded.assumptions = loaded.network->facts().assumptions;
  LinkRates rates{words.links.bandwidth, words.links.latency};
  loaded.model = loaded.network->description();
  if (loaded.network->facts().distances_only) rates = {};
  // A description with one of these keys has it for all links, but those of a torus' hosts.
  if (loaded.model.find(",bandwidth=") != std::string::npos) rates.bandwidth.reset();
  if (loaded.model.find(",latency=") != std::string::npos) rates.latency.reset();
  const std::string at = at_rates(rates.bandwidth, rates.latency);
  loaded.text = words.spec + at;
  loaded.model += at;
  return loaded;
}

LoadedNetwork with_edits(const NetworkSource& source, LoadedNetwork loaded) {
  const auto add = [&](const std::string& words) { loaded.text += words, loaded.model += words; };
  if (source.routing.simgrid_compatible) add(" with SimGrid's own routes");
  const ResolvedEdits resolved = resolve_edits(*loaded.network, source.edits);
  if (resolved.empty()) return loaded;
  if (const auto names = names_of_failed(*loaded.network, resolved); !names.empty())
    loaded.assumptions.push_back("failed: " + names);
  loaded.failed_links = failed_link_flags(*loaded.network, resolved);
  loaded.network = apply_edits(std::move(loaded.network), resolved);
  add(", " + in_words(resolved));
  loaded.edited = true;
  return loaded;
}

}  // namespace

LoadedNetwork load_network(const NetworkSource& source, Observer& observer) {
  const auto built = [&](const RoutingOptions& routing) {
    return std::visit([&](const auto& from) { return as_built(from, source, routing, observer); },
                      source.from);
  };
  const auto by_traffic = [&](Routing rule) {
    LoadedNetwork loaded;
    auto network = make_traffic_routing(rule, [&](Routing part) {
      loaded = with_edits(source, built({part}));
      return loaded.network;
    });
    loaded.network = std::move(network);
    return loaded;
  };
  if (depends_on_traffic(source.routing.rule)) return by_traffic(source.routing.rule);
  LoadedNetwork loaded = built(source.routing);
  const Routing own = loaded.network->routing();  // of a file perhaps one that edits precede
  if (!depends_on_traffic(own)) return with_edits(source, std::move(loaded));
  try {
    return by_traffic(own);
  } catch (const UsageError& error) {
    // throws itself if no routing would take the edits
    loaded = with_edits(source, built({Routing::simgrid}));
    observer.remark(fmt::format("routing simgrid instead of {}, which \"{}\" states: {}",
                                to_string(own), std::get<MachineFile>(source.from).path,
                                error.what()));
    return loaded;
  }
}

}  // namespace vtopo::detail

namespace vtopo {

using namespace detail;

LoadedNetwork load_network(const Scenario& scenario, Observer& observer) {
  return load_network(network_source(scenario), observer);
}

}  // namespace vtopo
