#include "netmodels/load_routing/path_balance.hpp"

#include <algorithm>
#include <cstddef>

#include "netmodels/load_routing/path_program.hpp"
#include "netmodels/load_routing/traffic_routed.hpp"

namespace vtopo::detail {

namespace {

class PathBalancing {
 public:
  PathBalancing(const FlowsToBalance& flows, const CheapestRoute& cheapest)
      : flows_(flows), cheapest_(cheapest), moves_(flows.volume.size()) {
    for (std::size_t f = 0; f < flows.volume.size(); ++f) {
      const auto row = flows.start.row(f);
      paths_.push_back({{{row.begin(), row.end()}, 1}});
    }
  }

  PathBalance run() {
    PathBalance result;
    while ((result.gap = look()) > load_balance_gap && result.rounds < path_balance_rounds) {
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

  /// Finds costs and cheapest routes. @returns what could be saved of what flows pay.
  double look() {
    std::vector<double> load(flows_.capacity.size());
    for (std::size_t f = 0; f < paths_.size(); ++f)
      for (const Path& path : paths_[f])
        for (const auto& [link, share] : path.links)
          load[index(link)] += path.volume * share * flows_.volume[f];
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

  /// @returns what the flow pays for each byte.
  double choose(std::size_t f) {
    std::vector<Path>& paths = paths_[f];
    Move& move = moves_[f] = {};
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
    move.to =
        static_cast<std::size_t>(std::find_if(paths.begin(), paths.end(), same) - paths.begin());
    if (move.to == paths.size()) paths.push_back(std::move(found));
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

  void move(double gap) {
    TwoRoutings two;
    two.volume = flows_.volume;
    two.capacity = flows_.capacity;
    std::vector<LinkShare> shares;
    for (std::size_t f = 0; f < paths_.size(); ++f) {
      put_shares(f, shares);
      for (const LinkShare& on : shares) two.first.push(on);
      two.first.end_row();
      const double moved = shift(f, 1);
      put_shares(f, shares);
      for (const LinkShare& on : shares) two.second.push(on);
      two.second.end_row();
      paths_[f][moves_[f].to].volume -= moved;
      paths_[f][moves_[f].from].volume += moved;
    }
    const Balance balance = balance_loads(two, gap);
    for (std::size_t f = 0; f < paths_.size(); ++f) shift(f, balance.second[f]);
  }

  /// @returns what has been moved.
  double shift(std::size_t f, double part) {
    const auto [from, to] = moves_[f];
    const double moved = part * paths_[f][from].volume;
    paths_[f][from].volume -= moved;
    paths_[f][to].volume += moved;
    return moved;
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
};

}  // namespace

PathBalance balance_paths(const FlowsToBalance& flows, const CheapestRoute& cheapest) {
  return PathBalancing(flows, cheapest).run();
}

}  // namespace vtopo::detail
