#include "sim/formats/machines/slurm_topology.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "topology/base/counted.hpp"
#include "topology/base/host_list.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// A list with one comma between names: Slurm takes any number of commas and blanks.
std::string with_single_commas(std::string_view list) {
  std::string result;
  bool apart = false, inside = false;
  for (const char c : list) {
    if (!inside && (c == ',' || c == ' ' || c == '\t')) {
      apart = true;
      continue;
    }
    if (apart && !result.empty()) result += ',';
    apart = false;
    if (c == '[' || c == ']') inside = c == '[';
    result += c;
  }
  return result;
}

std::vector<std::string> names_in(const FilePosition& where, std::string_view list) {
  const std::string names = with_single_commas(list);
  if (names.empty()) return {};
  try {
    return expand_host_list(names);
  } catch (const UsageError& error) {
    throw input_error(where, error.what());
  }
}

void drop_repeated(std::vector<int>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

constexpr std::int64_t max_axis = 65535;

/// More than any real file needs.
constexpr std::uintmax_t max_yaml_bytes = 64 << 20;

class YamlReader {
 public:
  explicit YamlReader(std::string path) : path_(std::move(path)) {}

  FabricSpec read(const CableAssumptions& cables, const Remark& remark) const {
    const YAML::Node topology = chosen(load());
    if (topology["torus3d"] || topology["ring"])
      throw input_error(at(topology), "a torus, which has no switches");
    SwitchTree tree;
    if (const YAML::Node kind = topology["tree"])
      add_tree(kind, tree);
    else
      add_blocks(topology["block"], tree);
    return tree.fabric(path_, cables, remark);
  }

  std::optional<SlurmGrid> read_grid() const {
    const YAML::Node topology = chosen(load());
    if (const YAML::Node kind = topology["torus3d"]) return torus_of(kind, "toruses");
    if (const YAML::Node kind = topology["ring"]) return torus_of(kind, "rings");
    return std::nullopt;
  }

 private:
  FilePosition at(const YAML::Mark& mark) const {
    return mark.is_null() ? FilePosition{path_}
                          : FilePosition{path_, mark.line + 1, mark.column + 1};
  }
  FilePosition at(const YAML::Node& node) const { return at(node.Mark()); }

  YAML::Node load() const {
    std::string text;
    for (LineFile file(path_); file.next();) {
      text.append(file.line()).push_back('\n');
      if (text.size() > max_yaml_bytes)
        throw input_error({path_}, fmt::format("more than {} bytes", max_yaml_bytes));
    }
    try {
      return YAML::Load(text);
    } catch (const YAML::Exception& error) {
      throw input_error(at(error.mark), fmt::format("not YAML: {}", error.msg));
    }
  }

  /// The default topology of the cluster, else the first that describes wiring.
  YAML::Node chosen(const YAML::Node& list) const {
    if (!list.IsSequence())
      throw input_error(at(list), "accepted is a list of topologies, each \"- topology: NAME\"");
    std::vector<YAML::Node> wired;
    bool is_flat = false;
    for (const YAML::Node& topology : list) {
      if (!topology.IsMap()) throw input_error(at(topology), "a topology is a map of fields");
      is_flat = is_flat || topology["flat"];
      if (!topology["tree"] && !topology["block"] && !topology["torus3d"] && !topology["ring"])
        continue;
      const YAML::Node is_default = topology["cluster_default"];
      if (is_default && is_default.IsScalar() && is_default.Scalar() == "true") return topology;
      wired.push_back(topology);
    }
    if (wired.empty())
      throw input_error({path_}, is_flat ? "only the type flat, which names no hosts: accepted are "
                                           "tree, block, torus3d and ring"
                                         : "no topology of type tree, block, torus3d or ring");
    return wired.front();
  }

  void add_tree(const YAML::Node& tree_node, SwitchTree& tree) const {
    for (const YAML::Node& entry : entries(tree_node, "switches"))
      tree.add_switch(at(entry), text(entry, "switch"), text(entry, "nodes"),
                      text(entry, "children"));
  }

  void add_blocks(const YAML::Node& block_node, SwitchTree& tree) const {
    std::string names;
    for (const YAML::Node& entry : entries(block_node, "blocks")) {
      const std::string name = text(entry, "block");
      tree.add_switch(at(entry), name, text(entry, "nodes"), "");
      names += (names.empty() ? "" : ",") + name;
    }
    tree.add_switch(at(block_node), "core", "", names);
  }

  /// @param field list of the tori: `toruses`, or `rings`, which have one dimension.
  SlurmGrid torus_of(const YAML::Node& kind, const std::string& field) const {
    const YAML::Node list = entries(kind, field);
    if (list.size() > 1)
      throw input_error(at(list[1]),
                        fmt::format("{} {}: accepted is one, as the file does not say how several "
                                    "are joined",
                                    list.size(), field));
    const YAML::Node entry = list[0];
    SlurmGrid torus{"torus:", names_in(at(entry), text(entry, "nodes"))};
    std::vector<std::int64_t> sizes{int_size(torus.hosts)};
    if (field == "toruses") {
      if (!entry["dims"])
        throw input_error(at(entry), "a torus without dims: accepted are x, y, z");
      sizes = axes(entry["dims"], 1);
      if (torus.hosts.empty() && entry["regions"]) torus.hosts = hosts_of_regions(entry, sizes);
    }
    std::int64_t product = 1;
    for (const std::int64_t size : sizes) product *= size;
    torus.spec += fmt::format("{}", fmt::join(sizes, "x"));
    if (product != int_size(torus.hosts) || product == 0)
      throw input_error(at(entry), fmt::format("{} nodes in a torus of {}: accepted are as many",
                                               torus.hosts.size(), product));
    return torus;
  }

  /// Values of x, y and z, each `least` where it is missing.
  std::vector<std::int64_t> axes(const YAML::Node& node, std::int64_t least) const {
    std::vector<std::int64_t> values;
    for (const char* axis : {"x", "y", "z"}) {
      const std::string value = node ? text(node, axis) : std::string();
      const auto number = parse_integer(value.empty() ? std::to_string(least) : value);
      if (!number || *number < least || *number > max_axis)
        throw input_error(at(node),
                          fmt::format("{}: \"{}\" is not a {} from {} to {}", axis, value,
                                      least > 0 ? "size" : "coordinate", least, max_axis));
      values.push_back(*number);
    }
    return values;
  }

  /// Hosts of all cells, x fastest, from boxes that each name their own.
  std::vector<std::string> hosts_of_regions(const YAML::Node& torus,
                                            const std::vector<std::int64_t>& sizes) const {
    const std::int64_t cells = sizes[0] * sizes[1] * sizes[2];
    if (cells > std::int64_t{max_host_list_names})
      throw input_error(at(torus), fmt::format("more than {} hosts", max_host_list_names));
    std::vector<std::string> hosts(static_cast<std::size_t>(cells));
    for (const YAML::Node& region : entries(torus, "regions")) {
      const std::vector<std::string> names = names_in(at(region), text(region, "nodes"));
      const auto anchor = axes(region["anchor"], 0), dims = axes(region["dims"], 1);
      for (std::size_t d = 0; d < 3; ++d)
        if (anchor[d] + dims[d] > sizes[d])
          throw input_error(at(region), "a region that ends beyond the torus");
      if (dims[0] * dims[1] * dims[2] != int_size(names))
        throw input_error(at(region),
                          fmt::format("{} nodes in a region of {}: accepted are as many",
                                      names.size(), dims[0] * dims[1] * dims[2]));
      for (std::int64_t i = 0; i < int_size(names); ++i) {
        const std::int64_t x = anchor[0] + i % dims[0], y = anchor[1] + i / dims[0] % dims[1],
                           z = anchor[2] + i / dims[0] / dims[1];
        std::string& cell = hosts[static_cast<std::size_t>((z * sizes[1] + y) * sizes[0] + x)];
        if (!cell.empty())
          throw input_error(at(region), fmt::format("node \"{}\" has the coordinates of \"{}\"",
                                                    names[static_cast<std::size_t>(i)], cell));
        cell = names[static_cast<std::size_t>(i)];
      }
    }
    if (const auto unnamed = std::count(hosts.begin(), hosts.end(), ""); unnamed > 0)
      throw input_error(at(torus),
                        fmt::format("{} of {} coordinates are in no region: accepted are "
                                    "regions that name every node",
                                    unnamed, cells));
    return hosts;
  }

  YAML::Node entries(const YAML::Node& kind, const std::string& field) const {
    const YAML::Node list = kind.IsMap() ? kind[field] : YAML::Node();
    if (!list || !list.IsSequence() || list.size() == 0)
      throw input_error(at(kind), fmt::format("accepted is a list named \"{}\" here", field));
    return list;
  }

  std::string text(const YAML::Node& entry, const std::string& field) const {
    if (!entry.IsMap()) throw input_error(at(entry), "accepted is a map of fields here");
    const YAML::Node value = entry[field];
    if (!value) return {};
    if (value.IsSequence()) {
      std::string list;
      for (const YAML::Node& name : value) {
        if (!name.IsScalar()) throw input_error(at(name), "accepted is a host list");
        list += name.Scalar() + ',';
      }
      return list;
    }
    if (!value.IsScalar())
      throw input_error(at(value), fmt::format("accepted for \"{}\" is a host list", field));
    return value.Scalar();
  }

  std::string path_;
};

}  // namespace

