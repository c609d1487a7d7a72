#include <scotch.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "sim/mapping/adapters/scotch.hpp"
#include "sim/mapping/partition/host_hierarchy.hpp"
#include "topology/base/append_format.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace {

thread_local std::string last_error;

}  // namespace

// Scotch calls these three where something goes wrong, and lets programs have their own: its own
// print, or end the program.
extern "C" void SCOTCH_errorProg(const char* const /*program*/) {}

extern "C" void SCOTCH_errorPrint(const char* const format, ...) {
  char text[256] = "";
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  last_error = text;
}

extern "C" void SCOTCH_errorPrintW(const char* const /*format*/, ...) {}

namespace vtopo::detail {

void check_scotch(int code, std::string_view what) {
  const std::string said = std::exchange(last_error, {});
  if (code == 0) return;
  throw UsageError(fmt::format("Scotch cannot {}: {}", what,
                               said.empty() ? fmt::format("it returns {}", code) : said));
}

namespace {

/// A machine in Scotch's terms.
struct ClosedForm {
  enum class Kind { rings, paths, tree } kind;
  std::vector<SCOTCH_Num> sizes;      ///< of dimensions, first fastest; of levels, top first
  std::vector<SCOTCH_Num> distances;  ///< that each level of a tree adds, top first
};

// Scotch 7.0 has tori of up to five dimensions. Its meshes of any number of dimensions (archMeshX)
// measure distances around them as if they were tori; those of two and three do not.
constexpr std::size_t max_axes_of_rings = 5;
constexpr std::size_t max_axes_of_paths = 3;

std::optional<ClosedForm> closed_form(const HostCoordinates& grid) {
  ClosedForm form{ClosedForm::Kind::rings, {}, {}};
  bool wraps = false, ends = false;  // on axes of two positions all kinds are the same
  for (const auto& [size, kind] : grid.axes) {
    if (size > 2 && kind == AxisKind::complete) return std::nullopt;
    if (size > 2) (kind == AxisKind::ring ? wraps : ends) = true;
    if (size > 1) form.sizes.push_back(size);
  }
  if (form.sizes.empty()) form.sizes.push_back(1);
  if ((wraps && ends) || grid.hosts_per_router > 1) return std::nullopt;
  if (ends) form.kind = ClosedForm::Kind::paths;
  if (form.sizes.size() > (ends ? max_axes_of_paths : max_axes_of_rings)) return std::nullopt;
  if (ends) form.sizes.resize(max_axes_of_paths, 1);
  return form;
}

/// Groups of one group of the level below are left out.
std::optional<ClosedForm> closed_form(const std::vector<HostGroups>& hierarchy) {
  if (hierarchy.empty()) return std::nullopt;
  ClosedForm form{ClosedForm::Kind::tree, {}, {}};
  HostGroups below;
  for (const HostGroups& level : hierarchy) {
    if (level.hosts == below.hosts) continue;
    form.sizes.insert(form.sizes.begin(), static_cast<SCOTCH_Num>(level.hosts / below.hosts));
    form.distances.insert(form.distances.begin(), level.hops - below.hops);
    below = level;
  }
  if (form.sizes.empty()) form.sizes.push_back(1), form.distances.push_back(1);
  return form;
}

std::optional<ClosedForm> closed_form(const Network& network) {
  const auto grid = network.coordinates();
  return grid ? closed_form(*grid) : closed_form(network.hierarchy());
}

int build(SCOTCH_Arch& arch, const ClosedForm& form) {
  const auto count = static_cast<SCOTCH_Num>(form.sizes.size());
  switch (form.kind) {
    case ClosedForm::Kind::rings:
      return SCOTCH_archTorusX(&arch, count, form.sizes.data());
    case ClosedForm::Kind::paths:
      return SCOTCH_archMesh3(&arch, form.sizes[0], form.sizes[1], form.sizes[2]);
    case ClosedForm::Kind::tree:
      break;
  }
  return SCOTCH_archTleaf(&arch, count, form.sizes.data(), form.distances.data());
}

/// Numbers of the hosts in a binary tree: the whole is 1, the halves of n are 2n and 2n+1.
class TreeNumbers {
 public:
  /// Follows the halves of the hierarchy, or, where they are too uneven, halves its order.
  TreeNumbers(const HostHierarchy& hierarchy) : numbers_(hierarchy.order.size()) {
    while ((std::size_t{1} << depth_) < numbers_.size()) ++depth_;
    if (!follow(hierarchy, 0, 1, 0)) halve(hierarchy, 0, numbers_.size(), 1);
  }

  std::int64_t of(Place place) const { return numbers_[index(place)]; }
  std::int64_t largest() const { return *std::max_element(numbers_.begin(), numbers_.end()); }

 private:
  bool follow(const HostHierarchy& hierarchy, int at, std::int64_t number, int depth) {
    if (depth > depth_) return false;
    const HostPart& part = hierarchy.parts[static_cast<std::size_t>(at)];
    if (!part.is_host())
      return follow(hierarchy, part.halves[0], 2 * number, depth + 1) &&
             follow(hierarchy, part.halves[1], 2 * number + 1, depth + 1);
    numbers_[index(hierarchy.order[static_cast<std::size_t>(part.first)])] = number;
    return true;
  }

  void halve(const HostHierarchy& hierarchy, std::size_t first, std::size_t last,
             std::int64_t number) {
    if (last - first == 1) {
      numbers_[index(hierarchy.order[first])] = number;
      return;
    }
    const std::size_t middle = first + (last - first) / 2;
    halve(hierarchy, first, middle, 2 * number);
    halve(hierarchy, middle, last, 2 * number + 1);
  }

