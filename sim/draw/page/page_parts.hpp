#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/draw/rank_timeline.hpp"
#include "sim/draw/row_pictures.hpp"

namespace vtopo::detail {

/// Style sheet of the page, from `page.css` in this folder.
extern const std::string_view page_css;

/// Script of the page: the parts of d3 that it uses, then the files of the folder `scripts`.
std::string page_script();

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

/// The timeline of ranks for the script, as JSON: lanes, and spans as lane, kind, begin and end in
/// ticks. Internal to this folder.
/// @param end of the axis of time.
std::string timeline_data(const DrawnTimeline& drawn, Seconds end);

/// What the picture of it shows, and what it leaves out.
std::string timeline_caption(const DrawnTimeline& drawn);

}  // namespace vtopo::detail
