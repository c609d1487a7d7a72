#include "netmodels/network_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "netmodels/endpoints/endpoint_spec.hpp"
#include "netmodels/machines/platform_files.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

/// Numbers are followed by keys from the first piece on that cannot be a number.
bool looks_like_key(std::string_view piece) {
  const bool letter = !piece.empty() && ((piece[0] >= 'a' && piece[0] <= 'z') ||
                                         (piece[0] >= 'A' && piece[0] <= 'Z'));
  const auto none = std::string_view::npos;
  return piece.find('=') != none || (letter && piece.find(';') == none);
}

/// Values separated by `/`, which in `10GB/s` separates nothing.
std::vector<std::string_view> split_values(std::string_view text) {
  std::vector<std::string_view> values;
  for (const auto piece : split(text, '/')) {
    if (trim(piece) == "s" && !values.empty()) {
      const auto length = piece.data() + piece.size() - values.back().data();
      values.back() = {values.back().data(), index(length)};
    } else {
      values.push_back(piece);
    }
  }
  return values;
}

BytesPerSecond link_bandwidth(std::string_view text) {
  const BytesPerSecond bandwidth = parse_bandwidth(text);
  if (std::isinf(bandwidth.value))
    throw UsageError(
        fmt::format("bandwidth \"{}\" of links; accepted: 0.001 to 1e30 bytes per second", text));
  return bandwidth;
}

}  // namespace

SpecText::SpecText(std::string_view text) : whole(text) {
  const auto colon = text.find(':');
  kind = text.substr(0, colon);
  if (colon == std::string_view::npos) return;
  parameters = text.substr(colon + 1);
  const auto pieces = split(parameters, ',');
  const auto first = std::find_if(pieces.begin() + 1, pieces.end(), looks_like_key);
  extensions.assign(first, pieces.end());
  if (first != pieces.end())
    parameters =
        parameters.substr(0, static_cast<std::size_t>(first->data() - parameters.data()) - 1);
}

void SpecText::fail(std::string_view what) const {
  throw UsageError(fmt::format("\"{}\": {}", whole, what));
}

int SpecText::positive(std::string_view what, std::string_view text) const {
  const auto value = parse_integer(text);
  if (!value)
    throw UsageError(fmt::format("{} \"{}\" in \"{}\" is not an integer", what, text, whole));
  if (*value < 1 || *value > max_id)
    throw UsageError(
        fmt::format("{} {} in \"{}\": accepted are 1 to 2147483647", what, text, whole));
  return static_cast<int>(*value);
}

std::vector<int> SpecText::positives(std::string_view what, std::string_view list) const {
  std::vector<int> values;
  for (const auto piece : split(list, ',')) values.push_back(positive(what, piece));
  return values;
}

SpecKeys::SpecKeys(const SpecText& spec, std::span<const NetworkKey> accepted)
    : spec_(spec), accepted_(accepted) {
  std::vector<std::string> names;
  for (const NetworkKey& key : accepted) names.push_back(key.name);
  for (const NetworkKey& key : endpoint_keys())
    if (std::find(names.begin(), names.end(), key.name) == names.end()) names.push_back(key.name);
  for (const auto piece : spec.extensions) {
    const auto equals = piece.find('=');
    const auto key = piece.substr(0, equals);
    if (std::none_of(accepted.begin(), accepted.end(),
                     [&](const NetworkKey& known) { return known.name == key; }))
      spec.fail(fmt::format("unknown key \"{}\"; accepted for {}: {}{}", key, spec.kind,
                            fmt::join(names, ", "), suggestion(key, names)));
    if (equals == std::string_view::npos)
      spec.fail(fmt::format("key \"{}\" has no value; accepted: {}=...", key, key));
    if (find(key)) spec.fail(fmt::format("key \"{}\" is given twice; accepted is once", key));
    values_.emplace_back(key, piece.substr(equals + 1));
  }
}

std::optional<std::string_view> SpecKeys::find(std::string_view key) const {
  for (const auto& [name, value] : values_)
    if (name == key) return value;
  return std::nullopt;
}

int SpecKeys::positive_or_one(std::string_view key) const {
  const auto text = find(key);
  return text ? spec_.positive(key, *text) : 1;
}

std::vector<int> SpecKeys::positives(std::string_view key, std::size_t classes,
                                     std::string_view what) const {
  std::vector<int> values;
  for (const auto value : one_or_each(key, classes, what))
    values.push_back(spec_.positive(key, value));
  return values;
}

