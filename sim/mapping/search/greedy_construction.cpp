#include "sim/mapping/search/greedy_construction.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <queue>
#include <tuple>
#include <variant>

#include "sim/evaluation/partners.hpp"
#include "sim/mapping/search/near_places.hpp"

namespace vtopo::detail {

std::optional<GridRings> GridRings::of(const Network& network, const Allocation& allocation) {
  const HopMetric metric = network.hop_metric();
  const auto* known = std::get_if<GridMetric>(&metric);
  if (known == nullptr || known->grid.hosts_per_router != 1 ||
      allocation.num_hosts() != network.num_hosts())
    return std::nullopt;
  std::vector<Place> place_of(allocation.hosts.size());
  for (std::size_t p = 0; p < place_of.size(); ++p)
    place_of[index(allocation.hosts[p])] = id_at<Place>(p);
  GridRings rings;
  rings.seen_.resize(place_of.size(), 0);
  std::vector<std::int64_t> around;
  for (const HostId host : allocation.hosts) {
    around.clear();
    append_steps(known->grid, number(host), around);
    for (const std::int64_t to : around)
      rings.neighbours_.push_back(place_of[static_cast<std::size_t>(to)]);
    rings.offsets_.push_back(rings.neighbours_.size());
  }
  return rings;
}

namespace {

/// Of more hosts, the centre is that of every second, third ... one.
constexpr int max_places_of_centre = 1024;

constexpr int never = std::numeric_limits<int>::max();

/// Rank that waits for a host. A rank is queued again whenever a partner is mapped; only its newest
/// entry, the one with the largest strength, counts.
struct Waiting {
  double strength;  ///< bytes exchanged with mapped ranks
  double volume;    ///< bytes exchanged with all ranks
  int since;        ///< how many ranks were mapped when the first partner was
  Rank rank;

  /// Whether `other` goes first. At a tie the longer wait decides, which grows a grid in layers,
  /// then the lower rank.
  bool operator<(const Waiting& other) const {
    return std::tuple(strength, volume, other.since, other.rank) <
           std::tuple(other.strength, other.volume, since, rank);
  }
};

class GreedyConstruction {
 public:
  GreedyConstruction(const MappingProblem& problem, const Progress& progress, GreedyStart start)
      : problem_(problem),
        progress_(progress),
        start_(start),
        partners_(problem.guest),
        table_(problem.network, problem.allocation),
        free_(problem.allocation.slots),
        places_(static_cast<std::size_t>(partners_.num_ranks())),
        mapped_(places_.size(), false),
        strengths_(places_.size(), 0),
        volumes_(places_.size(), 0),
        since_(places_.size(), never),
        hop_bytes_(free_.size()) {
    if (!table_.keeps_all()) rings_ = GridRings::of(problem.network, problem.allocation);
  }

  Embedding run() {
    for (int r = 0; r < partners_.num_ranks(); ++r) {
      for (const Partner& partner : partners_.of(Rank{r}))
        volumes_[index(Rank{r})] += partner.both().value;
      wait(Rank{r});
    }
    while (!queue_.empty()) {
      const Rank rank = queue_.top().rank;
      queue_.pop();
      if (mapped_[index(rank)]) continue;
      put(rank, closest_place(rank));
      if (progress_ && num_mapped_ % 64 == 0) progress_(1.0 * num_mapped_ / partners_.num_ranks());
    }
    return embedding_at(places_, problem_.allocation);
  }

 private:
  void wait(Rank rank) {
    const std::size_t r = index(rank);
    queue_.push({strengths_[r], volumes_[r], since_[r], rank});
  }

  void put(Rank rank, Place place) {
    places_[index(rank)] = place;
    mapped_[index(rank)] = true;
    ++num_mapped_;
    --free_[index(place)];
    for (const Partner& partner : partners_.of(rank)) {
      if (mapped_[index(partner.rank)]) continue;
      strengths_[index(partner.rank)] += partner.both().value;
      since_[index(partner.rank)] = std::min(since_[index(partner.rank)], num_mapped_);
      wait(partner.rank);
    }
  }

