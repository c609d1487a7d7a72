#pragma once

#include <string>
#include <vector>

#include "sim/clock/simulate.hpp"

namespace vtopo {

/// A flow between two hosts.
struct HandFlow {
  int source = 0;
  int destination = 0;
  double gigabytes = 1;  ///< of 1e9 bytes
};

/// Flows that start together, small enough to say by hand when each ends. Links carry 1 GB/s each
/// unless the network says otherwise.
struct HandCase {
  std::string name;
  std::string network;  ///< specification, or the body of a platform file if it begins with '<'
  std::string shown;    ///< instead of the body of a platform file; empty: `network`
  std::vector<HandFlow> flows;
  std::string calculation;
  std::vector<double> seconds;  ///< one per flow, as calculated
  Seconds latency{};            ///< of every link
  NetworkModel model = NetworkModel::cm02;
  BytesPerSecond loopback{1e9};
};

/// All of them, from one flow on one link to machines with tapered and global links.
std::vector<HandCase> hand_cases();

}  // namespace vtopo
