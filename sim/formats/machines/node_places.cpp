#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "netmodels/machines/node_map.hpp"
#include "sim/formats/machines/slurm_topology.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// Numbers of cabinet, chassis, slot, board and node.
using Xname = std::array<std::int64_t, 5>;

std::optional<Xname> parse_xname(std::string_view text) {
  constexpr std::string_view letters = "xcsbn";
  Xname place{};
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (text.empty() || text.front() != letters[i]) return std::nullopt;
    text.remove_prefix(1);
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto number = parse_integer(text.substr(0, digits));
    if (!number) return std::nullopt;
    place[i] = *number;
    text.remove_prefix(digits);
  }
  return text.empty() ? std::optional(place) : std::nullopt;
}

/// Numbers of parts in the order in which nodes name them.
class PartsInOrder {
 public:
  explicit PartsInOrder(NodeMap& map) : map_(&map) {}

  void add(std::string name, std::string part) {
    const auto [entry, is_new] = ids_.emplace(part, int_size(ids_));
    if (is_new) map_->parts.push_back(std::move(part));
    map_->names.push_back(std::move(name));
    map_->part_of.push_back(entry->second);
  }

 private:
  NodeMap* map_;
  std::unordered_map<std::string, int> ids_;
};

NodeMap by_cabinet(const std::string& path) {
  LineFile file(path);
  std::map<Xname, std::string> nodes;
  std::unordered_map<std::string, Xname> places;
  while (file.next_content()) {
    auto words = file.words();
    if (words.size() == 1) words = file.fields(',');
    const auto place = words.size() == 2 ? parse_xname(words[1].text) : std::nullopt;
    if (!place)
      throw input_error(file.at(0), fmt::format("\"{}\": expected a node and its place, such as "
                                                "\"nid001000 x1000c0s0b0n0\"",
                                                file.line()));
    const std::string name(words[0].text);
    const auto [taken, is_free] = nodes.emplace(*place, name);
    if (!is_free)
      throw input_error(file.at(words[1].column),
                        fmt::format("{} is the place of {} already", words[1].text, taken->second));
    if (!places.emplace(name, *place).second)
      throw input_error(file.at(words[0].column), fmt::format("{} has a place already", name));
  }
  if (nodes.empty()) throw input_error({path}, "the file names no node");
  NodeMap map{path, "cabinet", {}, {}, {}};
  PartsInOrder parts(map);
  for (const auto& [place, name] : nodes) parts.add(name, fmt::format("x{}", place[0]));
  return map;
}

/// Every host has one cable, to its leaf switch.
NodeMap by_switch(const FabricSpec& fabric, const std::string& path) {
  const int hosts = int_size(fabric.hosts);
  std::vector<int> leaf(fabric.hosts.size(), 0);
  for (const FabricCable& cable : fabric.cables)
    if (std::min(cable.a, cable.b) < hosts)
      leaf[index(std::min(cable.a, cable.b))] = std::max(cable.a, cable.b);
  std::vector<int> order(fabric.hosts.size()), first(fabric.switches.size(), hosts);
  std::iota(order.begin(), order.end(), 0);
  for (const int h : order)
    first[index(leaf[index(h)] - hosts)] = std::min(first[index(leaf[index(h)] - hosts)], h);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return first[index(leaf[index(a)] - hosts)] < first[index(leaf[index(b)] - hosts)];
  });
  NodeMap map{path, "switch", {}, {}, {}};
  PartsInOrder parts(map);
  for (const int h : order)
    parts.add(fabric.hosts[index(h)], fabric.switches[index(leaf[index(h)] - hosts)]);
  return map;
}

}  // namespace

NodeMap read_node_places(const std::string& path) {
  const MachineFormat format = machine_format_of(path);
  if (format == MachineFormat::slurm_conf) return by_switch(read_slurm_conf(path, {}), path);
  if (format == MachineFormat::slurm_yaml) return by_switch(read_slurm_yaml(path, {}), path);
  return by_cabinet(path);
}

}  // namespace vtopo::detail
