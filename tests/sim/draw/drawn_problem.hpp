#pragma once

#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "sim/draw/row_pictures.hpp"
#include "sim/evaluation/bounds.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/run/decide.hpp"
#include "topology/guests/guest_topology.hpp"

namespace vtopo {

using namespace vtopo::detail;

/// A guest on a network, and its report with pictures, row by row.
struct DrawnProblem {
  CommGraph guest;
  std::shared_ptr<const Network> network;
  Report report;
  PictureSource source;
  std::vector<Metrics> metrics = {};

  DrawnProblem(const std::string& topology, std::shared_ptr<const Network> built)
      : guest(make_comm_graph(parse_guest_topology(topology), std::vector{Bytes{1000}})),
        network(std::move(built)),
        source(guest, network) {
    report.guest = topology;
    report.network = network->description();
  }
  DrawnProblem(const std::string& topology, const std::string& spec)
      : DrawnProblem(topology, make_network(spec, NetworkDefaults())) {}

  /// A row for rank r on host (r * stride) modulo the hosts.
  void add_row(const std::string& mapper, int stride = 1) {
    std::vector<HostId> hosts;
    for (int r = 0; r < guest.num_ranks(); ++r)
      hosts.push_back(HostId{static_cast<int>(std::int64_t{r} * stride % network->num_hosts())});
    std::vector<HostId> all;
    for (int h = 0; h < network->num_hosts(); ++h) all.push_back(HostId{h});
    const Allocation allocation{all, std::vector<int>(all.size(), 1)};
    const Embedding embedding(hosts, allocation);
    Row row;
    row.mapper = mapper;
    row.ranks = guest.num_ranks();
    row.hosts = network->num_hosts();
    row.metrics = evaluate(guest, *network, embedding);
    metrics.push_back(row.metrics);
    source.add(guest, embedding, row.metrics);
    row.metrics.links.clear();
    report.rows.push_back(std::move(row));
    report.verdict = decide(report);
  }
};

/// How often `part` stands in `text`.
inline int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

}  // namespace vtopo
