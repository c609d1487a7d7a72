#include "sim/embedding/host_parts.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <variant>

#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

namespace {

/// Equal parts of a machine: host h is in part h / stride % count.
struct EqualParts {
  std::string_view name;  ///< of several: `groups`
  std::int64_t stride = 1;
  std::int64_t count = 1;
};

constexpr std::array<std::string_view, 6> part_kinds{"group", "chassis", "router",
                                                     "leaf",  "pod",     "plane"};

std::optional<EqualParts> parts_of(const DragonflySpec& spec, std::string_view kind) {
  const std::int64_t routers_of_group = std::int64_t{spec.chassis} * spec.blades;
  const std::int64_t hosts = spec.hosts_per_blade;
  if (kind == "group") return EqualParts{"groups", routers_of_group * hosts, spec.groups};
  if (kind == "chassis")
    return EqualParts{"chassis", spec.blades * hosts, std::int64_t{spec.groups} * spec.chassis};
  if (kind == "router") return EqualParts{"routers", hosts, spec.groups * routers_of_group};
  return std::nullopt;
}

std::optional<EqualParts> parts_of(const FatTreeSpec& spec, std::string_view kind) {
  const std::size_t height = kind == "leaf" ? 1 : 2;
  if ((kind != "leaf" && kind != "pod") || height > spec.levels.size()) return std::nullopt;
  EqualParts parts{height == 1 ? "leaves" : "pods", 1, 1};
  for (std::size_t l = 0; l < spec.levels.size(); ++l)
    (l < height ? parts.stride : parts.count) *= spec.levels[l].children;
  return parts;
}

/// Planes of all dimensions are told apart later.
std::optional<EqualParts> parts_of(const TorusSpec&, std::string_view kind) {
  if (kind == "plane") return EqualParts{"planes", 1, 1};
  return std::nullopt;
}

std::optional<EqualParts> parts_of(const std::monostate&, std::string_view) {
  return std::nullopt;
}

std::string plural(std::string_view kind) {
  if (kind == "leaf") return "leaves";
  return kind == "chassis" ? "chassis" : fmt::format("{}s", kind);
}

/// Sentence on a kind of parts that the network does not have.
[[noreturn]] void refuse_kind(const NetworkShape& shape, std::string_view kind,
                              std::string_view spec) {
  std::vector<std::string> accepted;
  for (const auto other : part_kinds)
    if (std::visit([&](const auto& s) { return parts_of(s, other).has_value(); }, shape))
      accepted.emplace_back(other);
  throw UsageError(fmt::format(
      "hosts \"{}\": this network has no {}; {}", spec, plural(kind),
      accepted.empty() ? "its structure is not known" : "its parts are: " + join(accepted, ", ")));
}

/// Splits `D=LIST` of planes and takes the dimension.
EqualParts planes(const TorusSpec& torus, std::string_view spec, std::string_view& list) {
  const std::size_t equals = list.find('=');
  if (equals == std::string_view::npos)
    throw UsageError(fmt::format("hosts \"{}\": accepted is plane:DIMENSION=0,2-3", spec));
  const auto dimension = parse_integer(list.substr(0, equals));
  if (!dimension || *dimension < 0 || *dimension >= int_size(torus.dimensions))
    throw UsageError(fmt::format("dimension \"{}\" in \"{}\": accepted are 0..{}",
                                 list.substr(0, equals), spec, int_size(torus.dimensions) - 1));
  list.remove_prefix(equals + 1);
  const auto d = index(*dimension);
  EqualParts parts{"planes in that dimension", torus.hosts_per_router, torus.dimensions[d].size};
  for (std::size_t i = 0; i < d; ++i) parts.stride *= torus.dimensions[i].size;
  return parts;
}

std::int64_t part_number(std::string_view text, const EqualParts& parts, std::string_view spec) {
  const auto number = parse_integer(text);
  if (number && *number >= 0 && *number < parts.count) return *number;
  throw UsageError(fmt::format("\"{}\" in \"{}\": accepted are 0..{}, as the network has {} {}",
                               text, spec, parts.count - 1, parts.count, parts.name));
}

/// Numbers of `0,4-7`, each once.
std::vector<std::int64_t> part_numbers(std::string_view list, const EqualParts& parts,
                                       std::string_view spec) {
  std::vector<std::int64_t> numbers;
  std::vector<bool> taken(index(parts.count));
  for (const auto piece : split(list, ',')) {
    const std::size_t dash = piece.find('-', 1);
    const std::int64_t first = part_number(piece.substr(0, dash), parts, spec);
    std::int64_t last = first;
    if (dash != std::string_view::npos) last = part_number(piece.substr(dash + 1), parts, spec);
    if (last < first)
      throw UsageError(fmt::format("range \"{}\" in \"{}\" runs backwards", piece, spec));
    for (std::int64_t n = first; n <= last; ++n) {
      if (taken[index(n)]) throw UsageError(fmt::format("{} is named twice in \"{}\"", n, spec));
      taken[index(n)] = true;
      numbers.push_back(n);
    }
  }
  return numbers;
}

}  // namespace

bool is_host_part(std::string_view kind) {
  return std::find(part_kinds.begin(), part_kinds.end(), kind) != part_kinds.end();
}

std::vector<std::string> host_part_kinds() {
  return {part_kinds.begin(), part_kinds.end()};
}

std::vector<HostId> hosts_of_parts(const Network& network, std::string_view spec) {
  const std::size_t colon = std::min(spec.find(':'), spec.size());
  const std::string_view kind = spec.substr(0, colon);
  std::string_view list = spec.substr(std::min(colon + 1, spec.size()));
  const NetworkShape shape = network.shape();
  auto parts = std::visit([&](const auto& s) { return parts_of(s, kind); }, shape);
  if (!parts) refuse_kind(shape, kind, spec);
  if (kind == "plane") parts = planes(std::get<TorusSpec>(shape), spec, list);
  std::vector<std::vector<HostId>> hosts(index(parts->count));
  for (int h = 0; h < network.num_hosts(); ++h)
    if (network.is_up(HostId{h}))
      hosts[index(h / parts->stride % parts->count)].push_back(HostId{h});
  std::vector<HostId> result;
  for (const std::int64_t number : part_numbers(list, *parts, spec)) {
    const auto& part = hosts[index(number)];
    result.insert(result.end(), part.begin(), part.end());
  }
  if (result.empty()) throw UsageError(fmt::format("no host of \"{}\" works", spec));
  return result;
}

}  // namespace vtopo
