#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/draw/cell_picture.hpp"
#include "sim/draw/rank_timeline.hpp"
#include "sim/placement/embedding.hpp"
#include "sim/report/report.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// What one rank sends another, and the links that it takes.
struct RoutedFlow {
  Rank source{}, destination{};
  Bytes volume;
  std::vector<LinkId> links;  ///< each once; none inside a host
};

/// Flows of a row, for pictures in which a link is picked to see its flows, or a rank to see its
/// routes.
struct RowFlows {
  std::vector<HostId> host_of_rank;  ///< empty above 8,192 ranks
  std::vector<RoutedFlow> flows;     ///< empty above 8,192 edges or 30,000 links of all routes
};

/// Gathers flows with their routes, of those routings that follow the traffic the ones that this
/// traffic takes.
RowFlows row_flows(const CommGraph& guest, const Network& network, const Embedding& embedding);

/// What pictures need of one row; its size does not grow with the problem.
struct RowPictures {
  CellPicture link_cells;
  CellPicture traffic;  ///< in the order of hosts
  std::vector<double> load_quantiles;
  std::vector<ReportedLink> top_links;            ///< the ten heaviest
  std::vector<std::pair<LinkId, LinkLoad>> used;  ///< links with a load; empty above 16,384
  RowFlows flows;
  RankTimeline timeline;  ///< empty: nobody reported any
};

/// Gathers what pictures need while the rows of a report are made.
class PictureSource {
 public:
  PictureSource(const CommGraph& guest, std::shared_ptr<const Network> network);

  /// The next row of the report, with `metrics.links`.
  void add(const CommGraph& guest, const Embedding& embedding, const Metrics& metrics,
           RankTimeline timeline = RankTimeline());

  const Network& network() const { return *network_; }
  const CellPicture& traffic_by_rank() const { return traffic_by_rank_; }
  const std::vector<RowPictures>& rows() const { return rows_; }

 private:
  std::shared_ptr<const Network> network_;
  CellPicture traffic_by_rank_;
  std::vector<RowPictures> rows_;
};

}  // namespace vtopo::detail
