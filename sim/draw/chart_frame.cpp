#include "sim/draw/chart_frame.hpp"

#include <initializer_list>

namespace vtopo::detail {

void put_axes(SvgElement& svg, double most, PictureUnit unit, std::string_view words) {
  for (const double share : {0.0, 0.5, 1.0}) {
    if (most <= 0 && share > 0) continue;
    const double y = ChartFrame::bottom - share * ChartFrame::height;
    svg.put(R"~(<path class="axis" stroke-width="{}" d="M{:.0f} {:.1f}h{:.0f}"/>)~",
            share == 0 ? 1 : 0.4, ChartFrame::left, y, ChartFrame::width);
    svg.put_text(ChartFrame::left - 6, y + 4, value_text(most * share, unit),
                 R"~(text-anchor="end")~");
  }
  svg.put_text(ChartFrame::left + ChartFrame::width / 2, ChartFrame::bottom + 42, words,
               R"~(text-anchor="middle")~");
}

}  // namespace vtopo::detail
