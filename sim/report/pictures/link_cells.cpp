#include "sim/report/pictures/link_cells.hpp"

#include <variant>

namespace vtopo {

CellPicture link_cells(const Network& network, const Metrics& metrics) {
  const NetworkShape shape = network.shape();
  std::optional<CellPicture> picture;
  if (const auto* torus = std::get_if<TorusSpec>(&shape))
    picture = torus_cells(network, *torus, metrics);
  if (const auto* dragonfly = std::get_if<DragonflySpec>(&shape))
    picture = dragonfly_cells(network, *dragonfly, metrics);
  if (!picture) picture = strip_cells(network, metrics);
  picture->name = "link-cells";
  return std::move(*picture);
}

}  // namespace vtopo
