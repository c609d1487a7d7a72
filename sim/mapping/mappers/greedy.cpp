#include <algorithm>
#include <limits>
#include <optional>
#include <queue>
#include <tuple>

#include "sim/evaluation/partners.hpp"
#include "sim/mapping/hop_table.hpp"
#include "sim/mapping/mapper.hpp"
#include "topology/narrow.hpp"

namespace vtopo::mappers {

namespace {

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

class Greedy {
 public:
  explicit Greedy(const MappingProblem& problem)
      : problem_(problem),
        partners_(problem.guest),
        table_(problem.host, problem.allocation),
        free_(problem.allocation.slots),
        places_(static_cast<std::size_t>(partners_.num_ranks())),
        mapped_(places_.size(), false),
        strengths_(places_.size(), 0),
        volumes_(places_.size(), 0),
        since_(places_.size(), never),
        hop_bytes_(free_.size()) {}

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
      if (problem_.progress && num_mapped_ % 64 == 0)
        problem_.progress(1.0 * num_mapped_ / partners_.num_ranks());
    }
    return embedding();
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

  Embedding embedding() const {
    std::vector<HostId> hosts;
    hosts.reserve(places_.size());
    for (const Place place : places_) hosts.push_back(problem_.allocation.hosts[index(place)]);
    return {std::move(hosts), problem_.allocation};
  }

  const MappingProblem& problem_;
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
};

Embedding map_greedy(const MappingProblem& problem) {
  return Greedy(problem).run();
}

}  // namespace

/// Greedy construction: the heaviest rank first, then always the rank that exchanges most with the
/// mapped ones, onto the free slot closest (in hop-bytes) to its mapped partners. T. Hoefler and M.
/// Snir, "Generic Topology Mapping Strategies for Large-Scale Parallel Architectures" (ICS 2011),
/// with the distance to all mapped partners of R. Glantz, H. Meyerhenke and A. Noe, "Algorithms for
/// Mapping Parallel Processes onto Grid and Torus Architectures" (PDP 2015). O(edges * hosts).
MapperInfo greedy() {
  return {"greedy",
          "most connected rank next, onto the free slot closest to its partners",
          "Hoefler and Snir, ICS 2011",
          map_greedy,
          {}};
}

}  // namespace vtopo::mappers
