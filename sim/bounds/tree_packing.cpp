#include "sim/bounds/guest_cuts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <queue>

#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

/// Rank of a tree, the edge to its parent, and how many ranks are on its side of it.
struct Branch {
  int edge;
  int parent;
  Rank rank;
  double below;
};

/// A tree among those that are weighed against each other: a range of branches, the root first.
struct Candidate {
  double weight = 0;
  double reach = 0;
  std::size_t first = 0;
  std::size_t last = 0;
};

class TreePacker {
 public:
  TreePacker(const Partners& partners, const std::vector<double>& reach, int stride)
      : partners_(partners), reach_(reach), stride_(stride) {
    number_edges();
    distance_.assign(index(partners.num_ranks()), infinity);
    load_.assign(volume_.size(), 0);
    for (const double volume : volume_) length_.push_back(1 / volume);
  }

  TreePacking pack() {
    for (int round = 0; round < max_rounds && work_ < max_work; ++round) {
      for (int r = round % stride_; r < partners_.num_ranks(); r += stride_) grow(Rank{r});
      if (trees_.empty()) return {};
      set_lengths();
      for (int pass = 0; pass < balancing_passes; ++pass) {
        balance();
        set_lengths();
      }
    }
    scale();
    fill();
    return result();
  }

 private:
  /// Partners are ascending, so the edges from a rank to higher ones are met in their order.
  void number_edges() {
    const int ranks = partners_.num_ranks();
    std::vector<std::size_t> next(index(ranks), 0);  // edge to the next higher rank
    offsets_.push_back(0);
    for (int r = 0; r < ranks; ++r) {
      next[index(r)] = volume_.size();
      for (const Partner& partner : partners_.of(Rank{r}))
        if (partner.rank > Rank{r}) volume_.push_back(partner.both().value);
      offsets_.push_back(offsets_.back() + partners_.of(Rank{r}).size());
    }
    for (int r = 0; r < ranks; ++r) {
      std::size_t own = next[index(r)];
      for (const Partner& partner : partners_.of(Rank{r}))
        edge_of_.push_back(
            narrow<int>(partner.rank > Rank{r} ? own++ : next[index(partner.rank)]++));
    }
  }

  struct Entry {
    double distance;
    Rank rank;
    int parent;
    int edge;
    bool operator>(const Entry& other) const { return distance > other.distance; }
  };
  using Queue = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

  void relax(const Entry& here, int position, Queue& queue, std::vector<Rank>& touched) {
    const auto row = partners_.of(here.rank);
    work_ += static_cast<double>(row.size());
    for (std::size_t k = 0; k < row.size(); ++k) {
      const int edge = edge_of_[offsets_[index(here.rank)] + k];
      const double distance = here.distance + length_[index(edge)];
      double& known = distance_[index(row[k].rank)];
      if (distance >= known) continue;
      if (known == infinity) touched.push_back(row[k].rank);
      known = distance;
      queue.push({distance, row[k].rank, position, edge});
    }
  }

  /// The nearest ranks around a root by Dijkstra's search, so many that their distances cost least
  /// for what they reach.
  void grow(Rank root) {
    Queue queue;
    std::vector<Rank> touched{root};
    std::vector<Branch> branches{{-1, 0, root, 0}};
    distance_[index(root)] = 0;
    double sum = 0, best = infinity;
    std::size_t best_size = 0;
    relax({0, root, 0, -1}, 0, queue, touched);
    while (!queue.empty() && branches.size() < reach_.size()) {
      const Entry here = queue.top();
      queue.pop();
      if (here.distance > distance_[index(here.rank)]) continue;
      const std::size_t position = branches.size();
      branches.push_back({here.edge, here.parent, here.rank, 1});
      sum += here.distance;
      const double cost = reach_[position] > 0 ? sum / reach_[position] : infinity;
      if (cost < best) {
        best = cost;
        best_size = branches.size();
      } else if (cost > worse_than_best * best) {
        break;
      }
      relax(here, narrow<int>(position), queue, touched);
    }
    for (const Rank rank : touched) distance_[index(rank)] = infinity;
    branches.resize(best_size);
    if (best_size > 0) add(branches);
  }

  void add(std::vector<Branch>& branches) {
    double most = infinity;
    for (std::size_t b = branches.size(); b-- > 1;) {
      branches[index(branches[b].parent)].below += branches[b].below;
      most = std::min(most, volume_[index(branches[b].edge)] / branches[b].below);
    }
    const std::size_t first = branches_.size();
    branches_.insert(branches_.end(), branches.begin(), branches.end());
    trees_.push_back({share_of_new * most, reach_[branches.size() - 1], first, branches_.size()});
  }

  template <class F>
  void each_edge(const Candidate& tree, F&& call) const {
    for (std::size_t b = tree.first + 1; b < tree.last; ++b)
      call(index(branches_[b].edge), branches_[b].below);
  }

