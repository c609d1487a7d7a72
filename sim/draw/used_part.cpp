#include "sim/draw/used_part.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/draw/link_cells.hpp"
#include "sim/draw/load_curve.hpp"
#include "sim/draw/network/layouts.hpp"

namespace vtopo::detail {

namespace {

/// Which links a row uses; all of them where that is not known or most are.
LinkSet links_of_rows(const PictureSource& source) {
  const auto all = static_cast<std::size_t>(source.network().num_links());
  LinkSet used(all, false);
  for (const RowPictures& row : source.rows()) {
    if (row.used.empty()) return {};
    for (const auto& [link, load] : row.used) used[index(link)] = true;
  }
  const auto count = static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
  return 4 * count <= all ? used : LinkSet{};
}

PartLoads loads_of(const Network& network, const RowPictures& row, const LinkSet& only) {
  Metrics metrics;
  metrics.links.resize(only.size());
  for (const auto& [link, load] : row.used) metrics.links[index(link)] = load;
  std::vector<LinkLoad> loads;
  for (std::size_t l = 0; l < only.size(); ++l)
    if (only[l]) loads.push_back(metrics.links[l]);
  return {link_cells(network, metrics, only), load_quantiles(loads)};
}

}  // namespace

UsedPart used_part(const PictureSource& source) {
  UsedPart part;
  const LinkSet only = links_of_rows(source);
  for (const RowPictures& row : source.rows())
    part.rows.push_back(only.empty() ? PartLoads{row.link_cells, row.load_quantiles}
                                     : loads_of(source.network(), row, only));
  if (!only.empty())
    part.caption =
        fmt::format("{} of {} links, those that carry something under one of the mappers.",
                    grouped_digits(std::count(only.begin(), only.end(), true)),
                    grouped_digits(source.network().num_links()));
  return part;
}

}  // namespace vtopo::detail