void SwitchTree::add_switch(const FilePosition& where, std::string_view name,
                            std::string_view hosts, std::string_view children) {
  if (name.empty()) throw input_error(where, "a switch without a name");
  const auto [entry, is_new] = switch_ids_.emplace(std::string(name), int_size(switches_));
  if (!is_new)
    throw input_error(where,
                      fmt::format("switch \"{}\" is declared twice (first in line {})", name,
                                  switches_[static_cast<std::size_t>(entry->second)].where.line));
  Switch added{std::string(name), where, {}, names_in(where, children)};
  for (const std::string& host : names_in(where, hosts)) added.hosts.push_back(host_id(host));
  if (hosts_.size() > max_host_list_names)
    throw input_error(where, fmt::format("more than {} hosts in one file", max_host_list_names));
  drop_repeated(added.hosts);
  if (added.hosts.empty() && added.children.empty())
    throw input_error(where,
                      fmt::format("switch \"{}\" has neither hosts nor other switches", name));
  switches_.push_back(std::move(added));
}

std::vector<std::string> SwitchTree::switch_names() const {
  std::vector<std::string> names;
  for (const Switch& at : switches_) names.push_back(at.name);
  return names;
}

int SwitchTree::host_id(const std::string& name) {
  const auto [entry, is_new] = host_ids_.emplace(name, int_size(hosts_));
  if (is_new) hosts_.push_back(name);
  return entry->second;
}

