#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "netmodels/machines/machine_file.hpp"
#include "netmodels/machines/platform_files.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/clock/simulate.hpp"
#include "topology/base/random.hpp"

namespace vtopo {

using namespace vtopo::detail;

/// A random problem for the simulators.
struct RandomPhase {
  std::string network_text;
  std::shared_ptr<const Network> network;
  CommGraph guest;
  Embedding embedding;
};

/// Draws networks of every kind, those in platform files where their library is linked, guests with
/// any number of flows per rank, volumes that are equal, of few sizes or all different, and one
/// rank or several per host; equal seeds, equal phases.
class PhaseDraw {
 public:
  /// @param folder for platform files.
  PhaseDraw(std::uint64_t seed, std::string folder)
      : random_(seed * 977 + 5), seed_(seed), folder_(std::move(folder)) {}

  RandomPhase phase() {
    std::string text;
    auto network = drawn_network(text);
    const int hosts = network->num_hosts(), slots = 1 + below(2) * below(3);
    const int num_ranks = std::max(2, below(hosts * slots) + 1);
    const int edges = num_ranks * (1 + below(6));
    Allocation allocation;
    for (int h = 0; h < hosts; ++h) {
      allocation.hosts.push_back(HostId{h});
      allocation.slots.push_back(std::max(slots, 2));
    }
    std::vector<HostId> places = slot_hosts(allocation);
    shuffle(std::span(places), random_);
    places.resize(static_cast<std::size_t>(num_ranks));
    return {text, network, drawn_guest(num_ranks, edges), Embedding(places, allocation)};
  }

 private:
  int below(int bound) {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound)));
  }

  std::shared_ptr<const Network> drawn_network(std::string& text) {
    const auto make = [&](std::string spec) {
      text = std::move(spec);
      return make_network(text, {.bandwidth = {1e9}, .latency = {below(2) * 1e-6}},
                          {Routing::automatic});
    };
    const auto n = [&](int most) { return 1 + below(most); };
    constexpr int modelled = 4;
    switch (below(&vtopo_platform_files == nullptr ? modelled : 6)) {
      case 0:
        return make(fmt::format("torus:{}x{}x{}", 1 + n(4), 1 + n(4), 1 + n(3)));
      case 1:
        return make(
            fmt::format("torus:{}mx{},bandwidth=1GBps/{}MBps", 1 + n(5), 1 + n(5), 100 * n(30)));
      case 2:
        return make(fmt::format("fat-tree:2;{},{};1,{};1,{}", 1 + n(5), 1 + n(5), n(3), n(2)));
      case 3:
        return make(fmt::format("dragonfly:{},1;{},1;{},{};{}", n(4), n(2), 1 + n(3), n(2), n(3)));
      case 4:
        return platform(cluster(), "cluster", text);
      default:
        return platform(any_routes(), "any-routes", text);
    }
  }

  std::shared_ptr<const Network> platform(const std::string& body, const char* kind,
                                          std::string& text) {
    text = fmt::format("{}/random-phase-{}-{}.xml", folder_, kind, seed_);
    std::ofstream(text) << "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
                           "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
                        << body << "</platform>\n";
    return load_machine(text, {});
  }

  std::string cluster() {
    return fmt::format(
        "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-{}\" speed=\"1Gf\" bw=\"{}MBps\" "
        "lat=\"{}us\" bb_bw=\"{}MBps\" bb_lat=\"1us\" sharing_policy=\"{}\" "
        "bb_sharing_policy=\"{}\" limiter_link=\"{}MBps\" loopback_bw=\"1GBps\" "
        "loopback_lat=\"0\"/>\n",
        2 + below(20), 100 + below(900), below(3), 200 + below(3000),
        below(2) == 0 ? "SHARED" : "SPLITDUPLEX", below(2) == 0 ? "SHARED" : "FATPIPE",
        100 + below(900));
  }

  /// Any pair of hosts has one to four of the links as its route.
  std::string any_routes() {
    const int hosts = 3 + below(6), links = 4 + below(8);
    std::string body = "<zone id=\"z\" routing=\"Full\">\n";
    for (int h = 0; h < hosts; ++h) body += fmt::format("<host id=\"h{}\" speed=\"1Gf\"/>\n", h);
    for (int l = 0; l < links; ++l)
      body += fmt::format(
          "<link id=\"l{}\" bandwidth=\"{}MBps\" latency=\"{}us\" sharing_policy=\"{}\"/>\n", l,
          50 + below(1000), below(5), below(3) == 0 ? "FATPIPE" : "SHARED");
    for (int a = 0; a < hosts; ++a)
      for (int b = a + 1; b < hosts; ++b) body += route(a, b, links);
    return body + "</zone>\n";
  }

  std::string route(int a, int b, int links) {
    std::vector<int> all;
    for (int l = 0; l < links; ++l) all.push_back(l);
    shuffle(std::span(all), random_);
    std::string text = fmt::format("<route src=\"h{}\" dst=\"h{}\">", a, b);
    const int length = 1 + below(4);
    for (int i = 0; i < length; ++i)
      text += fmt::format("<link_ctn id=\"l{}\"/>", all[static_cast<std::size_t>(i)]);
    return text + "</route>\n";
  }

  CommGraph drawn_guest(int num_ranks, int num_edges) {
    const int sizes = below(3);
    std::vector<DirectedEdge> edges;
    for (int e = 0; e < num_edges; ++e) {
      const double volume = sizes == 0   ? 1e6
                            : sizes == 1 ? 1e5 * (1 + below(4))
                                         : 1e4 + below(1'000'000);
      edges.push_back({Rank{below(num_ranks)}, Rank{below(num_ranks)}, {volume}});
    }
    return CommGraph(num_ranks, edges);
  }

  Random random_;
  std::uint64_t seed_;
  std::string folder_;
};

/// Finish times of all flows of a phase by one solver.
inline std::vector<Seconds> flow_times(const RandomPhase& phase, Solver solver) {
  SimulationOptions options;
  options.solver = solver;
  return simulate(phase.guest, *phase.network, phase.embedding, options).flow_finish;
}

/// Largest relative difference of two lists of times; infinity if their lengths differ.
inline double deviation(const std::vector<Seconds>& times, const std::vector<Seconds>& others) {
  if (times.size() != others.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = 0; i < times.size(); ++i)
    largest = std::max(largest, std::abs(times[i].value - others[i].value) / others[i].value);
  return largest;
}

}  // namespace vtopo
