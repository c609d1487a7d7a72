#include "sim/draw/legend.hpp"

#include "sim/draw/colour_ramp.hpp"

namespace vtopo::detail {

void put_legend(SvgElement& svg, const ValueScale& scale, double x, double y, double size) {
  const double step = 9 * size / 13, height = size;
  svg.put(R"~(<g class="cells" shape-rendering="crispEdges">)~");
  for (int level = 1; level <= colour_levels; ++level)
    svg.put(R"~(<rect class="l{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>)~", level,
            x + step * (level - 1), y, step, height);
  svg.put("</g>");
  const double baseline = y + height + 1.25 * size, end = x + step * colour_levels;
  const std::string letters = fmt::format(R"~(font-size="{:.1f}")~", size);
  svg.put_text(x, baseline, value_text(scale.value_of(0), scale.unit()), letters);
  svg.put_text((x + end) / 2, baseline, value_text(scale.value_of(colour_levels / 2), scale.unit()),
               letters + R"~( text-anchor="middle")~");
  svg.put_text(end, baseline, value_text(scale.most(), scale.unit()),
               letters + R"~( text-anchor="end")~");
}

}  // namespace vtopo::detail
