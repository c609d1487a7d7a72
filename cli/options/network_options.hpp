#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/limit_options.hpp"
#include "cli/options/verb.hpp"
#include "netmodels/network.hpp"

namespace vtopo {

/// Which interconnect: options of every verb that looks at one, as typed.
struct NetworkOptions {
  std::string network;
  std::string bandwidth = "10GBps";
  std::string latency = "100ns";
  std::string platform;
  std::string platform_format;  ///< empty: told by the file
  std::string taper = "1";      ///< of Slurm's trees, which say nothing about cables
  bool simgrid_compatible = false;
  std::string routing = "simgrid";
  std::vector<std::string> fail_links;
  std::vector<std::string> fail_hosts;
  std::vector<std::string> scale_bandwidth;  ///< PATTERN=FACTOR each
  LimitOptions limits;
};

/// Adds the options but those of limits, with help, in groups of their own.
void add_network_options(Verb& verb, NetworkOptions& options);

/// Option and value of everything that reproduces the network, in the order of `--help`; options
/// that were given several times appear as often.
std::vector<std::pair<std::string, std::string>> described(const NetworkOptions& options);

/// A network with its edits.
struct LoadedNetwork {
  std::shared_ptr<const Network> network;
  std::string text;  ///< for people: `torus:8x8 at 10 GB/s and 100 ns per link, 1 link failed`
  bool edited = false;
  std::vector<bool> failed_links;  ///< one entry per link; empty if all work
};

/// @throws UsageError for missing options and a routing rule that the network does not offer, and
/// whatever models, readers and edits throw.
LoadedNetwork load_network(const NetworkOptions& options);

}  // namespace vtopo
