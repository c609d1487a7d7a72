#include "netmodels/models/tree/tree.hpp"

#include <fmt/format.h>

#include <utility>

#include "netmodels/links.hpp"
#include "netmodels/models/flow_sums.hpp"
#include "netmodels/models/modelled_network.hpp"
#include "topology/base/error.hpp"
#include "topology/base/exact_division.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

void check_tree_routing(const RoutingOptions& routing) {
  if (routing.rule == Routing::simgrid || routing.rule == Routing::ecmp) return;
  const auto sentence = fmt::format(
      "routing \"{}\" chooses among routes, and a tree has one between any two hosts; accepted for "
      "a tree: simgrid, ecmp (the same)",
      to_string(routing.rule));
  if (routing.rule == Routing::valiant) throw NoDetours(sentence);
  throw UsageError(sentence);
}

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

constexpr int max_tree_distance = 1000000;

int checked_tree_hosts(const TreeSpec& spec) {
  if (spec.levels.empty()) throw UsageError("a tree needs at least one level");
  std::int64_t hosts = 1;
  int below = 1;
  for (const TreeLevel& level : spec.levels) {
    if (level.arity < 1)
      throw UsageError(fmt::format("tree of arity {}: each must be >= 1", level.arity));
    if (level.distance < 1 || level.distance > max_tree_distance)
      throw UsageError(fmt::format("tree with distance {}: accepted are 1 to {}", level.distance,
                                   max_tree_distance));
    if (level.distance < below)
      throw UsageError(
          fmt::format("tree with distance {} above {}: distances must not decrease "
                      "from the hosts up",
                      level.distance, below));
    below = level.distance;
    hosts *= level.arity;
    if (hosts > max_id / 2) throw UsageError("tree with more than 2147483647 directed links");
  }
  return narrow<int>(hosts);
}

TreeRows::TreeRows(const TreeSpec& spec) {
  const int all = checked_tree_hosts(spec);
  std::int64_t vertices = 0;
  int hosts = 1, below = 0;
  for (const TreeLevel& level : spec.levels) {
    LinkProperties link = link_properties(level.rates, spec.defaults);
    link.hops = 0.5 * (level.distance - below);
    rows_.push_back({hosts, all / hosts, narrow<int>(vertices), level.distance, link.hops, link,
                     ExactDivision(hosts)});
    vertices += all / hosts;
    if (vertices > max_id / 2) throw UsageError("tree with more than 2147483647 directed links");
    hosts *= level.arity;
    below = level.distance;
  }
  root_ = narrow<int>(vertices);
}

LinkEnds TreeRows::ends(LinkId link) const {
  const int below = number(link) / 2;
  const std::size_t row = row_of(below);
  const int host = (below - rows_[row].first_vertex) * rows_[row].hosts;
  const int parent = above(host, row + 1);
  return number(link) % 2 == 0 ? LinkEnds{below, parent} : LinkEnds{parent, below};
}

/// Specification that gives the same network again: `tree:4:8@1:10`, with rates if they are given.
std::string tree_description(const TreeSpec& spec) {
  std::vector<int> arities, distances;
  std::vector<LinkRates> rates;
  for (const TreeLevel& level : spec.levels) {
    arities.push_back(level.arity);
    distances.push_back(level.distance);
    rates.push_back(level.rates);
  }
  return fmt::format("tree:{}@{}{}", fmt::join(arities, ":"), fmt::join(distances, ":"),
                     rate_keys(rates, spec.defaults));
}

/// Subtrees with the distance within each.
std::vector<HostGroups> tree_groups(const TreeSpec& spec) {
  std::vector<HostGroups> groups;
  std::int64_t hosts = 1;
  for (const TreeLevel& level : spec.levels)
    groups.push_back({hosts *= level.arity, level.distance});
  return groups;
}

/// `subtree`: by level, from the smallest up, without the whole.
std::vector<HostParts> tree_parts(const TreeRows& tree) {
  HostParts subtrees{"subtree", "subtrees", {}, true};
  for (std::size_t row = 1; row < tree.rows().size(); ++row)
    subtrees.partitions.push_back(
        equal_parts(tree.num_hosts(), tree.rows()[row].hosts, tree.rows()[row].count));
  if (subtrees.partitions.empty()) return {};
  return {std::move(subtrees)};
}

/// Subtrees of each level: each link joins one with its parent.
std::vector<VertexCells> tree_cuts(const TreeRows& tree) {
  std::vector<VertexCells> families;
  for (std::size_t row = 0; row < tree.rows().size(); ++row) {
    const TreeRow& here = tree.rows()[row];
    if (here.count < 2) continue;
    VertexCells cells{row == 0 ? "hosts" : fmt::format("subtrees of level {}", row),
                      here.count,
                      {},
                      AxisKind::complete,
                      here.link_hops};
    for (std::size_t below = 0; below <= row; ++below) {
      const TreeRow& inside = tree.rows()[below];
      for (int i = 0; i < inside.count; ++i)
        cells.cell_of.push_back(i / (here.hosts / inside.hosts));
    }
    families.push_back(std::move(cells));
  }
  return families;
}

/// Hosts of the smallest subtrees, which may be permuted at every level.
HostSites tree_sites(const TreeSpec& spec) {
  HostSites sites{spec.levels.front().arity, {}};
  for (std::size_t level = 1; level < spec.levels.size(); ++level)
    sites.axes.push_back({spec.levels[level].arity, AxisKind::complete});
  return sites;
}

