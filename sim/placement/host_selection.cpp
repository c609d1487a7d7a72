#include "sim/placement/host_selection.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "netmodels/host_names.hpp"
#include "netmodels/network_spec.hpp"
#include "netmodels/network_table.hpp"
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

/// Parts of all networks: what their examples have, with an inside of their hosts.
const std::vector<HostParts>& known_parts() {
  static const std::vector<HostParts> known = [] {
    std::vector<HostParts> all;
    for (const NetworkInfo& info : all_networks())
      for (HostParts& parts : make_network(info.example + ",node=1", {})->parts())
        if (find_parts(all, parts.name) == nullptr) all.push_back(std::move(parts));
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
    while (file_.next_content()) {
      if (file_.line().find('[') != std::string_view::npos)
        fail(1, fmt::format("\"{}\" is a list of Slurm: expected one host per line; --hosts "
                            "slurm:LIST takes the list",
                            file_.line()));
      if (entries_.empty() && file_.line().find(',') != std::string_view::npos) {
        read_table();
        break;
      }
      if (const auto words = file_.words(); !words.empty()) add(words);
    }
    if (entries_.empty())
      throw input_error({file_.path()},
                        "the hostfile names no host: accepted is one host per line");
    return std::move(entries_);
  }

  std::vector<HostId> read_ranks() {
    const std::vector<HostfileEntry> entries = read();
    if (last_rank_ >= std::ssize(ranks_))
      throw input_error({file_.path()},
                        fmt::format("{} ranks up to {}: each from 0 on must have a line",
                                    ranks_.size(), last_rank_));
    if (!ranks_.empty()) return std::move(ranks_);
    for (const HostfileEntry& entry : entries)
      ranks_.insert(ranks_.end(), index(entry.slots.value_or(1)), entry.host);
    return std::move(ranks_);
  }

 private:
  [[noreturn]] void fail(int column, std::string_view sentence) const {
    throw input_error(file_.at(column), sentence);
  }

  void add(std::span<const Token> words) {
    const auto [text, column] = words[0];
    const std::size_t colon = text.rfind(':');
    const std::string_view name = text.substr(0, colon);
    const auto named = names_.find_all(name);
    const bool is_node = named && named->count > 1;
    HostfileEntry entry;
    if (!is_node) entry.host = new_host(name, column);
    if (colon != std::string_view::npos)
      entry.slots = slots(text.substr(colon + 1), column + narrow<int>(colon) + 1);
    if (words.size() > 1) add_option(words[1], entry);
    if (words.size() > 2) fail_word(words[2]);
    if (!is_node) {
      entries_.push_back(entry);
      return;
    }
    for (int place = 0; place < named->count; ++place) {
      const HostId host{number(named->first) + place};
      HostfileEntry part{new_host(network_.host_name(host), column), std::nullopt};
      // As many slots for each place, the first ones one more.
      if (entry.slots) part.slots = (*entry.slots + named->count - 1 - place) / named->count;
      if (part.slots != 0) entries_.push_back(part);
    }
  }

  void add_option(const Token& word, HostfileEntry& entry) const {
    constexpr std::string_view option = "slots=";
    if (!word.text.starts_with(option) || entry.slots) fail_word(word);
    entry.slots = slots(word.text.substr(option.size()), word.column + narrow<int>(option.size()));
  }

  [[noreturn]] void fail_word(const Token& word) const {
    fail(word.column,
         fmt::format("unexpected \"{}\": accepted are name, name:slots and name slots=n",
                     word.text));
  }

  HostId host(std::string_view name, int column) const {
    const auto found = names_.find(name);
    if (!found) fail(column, fmt::format("unknown host \"{}\": {}", name, names_.accepted(name)));
    if (!network_.is_up(*found))
      fail(column, fmt::format("host \"{}\" is down: accepted are hosts that work", name));
    return *found;
  }

  HostId new_host(std::string_view name, int column) {
    const HostId found = host(name, column);
    const auto [first, is_new] = lines_.emplace(found, file_.at(0).line);
    if (!is_new)
      fail(column, fmt::format("host \"{}\" is named twice (first in line {}); several slots are "
                               "\"{}:slots\"",
                               name, first->second, name));
    return found;
  }

  // A table of ranks: a slot for each rank, hosts in the order of their first rank.
  void read_table() {
    const auto header = file_.fields(',');
    const std::size_t columns = header.size();
    const std::size_t host_column = column_named("host", header);
    const std::size_t rank_column = column_named("rank", header);
    const std::size_t slot_column = column_named("slot", header);
    if (host_column == columns)
      fail(1, fmt::format("header \"{}\": expected a column \"host\", with a column \"rank\" if "
                          "the lines are not in the order of ranks",
                          file_.line()));
    std::map<std::int64_t, HostId> host_of_rank;
    while (file_.next_content()) {
      const auto row = file_.fields(',');
      if (row.size() != columns)
        fail(0, fmt::format("{} fields where the header has {}", row.size(), columns));
      const auto rank =
          rank_column == columns ? std::ssize(host_of_rank) : read_rank(row[rank_column]);
      const HostId found = place(
          row[host_column], slot_column == columns ? std::string_view() : row[slot_column].text);
      if (!host_of_rank.emplace(rank, found).second)
        fail(row[rank_column].column, fmt::format("rank {} is listed twice", rank));
    }
    for (const auto& [rank, found] : host_of_rank) {
      add_slot(found);
      ranks_.push_back(found);
    }
    if (!host_of_rank.empty()) last_rank_ = host_of_rank.rbegin()->first;
  }

  /// Of a node with places inside the one that the slot names, or the next one.
  HostId place(const Token& name, std::string_view slot) {
    const auto named = names_.find_all(name.text);
    if (!named || named->count == 1) return host(name.text, name.column);
    const int next = mentions_[named->first]++ % named->count;
    const std::int64_t chosen = slot.empty() ? next : parse_integer(slot).value_or(-1);
    if (chosen < 0 || chosen >= named->count)
      fail(name.column, fmt::format("slot \"{}\" of node \"{}\": accepted are 0 to {}", slot,
                                    name.text, named->count - 1));
    return HostId{number(named->first) + narrow<int>(chosen)};
  }

  static std::size_t column_named(std::string_view name, std::span<const Token> header) {
    const auto found = std::find_if(header.begin(), header.end(),
                                    [&](const Token& column) { return column.text == name; });
    return static_cast<std::size_t>(found - header.begin());
  }

  std::int64_t read_rank(const Token& text) const {
    const auto rank = parse_integer(text.text);
    if (!rank || *rank < 0 || *rank > std::numeric_limits<int>::max())
      fail(text.column, fmt::format("rank \"{}\": expected a number from 0 to {}", text.text,
                                    std::numeric_limits<int>::max()));
    return *rank;
  }

  void add_slot(HostId host) {
    const auto [position, is_new] = lines_.emplace(host, narrow<int>(entries_.size()));
    if (is_new)
      entries_.push_back({host, 1});
    else
      ++*entries_[index(position->second)].slots;
  }

  int slots(std::string_view text, int column) const {
    const auto count = parse_integer(text);
    if (!count || *count < 1 || *count > std::numeric_limits<int>::max())
      fail(column, fmt::format("slots \"{}\": accepted is a number from 1 to {}", text,
                               std::numeric_limits<int>::max()));
    return narrow<int>(*count);
  }

  const Network& network_;
  LineFile file_;
  HostNames names_;
  std::unordered_map<HostId, int> lines_;     ///< line that named a host; in a table its entry
  std::unordered_map<HostId, int> mentions_;  ///< of nodes, by their first places
  std::vector<HostfileEntry> entries_;
  std::vector<HostId> ranks_;    ///< hosts of a table's ranks, in their order
  std::int64_t last_rank_ = -1;  ///< of a table
};

}  // namespace

std::vector<HostfileEntry> read_hostfile(const std::string& path, const Network& network) {
  return HostfileReader(path, network).read();
}

std::vector<HostId> read_hosts_of_ranks(const std::string& path, const Network& network) {
  return HostfileReader(path, network).read_ranks();
}

}  // namespace vtopo::detail
