#include "sim/mapping/adapters/scotch.hpp"

#include <scotch.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

/// The guest in Scotch's arrays: every edge at both ends, volumes of both directions together as
/// whole numbers.
struct ScotchGuest {
  std::vector<SCOTCH_Num> offsets{0};
  std::vector<SCOTCH_Num> ends;
  std::vector<SCOTCH_Num> volumes;  ///< empty: all equal
};

/// Sums of volume times distance must stay inside Scotch's numbers.
double scale_of(const Partners& partners, int diameter) {
  double sum = 0;
  for (int r = 0; r < partners.num_ranks(); ++r)
    for (const Partner& partner : partners.of(Rank{r})) sum += partner.both().value;
  constexpr double largest = static_cast<double>(std::numeric_limits<std::int32_t>::max()) / 4;
  return sum > 0 ? largest / (sum * (2.0 * diameter + 1)) : 0;
}

ScotchGuest scotch_guest(const Partners& partners, int diameter) {
  ScotchGuest guest;
  const double scale = scale_of(partners, diameter);
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (int r = 0; r < partners.num_ranks(); ++r) {
    for (const Partner& partner : partners.of(Rank{r})) {
      const double volume = partner.both().value;
      least = std::min(least, volume), most = std::max(most, volume);
      guest.ends.push_back(static_cast<SCOTCH_Num>(number(partner.rank)));
      guest.volumes.push_back(
          static_cast<SCOTCH_Num>(std::max<std::int64_t>(1, std::llround(volume * scale))));
    }
    if (guest.ends.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      throw UsageError("mapper scotch: the guest has more edges than Scotch can count");
    guest.offsets.push_back(static_cast<SCOTCH_Num>(guest.ends.size()));
  }
  if (least >= most) guest.volumes.clear();
  return guest;
}

SCOTCH_Num flags_of(ScotchStrategy strategy) {
  switch (strategy) {
    case ScotchStrategy::quality:
      return SCOTCH_STRATQUALITY;
    case ScotchStrategy::speed:
      return SCOTCH_STRATSPEED;
    case ScotchStrategy::standard:
      break;
  }
  return SCOTCH_STRATDEFAULT;
}

/// One mapping by Scotch: its objects, which go in the reverse order. A context has random numbers
/// of its own and one thread.
class ScotchRun {
 public:
  ScotchRun(ScotchGuest& guest, std::uint64_t seed) {
    SCOTCH_contextInit(&context_);
    SCOTCH_graphInit(&graph_);
    SCOTCH_graphInit(&bound_);
    SCOTCH_stratInit(&strategy_);
    try {
      set_up(guest, seed);
    } catch (...) {
      free();
      throw;
    }
  }
  ScotchRun(const ScotchRun&) = delete;
  ScotchRun& operator=(const ScotchRun&) = delete;
  ~ScotchRun() { free(); }

  std::vector<SCOTCH_Num> map(SCOTCH_Arch* target, int num_hosts, const ScotchRequest& request,
                              std::size_t num_ranks) {
    check_scotch(SCOTCH_stratGraphMapBuild(&strategy_, flags_of(request.strategy),
                                           static_cast<SCOTCH_Num>(num_hosts), request.balance),
                 "build its strategy");
    std::vector<SCOTCH_Num> terminals(num_ranks);
    check_scotch(SCOTCH_graphMap(&bound_, target, &strategy_, terminals.data()), "map the ranks");
    return terminals;
  }

 private:
  void set_up(ScotchGuest& guest, std::uint64_t seed) {
    check_scotch(SCOTCH_contextThreadSpawn(&context_, 1, nullptr), "set up its thread");
    check_scotch(SCOTCH_contextOptionSetNum(&context_, SCOTCH_OPTIONNUMDETERMINISTIC, 1),
                 "be deterministic");
    SCOTCH_contextRandomClone(&context_);
    SCOTCH_contextRandomSeed(&context_, static_cast<SCOTCH_Num>(seed & 0x7fffffff));
    SCOTCH_contextRandomReset(&context_);
    check_scotch(SCOTCH_graphBuild(&graph_, 0, static_cast<SCOTCH_Num>(guest.offsets.size() - 1),
                                   guest.offsets.data(), nullptr, nullptr, nullptr,
                                   static_cast<SCOTCH_Num>(guest.ends.size()), guest.ends.data(),
                                   guest.volumes.empty() ? nullptr : guest.volumes.data()),
                 "take the guest");
    check_scotch(SCOTCH_contextBindGraph(&context_, &graph_, &bound_), "bind the guest");
  }

  void free() {
    SCOTCH_stratExit(&strategy_);
    SCOTCH_graphExit(&bound_);
    SCOTCH_graphExit(&graph_);
    SCOTCH_contextExit(&context_);
  }

  SCOTCH_Context context_{};
  SCOTCH_Graph graph_{};
  SCOTCH_Graph bound_{};
  SCOTCH_Strat strategy_{};
};

}  // namespace

std::vector<Place> scotch_places(const MappingProblem& problem, const Partners& partners,
                                 const HopTable& table, const ScotchRequest& request) {
  const auto num_ranks = static_cast<std::size_t>(partners.num_ranks());
  const TargetHosts hosts =
      target_hosts(problem.network, problem.allocation, table, partners.num_ranks());
  if (hosts.places.size() <= 1)
    return std::vector<Place>(num_ranks, hosts.places.empty() ? Place{0} : hosts.places.front());
  ScotchTarget target(problem.network, problem.allocation, table, hosts);
  double slots = 0;
  for (const Place place : hosts.places) slots += problem.allocation.slots[index(place)];
  ScotchRequest with_room = request;  // in units of an even share, which leaves slots free
  with_room.balance = (1 + request.balance) * slots / static_cast<double>(num_ranks) - 1;
  ScotchGuest guest = scotch_guest(partners, problem.network.diameter());
  const auto terminals =
      ScotchRun(guest, problem.seed).map(target.get(), target.num_hosts(), with_room, num_ranks);
  std::vector<Place> places;
  for (const SCOTCH_Num terminal : terminals) {
    if (terminal < 0 || static_cast<std::size_t>(terminal) >= hosts.places.size())
      throw UsageError(fmt::format("Scotch puts a rank on host {}; there are {}", terminal,
                                   hosts.places.size()));
    places.push_back(hosts.places[static_cast<std::size_t>(terminal)]);
  }
  return places;
}

std::optional<std::string> scotch_unsupported_reason(const MappingProblem& problem) {
  const auto& slots = problem.allocation.slots;
  if (slots.size() <= ScotchTarget::max_decomposed_hosts) return std::nullopt;
  const bool even =
      std::adjacent_find(slots.begin(), slots.end(), std::not_equal_to<>()) == slots.end();
  if (even && has_closed_form_target(problem.network)) return std::nullopt;
  return fmt::format(
      "needs at most {} hosts, or hosts of equal slots on a torus, mesh, fat tree or dragonfly",
      ScotchTarget::max_decomposed_hosts);
}

}  // namespace vtopo::detail
