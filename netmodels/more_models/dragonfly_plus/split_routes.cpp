#include "netmodels/more_models/dragonfly_plus/split_routes.hpp"

namespace vtopo::detail {

namespace {

/// Shares of Valiant's routes between two leaves, by spine of the first and of the last cell; those
/// of the cells in between are appended at once.
class DragonflyPlusDetours {
 public:
  DragonflyPlusDetours(const DragonflyPlusCells& cells, int source, int destination,
                       std::vector<LinkShare>& shares)
      : cells_(cells),
        source_(source),
        destination_(destination),
        from_(cells.cell(source)),
        to_(cells.cell(destination)),
        shares_(shares),
        leaving_(static_cast<std::size_t>(cells.spines())),
        arriving_(leaving_.size()) {}

  void append() {
    const double share = 1.0 / (cells_.cells() - 2);
    for (int by = 0; by < cells_.cells(); ++by)
      if (by != from_ && by != to_) append_by(by, share);
    for (int spine = 0; spine < cells_.spines(); ++spine) {
      add(cells_.leaf_up(source_, spine), at(leaving_, spine));
      add(cells_.leaf_down(destination_, spine), at(arriving_, spine));
    }
  }

 private:
  static double& at(std::vector<double>& shares, int position) {
    return shares[static_cast<std::size_t>(position)];
  }

  void add(LinkId link, double share) {
    if (share > 0) shares_.push_back({link, share});
  }

  void append_by(int by, double share) {
    const int outlets = cells_.outlets();
    const double each = share / outlets;
    std::vector<double> onwards(static_cast<std::size_t>(outlets));
    double crossing = 0;  // arrives at spines without a link to the last cell
    for (int outlet = 0; outlet < outlets; ++outlet) {
      at(leaving_, cells_.spine(from_, by, outlet)) += each;
      append_outlet(from_, by, outlet, each);
      const int spine = cells_.spine(by, from_, outlet);
      if (const int next = cells_.outlet(by, to_, spine); next < outlets) {
        at(onwards, next) += each;
        continue;
      }
      crossing += each;
      for (int leaf = cells_.first_leaf(by); leaf < cells_.first_leaf(by + 1); ++leaf)
        add(cells_.leaf_down(leaf, spine), each / cells_.leaves_of(by));
    }
    for (int outlet = 0; outlet < outlets; ++outlet) {
      append_crossing(by, cells_.spine(by, to_, outlet), crossing / outlets);
      const double here = at(onwards, outlet) + crossing / outlets;
      append_outlet(by, to_, outlet, here);
      at(arriving_, cells_.spine(to_, by, outlet)) += here;
    }
  }

  /// From all leaves of a cell up to one of its spines.
  void append_crossing(int by, int spine, double share) {
    for (int leaf = cells_.first_leaf(by); leaf < cells_.first_leaf(by + 1); ++leaf)
      add(cells_.leaf_up(leaf, spine), share / cells_.leaves_of(by));
  }

  void append_outlet(int cell, int other, int outlet, double share) {
    const double each = share / cells_.links_at(outlet);
    for (int link = outlet; link < cells_.links(); link += cells_.spines())
      add(cells_.global(cell, other, link), each);
  }

  const DragonflyPlusCells& cells_;
  int source_;
  int destination_;
  int from_;
  int to_;
  std::vector<LinkShare>& shares_;
  std::vector<double> leaving_;   ///< up from the source
  std::vector<double> arriving_;  ///< down to the destination
};

}  // namespace

void append_dragonfly_plus_ecmp(const DragonflyPlusCells& cells, int source, int destination,
                                std::vector<LinkShare>& shares) {
  const int from = cells.cell(source), to = cells.cell(destination);
  if (from == to) {
    const double each = 1.0 / cells.spines();
    for (int spine = 0; spine < cells.spines(); ++spine) {
      shares.push_back({cells.leaf_up(source, spine), each});
      shares.push_back({cells.leaf_down(destination, spine), each});
    }
    return;
  }
  const double each = 1.0 / cells.outlets();
  for (int outlet = 0; outlet < cells.outlets(); ++outlet) {
    shares.push_back({cells.leaf_up(source, cells.spine(from, to, outlet)), each});
    for (int link = outlet; link < cells.links(); link += cells.spines())
      shares.push_back({cells.global(from, to, link), each / cells.links_at(outlet)});
    shares.push_back({cells.leaf_down(destination, cells.spine(to, from, outlet)), each});
  }
}

void append_dragonfly_plus_valiant(const DragonflyPlusCells& cells, int source, int destination,
                                   std::vector<LinkShare>& shares) {
  if (!dragonfly_plus_detours(cells, source, destination))
    return append_dragonfly_plus_ecmp(cells, source, destination, shares);
  DragonflyPlusDetours(cells, source, destination, shares).append();
}

double mean_dragonfly_plus_valiant_hops(const DragonflyPlusCells& cells, int source,
                                        int destination) {
  const int from = cells.cell(source), to = cells.cell(destination);
  if (!dragonfly_plus_detours(cells, source, destination)) return from == to ? 4 : 5;
  const int spines = cells.spines(), outlets = cells.outlets();
  if (outlets == spines) return 6;
  // Of the spines on a ring, `outlets` consecutive ones have links to either cell; two more links
  // for each that has one to the first cell only.
  std::int64_t crossing = 0;
  for (int by = 0; by < cells.cells(); ++by) {
    if (by == from || by == to) continue;
    const int apart = cells.outlet(by, to, cells.spine(by, from, 0));
    const int both = std::max(0, outlets - apart) + std::max(0, outlets - (spines - apart));
    crossing += outlets - (apart == 0 ? outlets : both);
  }
  return 6 + 2.0 * static_cast<double>(crossing) / outlets / (cells.cells() - 2);
}

}  // namespace vtopo::detail