std::optional<std::size_t> SpecKeys::choice(std::string_view key) const {
  const auto text = find(key);
  if (!text) return std::nullopt;
  const auto& names =
      std::find_if(accepted_.begin(), accepted_.end(), [&](const NetworkKey& known) {
        return known.name == key;
      })->choices;
  const auto place = std::find(names.begin(), names.end(), *text);
  if (place == names.end())
    spec_.fail(fmt::format("{} \"{}\"; accepted: {}{}", key, *text, fmt::join(names, ", "),
                           suggestion(*text, names)));
  return static_cast<std::size_t>(place - names.begin());
}

std::vector<std::string_view> SpecKeys::one_or_each(std::string_view key, std::size_t classes,
                                                    std::string_view what) const {
  const auto text = find(key);
  if (!text) return {};
  auto values = split_values(*text);
  if (values.size() == 1) values.resize(classes, values.front());
  if (values.size() != classes)
    spec_.fail(fmt::format("{} has {} values; accepted: one for all, or {} separated by / ({})",
                           key, values.size(), classes, what));
  return values;
}

std::vector<LinkRates> SpecKeys::rates(std::string_view prefix, std::size_t classes,
                                       std::string_view what) const {
  std::vector<LinkRates> rates(classes);
  const auto bandwidths = one_or_each(fmt::format("{}bandwidth", prefix), classes, what);
  const auto latencies = one_or_each(fmt::format("{}latency", prefix), classes, what);
  try {
    for (std::size_t i = 0; i < bandwidths.size(); ++i)
      rates[i].bandwidth = link_bandwidth(bandwidths[i]);
    for (std::size_t i = 0; i < latencies.size(); ++i)
      rates[i].latency = parse_seconds(latencies[i]);
  } catch (const UsageError& error) {
    spec_.fail(error.what());
  }
  return rates;
}

std::vector<double> SpecKeys::ratios(std::string_view key, std::size_t most,
                                     std::string_view what) const {
  std::vector<double> ratios;
  const auto text = find(key);
  if (!text) return ratios;
  for (const auto value : split(*text, '/')) {
    const auto colon = value.find(':');
    const auto numerator = parse_number(value.substr(0, colon));
    const auto denominator = colon == std::string_view::npos
                                 ? std::optional<double>(1)
                                 : parse_number(value.substr(colon + 1));
    const double ratio = numerator && denominator ? *numerator / *denominator : 0;
    // Beyond a million to one, somebody has mistaken the key for a bandwidth.
    if (!(ratio >= 1e-6 && ratio <= 1e6) || *denominator <= 0)
      spec_.fail(fmt::format("{} \"{}\"; accepted: a ratio such as 2 or 22:18, from 1e-6 to 1e6",
                             key, value));
    ratios.push_back(ratio);
  }
  if (ratios.size() > 1 && ratios.size() != most)
    spec_.fail(fmt::format("{} has {} values; accepted: 1{}, {}", key, ratios.size(),
                           most > 1 ? fmt::format(" or {}", most) : "", what));
  return ratios;
}

const std::vector<NetworkInfo>& all_networks() {
  static const std::vector<NetworkInfo> networks = [] {
    std::vector<NetworkInfo> all;
    const auto add = [&](std::vector<std::vector<NetworkInfo>> families) {
      for (auto& family : families)
        for (NetworkInfo& network : family) all.push_back(std::move(network));
    };
    add(network_families());
    if (&vtopo_more_networks != nullptr) add(vtopo_more_networks.families());
    if (&vtopo_platform_files != nullptr)
      for (NetworkInfo& network : vtopo_platform_files.networks())
        all.push_back(std::move(network));
    for (NetworkInfo& network : all)
      network.keys.insert(network.keys.end(), endpoint_keys().begin(), endpoint_keys().end());
    std::sort(all.begin(), all.end(),
              [](const NetworkInfo& a, const NetworkInfo& b) { return a.name < b.name; });
    return all;
  }();
  return networks;
}

std::vector<std::string> network_names() {
  std::vector<std::string> names;
  for (const NetworkInfo& network : all_networks()) names.push_back(network.name);
  return names;
}

std::string spec_of_cluster(std::string_view topology, std::string_view parameters) {
  if (topology.empty()) return {};
  for (const NetworkInfo& network : all_networks())
    if (network.from_cluster == topology) return fmt::format("{}:{}", network.name, parameters);
  return {};
}

}  // namespace vtopo::detail
