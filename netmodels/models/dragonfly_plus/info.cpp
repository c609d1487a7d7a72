#include <algorithm>

#include "netmodels/models/dragonfly_plus/dragonfly_plus.hpp"
#include "netmodels/network_table.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

namespace {

const std::vector<NetworkKey>& dragonfly_plus_keys() {
  static const std::vector<NetworkKey> keys{
      {"links", ">= 1, default 1", "N, links from each cell to each other one"},
      {"cells", "runs CELLS:HOSTS+COUNT*HOSTS+... separated by /",
       "hosts at each leaf, where cells are not equal: 19:18*10/10+2+6 is 19 cells of 18 leaves of "
       "10 hosts and one of 3 leaves; LEAVES and HOSTS_PER_LEAF are then the most of any"},
      {"bandwidth", "one, or hosts/leaves/cells", "of one link, per direction"},
      {"latency", "one, or hosts/leaves/cells", "of one link"}};
  return keys;
}

/// Reads the key `cells`.
class UnequalCells {
 public:
  UnequalCells(const SpecText& spec, const DragonflyPlusSpec& numbers)
      : spec_(spec), numbers_(numbers) {}

  std::vector<std::vector<int>> read(std::string_view text) {
    for (const auto run : split(text, '/')) add_run(run);
    if (std::ssize(cells_) != numbers_.cells)
      spec_.fail(
          fmt::format("cells has hosts of {} cells; accepted: {}", cells_.size(), numbers_.cells));
    return std::move(cells_);
  }

 private:
  void add_run(std::string_view run) {
    const auto colon = run.find(':');
    int count = 1;
    if (colon != std::string_view::npos) {
      count = spec_.positive("number of cells", run.substr(0, colon));
      run.remove_prefix(colon + 1);
    }
    if (count > numbers_.cells - std::ssize(cells_))
      spec_.fail(fmt::format("cells has hosts of more than {} cells; accepted: {}", numbers_.cells,
                             numbers_.cells));
    cells_.insert(cells_.end(), static_cast<std::size_t>(count), leaves(run));
  }

  std::vector<int> leaves(std::string_view list) const {
    std::vector<int> hosts;
    for (auto leaf : split(list, '+')) {
      int count = 1;
      if (const auto star = leaf.find('*'); star != std::string_view::npos) {
        count = spec_.positive("number of leaves", leaf.substr(0, star));
        leaf.remove_prefix(star + 1);
      }
      if (count > numbers_.leaves - std::ssize(hosts))
        spec_.fail(fmt::format("more than {} leaves in \"{}\"; accepted: 1 to {}", numbers_.leaves,
                               list, numbers_.leaves));
      const auto at_leaf = parse_integer(leaf);
      if (!at_leaf || *at_leaf < 0 || *at_leaf > numbers_.hosts_per_leaf)
        spec_.fail(fmt::format("\"{}\" hosts of a leaf; accepted: 0 to {}", leaf,
                               numbers_.hosts_per_leaf));
      hosts.insert(hosts.end(), static_cast<std::size_t>(count), static_cast<int>(*at_leaf));
    }
    return hosts;
  }

  const SpecText& spec_;
  const DragonflyPlusSpec& numbers_;
  std::vector<std::vector<int>> cells_;
};

std::shared_ptr<const Network> make(const SpecText& spec, const NetworkDefaults& defaults,
                                    const RoutingOptions& routing) {
  return make_dragonfly_plus(parse_dragonfly_plus(spec, defaults, routing));
}

}  // namespace

DragonflyPlusSpec parse_dragonfly_plus(const SpecText& spec, const NetworkDefaults& defaults,
                                       const RoutingOptions& routing) {
  DragonflyPlusSpec plus;
  plus.defaults = defaults;
  plus.routing = routing;
  const SpecKeys keys(spec, dragonfly_plus_keys());
  const auto parts = split(spec.parameters, ';');
  const auto switches = parts.size() == 3 ? split(parts[1], ',') : std::vector<std::string_view>{};
  if (switches.size() != 2)
    spec.fail(
        "a dragonfly-plus is written CELLS;LEAVES,SPINES;HOSTS_PER_LEAF as "
        "dragonfly-plus:5;4,4;4");
  plus.cells = spec.positive("number of cells", parts[0]);
  plus.leaves = spec.positive("number of leaves", switches[0]);
  plus.spines = spec.positive("number of spines", switches[1]);
  plus.hosts_per_leaf = spec.positive("number of hosts per leaf", parts[2]);
  plus.links = keys.positive_or_one("links");
  const auto rates = keys.rates("", 3, "hosts/leaves/cells");
  plus.host_rates = rates[0];
  plus.local_rates = rates[1];
  plus.global_rates = rates[2];
  if (const auto cells = keys.find("cells")) plus.hosts = UnequalCells(spec, plus).read(*cells);
  const std::vector<int> full(static_cast<std::size_t>(plus.hosts.empty() ? 0 : plus.leaves),
                              plus.hosts_per_leaf);
  if (std::all_of(plus.hosts.begin(), plus.hosts.end(),
                  [&](const std::vector<int>& cell) { return cell == full; }))
    plus.hosts.clear();
  return plus;
}

namespace networks {

std::vector<NetworkInfo> dragonfly_plus() {
  return {{.name = "dragonfly-plus",
           .syntax = "CELLS;LEAVES,SPINES;HOSTS_PER_LEAF, leaves and spines of each cell",
           .keys = dragonfly_plus_keys(),
           .example = "dragonfly-plus:5;4,4;4",
           .source = "A. Shpiner, Z. Haramaty, S. Eliad, V. Zdornov, B. Gafni, E. Zahavi, "
                     "\"Dragonfly+: Low Cost Topology for Scaling Datacenters\" (HiPINEB 2017)",
           .make = make}};
}

}  // namespace networks

}  // namespace vtopo
