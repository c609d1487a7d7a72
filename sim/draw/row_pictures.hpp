#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/draw/cable_picture.hpp"
#include "sim/draw/cell_picture.hpp"
#include "sim/draw/rank_timeline.hpp"
#include "sim/draw/row_flows.hpp"
#include "sim/report/report.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// What pictures need of one row; its size does not grow with the problem.
struct RowPictures {
  std::vector<CableLoad> cables;  ///< in the order of the layout; none without one
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
  const std::optional<NetworkPicture>& layout() const { return layout_; }
  const CellPicture& traffic_by_rank() const { return traffic_by_rank_; }
  const std::vector<RowPictures>& rows() const { return rows_; }

 private:
  std::shared_ptr<const Network> network_;
  std::optional<NetworkPicture> layout_;
  CellPicture traffic_by_rank_;
  std::vector<RowPictures> rows_;
};

}  // namespace vtopo::detail
