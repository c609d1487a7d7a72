#include "netmodels/endpoints/endpoint_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "netmodels/links.hpp"
#include "topology/base/error.hpp"
#include "topology/base/foreign_formats.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

constexpr std::size_t max_node_levels = 8;

/// `450GBps`, or with a latency `450GBps/1us`. In `450GB/s` the slash is one of the unit.
EndpointRate parse_endpoint_rate(const SpecText& spec, std::string_view text) {
  try {
    const auto slash = text.rfind('/');
    const bool has_latency = slash != std::string_view::npos && trim(text.substr(slash + 1)) != "s";
    EndpointRate rate{parse_bandwidth(text.substr(0, has_latency ? slash : text.size()))};
    if (has_latency) rate.latency = parse_seconds(text.substr(slash + 1));
    return rate;
  } catch (const UsageError& error) {
    spec.fail(error.what());
  }
}

std::string rate_text(const EndpointRate& rate) {
  std::string text = std::isinf(rate.bandwidth.value) ? "inf" : exact_text(rate.bandwidth);
  if (rate.latency.value > 0) text += '/' + exact_text(rate.latency);
  return text;
}

std::vector<std::string> key_names(const std::vector<NetworkKey>& keys) {
  std::vector<std::string> names;
  names.reserve(keys.size());
  for (const NetworkKey& key : keys) names.push_back(key.name);
  return names;
}

/// Of a level that the specification does not name.
std::string usual_name(std::size_t level) {
  return fmt::format("level{}", level + 1);
}

bool is_named(const std::vector<NodeLevel>& levels) {
  for (std::size_t l = 0; l < levels.size(); ++l)
    if (levels[l].name != usual_name(l) || levels[l].rate.limits()) return true;
  return false;
}

/// Reads `2x4` of `node=2x4:nvlink=450GBps`.
std::vector<NodeLevel> parse_arities(const SpecText& spec, std::string_view text) {
  std::vector<NodeLevel> levels;
  for (const auto piece : split(text, 'x')) {
    const int arity = spec.positive("node size", piece);
    levels.push_back({arity, usual_name(levels.size()), {}});
  }
  if (levels.size() > max_node_levels)
    spec.fail(
        fmt::format("node has {} levels; accepted: up to {}", levels.size(), max_node_levels));
  return levels;
}

/// What `node=` begins with: sizes, or a file of hwloc.
std::string_view inside_of(std::string_view node) {
  return node.substr(0, node.find(':'));
}

bool is_hwloc_file(std::string_view inside) {
  return inside.ends_with(".xml");
}

/// The inside of a node, whose levels may stand in several pieces of the specification.
class NodeReader {
 public:
  NodeReader(const SpecText& spec, std::vector<std::string> known_keys)
      : spec_(spec), known_keys_(std::move(known_keys)) {}

  void begin(std::string_view value) {
    if (!levels_.empty()) spec_.fail("key \"node\" is given twice; accepted is once");
    const std::string_view what = inside_of(value);
    from_file_ = is_hwloc_file(what);
    levels_ = from_file_ ? foreign_formats("a file of hwloc").read_node_levels(std::string(what))
                         : parse_arities(spec_, what);
    if (what.size() < value.size()) take(value.substr(what.size() + 1));
  }

  /// Whether a piece names the next level: what follows `node=` and is not a key.
  bool continues(std::string_view piece) const {
    return named_ > 0 && named_ < levels_.size() && !is_key(piece.substr(0, piece.find('=')));
  }

  /// `nvlink=450GBps`.
  void take(std::string_view piece) {
    const auto equals = piece.find('=');
    const std::string name(piece.substr(0, equals));
    if (equals == std::string_view::npos || !is_level_name(name))
      spec_.fail(
          fmt::format("node level \"{}\"; accepted: NAME=BANDWIDTH such as nvlink=450GBps, "
                      "NAME of letters, digits and -",
                      piece));
    if (is_key(name))
      spec_.fail(fmt::format("\"{}\" cannot name a node level, as it is a key", name));
    // Short names are near to each other without being slips: core and node.
    const auto meant = name.size() < 6 ? std::nullopt : nearest(name, known_keys_);
    if (meant)
      spec_.fail(
          fmt::format("\"{}\" is too much like the key \"{}\" to name a node level", name, *meant));
    if (from_file_) return take_rate(name, piece.substr(equals + 1));
    for (std::size_t l = 0; l < named_; ++l)
      if (levels_[l].name == name)
        spec_.fail(fmt::format("node level \"{}\" is given twice; accepted is once", name));
    levels_[named_].name = name;
    levels_[named_++].rate = parse_endpoint_rate(spec_, piece.substr(equals + 1));
  }