/// Hosts by distance from any.
std::vector<std::int64_t> tree_distance_profile(const TreeRows& tree) {
  std::vector<std::int64_t> at{1};
  for (std::size_t row = 0; row < tree.rows().size(); ++row) {
    const std::int64_t here = tree.rows()[row].hosts;
    const std::int64_t above =
        row + 1 < tree.rows().size() ? tree.rows()[row + 1].hosts : tree.num_hosts();
    at.resize(static_cast<std::size_t>(tree.rows()[row].distance) + 1);
    at.back() += above - here;
  }
  return at;
}

/// With an even number of subtrees below the root, of which none sends more per host than those
/// within it: the links of half of them.
std::optional<Bisection> tree_bisection(const TreeRows& tree) {
  // Rows that hold one subtree are not a cut.
  std::size_t top = tree.rows().size();
  while (top > 0 && tree.rows()[top - 1].count == 1) --top;
  if (top == 0) return std::nullopt;
  const TreeRow& row = tree.rows()[top - 1];
  const auto per_host = [](const TreeRow& one) { return one.link.bandwidth.value / one.hosts; };
  if (row.count % 2 != 0) return std::nullopt;
  for (const TreeRow& inside : tree.rows())
    if (inside.hosts < row.hosts && per_host(inside) < per_host(row)) return std::nullopt;
  const int links = row.count / 2;
  return Bisection{row.link.bandwidth * links, links, true,
                   "closed form: half of the subtrees below the root"};
}

/// Levels as rows.
LevelLayout tree_picture(const TreeRows& tree) {
  LevelLayout layout{{}, tree.rows().size() > 1 ? tree.rows()[1].hosts : tree.num_hosts()};
  for (std::size_t row = 0; row < tree.rows().size(); ++row)
    layout.levels.push_back(
        {row == 0 ? "hosts" : fmt::format("level {}", row), tree.rows()[row].count});
  layout.levels.push_back({fmt::format("level {}", tree.rows().size()), 1});
  return layout;
}

class Tree final : public ModelledNetwork {
 public:
  explicit Tree(const TreeSpec& spec) : ModelledNetwork(spec.defaults), spec_(spec), tree_(spec) {
    check_tree_routing(spec.routing);
  }

  LinkProperties link(LinkId link) const override { return row_of(link).link; }
  std::string link_name(LinkId link) const override {
    const auto [from, to] = tree_.ends(link);
    return vertex_name(from) + "->" + vertex_name(to);
  }
  std::optional<LinkEnds> link_ends(LinkId link) const override { return tree_.ends(link); }
  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    tree_.for_each_link(source, destination, [&](LinkId link) { links.push_back(link); });
  }
  void append_runs(HostId source, HostId destination, std::vector<LinkRun>& runs) const override {
    tree_.for_each_link(source, destination, [&](LinkId link) { runs.push_back({link}); });
  }
  std::unique_ptr<LinkTraffic> make_link_traffic() const override {
    return make_walked_traffic(tree_.num_links(),
                               [this](HostId source, HostId destination, const auto& sink) {
                                 tree_.for_each_link(source, destination, sink);
                               });
  }

  int hops(HostId source, HostId destination) const override {
    return tree_.distance(number(source), number(destination));
  }
  std::string vertex_name(int vertex) const override {
    if (vertex < tree_.num_hosts()) return host_name(HostId{vertex});
    if (vertex == tree_.root()) return "root";
    const std::size_t row = tree_.row_of(vertex);
    return fmt::format("t{}.{}", row, vertex - tree_.rows()[row].first_vertex);
  }

 private:
  NetworkFacts make_facts() const override {
    NetworkFacts facts = modelled_facts(tree_.num_hosts(), tree_.num_links(),
                                        tree_description(spec_), spec_.routing.rule, false);
    facts.computes_runs = true;
    facts.hierarchy = tree_groups(spec_);
    facts.hop_metric = TreeMetric{facts.hierarchy};
    facts.sites = tree_sites(spec_);
    facts.layout = tree_picture(tree_);
    for (const TreeRow& row : tree_.rows())
      facts.link_classes.push_back(
          {facts.link_classes.empty() ? "hosts"
                                      : fmt::format("level {}", facts.link_classes.size()),
           2 * std::int64_t{row.count}, row.link.bandwidth, row.link.latency});
    facts.link_class = [this](LinkId link) { return narrow<int>(tree_.row_of(number(link) / 2)); };
    facts.injection_bandwidth = [this](HostId) { return tree_.rows().front().link.bandwidth; };
    facts.diameter = [this] { return tree_.distance(0, tree_.num_hosts() - 1); };
    facts.parts = [this] { return tree_parts(tree_); };
    facts.cuts = [this] { return tree_cuts(tree_); };
    facts.distance_profile = [this](std::int64_t) { return tree_distance_profile(tree_); };
    facts.bisection = [this] { return tree_bisection(tree_); };
    return facts;
  }

  const TreeRow& row_of(LinkId link) const { return tree_.rows()[tree_.row_of(number(link) / 2)]; }

  TreeSpec spec_;
  TreeRows tree_;
};

}  // namespace

std::shared_ptr<const Network> make_tree(const TreeSpec& spec) {
  return std::make_shared<Tree>(spec);
}

}  // namespace vtopo::detail