FabricSpec SwitchTree::fabric(const std::string& path, const CableAssumptions& cables,
                              const Remark& remark) const {
  if (hosts_.empty()) throw input_error({path}, "the file names no hosts");
  for (const Switch& at : switches_)
    if (host_ids_.contains(at.name))
      throw input_error(at.where, fmt::format("\"{}\" is both a switch and a host", at.name));
  const auto children = child_switches();
  const auto own = own_hosts(children);
  std::vector<int> parents(switches_.size(), 0);
  for (const auto& list : children)
    for (const int child : list) ++parents[static_cast<std::size_t>(child)];

  std::vector<int> leaves(hosts_.size());
  for (const auto& list : own)
    for (const int host : list) ++leaves[static_cast<std::size_t>(host)];
  const auto several = [](int count) { return count > 1; };
  const auto first = std::find_if(leaves.begin(), leaves.end(), several);
  const auto others = std::count_if(leaves.begin(), leaves.end(), several) - 1;
  if (remark && first != leaves.end())
    remark(
        fmt::format("{}: host \"{}\"{} in several leaf switches, which Slurm warns of: a cable to "
                    "each of them",
                    path, hosts_[static_cast<std::size_t>(first - leaves.begin())],
                    others == 0 ? " is" : fmt::format(" and {} are", counted(others, "other"))));

  FabricSpec spec{path, hosts_, switch_names(), {}, {}};
  const int first_switch = int_size(hosts_);
  std::vector<BytesPerSecond> uplink(switches_.size());
  for (const int s : bottom_up(children)) {
    const auto at = static_cast<std::size_t>(s);
    BytesPerSecond below;
    for (const int host : own[at]) {
      spec.cables.push_back({host, first_switch + s, cables.bandwidth, cables.latency});
      below += cables.bandwidth;
    }
    for (const int child : children[at]) {
      const BytesPerSecond up = uplink[static_cast<std::size_t>(child)];
      spec.cables.push_back({first_switch + child, first_switch + s, up, cables.latency});
      below += up * cables.taper;
    }
    uplink[at] = below * (1 / (cables.taper * std::max(parents[at], 1)));
  }
  return spec;
}

