#include "sim/report/pictures/chart_frame.hpp"

#include <initializer_list>

namespace vtopo::detail {

void put_axes(SvgElement& svg, double most, PictureUnit unit, std::string_view words) {
  using Frame = ChartFrame;
  for (const double share : {0.0, 0.5, 1.0}) {
    if (most <= 0 && share > 0) continue;
    const double y = Frame::bottom - share * Frame::height;
    svg.put(R"~(<path class="axis" stroke-width="{}" d="M{:.0f} {:.1f}h{:.0f}"/>)~",
            share == 0 ? 1 : 0.4, Frame::left, y, Frame::width);
    svg.put_text(Frame::left - 6, y + 4, value_text(most * share, unit), R"~(text-anchor="end")~");
  }
  svg.put_text(Frame::left + Frame::width / 2, Frame::bottom + 42, words,
               R"~(text-anchor="middle")~");
}

}  // namespace vtopo::detail
