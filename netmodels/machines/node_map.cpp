#include "netmodels/machines/node_map.hpp"

#include <fmt/format.h>

#include <map>

#include "topology/base/error.hpp"
#include "topology/base/foreign_formats.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// Whether two partitions of the nodes are the same but for the numbers of the parts. Hosts are
/// places inside nodes, as many in each.
bool is_same_partition(const std::vector<int>& part_of_node, const HostPartition& hosts) {
  if (hosts.part_of.size() % part_of_node.size() != 0) return false;
  const std::size_t places = hosts.part_of.size() / part_of_node.size();
  std::map<int, int> there, back;
  for (std::size_t h = 0; h < hosts.part_of.size(); ++h) {
    const int mine = part_of_node[h / places], other = hosts.part_of[h];
    if (there.emplace(mine, other).first->second != other) return false;
    if (back.emplace(other, mine).first->second != mine) return false;
  }
  return true;
}

/// `256 in x1000, x1001 and 6 more; 124 in x1100`.
std::string sizes_of_parts(const NodeMap& map) {
  std::vector<int> sizes(map.parts.size(), 0);
  for (const int part : map.part_of) ++sizes[index(part)];
  std::string text;
  for (std::size_t first = 0, next = 0; first < sizes.size(); first = next) {
    while (next < sizes.size() && sizes[next] == sizes[first]) ++next;
    text += fmt::format("{}{} in {}{}", first == 0 ? "" : "; ", sizes[first], map.parts[first],
                        next == first + 1 ? "" : fmt::format(" to {}", map.parts[next - 1]));
  }
  return text;
}

}  // namespace

NodeMap read_node_map(const std::string& path) {
  return foreign_formats("a file with the places of nodes").read_node_map(path);
}

void check_node_map(const NodeMap& map, const Network& network) {
  std::vector<std::string> accepted;
  for (const HostParts& parts : network.parts())
    for (const HostPartition& partition : parts.partitions) {
      if (is_same_partition(map.part_of, partition)) return;
      if (accepted.empty() || accepted.back() != parts.plural) accepted.push_back(parts.plural);
    }
  throw UsageError(
      fmt::format("\"{}\" has nodes by {}, {}: {} has no parts with just these hosts{}", map.path,
                  map.part, sizes_of_parts(map), network.description(),
                  accepted.empty() ? "" : fmt::format(" (looked at: {})", join(accepted, ", "))));
}

}  // namespace vtopo::detail
