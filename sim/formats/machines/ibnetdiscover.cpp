#include "sim/formats/machines/ibnetdiscover.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>

#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// Payload of one lane.
struct Speed {
  std::string_view name;
  double gigabits;
};

constexpr double code_64_66 = 64.0 / 66.0;
constexpr std::array<Speed, 9> speeds{{{"SDR", 2},
                                       {"DDR", 4},
                                       {"QDR", 8},
                                       {"FDR10", 10.3125 * code_64_66},
                                       {"FDR", 14.0625 * code_64_66},
                                       {"EDR", 25.78125 * code_64_66},
                                       {"HDR", 50},
                                       {"NDR", 100},
                                       {"XDR", 200}}};

using Node = InfinibandNode;
using PortName = InfinibandPort;
using ListedCable = InfinibandCable;

/// Adapters inside switches that sum data for collectives (SHARP); nobody computes there.
bool is_aggregation_node(const Node& node) {
  return node.description.find("Aggregation Node") != std::string::npos;
}

/// Name of the host in "node01 HCA-1" or "node01 mlx5_0"; the GUID where the description is one of
/// hardware, or of a machine that nobody gave a name.
std::string host_name_of(const Node& node) {
  const auto words = words_in(node.description);
  if (words.empty() || words.size() > 2 || words.front().starts_with("localhost")) return node.guid;
  return std::string(words.front());
}

/// Every cable once, in the order of the file, with the lower one of what its ends say.
std::vector<ListedCable> without_repetition(const std::vector<ListedCable>& listed) {
  std::map<std::pair<PortName, PortName>, std::size_t> seen;
  std::vector<ListedCable> result;
  for (const ListedCable& cable : listed) {
    const auto [entry, is_new] = seen.emplace(std::minmax(cable.here, cable.there), result.size());
    if (is_new)
      result.push_back(cable);
    else
      result[entry->second].bandwidth = std::min(result[entry->second].bandwidth, cable.bandwidth);
  }
  return result;
}

class Reader {
 public:
  Reader(const std::string& path, BytesPerSecond assumed) : file_(path), assumed_(assumed) {}

  void read() {
    while (file_.next()) {
      const std::string_view line = trim(file_.line());
      if (line.starts_with("Switch") || line.starts_with("Rt"))
        add_node(line, true);
      else if ((line.starts_with("Ca") || line.starts_with("Hca")) &&
               line.find('"') != std::string_view::npos)
        add_node(line, false);
      else if (line.starts_with("["))
        add_cable(line);
    }
    if (nodes_.empty())
      throw input_error({file_.path()},
                        "no Switch or Ca line: this is not output of ibnetdiscover");
    if (first_without_rate_ && has_rates_)
      throw input_error(first_without_rate_->second,
                        fmt::format("\"{}\": no width and speed such as 4xEDR at the end of the "
                                    "line, as others have",
                                    first_without_rate_->first));
  }

  /// Whether all cables have the assumed bandwidth.
  bool has_no_rate() const { return first_without_rate_ && !has_rates_; }

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<ListedCable>& cables() const { return cables_; }

 private:
  [[noreturn]] void fail(std::string_view sentence) const {
    throw input_error(file_.at(0), sentence);
  }

  /// Text between the first pair of quotation marks; what follows is left in `text`.
  std::string_view quoted(std::string_view& text) const {
    const std::size_t open = text.find('"');
    const std::size_t close = open == std::string_view::npos ? open : text.find('"', open + 1);
    if (close == std::string_view::npos) fail("a name in quotation marks is missing");
    const std::string_view result = text.substr(open + 1, close - open - 1);
    text.remove_prefix(close + 1);
    return result;
  }

  /// Number in brackets at the start of `text`.
  std::int64_t port(std::string_view text) const {
    const std::size_t close = text.find(']');
    const auto number = close == std::string_view::npos || !text.starts_with('[')
                            ? std::nullopt
                            : parse_integer(text.substr(1, close - 1));
    if (!number || *number < 0) fail("a port number in brackets such as [12] is missing");
    return *number;
  }

  void add_node(std::string_view line, bool is_switch) {
    Node node{std::string(quoted(line)), "", is_switch};
    if (line.find('"') != std::string_view::npos) node.description = trim(quoted(line));
    if (!guids_.insert(node.guid).second) fail(fmt::format("\"{}\" is listed twice", node.guid));
    nodes_.push_back(std::move(node));
  }

  void add_cable(std::string_view line) {
    if (nodes_.empty()) fail("a port before any Switch or Ca line");
    const std::int64_t own = port(line);
    // External ports of chassis switches stand as [ext 3] between port and peer: the peer is
    // quoted.
    const std::string peer(quoted(line));
    const PortName there{peer, port(line)};
    ListedCable cable{{nodes_.back().guid, own}, there, assumed_, file_.at(0)};
    const auto words = words_in(line);
    const auto rate = std::find_if(words.rbegin(), words.rend(), [](std::string_view word) {
      return infiniband_bandwidth(word).has_value();
    });
    if (rate != words.rend()) {
      cable.bandwidth = *infiniband_bandwidth(*rate);
      has_rates_ = true;
    } else if (!first_without_rate_) {
      first_without_rate_ = {std::string(trim(file_.line())), file_.at(0)};
    }
    cables_.push_back(std::move(cable));
  }

  LineFile file_;
  BytesPerSecond assumed_;  ///< of all cables, if no line has a rate: a net file of ibsim
  std::vector<Node> nodes_;
  std::set<std::string> guids_;
  std::vector<ListedCable> cables_;
  bool has_rates_ = false;
  std::optional<std::pair<std::string, FilePosition>> first_without_rate_;  ///< a line
};

