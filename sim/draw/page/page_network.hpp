#pragma once

#include <string>
#include <vector>

#include "sim/draw/row_pictures.hpp"

namespace vtopo::detail {

/// The network of a page. Internal to this folder.
struct PageNetwork {
  std::string json;                  ///< for a script element
  std::size_t cables = 0;            ///< drawn ones; 0: there are too many
  std::vector<std::string> caption;  ///< sentences without full stop
};

/// Vertices, cables, and for each of `rows` the loads of cables, the host of each rank and the
/// flows with their cables. Small networks that lay themselves out have positions; of others all
/// cables, or those that carry something in one of the rows, and the page places the vertices.
PageNetwork page_network(const PictureSource& source, const std::vector<std::size_t>& rows);

}  // namespace vtopo::detail
