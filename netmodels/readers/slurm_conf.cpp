#include <algorithm>
#include <array>
#include <cctype>

#include "netmodels/readers/slurm_topology.hpp"
#include "netmodels/readers/switch_tree.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// Parameters of one line of the file.
struct Line {
  std::string switch_name, block_name, nodes, switches;
  bool other = false;  ///< only parameters that do not concern the wiring
};

class ConfReader {
 public:
  explicit ConfReader(const std::string& path) : file_(path) {}

  FabricSpec read(const CableAssumptions& cables) {
    while (file_.next_content()) add(parse());
    if (tree_.empty())
      throw input_error({file_.path()},
                        "no SwitchName= or BlockName= line: this is not a topology.conf of Slurm");
    if (!blocks_.empty()) tree_.add_switch({file_.path()}, core_name(), "", blocks_);
    return tree_.fabric(file_.path(), cables);
  }

 private:
  void add(const Line& line) {
    if (line.other) return;
    const FilePosition here = file_.at(0);
    if (!line.switch_name.empty()) {
      if (!blocks_.empty()) throw input_error(here, "SwitchName and BlockName in one file");
      tree_.add_switch(here, line.switch_name, line.nodes, line.switches);
    } else if (!line.block_name.empty()) {
      if (blocks_.empty() && !tree_.empty())
        throw input_error(here, "SwitchName and BlockName in one file");
      if (!line.switches.empty()) throw input_error(here, "a block has no switches");
      tree_.add_switch(here, line.block_name, line.nodes, "");
      blocks_ += (blocks_.empty() ? "" : ",") + line.block_name;
    } else {
      throw input_error(here, "a line without SwitchName= or BlockName=");
    }
  }

  Line parse() {
    constexpr std::array<std::string_view, 3> ignored{"linkspeed", "blocksizes", "blocksize"};
    Line line;
    bool names_something = false;
    for (const auto& [text, column] : file_.words()) {
      const std::size_t equals = text.find('=');
      const std::string key = lower(text.substr(0, equals));
      if (equals == std::string_view::npos || equals + 1 == text.size())
        throw input_error(file_.at(column),
                          fmt::format("\"{}\": accepted are parameters such as Nodes=n[0-3] "
                                      "without blanks inside",
                                      text));
      if (std::find(ignored.begin(), ignored.end(), key) != ignored.end()) continue;
      value_of(line, key, text, column) = text.substr(equals + 1);
      names_something = true;
    }
    line.other = !names_something;
    return line;
  }

  std::string& value_of(Line& line, const std::string& key, std::string_view text,
                        int column) const {
    if (key == "switchname") return line.switch_name;
    if (key == "blockname") return line.block_name;
    if (key == "nodes") return line.nodes;
    if (key == "switches") return line.switches;
    const std::array<std::string, 6> known{"SwitchName", "Nodes",     "Switches",
                                           "LinkSpeed",  "BlockName", "BlockSizes"};
    const std::string_view written = text.substr(0, key.size());
    throw input_error(file_.at(column),
                      fmt::format("unknown parameter \"{}\"; accepted: {}{}", written,
                                  fmt::join(known, ", "), suggestion(written, known)));
  }

  /// A name for the switch above all blocks that no block has.
  std::string core_name() const {
    const auto names = tree_.switch_names();
    std::string name = "core";
    while (std::find(names.begin(), names.end(), name) != names.end()) name += "_";
    return name;
  }

  LineFile file_;
  SwitchTree tree_;
  std::string blocks_;  ///< names so far, separated by commas
};

}  // namespace

FabricSpec read_slurm_conf(const std::string& path, const CableAssumptions& cables) {
  return ConfReader(path).read(cables);
}

}  // namespace vtopo::detail
