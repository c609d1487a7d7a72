#include <yaml-cpp/yaml.h>

#include "netmodels/machines/slurm_topology.hpp"
#include "netmodels/machines/switch_tree.hpp"
#include "topology/base/line_file.hpp"

namespace vtopo::detail {

namespace {

/// More than any real file needs.
constexpr std::uintmax_t max_yaml_bytes = 64 << 20;

class YamlReader {
 public:
  explicit YamlReader(std::string path) : path_(std::move(path)) {}

  FabricSpec read(const CableAssumptions& cables) {
    const YAML::Node topology = chosen(load());
    SwitchTree tree;
    if (const YAML::Node kind = topology["tree"])
      add_tree(kind, tree);
    else
      add_blocks(topology["block"], tree);
    return tree.fabric(path_, cables);
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
    for (const YAML::Node& topology : list) {
      if (!topology.IsMap()) throw input_error(at(topology), "a topology is a map of fields");
      if (!topology["tree"] && !topology["block"]) continue;
      const YAML::Node is_default = topology["cluster_default"];
      if (is_default && is_default.IsScalar() && is_default.Scalar() == "true") return topology;
      wired.push_back(topology);
    }
    if (wired.empty()) throw input_error({path_}, "no topology of type tree or block");
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
    if (!value.IsScalar())
      throw input_error(at(value), fmt::format("accepted for \"{}\" is a host list", field));
    return value.Scalar();
  }

  std::string path_;
};

}  // namespace

FabricSpec read_slurm_yaml(const std::string& path, const CableAssumptions& cables) {
  return YamlReader(path).read(cables);
}

}  // namespace vtopo::detail
