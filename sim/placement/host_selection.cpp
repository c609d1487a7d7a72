#include "sim/placement/host_selection.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

#include "netmodels/network_spec.hpp"
#include "netmodels/network_table.hpp"
#include "sim/placement/host_lists.hpp"
#include "topology/base/csv_columns.hpp"
#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

const HostParts* find_parts(const std::vector<HostParts>& all, std::string_view kind) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& parts) { return parts.name == kind; });
  return found == all.end() ? nullptr : &*found;
}

/// Parts of all networks by name: what their examples have, with an inside of their hosts.
const std::vector<HostParts>& known_parts() {
  static const std::vector<HostParts> known = [] {
    std::vector<HostParts> all;
    for (const NetworkInfo& info : all_networks())
      for (HostParts& parts : make_network(info.example + ",node=1", {})->parts())
        if (find_parts(all, parts.name) == nullptr) all.push_back(std::move(parts));
    std::sort(all.begin(), all.end(),
              [](const HostParts& a, const HostParts& b) { return a.name < b.name; });
    return all;
  }();
  return known;
}

std::vector<std::string> names_of(const std::vector<HostParts>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const HostParts& parts : all) names.push_back(parts.name);
  return names;
}

/// Parts as a selection names them.
struct SelectedParts {
  const HostPartition& partition;
  std::string name;       ///< of several: `groups`
  std::string_view list;  ///< `0,4-7`
};

/// Splits `D=LIST` of parts by dimension and takes the dimension.
SelectedParts parts_in_dimension(const HostParts& parts, std::string_view spec,
                                 std::string_view list) {
  const std::size_t equals = list.find('=');
  if (equals == std::string_view::npos)
    throw UsageError(fmt::format("hosts \"{}\": accepted is {}:DIMENSION=0,2-3", spec, parts.name));
  const std::string_view text = list.substr(0, equals);
  const auto dimension = parse_integer(text);
  if (!dimension || *dimension < 0 || *dimension >= int_size(parts.partitions))
    throw UsageError(fmt::format("dimension \"{}\" in \"{}\": accepted are 0..{}", text, spec,
                                 int_size(parts.partitions) - 1));
  return {parts.partitions[static_cast<std::size_t>(*dimension)],
          parts.plural + " in that dimension", list.substr(equals + 1)};
}

/// Sentence on a kind of parts that the network does not have.
[[noreturn]] void refuse_kind(const std::vector<HostParts>& all, std::string_view kind,
                              std::string_view spec) {
  const HostParts* const elsewhere = find_parts(known_parts(), kind);
  throw UsageError(fmt::format(
      "hosts \"{}\": this network has no {}; {}", spec,
      elsewhere == nullptr ? fmt::format("{}s", kind) : elsewhere->plural,
      all.empty() ? "its structure is not known" : "its parts are: " + join(names_of(all), ", ")));
}

std::int64_t part_number(std::string_view text, const SelectedParts& parts, std::string_view spec) {
  const auto number = parse_integer(text);
  if (number && *number >= 0 && *number < parts.partition.count) return *number;
  throw UsageError(fmt::format("\"{}\" in \"{}\": accepted are 0..{}, as the network has {} {}",
                               text, spec, parts.partition.count - 1, parts.partition.count,
                               parts.name));
}

/// Numbers of `0,4-7`, each once.
std::vector<std::int64_t> part_numbers(const SelectedParts& parts, std::string_view spec) {
  std::vector<std::int64_t> numbers;
  std::vector<bool> taken(static_cast<std::size_t>(parts.partition.count));
  for (const auto piece : split(parts.list, ',')) {
    const std::size_t dash = piece.find('-', 1);
    const std::int64_t first = part_number(piece.substr(0, dash), parts, spec);
    std::int64_t last = first;
    if (dash != std::string_view::npos) last = part_number(piece.substr(dash + 1), parts, spec);
    if (last < first)
      throw UsageError(fmt::format("range \"{}\" in \"{}\" runs backwards", piece, spec));
    for (std::int64_t n = first; n <= last; ++n) {
      if (taken[static_cast<std::size_t>(n)])
        throw UsageError(fmt::format("{} is named twice in \"{}\"", n, spec));
      taken[static_cast<std::size_t>(n)] = true;
      numbers.push_back(n);
    }
  }
  return numbers;
}

}  // namespace

bool is_host_part(std::string_view kind) {
  return find_parts(known_parts(), kind) != nullptr;
}

