#pragma once

#include <memory>
#include <set>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/mapping/state/summed_max.hpp"

namespace vtopo::detail {

class FlowRoutes;

/// Congestion of every link (seconds), kept up to date while flows come and go along their exact
/// routes. Changes since the last `keep` can be undone.
class RouteLoads {
 public:
  /// The network must outlive the loads.
  explicit RouteLoads(const Network& network);
  ~RouteLoads();

  /// Adds a flow of `volume` > 0 between two different hosts, or takes it away.
  void add(HostId from, HostId to, Bytes volume) { change(from, to, volume, true); }
  void remove(HostId from, HostId to, Bytes volume) { change(from, to, volume, false); }

  void keep();
  void undo();

  Seconds max_congestion() const { return {seconds_.max()}; }
  double sum() const { return seconds_.sum(); }
  double sum_of_squares() const { return seconds_.sum_of_squares(); }
  Seconds congestion(LinkId link) const { return {seconds_[index(link)]}; }

  /// The links of flows (flow_routes.hpp).
  FlowRoutes& routes() { return *routes_; }

 private:
  /// Part of a flow on a fatpipe link, where the largest one counts.
  struct Alone {
    LinkId link;
    double volume;
    bool added;
  };

  void change(HostId from, HostId to, Bytes volume, bool add);
  void change_alone(const Alone& part);

  std::unique_ptr<FlowRoutes> routes_;
  std::vector<double> bandwidths_;              ///< bytes per second, one entry per link
  std::vector<bool> alone_;                     ///< fatpipe
  std::vector<std::multiset<double>> volumes_;  ///< on fatpipe links; empty without any
  SummedMax seconds_;
  std::vector<Alone> changes_;
};

}  // namespace vtopo::detail