std::vector<std::vector<int>> SwitchTree::child_switches() const {
  std::vector<std::vector<int>> result;
  const auto names = switch_names();
  for (const Switch& at : switches_) {
    std::vector<int> ids;
    for (const std::string& child : at.children) {
      const auto found = switch_ids_.find(child);
      if (found == switch_ids_.end())
        throw input_error(at.where, fmt::format("switch \"{}\" below \"{}\" is declared nowhere{}",
                                                child, at.name, suggestion(child, names)));
      ids.push_back(found->second);
    }
    drop_repeated(ids);
    result.push_back(std::move(ids));
  }
  return result;
}

/// Switches in an order in which children come before their parents.
std::vector<int> SwitchTree::bottom_up(const std::vector<std::vector<int>>& children) const {
  std::vector<std::vector<int>> parents(switches_.size());
  std::vector<int> waiting(switches_.size()), order;
  for (std::size_t s = 0; s < switches_.size(); ++s) {
    waiting[s] = int_size(children[s]);
    if (waiting[s] == 0) order.push_back(narrow<int>(s));
    for (const int child : children[s])
      parents[static_cast<std::size_t>(child)].push_back(narrow<int>(s));
  }
  for (std::size_t next = 0; next < order.size(); ++next)
    for (const int parent : parents[static_cast<std::size_t>(order[next])])
      if (--waiting[static_cast<std::size_t>(parent)] == 0) order.push_back(parent);
  for (std::size_t s = 0; s < switches_.size(); ++s)
    if (waiting[s] > 0)
      throw input_error(switches_[s].where,
                        fmt::format("switch \"{}\" lies below itself", switches_[s].name));
  return order;
}

/// Hosts of each switch without those below its child switches, which it only repeats.
std::vector<std::vector<int>> SwitchTree::own_hosts(
    const std::vector<std::vector<int>>& children) const {
  std::vector<std::vector<int>> below(switches_.size()), own(switches_.size());
  for (const int s : bottom_up(children)) {
    const auto at = static_cast<std::size_t>(s);
    std::vector<int> inside;
    for (const int child : children[at]) {
      const auto& hosts = below[static_cast<std::size_t>(child)];
      inside.insert(inside.end(), hosts.begin(), hosts.end());
    }
    drop_repeated(inside);
    std::set_difference(switches_[at].hosts.begin(), switches_[at].hosts.end(), inside.begin(),
                        inside.end(), std::back_inserter(own[at]));
    std::set_union(switches_[at].hosts.begin(), switches_[at].hosts.end(), inside.begin(),
                   inside.end(), std::back_inserter(below[at]));
  }
  return own;
}

FabricSpec read_slurm_yaml(const std::string& path, const CableAssumptions& cables,
                           const Remark& remark) {
  return YamlReader(path).read(cables, remark);
}

std::optional<SlurmGrid> read_slurm_grid(const std::string& path) {
  return YamlReader(path).read_grid();
}

}  // namespace vtopo::detail
