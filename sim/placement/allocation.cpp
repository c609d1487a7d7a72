#include "sim/placement/allocation.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <numeric>
#include <system_error>
#include <utility>

#include "netmodels/host_names.hpp"
#include "sim/placement/host_selection.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/host_list.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/random.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

using namespace detail;

namespace {

/// What a selection is made from: `kind:argument` as given, and the machine.
struct Selection {
  std::string_view spec;
  std::string_view argument;
  const Network& network;
  std::vector<HostId> working;  ///< hosts that are up, ascending
  std::uint64_t seed;
};

/// `the network has 64 hosts, 2 of them down`
std::string described_size(const Selection& selection) {
  const int failed = selection.network.num_hosts() - int_size(selection.working);
  return fmt::format("the network has {}{}", counted(selection.network.num_hosts(), "host"),
                     failed > 0 ? fmt::format(", {} of them down", failed) : "");
}

/// Integer `text` of the selection within [first, last].
int parse_in(const Selection& selection, std::string_view what, std::string_view text, int first,
             int last) {
  const auto value = parse_integer(text);
  if (!value || *value < first || *value > last)
    throw UsageError(fmt::format("{} \"{}\" in \"{}\": accepted are {}..{}, as {}", what, text,
                                 selection.spec, first, last, described_size(selection)));
  return narrow<int>(*value);
}

int host_count(const Selection& selection) {
  return parse_in(selection, "host count", selection.argument, 1, int_size(selection.working));
}

std::vector<HostId> select_all(const Selection& selection) {
  if (selection.spec != "all")
    throw UsageError(fmt::format("hosts \"{}\": all takes no argument", selection.spec));
  return selection.working;
}

std::vector<HostId> select_first(const Selection& selection) {
  const auto begin = selection.working.begin();
  return {begin, begin + host_count(selection)};
}

/// COUNT working hosts from START on.
std::vector<HostId> select_block(const Selection& selection) {
  const auto numbers = split(selection.argument, ',');
  if (numbers.size() != 2)
    throw UsageError(fmt::format("hosts \"{}\": accepted is block:START,COUNT", selection.spec));
  const auto& working = selection.working;
  const int start = parse_in(selection, "first host", numbers[0], 0,
                             working.empty() ? 0 : number(working.back()));
  const auto begin = std::lower_bound(working.begin(), working.end(), HostId{start});
  const int count =
      parse_in(selection, "host count", numbers[1], 1, narrow<int>(working.end() - begin));
  return {begin, begin + count};
}

/// Seed of `random:N:seed=7`, or that of the scenario.
std::uint64_t random_seed(const Selection& selection, std::string_view option) {
  constexpr std::string_view key = "seed=";
  if (option.empty()) return selection.seed;
  const auto seed =
      parse_integer(option.starts_with(key) ? option.substr(key.size()) : std::string_view());
  if (!seed || *seed < 0)
    throw UsageError(
        fmt::format("\"{}\" in \"{}\": accepted is seed=7 behind the number of hosts, "
                    "as in random:64:seed=7",
                    option, selection.spec));
  return static_cast<std::uint64_t>(*seed);
}

/// Every subset is equally likely; ascending, as batch systems list hosts.
std::vector<HostId> select_random(const Selection& selection) {
  const std::size_t colon = std::min(selection.argument.find(':'), selection.argument.size());
  const std::string_view option =
      selection.argument.substr(std::min(colon + 1, selection.argument.size()));
  const int count = parse_in(selection, "host count", selection.argument.substr(0, colon), 1,
                             int_size(selection.working));
  auto hosts = selection.working;
  Random random(random_seed(selection, option));
  shuffle(std::span(hosts), random);
  hosts.resize(index(count));
  std::sort(hosts.begin(), hosts.end());
  return hosts;
}

std::vector<HostId> select_spaced(const Selection& selection) {
  const auto count = index(host_count(selection));
  std::vector<HostId> hosts;
  for (std::size_t i = 0; i < count; ++i)
    hosts.push_back(selection.working[i * selection.working.size() / count]);
  return hosts;
}

/// Hosts that a list names, each once.
struct ListedHosts {
  const Selection& selection;
  std::vector<HostId> hosts = {};
  std::vector<bool> taken = std::vector<bool>(index(selection.network.num_hosts()));

