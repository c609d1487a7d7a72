#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "sim/draw/markup.hpp"
#include "sim/draw/network/picture.hpp"
#include "sim/draw/row_pictures.hpp"
#include "sim/draw/value_scale.hpp"

namespace vtopo::detail {

/// Loads of the two directions of a cable.
struct CableLoad {
  LinkLoad forth;
  LinkLoad back;  ///< nothing where there is one direction

  double seconds() const { return std::max(forth.congestion, back.congestion).value; }
};

/// The picture of the cables that any of `rows` uses, and of the rest of the network where it is
/// small: at most 2,048 cables. Nothing where there are more, or where it is not known between what
/// links lie.
std::optional<NetworkPicture> link_layout(const PictureSource& source,
                                          const std::vector<std::size_t>& rows);

/// Loads of the drawn cables in the order of the layout.
std::vector<CableLoad> cable_loads(const NetworkPicture& layout, const RowPictures& row);

/// Cables in the colour of their busier direction, busy ones above others, the worst one named, and
/// up to 64 ranks at their hosts.
Figure draw_link_loads(const NetworkPicture& layout, const Network& network, const RowPictures& row,
                       const ValueScale& scale);

/// What a page needs to show what belongs to a cable or a rank that is picked, as JSON: the names
/// of the directions of each cable, and for each of `rows` the loads of its cables, the host of
/// each rank and the flows with their cables. Without a layout no cables.
std::string network_data(const std::optional<NetworkPicture>& layout, const PictureSource& source,
                         const std::vector<std::size_t>& rows);

}  // namespace vtopo::detail