std::vector<std::string> host_part_kinds() {
  return names_of(known_parts());
}

std::vector<HostId> hosts_of_parts(const Network& network, std::string_view spec) {
  const std::size_t colon = std::min(spec.find(':'), spec.size());
  const std::string_view kind = spec.substr(0, colon);
  const std::string_view list = spec.substr(std::min(colon + 1, spec.size()));
  const std::vector<HostParts> all = network.parts();
  const HostParts* const named = find_parts(all, kind);
  if (named == nullptr) refuse_kind(all, kind, spec);
  const SelectedParts parts = named->by_dimension
                                  ? parts_in_dimension(*named, spec, list)
                                  : SelectedParts{named->partitions.front(), named->plural, list};
  std::vector<std::vector<HostId>> hosts(static_cast<std::size_t>(parts.partition.count));
  for (int h = 0; h < network.num_hosts(); ++h)
    if (network.is_up(HostId{h}))
      hosts[static_cast<std::size_t>(parts.partition.part_of[static_cast<std::size_t>(h)])]
          .push_back(HostId{h});
  std::vector<HostId> result;
  for (const std::int64_t number : part_numbers(parts, spec)) {
    const auto& part = hosts[static_cast<std::size_t>(number)];
    result.insert(result.end(), part.begin(), part.end());
  }
  if (result.empty()) throw UsageError(fmt::format("no host of \"{}\" works", spec));
  return result;
}

namespace {

class HostfileReader {
 public:
  HostfileReader(const std::string& path, const Network& network)
      : network_(network), file_(path), names_(network) {}

  std::vector<HostfileEntry> read() {
    if (is_table())
      read_table();
    else
      read_list();
    if (entries_.empty())
      throw input_error({file_.path()},
                        "the hostfile names no host: accepted is one host per line");
    return std::move(entries_);
  }

  /// Empty unless names have other capitals, or hosts come back behind others.
  std::string remark() const {
    if (!returns_) return other_case_;
    return fmt::format(
        "{}{}{}: host \"{}\" comes back behind others: all slots of a host follow each other, as "
        "in Open "
        "MPI; MPICH starts ranks in the order of the lines, as --embedding {} --embedding-format "
        "hydra places them",
        other_case_, other_case_.empty() ? "" : "; ", file_.path(), network_.host_name(*returns_),
        file_.path());
  }

  std::vector<HostId> read_ranks() {
    counts_ranks_ = true;
    const std::vector<HostfileEntry> entries = read();
    if (last_rank_ >= std::ssize(ranks_))
      throw input_error({file_.path()},
                        fmt::format("{} ranks up to {}: each from 0 on must have a line",
                                    ranks_.size(), last_rank_));
    return std::move(ranks_);
  }

 private:
  [[noreturn]] void fail(int column, std::string_view sentence) const {
    throw input_error(file_.at(column), sentence);
  }

  /// Reads the first line; whether it is the header of a table of ranks.
  bool is_table() {
    if (!file_.next_content()) return false;
    if (file_.line().find_first_of("[{") != std::string_view::npos) return false;
    const CsvTable table(file_);
    return table.headings().size() > 1 && table.column(rank_headings).has_value();
  }

  /// Lines may name a host several times: then each is a slot, or as many as it says.
  void read_list() {
    struct Node {
      NamedHosts hosts;
      int slots = 0;
      int lines = 0;
      bool counted = false;
    };
    std::vector<Node> nodes;
    std::unordered_map<HostId, std::size_t> known;
    bool repeats = false;
    for (const ListedHost& listed : read_listed_hosts(file_.path())) {
      const NamedHosts found = hosts_named(listed.name, listed.where);
      const auto [entry, is_new] = known.emplace(found.first, nodes.size());
      note_return(found.first, is_new);
      if (is_new) nodes.push_back({found});
      Node& node = nodes[entry->second];
      repeats = repeats || !is_new;
      if (std::int64_t{node.slots} + listed.slots.value_or(1) > std::numeric_limits<int>::max())
        throw input_error(listed.where, fmt::format("host \"{}\" has more than {} slots",
                                                    listed.name, std::numeric_limits<int>::max()));
      node.slots += listed.slots.value_or(1);
      ++node.lines;
      node.counted = node.counted || listed.slots;
      add_ranks(found, listed.slots.value_or(1));
    }
    for (const Node& node : nodes)
      add_places(node.hosts, repeats || node.counted ? std::optional(node.slots) : std::nullopt,
                 entries_);
  }

