#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "sim/formats/machines/ibnetdiscover.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// An end of a line of a listing that has a line per port.
struct ListedPort {
  std::string id;  ///< GUID of the port or local identifier: a switch has one for all its ports
  std::int64_t port = 0;
  std::string description;
  std::optional<bool> is_switch;  ///< absent: the line does not say
};

/// Turns ports into nodes. Both ports of an adapter have the same description and identifiers of
/// their own.
class PortListing {
 public:
  explicit PortListing(std::string path) : path_(std::move(path)) {}

  void add(const ListedPort& port) {
    const auto [entry, is_new] = nodes_.try_emplace(port.id, Node{port.description, {}, {}});
    if (is_new) order_.push_back(port.id);
    entry->second.ports.insert(port.port);
    if (port.is_switch) entry->second.is_switch = port.is_switch;
    if (entry->second.description.empty()) entry->second.description = port.description;
  }

  void add_cable(const ListedPort& here, const ListedPort& there, BytesPerSecond bandwidth,
                 const FilePosition& where) {
    add(here);
    add(there);
    cables_.push_back({{here.id, here.port}, {there.id, there.port}, bandwidth, where});
  }

  FabricSpec fabric(Seconds latency) {
    join_ports_of_adapters();
    std::vector<InfinibandNode> nodes;
    for (const std::string& id : order_)
      if (adapter_of(id) == id) nodes.push_back({id, nodes_.at(id).description, is_switch(id)});
    return fabric_of_listing(path_, nodes, plugged_cables(), latency);
  }

 private:
  struct Node {
    std::string description;
    std::optional<bool> is_switch;
    std::set<std::int64_t> ports;
  };

  /// A port has one cable: where lines contradict each other, those of switches count.
  std::vector<InfinibandCable> plugged_cables() {
    std::stable_partition(cables_.begin(), cables_.end(),
                          [&](const InfinibandCable& cable) { return is_switch(cable.here.guid); });
    std::map<InfinibandPort, InfinibandPort> peers;
    std::vector<InfinibandCable> plugged;
    for (InfinibandCable cable : cables_) {
      for (InfinibandPort* end : {&cable.here, &cable.there}) end->guid = adapter_of(end->guid);
      const auto here = peers.emplace(cable.here, cable.there).first;
      const auto there = peers.emplace(cable.there, cable.here).first;
      if (here->second == cable.there && there->second == cable.here) plugged.push_back(cable);
    }
    return plugged;
  }

  /// Where no line says it: each port of an adapter has an identifier of its own.
  bool is_switch(const std::string& id) const {
    const Node& node = nodes_.at(id);
    return node.is_switch.value_or(node.ports.size() > 1);
  }

  /// Adapters with one description are one if their ports have different numbers.
  void join_ports_of_adapters() {
    std::map<std::string, std::vector<std::string>> by_description;
    for (const std::string& id : order_)
      if (!is_switch(id)) by_description[nodes_.at(id).description].push_back(id);
    for (const auto& [description, ids] : by_description) {
      std::set<std::int64_t> ports;
      std::size_t count = 0;
      for (const std::string& id : ids) {
        ports.insert(nodes_.at(id).ports.begin(), nodes_.at(id).ports.end());
        count += nodes_.at(id).ports.size();
      }
      if (ports.size() == count)
        for (const std::string& id : ids) adapters_[id] = ids.front();
    }
  }

  const std::string& adapter_of(const std::string& id) const {
    const auto found = adapters_.find(id);
    return found == adapters_.end() ? id : found->second;
  }

  std::string path_;
  std::map<std::string, Node> nodes_;
  std::vector<std::string> order_;
  std::map<std::string, std::string> adapters_;  ///< first port of the adapter of each port
  std::vector<InfinibandCable> cables_;
};

bool is_kind_of_node(std::string_view word) {
  return word == "SW" || word == "CA" || word == "RT";
}

/// `SW 2 1 0x0002c9020046c588` at the start of a line or of its second half.
std::optional<ListedPort> port_of(std::string_view text) {
  const auto words = words_in(text);
  if (words.size() < 4 || !is_kind_of_node(words[0]) || !words[3].starts_with("0x"))
    return std::nullopt;
  const auto port = parse_integer(words[2]);
  if (!parse_integer(words[1]) || !port) return std::nullopt;
  return ListedPort{std::string(words[3]), *port, "", words[0] != "CA"};
}

/// Refuses the current line: quotes its beginning.
[[noreturn]] void fail_line(const LineFile& file, std::string_view sentence) {
  constexpr std::size_t most = 80;
  throw input_error(file.at(0),
                    fmt::format("\"{}\": {}", trim(file.line().substr(0, most)), sentence));
}