/// Which machines the adapters are in.
class Machines {
 public:
  Machines(const std::vector<Node>& nodes, const std::vector<ListedCable>& cables) {
    for (const ListedCable& cable : cables) {
      peers_[cable.here.guid].insert(cable.there.guid);
      peers_[cable.there.guid].insert(cable.here.guid);
    }
    std::map<std::string, const Node*> first;  // by description
    for (const Node& node : nodes) {
      if (node.is_switch) continue;
      const auto [entry, is_new] = first.emplace(node.description, &node);
      if (!is_new && !may_be_one_machine(*entry->second, node))
        shared_names_.insert(host_name_of(node));
    }
  }

  /// Name of the host that an adapter is in: its GUID where machines share a name.
  std::string host_of(const Node& adapter) const {
    std::string name = host_name_of(adapter);
    return shared_names_.contains(name) ? adapter.guid : name;
  }

 private:
  /// Two adapters with one description: those of one machine have numbers of their own ("HCA-1"),
  /// and without numbers hang on one switch.
  bool may_be_one_machine(const Node& a, const Node& b) const {
    return words_in(a.description).size() == 1 && peers_of(a) == peers_of(b);
  }

  std::set<std::string> peers_of(const Node& adapter) const {
    const auto found = peers_.find(adapter.guid);
    return found == peers_.end() ? std::set<std::string>{} : found->second;
  }

  std::map<std::string, std::set<std::string>> peers_;  ///< of nodes, by GUID
  std::set<std::string> shared_names_;
};

/// Turns nodes into hosts and switches.
class Wiring {
 public:
  Wiring(const std::vector<Node>& nodes, const std::vector<ListedCable>& cables) {
    const Machines machines(nodes, cables);
    std::map<std::string, int> uses;
    for (const Node& node : nodes)
      if (node.is_switch) ++uses[node.description];
    for (const Node& node : nodes) {
      if (node.is_switch) {
        const bool named = !node.description.empty() && uses[node.description] == 1;
        switches_.push_back(named ? node.description : node.guid);
      } else if (!is_aggregation_node(node)) {
        add_host(node.guid, machines.host_of(node));
      }
    }
    int vertex = int_size(hosts_);
    for (const Node& node : nodes)
      if (node.is_switch) vertices_.emplace(node.guid, vertex++);
    for (const Node& node : nodes)
      if (!node.is_switch) vertices_.try_emplace(node.guid, ignored);
  }

  FabricSpec fabric(const std::string& path, const std::vector<ListedCable>& cables,
                    Seconds latency) {
    FabricSpec spec{path, hosts_, switches_, {}, {}};
    for (const ListedCable& cable : cables) {
      const int a = vertex(cable, cable.here), b = vertex(cable, cable.there);
      if (a != ignored && b != ignored && a != b)
        spec.cables.push_back({a, b, cable.bandwidth, latency});
    }
    return spec;
  }

 private:
  static constexpr int ignored = -1;

  void add_host(const std::string& guid, const std::string& name) {
    const auto [entry, is_new] = host_ids_.emplace(name, int_size(hosts_));
    if (is_new) hosts_.push_back(name);
    vertices_.emplace(guid, entry->second);
  }

  int vertex(const ListedCable& cable, const PortName& end) const {
    const auto found = vertices_.find(end.guid);
    if (found == vertices_.end())
      throw input_error(cable.where, fmt::format("\"{}\" has no Switch or Ca line of its own in "
                                                 "the file",
                                                 end.guid));
    return found->second;
  }

  std::vector<std::string> hosts_, switches_;
  std::unordered_map<std::string, int> host_ids_;  ///< by name
  std::unordered_map<std::string, int> vertices_;  ///< by GUID
};

}  // namespace

std::vector<std::string_view> words_in(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t end = 0;
  for (std::size_t at = 0; (at = text.find_first_not_of(" \t", at)) != text.npos; at = end) {
    end = std::min(text.find_first_of(" \t", at), text.size());
    words.push_back(text.substr(at, end - at));
  }
  return words;
}

std::optional<BytesPerSecond> infiniband_bandwidth(std::string_view text) {
  const std::size_t x = text.find('x');
  if (x == std::string_view::npos) return std::nullopt;
  const auto lanes = parse_integer(text.substr(0, x));
  constexpr std::int64_t max_lanes = 12;
  if (!lanes || *lanes < 1 || *lanes > max_lanes) return std::nullopt;
  for (const auto& [name, gigabits] : speeds)
    if (name == text.substr(x + 1))
      return BytesPerSecond{gigabits * 1e9 / 8 * static_cast<double>(*lanes)};
  return std::nullopt;
}

FabricSpec fabric_of_listing(const std::string& path, const std::vector<Node>& nodes,
                             const std::vector<ListedCable>& listed, Seconds latency) {
  const std::vector<ListedCable> cables = without_repetition(listed);
  FabricSpec spec = Wiring(nodes, cables).fabric(path, cables, latency);
  if (spec.hosts.empty()) throw input_error({path}, "the file lists no channel adapter (Ca)");
  return spec;
}

FabricSpec read_ibnetdiscover(const std::string& path, const CableAssumptions& cables,
                              const std::function<void(const std::string&)>& remark) {
  Reader reader(path, cables.bandwidth);
  reader.read();
  if (remark && reader.has_no_rate())
    remark(fmt::format("{}: no line has a width and speed such as 4xEDR: every cable has {}", path,
                       format_bandwidth(cables.bandwidth)));
  return fabric_of_listing(path, reader.nodes(), reader.cables(), cables.latency);
}

}  // namespace vtopo::detail