  std::vector<NodeLevel> levels() && {
    if (!from_file_ && named_ > 0 && named_ < levels_.size())
      spec_.fail(
          fmt::format("node has {} levels, of which {} are named; accepted: {} pieces "
                      "NAME=BANDWIDTH right after node=, from the places up, or none",
                      levels_.size(), named_, levels_.size()));
    return std::move(levels_);
  }

 private:
  /// Of a level that the file names.
  void take_rate(const std::string& name, std::string_view rate) {
    ++named_;
    for (NodeLevel& level : levels_)
      if (level.name == name) {
        level.rate = parse_endpoint_rate(spec_, rate);
        return;
      }
    std::vector<std::string> names;
    for (const NodeLevel& level : levels_) names.push_back(level.name);
    spec_.fail(fmt::format("node level \"{}\"; the file has: {}", name, join(names, ", ")));
  }

  bool is_key(std::string_view name) const {
    return std::find(known_keys_.begin(), known_keys_.end(), name) != known_keys_.end();
  }

  static bool is_level_name(std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    });
  }

  const SpecText& spec_;
  std::vector<std::string> known_keys_;
  std::vector<NodeLevel> levels_;
  bool from_file_ = false;
  std::size_t named_ = 0;
};

std::int64_t places_of(const EndpointSpec& endpoints) {
  std::int64_t places = 1;
  for (const NodeLevel& level : endpoints.levels)
    places = std::min<std::int64_t>(places * level.arity, max_id + 1);
  return places;
}

NicPolicy chosen_policy(const SpecText& spec, const SpecKeys& keys, const EndpointSpec& endpoints) {
  const auto choice = keys.choice("nic");
  const std::int64_t places = places_of(endpoints);
  if (!choice) return places >= endpoints.nics ? NicPolicy::rank : NicPolicy::round_robin;
  const auto policy = static_cast<NicPolicy>(*choice);
  if (policy == NicPolicy::rank && places < endpoints.nics)
    spec.fail(
        fmt::format("with nic=rank each place of a node has one interface, so that of nics={} "
                    "only {} would be used; accepted: nic=round_robin, or node=... with {} "
                    "places or more",
                    endpoints.nics, places, endpoints.nics));
  return policy;
}

}  // namespace

bool EndpointRate::limits() const {
  return !std::isinf(bandwidth.value) || latency.value > 0;
}

const std::vector<NetworkKey>& endpoint_keys() {
  static const std::vector<NetworkKey> keys{
      {"nics", ">= 1, default 1", "network interfaces of each host"},
      {"injection", "one such as 25GBps, or 25GBps/1us; default as extraction, or unlimited",
       "bandwidth of an interface out of the host, and its latency"},
      {"extraction", "one; default as injection", "bandwidth of an interface into the host"},
      {"nic",
       "rank, round_robin, destination; default rank if each interface has a place of node=",
       "which interface a message takes",
       {"rank", "round_robin", "destination"}},
      {"node", "2x4:nvlink=450GBps,numa=100GBps, or hwloc's FILE.xml:l3=400GBps",
       "inside of a host, from its places up: 2 places joined by nvlink, 4 of these by numa"},
      {"rail",
       "sender, receiver (default), spine",
       "plane of a message between interfaces of different planes, where a network has as many "
       "planes as hosts have interfaces",
       {"sender", "receiver", "spine"}}};
  return keys;
}