/// What `ibnetdiscover -p` prints: `SW 2 1 0x2c9 4x QDR - CA 3 1 0x2ca ( 'leaf' - 'node HCA-1' )`,
/// of a port without peer only the first half and its name.
class PortLines {
 public:
  explicit PortLines(const std::string& path) : file_(path), listing_(path) {}

  FabricSpec read(const CableAssumptions& assumed) {
    while (file_.next())
      if (const std::string_view line = trim(file_.line()); !line.empty() && line[0] != '#')
        add(line);
    return listing_.fabric(assumed.latency);
  }

 private:
  void add(std::string_view line) {
    auto here = port_of(line);
    const auto words = words_in(line);
    if (!here || words.size() < 6)
      fail_line(file_,
                "accepted is a line of ibnetdiscover -p: type, LID, port, GUID, width, speed");
    const std::size_t second = second_half(line);
    if (second == line.npos) {
      here->description = between(line, "'", "'");
      listing_.add(*here);
      return;
    }
    auto there = port_of(line.substr(second));
    const auto bandwidth = infiniband_bandwidth(fmt::format("{}{}", words[4], words[5]));
    if (!there) fail_line(file_, "accepted behind the dash is the peer: type, LID, port, GUID");
    if (!bandwidth)
      throw input_error(
          file_.at(0),
          fmt::format("\"{} {}\" is not a width and speed such as 4x EDR", words[4], words[5]));
    const std::string_view names = between(line.substr(second), "( '", "' )");
    const std::size_t apart = names.find("' - '");
    if (apart == names.npos)
      fail_line(file_, "accepted at the end are the names of both ends: ( 'a' - 'b' )");
    here->description = trim(names.substr(0, apart));
    there->description = trim(names.substr(apart + 5));
    listing_.add_cable(*here, *there, *bandwidth, file_.at(0));
  }

  /// Where the peer begins, behind a dash.
  static std::size_t second_half(std::string_view line) {
    for (const std::string_view kind : {"- SW ", "- CA ", "- RT "})
      if (const std::size_t at = line.find(kind); at != line.npos) return at + 2;
    return line.npos;
  }

  /// From the first `open` to the last `close`.
  static std::string_view between(std::string_view text, std::string_view open,
                                  std::string_view close) {
    const std::size_t start = text.find(open), end = text.rfind(close);
    if (start == text.npos || end == text.npos || end < start + open.size()) return {};
    return text.substr(start + open.size(), end - start - open.size());
  }

  LineFile file_;
  PortListing listing_;
};

/// What `iblinkinfo` prints: headings `CA: node mlx5_0:` and `Switch: 0x2c9 leaf:` over lines
/// `2 1[ ] ==( 4X 10.0 Gbps Active/ LinkUp)==> 3 1[ ] "node mlx5_0" ( )`; with `-l` lines alone.
class LinkLines {
 public:
  explicit LinkLines(const std::string& path) : file_(path), listing_(path) {}

  FabricSpec read(const CableAssumptions& assumed) {
    while (file_.next()) {
      const std::string_view line = trim(file_.line());
      if (line.empty() || line[0] == '#') continue;
      if (line.find("==(") != line.npos)
        add(line);
      else
        read_heading(line);
    }
    return listing_.fabric(assumed.latency);
  }

 private:
  void read_heading(std::string_view line) {
    for (const std::string_view kind : {"CA", "Switch", "RT", "Router"}) {
      if (!line.starts_with(kind)) continue;
      std::string_view name = trim(line.substr(kind.size()));
      if (name.starts_with(':')) name = trim(name.substr(1));
      if (name.ends_with(':')) name.remove_suffix(1);
      if (kind != "CA" && name.starts_with("0x"))
        name = trim(name.substr(std::min(name.find_first_of(" \t"), name.size())));
      heading_ = ListedPort{"", 0, std::string(trim(name)), kind != "CA"};
      return;
    }
    fail_line(file_,
              "accepted are headings \"CA:\" and \"Switch:\", and lines with ==( 4X ... )==>");
  }

  /// LID and port in front of the bracket, with a name in quotation marks somewhere.
  std::optional<ListedPort> end_of(std::string_view text) const {
    ListedPort end;
    if (const std::size_t open = text.find('"'); open != text.npos) {
      const std::size_t close = std::min(text.find('"', open + 1), text.size());
      end.description = trim(text.substr(open + 1, close - open - 1));
    }
    std::string numbers(text.substr(0, text.find('[')));
    if (const std::size_t open = numbers.find('"'); open != numbers.npos)
      numbers.erase(open, std::min(numbers.find('"', open + 1), numbers.size() - 1) - open + 1);
    const auto words = words_in(numbers);
    if (words.size() < 2) return std::nullopt;
    const auto lid = parse_integer(words[words.size() - 2]), port = parse_integer(words.back());
    if (!lid || !port) return std::nullopt;
    end.id = fmt::format("lid-{}", *lid);
    end.port = *port;
    return end;
  }

