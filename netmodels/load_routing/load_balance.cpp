#include "netmodels/load_routing/load_balance.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "netmodels/load_routing/legs.hpp"
#include "netmodels/load_routing/traffic_routed.hpp"

namespace vtopo::detail {

namespace {

using Numbers = std::vector<double>;

double dot(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// value^load_balance_steepness
double steep(double value) {
  double power = value;
  for (int exponent = 1; exponent < load_balance_steepness; exponent *= 2) power *= power;
  return power;
}
static_assert(load_balance_steepness == 32, "a power of two for `steep`");

/// The convex function: logarithm of the (steepness + 1)-norm of the congestion of all links, each
/// weighted by its capacity; its derivatives by loads are the costs of links, up to a factor.
class Potential {
 public:
  explicit Potential(const Numbers& capacity) : capacity_(capacity) {}

  double value(const Numbers& load) const {
    const double largest = largest_of(load);
    return std::log(largest) + std::log(sum_of(load, largest)) / (load_balance_steepness + 1);
  }

  /// Derivative by the load of each link.
  Numbers costs(const Numbers& load) const {
    const double largest = largest_of(load);
    if (largest == 0) return Numbers(load.size());
    const double scale = 1 / (largest * sum_of(load, largest));
    Numbers cost(load.size());
    for (std::size_t l = 0; l < load.size(); ++l)
      if (counts(l)) cost[l] = steep(congestion(load, l) / largest) * scale;
    return cost;
  }

 private:
  bool counts(std::size_t l) const { return std::isfinite(capacity_[l]); }
  double congestion(const Numbers& load, std::size_t l) const {
    return std::max(0.0, load[l]) / capacity_[l];
  }
  double largest_of(const Numbers& load) const {
    double largest = 0;
    for (std::size_t l = 0; l < load.size(); ++l)
      if (counts(l)) largest = std::max(largest, congestion(load, l));
    return largest;
  }
  double sum_of(const Numbers& load, double largest) const {
    double sum = 0;
    for (std::size_t l = 0; l < load.size(); ++l) {
      if (!counts(l)) continue;
      const double relative = congestion(load, l) / largest;
      sum += capacity_[l] * steep(relative) * relative;
    }
    return sum;
  }

  const Numbers& capacity_;
};

/// The flows and where they are on the way to the fixed point.
class Balancing {
 public:
  Balancing(const TwoRoutings& flows, double gap)
      : flows_(flows), wanted_(gap), potential_(flows.capacity), second_(flows.volume.size(), 0.0) {
    load_ = flows.other_load;
    load_.resize(flows.capacity.size());
    for (std::size_t f = 0; f < second_.size(); ++f)
      for (const auto& [link, share] : flows.first.row(f))
        load_[index(link)] += share * flows.volume[f];
    for (std::size_t f = 0; f < second_.size(); ++f) {
      for (const auto& [link, share] : flows.first.row(f)) push(link, -share);
      for (const auto& [link, share] : flows.second.row(f)) push(link, share);
      changes_.end_row();
    }
  }

  Balance run() {
    Balance result;
    look();
    double step = 1 / std::max(largest_slope(), 1e-300);
    while (gap_ > wanted_ && result.steps < load_balance_steps) {
      ++result.steps;
      const Numbers before = derivative_;
      const Numbers moved = move(step);
      if (moved.empty()) break;
      look();
      double square = 0, curve = 0;
      for (std::size_t f = 0; f < moved.size(); ++f) {
        square += flows_.volume[f] * moved[f] * moved[f];
        curve += moved[f] * (derivative_[f] - before[f]);
      }
      step = curve > 0 ? std::clamp(square / curve, 1e-12, 1e12) : step * 4;
    }
    result.gap = gap_;
    result.second = std::move(second_);
    return result;
  }

 private:
  /// Derivatives and gap at the loads of now.
  void look() {
    const Numbers cost = potential_.costs(load_);
    derivative_.resize(second_.size());
    const double spent = dot(load_, cost);
    double saved = 0;
    for (std::size_t f = 0; f < second_.size(); ++f) {
      double sum = 0;
      for (const auto& [link, share] : changes_.row(f)) sum += share * cost[index(link)];
      derivative_[f] = flows_.volume[f] * sum;
      saved += std::max(second_[f] * derivative_[f], (second_[f] - 1) * derivative_[f]);
    }
    gap_ = spent > 0 ? saved / spent : 0;
    values_.push_back(potential_.value(load_));
  }

  /// Derivative by a byte: distances count by volume, so that many flows of one kind are as one.
  double slope_of(std::size_t f) const {
    return flows_.volume[f] > 0 ? derivative_[f] / flows_.volume[f] : 0;
  }

  double largest_slope() const {
    double largest = 0;
    for (std::size_t f = 0; f < derivative_.size(); ++f)
      largest = std::max(largest, std::abs(slope_of(f)));
    return largest;
  }

  /// Moves along the projected gradient, by half as far until the potential falls enough against
  /// the last ten. @returns by how much each flow moved; empty if nothing helps.
  Numbers move(double step) {
    constexpr double enough = 1e-4;
    Numbers direction(second_.size());
    for (std::size_t f = 0; f < second_.size(); ++f)
      direction[f] = std::clamp(second_[f] - step * slope_of(f), 0.0, 1.0) - second_[f];
    const double slope = dot(direction, derivative_);
    if (slope >= 0) return {};
    const Numbers by = load_of(direction);
    const std::size_t recent = std::min<std::size_t>(values_.size(), 10);
    const double limit =
        *std::max_element(values_.end() - static_cast<std::ptrdiff_t>(recent), values_.end());
    Numbers load(load_.size());
    for (int halvings = 0; halvings < 40; ++halvings) {
      const double part = std::ldexp(1.0, -halvings);
      for (std::size_t l = 0; l < load.size(); ++l) load[l] = load_[l] + part * by[l];
      if (potential_.value(load) > limit + enough * part * slope) continue;
      load_.swap(load);
      for (std::size_t f = 0; f < direction.size(); ++f) {
        direction[f] *= part;
        second_[f] = std::clamp(second_[f] + direction[f], 0.0, 1.0);
      }
      return direction;
    }
    return {};
  }

  Numbers load_of(const Numbers& direction) const {
    Numbers by(load_.size());
    for (std::size_t f = 0; f < direction.size(); ++f) {
      const double moved = direction[f] * flows_.volume[f];
      if (moved == 0) continue;
      for (const auto& [link, share] : changes_.row(f)) by[index(link)] += share * moved;
    }
    return by;
  }

  void push(LinkId link, double share) {
    if (std::isfinite(flows_.capacity[index(link)])) changes_.push({link, share});
  }

  const TwoRoutings& flows_;
  CompressedRows<LinkShare> changes_;  ///< a row per flow: what it adds to links by changing
  double wanted_;
  Potential potential_;
  Numbers second_, load_, derivative_;
  Numbers values_;  ///< of the potential, step by step
  double gap_ = 0;
};

class PathBalancing {
 public:
  PathBalancing(const FlowsToBalance& flows, const CheapestRoute& cheapest)
      : flows_(flows), cheapest_(cheapest), moves_(flows.volume.size()) {
    for (std::size_t f = 0; f < flows.volume.size(); ++f) {
      const auto row = flows.start.row(f);
      paths_.push_back({{{row.begin(), row.end()}, 1}});
    }
    if (static_cast<double>(flows.start.num_entries()) > long_path_balance / 20)
      begin_with_routes();
  }

  PathBalance run() {
    PathBalance result;
    while ((result.gap = look()) > wanted() && result.rounds < path_balance_rounds) {
      ++result.rounds;
      move(result.gap / inner_);
    }
    std::vector<LinkShare> shares;
    for (std::size_t f = 0; f < paths_.size(); ++f) {
      put_shares(f, shares);
      for (const LinkShare& on : shares) result.shares.push(on);
      result.shares.end_row();
    }
    return result;
  }

 private:
  static constexpr double inner_ = 50;  ///< a round goes so much further than flows are now

  /// Volumes are parts of the flow here.
  using Path = LoadedPath;

  /// From the path that costs the flow most in all to the cheapest one there is.
  struct Move {
    std::size_t from = 0, to = 0;
  };

  /// Flows over so many links that steps would take long: an eighth after the other of each goes to
  /// the cheapest route of its own, with costs at the loads of then.
  void begin_with_routes() {
    constexpr std::size_t parts = 8, turns = 16;
    std::vector<double> load(flows_.capacity.size());
    for (std::size_t f = 0; f < paths_.size(); ++f) add_load(f, paths_[f][0], 1, load);
    for (std::size_t part = 0; part < parts; ++part)
      for (std::size_t turn = 0; turn < turns; ++turn) {
        costs_ = link_costs(flows_.capacity, load);
        for (std::size_t f = turn; f < paths_.size(); f += turns) {
          add_load(f, paths_[f][0], -1.0 / parts, load);
          const std::size_t to = cheapest_path(f);
          paths_[f][0].volume -= 1.0 / parts;
          paths_[f][to].volume += 1.0 / parts;
          add_load(f, paths_[f][to], 1.0 / parts, load);
        }
      }
  }

  /// What flows may still save.
  double wanted() const {
    return looked_at_ < long_path_balance ? load_balance_gap : long_path_balance_gap;
  }

  /// Finds costs and cheapest routes. @returns what could be saved of what flows pay.
  double look() {
    std::vector<double> load(flows_.capacity.size());
    for (std::size_t f = 0; f < paths_.size(); ++f)
      for (const Path& path : paths_[f]) add_load(f, path, path.volume, load);
    costs_ = link_costs(flows_.capacity, load);
    double spent = 0, saved = 0;
    for (std::size_t f = 0; f < paths_.size(); ++f) {
      std::erase_if(paths_[f], [](const Path& path) { return path.volume <= 0; });
      const double pays = choose(f);
      spent += flows_.volume[f] * pays;
      saved += flows_.volume[f] * (pays - cost(paths_[f][moves_[f].to]));
    }
    return spent > 0 ? saved / spent : 0;
  }

  double cost(const Path& path) const {
    double sum = 0;
    for (const auto& [link, share] : path.links) sum += share * costs_[index(link)];
    return sum;
  }

  /// Which of its paths is the cheapest route of a flow, added if it is none of them.
  std::size_t cheapest_path(std::size_t f) {
    std::vector<Path>& paths = paths_[f];
    Path found;
    links_.clear();
    cheapest_(f, costs_, links_);
    for (const LinkId link : links_) found.links.push_back({link, 1});
    const auto same = [&](const Path& path) {
      return std::equal(path.links.begin(), path.links.end(), found.links.begin(),
                        found.links.end(), [](const LinkShare& a, const LinkShare& b) {
                          return a.link == b.link && a.share == b.share;
                        });
    };
    const auto place = std::find_if(paths.begin(), paths.end(), same) - paths.begin();
    if (place == std::ssize(paths)) paths.push_back(std::move(found));
    return static_cast<std::size_t>(place);
  }

  /// @returns what the flow pays for each byte.
  double choose(std::size_t f) {
    Move& move = moves_[f] = {};
    move.to = cheapest_path(f);
    const std::vector<Path>& paths = paths_[f];
    const double least = cost(paths[move.to]);
    double pays = 0, most = -1;
    for (std::size_t p = 0; p < paths.size(); ++p) {
      const double costs = cost(paths[p]), excess = paths[p].volume * (costs - least);
      pays += paths[p].volume * costs;
      if (excess > most) move.from = p;
      most = std::max(most, excess);
    }
    return pays;
  }

  /// Balances what each flow has on the path of its move against the cheapest one.
  void move(double gap) {
    TwoRoutings two;
    two.capacity = flows_.capacity;
    two.other_load.resize(two.capacity.size());
    for (std::size_t f = 0; f < paths_.size(); ++f) {
      const auto [from, to] = moves_[f];
      two.volume.push_back(flows_.volume[f] * paths_[f][from].volume);
      for (std::size_t p = 0; p < paths_[f].size(); ++p)
        if (p != from || from == to) add_load(f, paths_[f][p], paths_[f][p].volume, two.other_load);
      if (from != to) {
        for (const LinkShare& on : paths_[f][from].links) two.first.push(on);
        for (const LinkShare& on : paths_[f][to].links) two.second.push(on);
      }
      two.first.end_row();
      two.second.end_row();
    }
    const Balance balance = balance_loads(two, gap);
    looked_at_ += static_cast<double>(two.first.num_entries() + two.second.num_entries()) *
                  (balance.steps + 1);
    for (std::size_t f = 0; f < paths_.size(); ++f) shift(f, balance.second[f]);
  }

  void shift(std::size_t f, double part) {
    const auto [from, to] = moves_[f];
    const double moved = part * paths_[f][from].volume;
    paths_[f][from].volume -= moved;
    paths_[f][to].volume += moved;
  }

  /// @param part of the flow that is on the path.
  void add_load(std::size_t f, const Path& path, double part, std::vector<double>& load) const {
    for (const auto& [link, share] : path.links)
      load[index(link)] += part * share * flows_.volume[f];
  }

  void put_shares(std::size_t f, std::vector<LinkShare>& shares) const {
    shares.clear();
    std::size_t used = 0;
    for (const Path& path : paths_[f]) {
      if (path.volume <= 0) continue;
      ++used;
      for (const auto& [link, share] : path.links) shares.push_back({link, share * path.volume});
    }
    if (used > 1) join_entries(shares, 0);
  }

  const FlowsToBalance& flows_;
  const CheapestRoute& cheapest_;
  std::vector<std::vector<Path>> paths_;  ///< of each flow
  std::vector<Move> moves_;               ///< of each flow
  std::vector<double> costs_;
  std::vector<LinkId> links_;
  double looked_at_ = 0;  ///< links of flows
};

}  // namespace

Balance balance_loads(const TwoRoutings& flows, double gap) {
  return Balancing(flows, gap).run();
}

std::vector<double> link_costs(const std::vector<double>& capacity,
                               const std::vector<double>& load) {
  return Potential(capacity).costs(load);
}

PathBalance balance_paths(const FlowsToBalance& flows, const CheapestRoute& cheapest) {
  return PathBalancing(flows, cheapest).run();
}

}  // namespace vtopo::detail
