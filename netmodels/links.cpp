#include "netmodels/links.hpp"

#include <algorithm>
#include <array>
#include <utility>

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

std::string range(const std::string& least, const std::string& most) {
  return least == most ? least : least + " to " + most;
}

constexpr int digit_bits = 11;
constexpr std::size_t num_digits = std::size_t{1} << digit_bits;
constexpr std::size_t few = 128;  ///< entries for which comparing is faster than counting

std::size_t digit(const LinkShare& on, int shift) {
  return (static_cast<std::size_t>(number(on.link)) >> shift) & (num_digits - 1);
}

/// Sorts by link, digit by digit of its number from the last one on: entries of one link stay in
/// their order.
void sort_by_digits(std::vector<LinkShare>& shares, std::size_t first) {
  thread_local std::vector<LinkShare> sorted;
  std::uint32_t highest = 0;
  for (std::size_t s = first; s < shares.size(); ++s)
    highest |= static_cast<std::uint32_t>(number(shares[s].link));
  sorted.resize(shares.size() - first);
  for (int shift = 0; shift < 32 && highest >> shift != 0; shift += digit_bits) {
    std::array<std::size_t, num_digits> place{};
    for (std::size_t s = first; s < shares.size(); ++s) ++place[digit(shares[s], shift)];
    std::size_t next = 0;
    for (std::size_t& count : place) count = std::exchange(next, next + count);
    for (std::size_t s = first; s < shares.size(); ++s)
      sorted[place[digit(shares[s], shift)]++] = shares[s];
    std::copy(sorted.begin(), sorted.end(), shares.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

std::vector<std::set<LinkId>> links_at_hosts(const Network& network) {
  std::vector<std::set<LinkId>> links(index(network.num_hosts()));
  const auto add = [&](int vertex, LinkId link) {
    if (vertex < network.num_hosts()) links[index(vertex)].insert(link);
  };
  for (int l = 0; l < network.num_links(); ++l) {
    const auto sides = network.link_sides(LinkId{l});
    if (!sides || network.link(LinkId{l}).hops == 0 || !network.link_is_up(LinkId{l})) continue;
    add(sides->from, LinkId{l});
    if (!network.link_ends(LinkId{l})) add(sides->to, LinkId{l});
  }
  return links;
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

std::vector<LinkRanges> link_ranges(const Network& network) {
  std::vector<LinkRanges> kinds;
  for (const LinkClass& kind : network.link_classes())
    kinds.push_back({kind.name, 0, {}, {}, {}, {}});
  for (int l = 0; l < network.num_links(); ++l) {
    const LinkProperties link = network.link(LinkId{l});
    LinkRanges& kind = kinds.at(static_cast<std::size_t>(network.link_class(LinkId{l})));
    const bool first = kind.links++ == 0;
    kind.least_bandwidth = first ? link.bandwidth : std::min(kind.least_bandwidth, link.bandwidth);
    kind.max_bandwidth = std::max(kind.max_bandwidth, link.bandwidth);
    kind.least_latency = first ? link.latency : std::min(kind.least_latency, link.latency);
    kind.max_latency = std::max(kind.max_latency, link.latency);
  }
  return kinds;
}

std::string bandwidth_range(BytesPerSecond least, BytesPerSecond most) {
  return range(format_bandwidth(least), format_bandwidth(most));
}

std::string latency_range(Seconds least, Seconds most) {
  return range(format_seconds(least), format_seconds(most));
}

bool takes_one_route(const std::vector<LinkShare>& shares, std::size_t first) {
  return std::all_of(shares.begin() + static_cast<std::ptrdiff_t>(first), shares.end(),
                     [](const LinkShare& on) { return on.share == 1; });
}

void join_entries(std::vector<LinkShare>& shares, std::size_t first) {
  const auto begin = shares.begin() + static_cast<std::ptrdiff_t>(first);
  if (shares.size() - first > few)
    sort_by_digits(shares, first);
  else
    std::stable_sort(begin, shares.end(),
                     [](const LinkShare& a, const LinkShare& b) { return a.link < b.link; });
  auto last = begin;
  for (auto next = begin; next != shares.end(); ++next) {
    if (next == begin) continue;
    if (next->link == last->link)
      last->share += next->share;
    else
      *++last = *next;
  }
  if (begin != shares.end()) shares.erase(last + 1, shares.end());
}

const std::set<LinkId>& LinksAtHosts::of(const Network& network, HostId host) const {
  std::call_once(listed_, [&] { links_ = links_at_hosts(network); });
  return links_[index(host)];
}

}  // namespace vtopo::detail
