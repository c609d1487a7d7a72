#include "netmodels/link_rates.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "topology/base/error.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

struct Unit {
  std::string_view name;
  double size;
};

/// The shortest decimal in the largest fitting unit that `parse` turns into `value` again; in a
/// smaller one where that is shorter (2000ns is one bit more than 2us), the bare number where that
/// is much shorter, as 1e-07 is than 99.99999999999999ns.
template <class Parse>
std::string shortest(double value, std::span<const Unit> units, const Parse& parse) {
  constexpr int max_digits = 17;
  constexpr std::size_t worth_a_unit = 4;  // characters
  std::string bare = fmt::format("{}", value);
  std::string best;
  for (const auto& [name, size] : units) {
    if (value < size) continue;
    for (int digits = 1; digits <= max_digits; ++digits) {
      const std::string text = fmt::format("{:.{}g}", value / size, digits);
      if (text.find('e') != std::string::npos) continue;
      const std::string with_unit = text + std::string(name);
      if (parse(with_unit) != value) continue;
      const std::size_t most = best.empty() ? bare.size() + worth_a_unit : best.size() - 1;
      if (with_unit.size() <= most) best = with_unit;
      break;
    }
    if (best.empty()) return bare;
  }
  return best.empty() ? bare : best;
}

/// `,key=a/b/c`, or `,key=a` if all are the same.
std::string list_key(std::string_view prefix, std::string_view key,
                     const std::vector<std::string>& values) {
  const bool same = std::equal(values.begin() + 1, values.end(), values.begin());
  return fmt::format(",{}{}={}", prefix, key,
                     same ? values.front() : fmt::format("{}", fmt::join(values, "/")));
}

}  // namespace

LinkProperties link_properties(const LinkRates& rates, const NetworkDefaults& defaults) {
  const BytesPerSecond bandwidth = rates.bandwidth.value_or(defaults.bandwidth);
  const Seconds latency = rates.latency.value_or(defaults.latency);
  // The ranges of parse_bandwidth and parse_seconds; no comparison holds for NaN.
  if (!(bandwidth.value >= 1e-3 && bandwidth.value <= 1e18))
    throw UsageError(fmt::format("bandwidth {} of links; accepted: 0.001 to 1e18 bytes per second",
                                 bandwidth.value));
  if (!(latency.value >= 0 && latency.value <= 1e9))
    throw UsageError(fmt::format("latency {} of links; accepted: 0 to 1e9 seconds", latency.value));
  return {bandwidth, latency};
}

std::string rate_keys(std::span<const LinkRates> classes, const NetworkDefaults& defaults,
                      std::string_view prefix) {
  std::vector<std::string> bandwidths, latencies;
  bool own_bandwidth = false, own_latency = false;
  for (const LinkRates& rates : classes) {
    const LinkProperties link = link_properties(rates, defaults);
    bandwidths.push_back(exact_text(link.bandwidth));
    latencies.push_back(exact_text(link.latency));
    own_bandwidth = own_bandwidth || rates.bandwidth;
    own_latency = own_latency || rates.latency;
  }
  std::string keys;
  if (own_bandwidth) keys += list_key(prefix, "bandwidth", bandwidths);
  if (own_latency) keys += list_key(prefix, "latency", latencies);
  return keys;
}

std::string exact_text(BytesPerSecond bandwidth) {
  constexpr std::array<Unit, 4> units{
      {{"TBps", 1e12}, {"GBps", 1e9}, {"MBps", 1e6}, {"kBps", 1e3}}};
  // Networks are spoken of in GB/s, also fast ones.
  const auto fitting = std::span(units).subspan(bandwidth.value < 1e13 ? 1 : 0);
  return shortest(bandwidth.value, fitting,
                  [](const std::string& text) { return parse_bandwidth(text).value; });
}

std::string exact_text(Seconds time) {
  constexpr std::array<Unit, 5> units{
      {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}}};
  return shortest(time.value, units,
                  [](const std::string& text) { return parse_seconds(text).value; });
}

}  // namespace vtopo::detail
