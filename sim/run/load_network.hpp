#pragma once

#include <memory>
#include <string>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/run/observer.hpp"
#include "sim/scenario/scenario.hpp"

namespace vtopo {

/// A network with its edits.
struct LoadedNetwork {
  std::shared_ptr<const Network> network;  ///< never null
  /// As it was named: `torus:8x8 at 10 GB/s and 100 ns per link, 1 link failed`.
  std::string text;
  std::string model;    ///< the same in full, with the specification that a file amounts to
  bool edited = false;  ///< whether links or hosts failed or bandwidths were scaled
  std::vector<bool> failed_links;  ///< one entry per link; empty if all work
  double noise = 0;                ///< of the machine, as `Report::noise`
  EndpointCosts endpoint = {};     ///< of messages: by the scenario, else by the platform file
  std::vector<std::string> assumptions = {};  ///< that the platform file states
  bool knows_host_names = true;  ///< false where a machine's file does not know the names of its nodes
};

namespace detail {

struct NetworkSource;

/// The interconnect of a source.
/// @throws UsageError for a routing rule that the network does not offer, and whatever models,
/// readers and edits throw.
LoadedNetwork load_network(const NetworkSource& source, Observer& observer);

}  // namespace detail

/// The interconnect of a scenario.
/// @throws UsageError for missing options, and as above.
LoadedNetwork load_network(const Scenario& scenario, Observer& observer);

}  // namespace vtopo