  void add(HostId host) {
    if (!selection.network.is_up(host) || taken[index(host)])
      throw UsageError(fmt::format(
          "host {} (\"{}\") in \"{}\" is {}", number(host), selection.network.host_name(host),
          selection.spec,
          taken[index(host)] ? "named twice: several ranks on a host are a matter of slots"
                             : "down: accepted are hosts that work"));
    taken[index(host)] = true;
    hosts.push_back(host);
  }
};

std::vector<HostId> select_list(const Selection& selection) {
  ListedHosts listed{selection};
  for (const auto text : split(selection.argument, ','))
    listed.add(HostId{parse_in(selection, "host", text, 0, selection.network.num_hosts() - 1)});
  return std::move(listed.hosts);
}

/// Host names as Slurm writes them, `node[001-016,020]`, each with its slots or not, as `n1:4`.
/// @param remark about names with other capitals than the machine's; may be null.
std::vector<HostfileEntry> select_names(const Selection& selection, std::string* remark) {
  const HostNames known(selection.network);
  ListedHosts listed{selection};
  std::vector<HostfileEntry> entries;
  for (const std::string_view piece : host_list_pieces(selection.argument)) {
    const std::size_t colon = piece.find_first_of(":*", piece.rfind(']') + 1);
    std::optional<int> slots;
    if (colon != piece.npos) {
      const auto count = parse_integer(trim(piece.substr(colon + 1)));
      if (!count || *count < 1 || *count > std::numeric_limits<int>::max())
        throw UsageError(fmt::format("slots \"{}\" in \"{}\": each count must be >= 1",
                                     piece.substr(colon + 1), selection.spec));
      slots = narrow<int>(*count);
    }
    for (const std::string& name : expand_host_list(trim(piece.substr(0, colon)))) {
      auto found = known.find_all(name);
      if (const auto other = found ? std::nullopt : known.in_other_case(name)) {
        found = known.find_all(*other);
        if (remark != nullptr && remark->empty())
          *remark = fmt::format("hosts: \"{}\" is the machine's \"{}\"", name, *other);
      }
      if (!found)
        throw UsageError(fmt::format("unknown host \"{}\" in \"{}\": {}", name, selection.spec,
                                     known.accepted(name)));
      for (int place = 0; place < found->count; ++place)
        listed.add(HostId{number(found->first) + place});
      add_places(*found, slots, entries);
    }
  }
  return entries;
}

struct SelectionKind {
  std::string_view name;
  std::vector<HostId> (*select)(const Selection&);
};

constexpr std::array<SelectionKind, 6> selection_kinds{{{"all", select_all},
                                                        {"first", select_first},
                                                        {"block", select_block},
                                                        {"random", select_random},
                                                        {"spaced", select_spaced},
                                                        {"list", select_list}}};

std::vector<HostId> select_hosts(std::string_view kind, const Selection& selection) {
  if (is_host_part(kind)) return hosts_of_parts(selection.network, selection.spec);
  std::vector<std::string> names = host_part_kinds();
  names.insert(names.end(), {"file", "slurm"});
  for (const auto& [name, select] : selection_kinds) {
    if (name == kind) return select(selection);
    names.emplace_back(name);
  }
  if (parse_integer(selection.spec))
    throw UsageError(
        fmt::format("hosts \"{0}\": did you mean \"first:{0}\", the first {0} hosts, or "
                    "\"list:{0}\", the host of that number?",
                    selection.spec));
  throw UsageError(fmt::format(
      "hosts \"{}\": accepted are all, first:N, block:START,N, random:N[:seed=S], spaced:N, "
      "list:0,5,9, slurm:node[1-4], file:FILE, names such as {}:4 and the parts {}:LIST{}",
      selection.spec, selection.network.host_name(HostId{0}), join(host_part_kinds(), ":LIST, "),
      suggestion(kind, names)));
}

/// With the kind of names of hosts alone, too: a list, if the network has the first of them.
std::string with_kind(const Network& network, std::string_view hosts) {
  std::string spec = with_plain_kind(hosts);
  const std::string first = spec.substr(0, spec.find_first_of(",:*"));
  const bool is_kind = first == "file" || first == "slurm" || is_host_part(first) ||
                       std::any_of(selection_kinds.begin(), selection_kinds.end(),
                                   [&](const SelectionKind& kind) { return kind.name == first; });
  if (is_kind) return spec;
  const HostNames names(network);
  return names.find_all(first) || names.in_other_case(first) ? "slurm:" + spec : spec;
}

/// One entry per host from one entry for all or one per host.
std::vector<int> spread_slots(std::span<const int> slots, std::size_t num_hosts) {
  if (slots.size() != 1 && slots.size() != num_hosts)
    throw UsageError(fmt::format("{} for {}: accepted are 1 or {}",
                                 counted(slots.size(), "slot count"), counted(num_hosts, "host"),
                                 num_hosts));
  for (const int count : slots)
    if (count < 1) throw UsageError(fmt::format("slots {}: each count must be >= 1", count));
  if (slots.size() == 1) return std::vector<int>(num_hosts, slots[0]);
  return {slots.begin(), slots.end()};
}

/// One count is for hosts whose slots `source` leaves open. It must not contradict it where there
/// are no such hosts, nor may a list of counts, which is for every host; a single 1 is the default.
Allocation allocation_of(const Network& network, std::span<const HostfileEntry> entries,
                         std::span<const int> slots, std::string_view source) {
  Allocation allocation{{}, spread_slots(slots, entries.size())};
  const bool is_needed = std::any_of(entries.begin(), entries.end(),
                                     [](const HostfileEntry& entry) { return !entry.slots; });
  const bool yields = slots.size() == 1 && (is_needed || slots[0] == 1);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const int count = entries[i].slots.value_or(allocation.slots[i]);
    if (!yields && count != allocation.slots[i])
      throw UsageError(fmt::format(
          "--slots {} contradicts \"{}\", which gives host \"{}\" {}: accepted is one of them",
          allocation.slots[i], source, network.host_name(entries[i].host), counted(count, "slot")));
    allocation.hosts.push_back(entries[i].host);
    allocation.slots[i] = count;
  }
  return allocation;
}

}  // namespace

