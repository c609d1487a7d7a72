#include "sim/draw/link_cells.hpp"

#include <variant>

namespace vtopo::detail {

CellPicture link_cells(const Network& network, const Metrics& metrics, const LinkSet& only) {
  const auto layout = network.layout();
  std::optional<CellPicture> picture;
  if (layout && std::holds_alternative<PlaneLayout>(*layout))
    picture = plane_cells(network, std::get<PlaneLayout>(*layout), metrics);
  if (layout && std::holds_alternative<GroupLayout>(*layout))
    picture = group_cells(network, std::get<GroupLayout>(*layout), metrics, only);
  if (!picture) picture = strip_cells(network, metrics, only);
  picture->name = "link-cells";
  return std::move(*picture);
}

}  // namespace vtopo::detail