  void add(std::string_view line) {
    const std::size_t open = line.find("==("), close = line.find(")==>", open);
    if (close == line.npos) fail_line(file_, "accepted is a line with ==( 4X ... )==>");
    auto here = end_of(line.substr(0, open));
    if (!here) fail_line(file_, "accepted in front of ==( are a LID and a port");
    if (heading_) {
      if (here->description.empty()) here->description = heading_->description;
      here->is_switch = heading_->is_switch;
    } else if (here->description.empty()) {
      here->is_switch =
          !line.starts_with("0x");  // as `grep Up` leaves it: ports of adapters have it
    }
    const std::string_view state = line.substr(open + 3, close - open - 3);
    const auto there = end_of(line.substr(close + 4));
    if (state.find("LinkUp") == state.npos || !there || there->description.empty()) {
      listing_.add(*here);
      return;
    }
    listing_.add_cable(*here, *there, bandwidth_of(state), file_.at(0));
  }

  /// `4X 25.78125 Gbps Active/ LinkUp`: width, and the signalling rate of a lane.
  BytesPerSecond bandwidth_of(std::string_view state) const {
    constexpr std::array<std::pair<std::string_view, double>, 9> rates{{{"SDR", 2.5},
                                                                        {"DDR", 5},
                                                                        {"QDR", 10},
                                                                        {"FDR10", 10.3125},
                                                                        {"FDR", 14.0625},
                                                                        {"EDR", 25.78125},
                                                                        {"HDR", 53.125},
                                                                        {"NDR", 106.25},
                                                                        {"XDR", 212.5}}};
    const auto words = words_in(state);
    const auto width = words.empty() ? std::string_view() : words[0].substr(0, words[0].size() - 1);
    // `4X 10.0 Gbps (FDR10)`: the name says it where rates are alike.
    if (const std::size_t open = state.find('('); open != state.npos)
      if (const auto bandwidth = infiniband_bandwidth(fmt::format(
              "{}x{}", width, state.substr(open + 1, state.find(')', open) - open - 1))))
        return *bandwidth;
    if (words.size() > 2 && words[0].ends_with('X') && words[2].starts_with("Gbps"))
      for (const auto& [name, rate] : rates)
        if (const auto lane = parse_number(words[1]); lane && std::abs(*lane - rate) < 0.01 * rate)
          if (const auto bandwidth = infiniband_bandwidth(fmt::format("{}x{}", width, name)))
            return *bandwidth;
    throw input_error(
        file_.at(0),
        fmt::format("\"{}\": accepted are a width and the rate of a lane such as 4X 25.78125 Gbps",
                    trim(state)));
  }

  LineFile file_;
  PortListing listing_;
  std::optional<ListedPort> heading_;
};

enum class ListingKind { nodes, ports, links };

/// `Switch 36 "S-1"` or `Hca 1 "Hca1"`.
bool declares_node(std::string_view line) {
  for (const std::string_view kind : {"Switch", "Hca", "Ca", "Rt"}) {
    if (!line.starts_with(kind)) continue;
    const auto words = words_in(line.substr(kind.size()));
    if (words.size() > 1 && parse_integer(words[0]) && words[1].starts_with('"')) return true;
  }
  return false;
}

std::optional<ListingKind> kind_of_listing(std::string_view text) {
  for (const std::string_view raw : split(text, '\n')) {
    const std::string_view line = trim(raw);
    if (line.starts_with('#')) continue;
    if (line.find("==(") != line.npos && line.find(")==>") != line.npos) return ListingKind::links;
    if (port_of(line)) return ListingKind::ports;
    if (declares_node(line) || line.starts_with("switchguid=") || line.starts_with("caguid=") ||
        line.starts_with("vendid="))
      return ListingKind::nodes;
  }
  return std::nullopt;
}

}  // namespace

bool is_infiniband_listing(std::string_view text) {
  return kind_of_listing(text).has_value();
}

FabricSpec read_infiniband(const std::string& path, const CableAssumptions& cables,
                           const std::function<void(const std::string&)>& remark) {
  auto kind = ListingKind::nodes;
  for (LineFile file(path); file.next();)
    if (const auto found = kind_of_listing(file.line())) {
      kind = *found;
      break;
    }
  if (kind == ListingKind::ports) return PortLines(path).read(cables);
  if (kind == ListingKind::links) return LinkLines(path).read(cables);
  return read_ibnetdiscover(path, cables, remark);
}

}  // namespace vtopo::detail