std::int64_t Allocation::num_slots() const {
  return std::accumulate(slots.begin(), slots.end(), std::int64_t{0});
}

std::string detail::with_plain_kind(std::string_view hosts) {
  const std::string spec(hosts);
  std::error_code ignored;
  if (hosts == "all") return spec;
  if (std::filesystem::is_regular_file(spec, ignored)) return "file:" + spec;
  const bool is_list = hosts.find('[') < hosts.find(':');
  return is_list ? "slurm:" + spec : spec;
}

Allocation make_allocation(const Network& network, std::string_view hosts,
                           std::span<const int> slots, std::uint64_t seed, std::string* remark) {
  const std::string spec = with_kind(network, hosts);
  const std::string_view kind = std::string_view(spec).substr(0, spec.find(':'));
  const std::string_view argument =
      std::string_view(spec).substr(std::min(kind.size() + 1, spec.size()));
  if (kind == "file")
    return allocation_of(network, read_hostfile(std::string(argument), network, remark), slots,
                         argument);
  auto working = working_hosts(network);
  if (working.empty()) throw UsageError("every host of the network is down");
  const Selection selection{spec, argument, network, std::move(working), seed};
  if (kind == "slurm")
    return allocation_of(network, select_names(selection, remark), slots, argument);
  auto selected = select_hosts(kind, selection);
  auto counts = spread_slots(slots, selected.size());
  return {std::move(selected), std::move(counts)};
}

Allocation whole_machine(const Network& network, int slots) {
  return make_allocation(network, "all", std::span(&slots, 1), 1);
}

}  // namespace vtopo