  /// Place with a free slot that adds the least hop-bytes to mapped partners; the first at a tie.
  Place closest_place(Rank rank) {
    if (num_mapped_ == 0 && start_ == GreedyStart::centre) return centre();
    if (rings_) return closest_place_in_rings(rank);
    std::fill(hop_bytes_.begin(), hop_bytes_.end(), 0.0);
    for (const Partner& partner : partners_.of(rank))
      if (mapped_[index(partner.rank)])
        table_.add_hop_bytes(places_[index(partner.rank)], partner.sent, partner.received,
                             hop_bytes_);
    std::optional<std::size_t> best;
    for (std::size_t p = 0; p < free_.size(); ++p)
      if (free_[p] > 0 && (!best || hop_bytes_[p] < hop_bytes_[*best])) best = p;
    return id_at<Place>(best.value());  // the guest fits
  }

  /// The same on a large grid, ring by ring around the strongest partner: a place d hops from it
  /// adds at least d times the volume of all partners less what they would add at the strongest
  /// one.
  Place closest_place_in_rings(Rank rank) {
    mapped_partners_.clear();
    double volume = 0;
    std::size_t strongest = 0;
    for (const Partner& partner : partners_.of(rank)) {
      if (!mapped_[index(partner.rank)]) continue;
      const double both = partner.both().value;
      volume += both;
      mapped_partners_.push_back({both, places_[index(partner.rank)]});
      if (both > mapped_partners_[strongest].volume) strongest = mapped_partners_.size() - 1;
    }
    while (free_[first_free_] == 0) ++first_free_;  // the guest fits
    if (mapped_partners_.empty()) return id_at<Place>(first_free_);
    const Place centre = mapped_partners_[strongest].place;
    const double at_centre = added_at(centre);
    Place best{};
    double least = std::numeric_limits<double>::infinity();
    rings_->around(centre, [&](Place place, int hops) {
      if (volume * hops - at_centre > least * (1 + 1e-9)) return false;
      if (free_[index(place)] == 0) return true;
      const double added = added_at(place);
      if (added < least || (added == least && place < best)) best = place, least = added;
      return true;
    });
    return best;
  }

  double added_at(Place place) const {
    double sum = 0;
    for (const auto& [volume, at] : mapped_partners_) sum += volume * table_.hops(at, place);
    return sum;
  }

  /// Place with the fewest hops to all others, or to some of many; the first at a tie.
  Place centre() const {
    const int num_places = table_.num_places();
    const int stride = num_places / max_places_of_centre + 1;
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    int best = 0;
    for (int p = 0; p < num_places; ++p) {
      std::int64_t hops = 0;
      for (int q = 0; q < num_places; q += stride) hops += table_.hops(Place{p}, Place{q});
      if (hops < fewest) best = p, fewest = hops;
    }
    return Place{best};
  }

  const MappingProblem& problem_;
  const Progress& progress_;
  GreedyStart start_;
  int num_mapped_ = 0;
  Partners partners_;
  HopTable table_;
  std::vector<int> free_;      ///< slots, one entry per place
  std::vector<Place> places_;  ///< one entry per rank, as the next four
  std::vector<bool> mapped_;
  std::vector<double> strengths_;
  std::vector<double> volumes_;
  std::vector<int> since_;
  std::vector<double> hop_bytes_;  ///< one entry per place; storage reused for every rank
  std::priority_queue<Waiting> queue_;

  struct MappedPartner {
    double volume;
    Place place;
  };
  std::optional<GridRings> rings_;  ///< of networks too large for a table
  std::vector<MappedPartner> mapped_partners_;
  std::size_t first_free_ = 0;  ///< no place before it has a free slot
};

}  // namespace

Embedding construct_greedily(const MappingProblem& problem, const Progress& progress,
                             GreedyStart start) {
  return GreedyConstruction(problem, progress, start).run();
}

}  // namespace vtopo::detail
