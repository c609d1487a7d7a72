#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/draw/rank_timeline.hpp"
#include "sim/draw/row_pictures.hpp"
#include "sim/report/trace_run.hpp"

namespace vtopo::detail {

/// The report as one HTML page that needs nothing else and loads nothing: verdict, table of
/// mappers, pictures, the command line that makes it again, and the JSON report in a script element
/// of type `application/json` with the id `report`. All text is escaped.
/// @param source has the rows of the report.
/// @param command that makes the page again, if it is not the one of the scenario.
std::string render_page(const Report& report, const PictureSource& source,
                        std::string_view command = {});

/// Style sheet of pages, from `page.css` in this folder.
extern const std::string_view page_css;

/// Script of pages, from `page.js` in this folder: zoom, tooltip, what is picked, before and after.
extern const std::string_view page_js;

/// The start of a page up to its body. Internal to this folder.
std::string page_head(std::string_view title);

/// A line of the list of facts; nothing without a value. Internal.
std::string page_fact(std::string_view name, std::string_view value);

/// A picture with its title and caption; its numbers for the script are added to `data` under the
/// same id. Internal.
std::string page_figure(const Figure& figure, const std::string& id, std::string& data);

/// The script elements at the end of a page, and its end. Internal.
/// @param report, network JSON. @param pictures as `page_figure` adds them.
std::string page_end(std::string_view report, std::string_view network, std::string_view pictures);

/// The table of mappers. Internal to this folder.
std::string page_table(const Report& report);

/// The time of each phase under each mapper, the longest phases where there are many; nothing for
/// traffic that has no phases. Internal.
std::string page_phases(const Report& report);

/// The most loaded links of a row; nothing without any. Internal.
std::string page_links(const std::vector<ReportedLink>& links);

/// Words of the command that makes the report again, as a shell reads them.
std::string command_line(const Report& report);

/// A simulated trace as one HTML page that needs nothing else and loads nothing: what ranks do when
/// (local work, messages under way, waiting for others) with zoom, when they finish, and the
/// longest steps of the critical path.
/// @param report of one row; its timeline is drawn if it has one.
std::string render_trace_page(const TraceReport& report);

/// The ranks and spans that a picture can show: at most `max_lanes` ranks, evenly among all, and
/// about `max_spans` spans.
DrawnTimeline drawn_timeline(const TraceRow& row, std::size_t max_lanes, std::size_t max_spans);

/// `theta` of `platforms/theta.xml = ...`, `cart:8x8` of `cart:8x8, 64 ranks`: a title without
/// paths.
std::string title_words(std::string_view description);

}  // namespace vtopo::detail