EndpointSpec take_endpoints(SpecText& spec, const std::vector<NetworkKey>& network_keys) {
  std::vector<std::string> names = key_names(endpoint_keys());
  std::vector<std::string> all = key_names(network_keys);
  all.insert(all.end(), names.begin(), names.end());
  const auto pieces = std::exchange(spec.extensions, {});
  SpecText own = spec;
  NodeReader node(spec, all);
  bool in_node = false;
  for (const auto piece : pieces) {
    const auto key = piece.substr(0, piece.find('='));
    if (in_node && node.continues(piece)) {
      node.take(piece);
      continue;
    }
    in_node = false;
    if (std::find(names.begin(), names.end(), key) == names.end()) {
      spec.extensions.push_back(piece);
      continue;
    }
    own.extensions.push_back(piece);
    if (key != "node" || piece.size() == key.size()) continue;
    in_node = true;
    node.begin(piece.substr(key.size() + 1));
  }
  if (own.extensions.empty()) return {};
  const SpecKeys keys(own, endpoint_keys());
  EndpointSpec endpoints;
  endpoints.levels = std::move(node).levels();
  endpoints.nics = keys.positive_or_one("nics");
  const auto injection = keys.find("injection"), extraction = keys.find("extraction");
  if (injection) endpoints.injection = parse_endpoint_rate(spec, *injection);
  endpoints.extraction = extraction ? parse_endpoint_rate(spec, *extraction) : endpoints.injection;
  if (!injection) endpoints.injection = endpoints.extraction;
  endpoints.policy = chosen_policy(spec, keys, endpoints);
  if (const auto rail = keys.choice("rail")) endpoints.rail = static_cast<RailPolicy>(*rail);
  if (endpoints.nics > 1 && !injection && !extraction)
    spec.fail(
        fmt::format("nics={} says how many interfaces a host has, but not what one carries; "
                    "accepted: also injection=25GBps, or extraction=",
                    endpoints.nics));
  return endpoints;
}

EndpointSpec interfaces_of(std::string_view text) {
  SpecText spec(text);
  return take_endpoints(spec, {});
}

std::string node_file_of(std::string_view text) {
  constexpr std::string_view key = "node=";
  const SpecText spec(text);
  for (const std::string_view piece : spec.extensions) {
    const std::string_view inside = inside_of(piece.substr(std::min(key.size(), piece.size())));
    if (piece.starts_with(key) && is_hwloc_file(inside)) return std::string(inside);
  }
  return {};
}

EndpointSpec in_planes(EndpointSpec endpoints, const Network& network) {
  const int planes = network.facts().planes.count, nics = endpoints.nics;
  if (planes > 1 && nics > 1 && endpoints.policy != NicPolicy::round_robin) {
    if (nics % planes != 0)
      throw UsageError(fmt::format(
          "nics={} on {}: interfaces are in its {} planes one after the other, as many in each; "
          "accepted: nics={} or a multiple, or nic=round_robin",
          nics, network.description(), planes, planes));
    endpoints.planes = planes;
  }
  if (endpoints.rail && (endpoints.planes == 1 || endpoints.policy != NicPolicy::rank))
    throw UsageError(fmt::format(
        "rail={} on {}: messages between planes go by it where nic=rank puts interface g of each "
        "host in plane g; accepted: also rails=N and nics=N, and node=... with N places or more",
        endpoint_keys()[5].choices[static_cast<std::size_t>(*endpoints.rail)],
        network.description()));
  return endpoints;
}

std::string endpoint_text(const EndpointSpec& endpoints) {
  std::string text;
  const auto& levels = endpoints.levels;
  for (std::size_t l = 0; l < levels.size(); ++l)
    text += fmt::format("{}{}", l == 0 ? ",node=" : "x", levels[l].arity);
  for (std::size_t l = 0; l < levels.size() && is_named(levels); ++l)
    text += fmt::format("{}{}={}", l == 0 ? ':' : ',', levels[l].name, rate_text(levels[l].rate));
  if (!endpoints.has_interfaces()) return text;
  if (endpoints.nics > 1)
    text += fmt::format(",nics={},nic={}", endpoints.nics,
                        endpoint_keys()[3].choices[static_cast<std::size_t>(endpoints.policy)]);
  if (endpoints.rail.value_or(RailPolicy::receiver) != RailPolicy::receiver)
    text += ",rail=" + endpoint_keys()[5].choices[static_cast<std::size_t>(*endpoints.rail)];
  text += ",injection=" + rate_text(endpoints.injection);
  if (endpoints.extraction != endpoints.injection)
    text += ",extraction=" + rate_text(endpoints.extraction);
  return text;
}

}  // namespace vtopo::detail
