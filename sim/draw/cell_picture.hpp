#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/draw/markup.hpp"
#include "sim/draw/value_scale.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// A rectangle of cells, first row at the top.
struct CellPanel {
  std::string title;  ///< empty where there is one panel
  int columns = 1;
  int rows = 1;
  std::vector<double> values;      ///< row by row, >= 0
  std::vector<std::string> names;  ///< of cells in the order of values, or empty: by row and column
  std::vector<std::string> row_names = {};  ///< at the side of one of several panels
};

/// Numbers in cells: a matrix, or planes of a network side by side.
struct CellPicture {
  std::string name, title, caption;  ///< see `Figure`
  std::string column_axis;           ///< what columns are, human-readable
  std::string row_axis;
  std::vector<std::string> column_names;  ///< of every panel; empty if cells have names
  std::vector<std::string> row_names;
  std::vector<CellPanel> panels;
};

/// All values of a picture, for a common scale.
std::vector<double> values_of(const CellPicture& picture);

/// Draws the cells; equal levels are one path.
Figure draw_cells(const CellPicture& picture, const ValueScale& scale);

/// Who sends how much to whom, in bytes: rows are senders. At most 256 x 256 cells, each the sum
/// over equally many consecutive ranks; 128 x 128 if most of these would be in use.
CellPicture traffic_by_rank(const CommGraph& guest);

/// The same with ranks in the order of their hosts, those of one host by number: what is near the
/// diagonal stays near in the numbering of hosts.
CellPicture traffic_by_host(const CommGraph& guest, const Network& network,
                            const Embedding& embedding);

/// Whether a picture is about a link, by its id; empty: about all of them.
using LinkSet = std::vector<bool>;

/// Loads of all links of a network in at most some ten thousand cells, whatever its size: by the
/// network's layout routers in planes or pairs of groups, else links in the order of their kinds
/// and ids. A cell is the heaviest of its links, in seconds (bytes / bandwidth).
/// @param only links or, by groups, their groups; of routers in planes all are shown.
CellPicture link_cells(const Network& network, const Metrics& metrics, const LinkSet& only = {});

}  // namespace vtopo::detail