  void sum_loads() {
    std::fill(load_.begin(), load_.end(), 0);
    for (const Candidate& tree : trees_)
      each_edge(tree, [&](std::size_t e, double below) { load_[e] += tree.weight * below; });
  }

  /// Gradient of the sum of powers of loads over volumes.
  void set_lengths() {
    sum_loads();
    double most = 0;
    for (std::size_t e = 0; e < load_.size(); ++e) most = std::max(most, load_[e] / volume_[e]);
    for (std::size_t e = 0; e < load_.size(); ++e)
      length_[e] = std::pow(std::max(load_[e] / volume_[e] / most, least_load), power) / volume_[e];
  }

  /// Trees that cost less than others for what they reach get more weight.
  void balance() {
    work_ += static_cast<double>(branches_.size());
    double cost_of_all = 0, reach_of_all = 0;
    std::vector<double> costs;
    for (const Candidate& tree : trees_) {
      double cost = 0;
      each_edge(tree, [&](std::size_t e, double below) { cost += below * length_[e]; });
      costs.push_back(cost);
      cost_of_all += cost * tree.weight;
      reach_of_all += tree.reach * tree.weight;
    }
    for (std::size_t t = 0; t < trees_.size(); ++t) {
      const double gain = trees_[t].reach / costs[t] * cost_of_all / reach_of_all;
      trees_[t].weight *= std::pow(std::clamp(gain, 0.01, 100.0), step);
    }
  }

  /// No edge gives more than its volume: each tree gives way to what its fullest edge demands.
  void scale() {
    sum_loads();
    for (Candidate& tree : trees_) {
      double most = 0;
      each_edge(tree, [&](std::size_t e, double) { most = std::max(most, load_[e] / volume_[e]); });
      tree.weight /= most;
    }
    sum_loads();
  }

  /// What is left goes to the trees in turn.
  void fill() {
    for (Candidate& tree : trees_) {
      double room = infinity;
      each_edge(tree, [&](std::size_t e, double below) {
        room = std::min(room, (volume_[e] - load_[e]) / below);
      });
      if (room <= 0) continue;
      tree.weight += room;
      each_edge(tree, [&](std::size_t e, double below) { load_[e] += room * below; });
    }
  }

  TreePacking result() const {
    TreePacking packing;
    for (const Candidate& tree : trees_) {
      packing.value += tree.weight * tree.reach;
      packing.trees.push_back({tree.weight, {}});
      for (std::size_t b = tree.first; b < tree.last; ++b)
        packing.trees.back().steps.push_back({branches_[b].rank, branches_[b].parent});
    }
    packing.value *= 1 - rounding;
    return packing;
  }

  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double rounding = 1e-11;  ///< of sums of loads, far above theirs
  // Chosen by experiment on random and recorded guests: more rounds gain up to a tenth.
  static constexpr int max_rounds = 40;
  static constexpr double max_work = 1.5e7;  ///< steps along edges: about half a second
  static constexpr int balancing_passes = 3;
  static constexpr double power = 6;         ///< of loads over volumes whose sum is minimised
  static constexpr double least_load = 0.4;  ///< of the largest, below which edges count alike
  static constexpr double step = 0.3;        ///< exponent of a multiplicative change of weights
  static constexpr double worse_than_best = 1.1;  ///< cost per reach at which trees stop growing
  static constexpr double share_of_new = 0.1;     ///< of the most that a new tree could take

  const Partners& partners_;
  const std::vector<double>& reach_;
  int stride_;                        ///< one in so many ranks is a root, others in each round
  std::vector<std::size_t> offsets_;  ///< of the partners of each rank
  std::vector<int> edge_of_;          ///< one entry per rank and partner
  std::vector<double> volume_;        ///< one entry per edge, as the next two
  std::vector<double> load_;          ///< what the trees take
  std::vector<double> length_;
  std::vector<double> distance_;  ///< one entry per rank, infinite outside of a search
  std::vector<Candidate> trees_;
  std::vector<Branch> branches_;
  double work_ = 0;
};

}  // namespace

TreePacking pack_trees(const Partners& partners, const std::vector<double>& reach) {
  double partners_of_all = 0;
  for (int r = 0; r < partners.num_ranks(); ++r)
    partners_of_all += static_cast<double>(partners.of(Rank{r}).size());
  const double steps = partners_of_all * static_cast<double>(reach.size());
  // Of dense guests and large sets a round from all ranks would take too long.
  constexpr double max_steps = 4e7, steps_from_some = 2e6;
  const double stride = steps > max_steps ? std::ceil(steps / steps_from_some) : 1;
  constexpr int min_roots = 4;
  if (partners_of_all == 0 || stride * min_roots > partners.num_ranks()) return {};
  return TreePacker(partners, reach, static_cast<int>(stride)).pack();
}

}  // namespace vtopo::detail