  int depth_ = 0;
  std::vector<std::int64_t> numbers_;  ///< one entry per place
};

}  // namespace

bool has_closed_form_target(const Network& network) {
  return closed_form(network).has_value();
}

TargetHosts target_hosts(const Network& network, const Allocation& allocation,
                         const HopTable& table, int num_ranks) {
  const HostHierarchy hierarchy =
      dealt_evenly(host_hierarchy(network, allocation, table, num_ranks));
  std::vector<int> ranks(allocation.hosts.size());
  for (const HostPart& part : hierarchy.parts)
    if (part.is_host())
      ranks[index(hierarchy.order[static_cast<std::size_t>(part.first)])] = part.ranks;
  TargetHosts result;
  for (std::size_t p = 0; p < ranks.size(); ++p) {
    if (ranks[p] == 0) continue;
    result.places.push_back(id_at<Place>(p));
    result.ranks.push_back(ranks[p]);
  }
  return result;
}

ScotchTarget::ScotchTarget(const Network& network, const Allocation& allocation,
                           const HopTable& table, const TargetHosts& hosts) {
  SCOTCH_archInit(&whole_);
  SCOTCH_archInit(&part_);
  const int most = *std::max_element(hosts.ranks.begin(), hosts.ranks.end());
  // The last host that is filled may take fewer ranks than the others, and shares are rounded.
  const auto uneven =
      std::count_if(hosts.ranks.begin(), hosts.ranks.end(), [&](int n) { return n + 1 < most; });
  // Around failed links hops are other than the closed form says: it serves where nothing else
  // does.
  const bool may_differ = std::holds_alternative<std::monostate>(network.hop_metric()) &&
                          hosts.places.size() <= max_decomposed_hosts;
  if (uneven > 1 || may_differ || !make_closed_form(network)) {
    decompose(network, allocation, table, hosts);
  } else {
    take_part(network, allocation, hosts);
  }
}

ScotchTarget::~ScotchTarget() {
  SCOTCH_archExit(&part_);
  SCOTCH_archExit(&whole_);
}

bool ScotchTarget::make_closed_form(const Network& network) {
  const auto form = closed_form(network);
  if (!form) return false;
  check_scotch(build(whole_, *form), "build the network");
  return true;
}

void ScotchTarget::take_part(const Network& network, const Allocation& allocation,
                             const TargetHosts& hosts) {
  std::vector<SCOTCH_Num> numbers;
  for (const Place place : hosts.places) numbers.push_back(number(allocation.hosts[index(place)]));
  bool in_order = int_size(numbers) == network.num_hosts();
  for (std::size_t i = 0; in_order && i < numbers.size(); ++i)
    in_order = numbers[i] == static_cast<SCOTCH_Num>(i);
  if (in_order) return;
  is_part_ = true;
  check_scotch(
      SCOTCH_archSub(&part_, &whole_, static_cast<SCOTCH_Num>(numbers.size()), numbers.data()),
      "take a part of the network");
}

void ScotchTarget::decompose(const Network& network, const Allocation& allocation,
                             const HopTable& table, const TargetHosts& hosts) {
  if (hosts.places.size() > max_decomposed_hosts)
    throw UsageError(fmt::format(
        "mapper scotch: {} hosts; on this network and with hosts that take unequal numbers of "
        "ranks accepted are at most {}",
        hosts.places.size(), max_decomposed_hosts));
  is_decomposition_ = true;
  Allocation part;
  for (std::size_t i = 0; i < hosts.places.size(); ++i) {
    part.hosts.push_back(allocation.hosts[index(hosts.places[i])]);
    part.slots.push_back(hosts.ranks[i]);
  }
  const HopTable part_table(network, part);
  const TreeNumbers numbers(
      host_hierarchy(network, part, part_table, narrow<int>(part.num_slots())));
  std::string text;
  append_format(text, "deco\t0\n{} {}\n", hosts.places.size(), numbers.largest());
  for (int i = 0; i < part.num_hosts(); ++i)
    append_format(text, "{} {} {}\n", i, part.slots[static_cast<std::size_t>(i)],
                  numbers.of(Place{i}));
  for (int i = 1; i < part.num_hosts(); ++i)
    for (int j = 0; j < i; ++j)
      append_format(text, "{}\n",
                    std::max(1, table.hops(hosts.places[static_cast<std::size_t>(i)],
                                           hosts.places[static_cast<std::size_t>(j)]) +
                                    table.hops(hosts.places[static_cast<std::size_t>(j)],
                                               hosts.places[static_cast<std::size_t>(i)])));
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      fmemopen(text.data(), text.size(), "r"), std::fclose);
  if (!file) throw std::bad_alloc();
  check_scotch(SCOTCH_archLoad(&whole_, file.get()), "build the network");
}

std::optional<int> ScotchTarget::distance(int from, int to) {
  if (is_decomposition_) return std::nullopt;  // archDomTerm of 7.0.3 finds another domain there
  SCOTCH_ArchDom* const ends[] = {SCOTCH_archDomAlloc(), SCOTCH_archDomAlloc()};
  SCOTCH_archDomTerm(get(), ends[0], from);
  SCOTCH_archDomTerm(get(), ends[1], to);
  const auto distance = static_cast<int>(SCOTCH_archDomDist(get(), ends[0], ends[1]));
  for (SCOTCH_ArchDom* const end : ends) SCOTCH_memFree(end);
  return distance;
}

}  // namespace vtopo::detail
