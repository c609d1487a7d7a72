#pragma once

#include <optional>

#include "sim/mapping/state/hop_table.hpp"

namespace vtopo::detail {

class RouteLoads;

/// A directed edge of the guest, no self loop, with its ends placed.
struct PlacedEdge {
  Place from{};
  Place to{};
  HostId source{};
  HostId destination{};
  Bytes volume;
  int hops = 0;          ///< 0 inside a host
  double mean_hops = 0;  ///< that its bytes travel; only of edges that travel and have a volume

  bool leaves_host() const { return from != to; }
  bool travels() const { return leaves_host() && volume.value > 0; }
};

/// Value of a measure that is kept up to date while edges come and go. Changes since the last
/// `keep` can be undone.
class MeasureState {
 public:
  virtual ~MeasureState() = default;

  /// Adds an edge (`sign` 1), or takes away one that is there (-1).
  virtual void change(const PlacedEdge& edge, int sign) = 0;
  virtual void keep() = 0;
  virtual void undo() = 0;
  virtual double value() const = 0;

  /// What shows a step in the right direction where a maximum stays as it is: a sum of squares.
  virtual std::optional<double> tie_breaker() const { return std::nullopt; }

  /// The loads of all links, if it knows them; else null.
  virtual RouteLoads* link_loads() { return nullptr; }
};

/// A number that edges add to.
class TotalState : public MeasureState {
 public:
  void keep() override { kept_ = total_; }
  void undo() override { total_ = kept_; }
  double value() const override { return total_; }

 protected:
  double total_ = 0;

 private:
  double kept_ = 0;
};

}  // namespace vtopo::detail
