#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/mapping/state/measure_state.hpp"

namespace vtopo::detail {

/// The links of flows between hosts, as fast as a search over embeddings asks for them: computed
/// where the network is fast at that; else routes of small networks are kept from the first
/// question on, and on large ones every question goes to the network.
class FlowRoutes {
 public:
  /// The network must outlive the routes.
  explicit FlowRoutes(const Network& network);

  /// Calls `visit(LinkId, double share)` for every link of a flow between two different hosts, in
  /// the order of travel where there is one route.
  template <class Visit>
  void for_each_link(HostId from, HostId to, Visit visit) {
    if (computes_runs_)
      visit_runs(from, to, visit);
    else
      for (const LinkShare& part : links_of(from, to)) visit(part.link, part.share);
  }

 private:
  template <class Visit>
  void visit_runs(HostId from, HostId to, Visit& visit) {
    runs_.clear();
    network_.append_runs(from, to, runs_);
    for (const LinkRun& run : runs_)
      for (int i = 0; i < run.count; ++i)
        visit(LinkId{number(run.first) + i * run.step}, run.share);
  }

  /// Valid until the next call.
  std::span<const LinkShare> links_of(HostId from, HostId to);
  void append(HostId from, HostId to, std::vector<LinkShare>& links);

  /// Part of `pool_`; `last` is 0 where the route is not known yet.
  struct Kept {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };

  const Network& network_;
  bool computes_runs_;
  std::vector<LinkRun> runs_;
  std::vector<Kept> kept_;  ///< of every ordered pair of hosts; empty on large networks
  std::vector<LinkShare> pool_;
  std::vector<LinkShare> asked_;
  std::vector<LinkId> route_;
};

/// Congestion of every link (seconds), kept up to date while flows come and go along their exact
/// routes. Changes since the last `keep` can be undone.
class RouteLoads {
 public:
  /// The network must outlive the loads.
  explicit RouteLoads(const Network& network);

  /// Adds a flow of `volume` > 0 between two different hosts, or takes it away.
  void change(HostId from, HostId to, Bytes volume, bool add);

  void keep();
  void undo();

  Seconds max_congestion() const { return {seconds_.max()}; }
  double sum() const { return seconds_.sum(); }
  double sum_of_squares() const { return seconds_.sum_of_squares(); }
  Seconds congestion(LinkId link) const { return {seconds_[index(link)]}; }

  /// The links of flows.
  FlowRoutes& routes() { return routes_; }

 private:
  /// Part of a flow on a fatpipe link, where the largest one counts.
  struct Alone {
    LinkId link;
    double volume;
    bool added;
  };

  void change_alone(const Alone& part);

  FlowRoutes routes_;
  std::vector<double> bandwidths_;              ///< bytes per second, one entry per link
  std::vector<bool> alone_;                     ///< fatpipe
  std::vector<std::multiset<double>> volumes_;  ///< on fatpipe links; empty without any
  SummedMax seconds_;
  std::vector<Alone> changes_;
};

}  // namespace vtopo::detail
