#include "cli/verbs/platform/platform_json.hpp"

#include <cmath>

#include "cli/verbs/platform/platform_description.hpp"
#include "sim/report/json_parts.hpp"

namespace vtopo::detail {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const LinkCounts& counts) {
  return {{"shared", counts.shared},
          {"fatpipe", counts.fatpipe},
          {"limiter", counts.limiter},
          {"loopback", counts.loopback}};
}

Json json_of(const LinkRanges& kind) {
  return {{"kind", kind.name},
          {"links", kind.links},
          {"least_bandwidth", vtopo::detail::json_of(kind.least_bandwidth)},
          {"most_bandwidth", vtopo::detail::json_of(kind.max_bandwidth)},
          {"least_latency", kind.least_latency.value},
          {"most_latency", kind.max_latency.value}};
}

Json json_of(const InjectionRange& range) {
  return {{"least", vtopo::detail::json_of(range.least)},
          {"most", vtopo::detail::json_of(range.most)},
          {"hosts_looked_at", range.hosts_looked_at}};
}

Json json_of(const DistanceSummary& distances) {
  return {{"diameter", distances.diameter}, {"mean", distances.mean},
          {"exact", distances.exact},       {"hosts_looked_at", distances.hosts_looked_at},
          {"pairs", distances.pairs},       {"pairs_without_route", distances.unreached}};
}

Json json_of(const Bisection& bisection) {
  return {{"bandwidth", vtopo::detail::json_of(bisection.bandwidth)},
          {"links", bisection.links},
          {"exact", bisection.exact},
          {"method", bisection.method}};
}

Json json_of(const EffectiveBisection& effective) {
  return {{"matchings", effective.options.matchings},
          {"seed", effective.options.seed},
          {"as_given", effective.as_given},
          {"random_routes", effective.random ? Json(*effective.random) : Json(nullptr)}};
}

template <class T>
Json json_or_null(const std::optional<T>& value) {
  return value ? json_of(*value) : Json(nullptr);
}

/// Groups of hosts that reach each other: first host and size; null if links are unknown.
Json groups_of(const PlatformDescription& description) {
  if (description.groups.empty()) return nullptr;
  Json groups = Json::array();
  for (std::size_t g = 0; g < description.groups.size(); ++g)
    groups.push_back(
        {{"first_host", description.group_heads[g]}, {"hosts", description.groups[g].size()}});
  return groups;
}

}  // namespace

Json json_of(BytesPerSecond bandwidth) {
  return std::isfinite(bandwidth.value) ? Json(bandwidth.value) : Json(nullptr);
}

std::string render_json(const PlatformDescription& description) {
  Json object = Json::object();
  object["schema"] = "vtopo/platform-describe/v1";
  object["scenario"] = scenario_object(description.scenario);
  object["network"] = description.network;
  object["routing"] = description.routing;
  object["splits_flows"] = description.splits_flows;
  object["hosts"] = description.hosts;
  object["hosts_up"] = description.hosts_up;
  object["switches"] = description.switches ? Json(*description.switches) : Json(nullptr);
  object["links"] = description.links;
  object["links_by_sharing"] = json_of(description.counts);
  object["kinds"] = Json::array();
  for (const LinkRanges& kind : description.kinds) object["kinds"].push_back(json_of(kind));
  object["routes"] = json_of(description.routes);
  object["shortest_ways"] = json_or_null(description.shortest);
  object["connected_groups"] = groups_of(description);
  object["injection_bandwidth"] = json_of(description.injection);
  if (description.node_injection)
    object["node_injection_bandwidth"] = json_of(*description.node_injection);
  object["bisection"] = json_or_null(description.bisection);
  if (description.bisection_bound)
    object["bisection"]["at_least"] = json_of(*description.bisection_bound);
  if (description.effective) object["effective_bisection"] = json_of(*description.effective);
  return object.dump(2) + '\n';
}

}  // namespace vtopo::detail