  /// Ranks of a line, on the places of a node by turns.
  void add_ranks(const NamedHosts& node, int count) {
    constexpr std::size_t most = 16777216;
    for (int i = 0; counts_ranks_ && i < count && ranks_.size() < most; ++i)
      ranks_.push_back(HostId{number(node.first) + mentions_[node.first]++ % node.count});
  }

  void note_return(HostId host, bool is_new) {
    if (!is_new && host != last_ && !returns_) returns_ = host;
    last_ = host;
  }

  NamedHosts hosts_named(std::string_view name, const FilePosition& where) {
    auto found = names_.find_all(name);
    if (const auto other = found ? std::nullopt : names_.in_other_case(name)) {
      if (other_case_.empty())
        other_case_ = fmt::format("{}: \"{}\" is the machine's \"{}\"", file_.path(), name, *other);
      found = names_.find_all(*other);
    }
    if (!found)
      throw input_error(where, fmt::format("unknown host \"{}\": {}", name, names_.accepted(name)));
    for (int place = 0; place < found->count; ++place)
      if (!network_.is_up(HostId{number(found->first) + place}))
        throw input_error(where,
                          fmt::format("host \"{}\" is down: accepted are hosts that work", name));
    return *found;
  }

  // A table of ranks: a slot for each rank, hosts in the order of their first rank.
  void read_table() {
    CsvTable table(file_);
    const auto host_column = table.column(host_headings), slot_column = table.column(slot_headings);
    const std::size_t rank_column = table.column(rank_headings).value();
    if (!host_column)
      fail(1,
           fmt::format("header \"{}\": expected a column \"host\" beside the ranks", file_.line()));
    std::map<int, HostId> host_of_rank;
    while (table.next()) {
      const int rank = number(read_rank(file_, table[rank_column]));
      const HostId found =
          place(table[*host_column], slot_column ? table[*slot_column].text : std::string_view());
      if (!host_of_rank.emplace(rank, found).second)
        fail(table[rank_column].column, fmt::format("rank {} is listed twice", rank));
    }
    for (const auto& [rank, found] : host_of_rank) {
      add_slot(found);
      ranks_.push_back(found);
    }
    if (!host_of_rank.empty()) last_rank_ = host_of_rank.rbegin()->first;
  }

  /// Of a node with places inside the one that the slot names, or the next one.
  HostId place(const Token& name, std::string_view slot) {
    const auto named = hosts_named(name.text, file_.at(name.column));
    if (named.count == 1) return named.first;
    const int next = mentions_[named.first]++ % named.count;
    const std::int64_t chosen = slot.empty() ? next : parse_integer(slot).value_or(-1);
    if (chosen < 0 || chosen >= named.count)
      fail(name.column, fmt::format("slot \"{}\" of node \"{}\": accepted are 0 to {}", slot,
                                    name.text, named.count - 1));
    return HostId{number(named.first) + narrow<int>(chosen)};
  }

  void add_slot(HostId host) {
    const auto [position, is_new] = lines_.emplace(host, narrow<int>(entries_.size()));
    note_return(host, is_new);
    if (is_new)
      entries_.push_back({host, 1});
    else
      ++*entries_[index(position->second)].slots;
  }

  const Network& network_;
  LineFile file_;
  HostNames names_;
  std::unordered_map<HostId, int> lines_;     ///< entry of a host of a table
  std::unordered_map<HostId, int> mentions_;  ///< of nodes, by their first places
  std::vector<HostfileEntry> entries_;
  bool counts_ranks_ = false;  ///< of a list; those of a table are always known
  std::vector<HostId> ranks_;  ///< hosts of the ranks, in their order
  int last_rank_ = -1;         ///< of a table
  HostId last_{-1};            ///< that was named
  std::optional<HostId> returns_;
  std::string other_case_;  ///< what to say of names with other capitals
};

}  // namespace

std::vector<HostfileEntry> read_hostfile(const std::string& path, const Network& network,
                                         std::string* remark) {
  HostfileReader reader(path, network);
  auto entries = reader.read();
  if (remark != nullptr) *remark = reader.remark();
  return entries;
}

std::vector<HostId> read_hosts_of_ranks(const std::string& path, const Network& network) {
  return HostfileReader(path, network).read_ranks();
}

}  // namespace vtopo::detail
