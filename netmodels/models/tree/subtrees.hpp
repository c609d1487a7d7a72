#pragma once

#include <vector>

#include "netmodels/models/tree/spec.hpp"
#include "netmodels/network.hpp"
#include "topology/base/exact_division.hpp"

namespace vtopo::detail {

/// Subtrees (at level 0: hosts) with links to the level above.
struct TreeRow {
  int hosts = 1;         ///< in each subtree
  int count = 1;         ///< of subtrees
  int first_vertex = 0;  ///< and first cable: each has one
  int distance = 0;      ///< between hosts whose routes turn above this row
  double link_hops = 0;  ///< of each link
  LinkProperties link;
  ExactDivision by_hosts{hosts};
};

/// Subtrees and links of a hierarchy.
class TreeRows {
 public:
  /// @throws UsageError as make_tree.
  explicit TreeRows(const TreeSpec& spec);

  const std::vector<TreeRow>& rows() const { return rows_; }
  int num_hosts() const { return rows_.front().count; }
  int num_links() const { return 2 * root_; }
  int root() const { return root_; }  ///< vertex of the whole

  /// Row of a vertex that is not the root.
  std::size_t row_of(int vertex) const {
    std::size_t row = rows_.size() - 1;
    while (rows_[row].first_vertex > vertex) --row;
    return row;
  }
  /// Vertex of row `row`, or the root, above a host.
  int above(int host, std::size_t row) const {
    if (row == rows_.size()) return root_;
    return rows_[row].first_vertex + rows_[row].by_hosts.quotient(host);
  }
  LinkEnds ends(LinkId link) const;

  /// Rows in which two hosts are in different subtrees.
  std::size_t peak(int a, int b) const {
    std::size_t row = 0;
    while (row < rows_.size() && rows_[row].by_hosts.quotient(a) != rows_[row].by_hosts.quotient(b))
      ++row;
    return row;
  }
  int distance(int a, int b) const {
    const std::size_t rows = peak(a, b);
    return rows == 0 ? 0 : rows_[rows - 1].distance;
  }

  /// Calls `visit(link)` for the links of the only route in the order of travel.
  template <class Visit>
  void for_each_link(HostId source, HostId destination, Visit visit) const {
    const std::size_t rows = peak(number(source), number(destination));
    for (std::size_t row = 0; row < rows; ++row) visit(LinkId{2 * above(number(source), row)});
    for (std::size_t row = rows; row-- > 0;) visit(LinkId{2 * above(number(destination), row) + 1});
  }

 private:
  std::vector<TreeRow> rows_;  ///< hosts first
  int root_ = 0;
};

}  // namespace vtopo::detail
