#include <fmt/format.h>

#include <algorithm>

#include "sim/draw/link_cells.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

constexpr std::size_t max_panels = 12;
constexpr std::size_t columns = 48, max_rows = 8;  // of a panel

/// Links of each kind in the order of their ids; further kinds come to the last one.
std::vector<std::vector<LinkId>> links_by_kind(const Network& network, const LinkSet& only) {
  const std::size_t kinds = std::clamp<std::size_t>(network.link_classes().size(), 1, max_panels);
  std::vector<std::vector<LinkId>> links(kinds);
  for (int l = 0; l < network.num_links(); ++l) {
    if (!only.empty() && !only[static_cast<std::size_t>(l)]) continue;
    const auto kind = static_cast<std::size_t>(network.link_class(LinkId{l}));
    links[std::min(kind, kinds - 1)].push_back(LinkId{l});
  }
  return links;
}

/// The heaviest of `links` [first, end); the first one if none has a load.
LinkId heaviest(const std::vector<LinkId>& links, std::size_t first, std::size_t end,
                const Metrics& metrics) {
  const auto begin = links.begin() + static_cast<std::ptrdiff_t>(first);
  return *std::max_element(
      begin, links.begin() + static_cast<std::ptrdiff_t>(end), [&](LinkId a, LinkId b) {
        return metrics.links[index(a)].congestion < metrics.links[index(b)].congestion;
      });
}

CellPanel panel_of(const std::vector<LinkId>& links, const Network& network, const Metrics& metrics,
                   int rows) {
  CellPanel panel;
  panel.columns = narrow<int>(columns);
  panel.rows = rows;
  const std::size_t cells = columns * static_cast<std::size_t>(rows);
  const std::size_t block = std::max<std::size_t>((links.size() + cells - 1) / cells, 1);
  for (std::size_t first = 0; first < links.size(); first += block) {
    const std::size_t end = std::min(first + block, links.size());
    const LinkId link = heaviest(links, first, end, metrics);
    panel.values.push_back(metrics.links[index(link)].congestion.value);
    panel.names.push_back(end - first == 1 ? network.link_name(link)
                                           : fmt::format("{}, the heaviest of {} links",
                                                         network.link_name(link), end - first));
  }
  panel.values.resize(cells, 0);
  panel.names.resize(cells);
  return panel;
}

}  // namespace

CellPicture strip_cells(const Network& network, const Metrics& metrics, const LinkSet& only) {
  CellPicture picture;
  picture.title = "Load of links by kind";
  picture.row_axis = "";
  picture.column_axis = "links in the order of the network";
  const auto kinds = links_by_kind(network, only);
  const auto classes = network.link_classes();
  std::size_t longest = 1, max_in_cell = 1;
  for (const auto& links : kinds) longest = std::max(longest, links.size());
  const std::size_t rows = std::clamp<std::size_t>((longest + columns - 1) / columns, 1, max_rows);
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (kinds[k].empty()) continue;
    max_in_cell = std::max(max_in_cell, (kinds[k].size() + columns * rows - 1) / (columns * rows));
    picture.panels.push_back(panel_of(kinds[k], network, metrics, narrow<int>(rows)));
    picture.panels.back().title = fmt::format(
        "{}, {}", k < classes.size() ? classes[k].name : "links", counted(kinds[k].size(), "link"));
  }
  if (picture.panels.empty()) picture.panels.push_back(CellPanel{"no links", 1, 1, {0}, {""}});
  picture.caption =
      max_in_cell == 1
          ? "A cell is a link."
          : fmt::format("A cell is up to {} links, its value the heaviest of them.", max_in_cell);
  return picture;
}

}  // namespace vtopo::detail
