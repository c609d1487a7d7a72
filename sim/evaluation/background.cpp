#include "sim/evaluation/background.hpp"

#include <algorithm>
#include <map>

#include "netmodels/host_names.hpp"
#include "topology/base/csv_columns.hpp"
#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

using namespace detail;

namespace {

class HostFlowReader {
 public:
  HostFlowReader(const std::string& path, const Network& network)
      : network_(network), file_(path), names_(network) {}

  std::vector<HostFlow> read() {
    constexpr std::string_view accepted = "src_host,dst_host,bytes";
    CsvTable table(file_, accepted);
    const auto source = table.column("srchost sourcehost fromhost srcnode sourcenode fromnode");
    const auto destination = table.column(
        "dsthost desthost destinationhost targethost tohost dstnode destnode "
        "destinationnode targetnode tonode");
    const auto volume = table.column("bytes volume size traffic", volume_affixes);
    table.need({source, destination, volume}, accepted);
    std::vector<HostFlow> flows;
    while (table.next()) flows.push_back(flow(table[*source], table[*destination], table[*volume]));
    return flows;
  }

 private:
  HostFlow flow(const Token& source, const Token& destination, const Token& volume) const {
    const HostFlow flow{host(source), host(destination),
                        Bytes{read_number(file_, volume, "volume")}};
    if (flow.source == flow.destination)
      throw input_error(file_.at(destination.column),
                        fmt::format("a flow from host \"{}\" to itself takes no link",
                                    network_.host_name(flow.source)));
    return flow;
  }

  HostId host(const Token& token) const {
    auto found = names_.find(token.text);
    const auto as_number = parse_integer(token.text);
    if (!found && as_number && *as_number >= 0 && *as_number < network_.num_hosts())
      found = HostId{narrow<int>(*as_number)};
    if (!found)
      throw input_error(file_.at(token.column),
                        fmt::format("unknown host \"{}\": {}", token.text,
                                    names_.accepted(token.text, " and numbers from 0")));
    if (!network_.is_up(*found))
      throw input_error(file_.at(token.column), fmt::format("host \"{}\" is down", token.text));
    return *found;
  }

  const Network& network_;
  LineFile file_;
  HostNames names_;
};

/// Appends the edges of a guest whose rank 0 has the number `first`.
void append_edges(const CommGraph& guest, int first, std::vector<DirectedEdge>& edges) {
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    edges.push_back({Rank{first + number(source)}, Rank{first + number(edge.destination)},
                     edge.volume, edge.messages});
  });
}

}  // namespace

std::vector<HostFlow> read_host_flows(const std::string& path, const Network& network) {
  return HostFlowReader(path, network).read();
}

PlacedTraffic placed_traffic(std::span<const HostFlow> flows) {
  std::map<HostId, Rank> ranks;
  std::vector<HostId> hosts;
  const auto rank_on = [&](HostId host) {
    const auto [at, is_new] = ranks.emplace(host, Rank{int_size(hosts)});
    if (is_new) hosts.push_back(host);
    return at->second;
  };
  std::vector<DirectedEdge> edges;
  for (const HostFlow& flow : flows) {
    const Rank source = rank_on(flow.source);
    edges.push_back({source, rank_on(flow.destination), flow.volume});
  }
  return {CommGraph(int_size(hosts), edges), embedding_on(hosts)};
}

PlacedTraffic beside(const CommGraph& job, const Embedding& embedding,
                     const PlacedTraffic& others) {
  std::vector<DirectedEdge> edges;
  edges.reserve(job.num_edges() + others.guest.num_edges());
  append_edges(job, 0, edges);
  append_edges(others.guest, job.num_ranks(), edges);
  std::vector<HostId> hosts = embedding.hosts();
  hosts.insert(hosts.end(), others.embedding.hosts().begin(), others.embedding.hosts().end());
  return {CommGraph(job.num_ranks() + others.guest.num_ranks(), edges), embedding_on(hosts)};
}

Metrics beside_others(Metrics job, const Metrics& all) {
  job.max_link_load = {0};
  job.max_flows_per_link = 0;
  job.max_congestion = {0};
  for (std::size_t l = 0; l < job.links.size(); ++l) {
    if (job.links[l].traffic.value <= 0) continue;
    const LinkLoad& load = job.links[l] = all.links[l];
    job.max_link_load = std::max(job.max_link_load, load.traffic);
    job.max_flows_per_link = std::max(job.max_flows_per_link, load.flows);
    job.max_congestion = std::max(job.max_congestion, load.congestion);
  }
  job.mean_link_load = all.mean_link_load;
  job.mean_congestion = all.mean_congestion;
  return job;
}

}  // namespace vtopo
