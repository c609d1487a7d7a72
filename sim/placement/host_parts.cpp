#include "sim/placement/host_parts.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "netmodels/network_spec.hpp"
#include "netmodels/network_table.hpp"
#include "topology/base/error.hpp"
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

}  // namespace vtopo::detail
