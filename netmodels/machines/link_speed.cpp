#include "netmodels/machines/link_speed.hpp"

#include <array>

#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// Payload of one lane.
struct Speed {
  std::string_view name;
  double gigabits;
};

constexpr double code_64_66 = 64.0 / 66.0;
constexpr std::array<Speed, 9> speeds{{{"SDR", 2},
                                       {"DDR", 4},
                                       {"QDR", 8},
                                       {"FDR10", 10.3125 * code_64_66},
                                       {"FDR", 14.0625 * code_64_66},
                                       {"EDR", 25.78125 * code_64_66},
                                       {"HDR", 50},
                                       {"NDR", 100},
                                       {"XDR", 200}}};

}  // namespace

std::optional<BytesPerSecond> infiniband_bandwidth(std::string_view text) {
  const std::size_t x = text.find('x');
  if (x == std::string_view::npos) return std::nullopt;
  const auto lanes = parse_integer(text.substr(0, x));
  constexpr std::int64_t max_lanes = 12;
  if (!lanes || *lanes < 1 || *lanes > max_lanes) return std::nullopt;
  for (const auto& [name, gigabits] : speeds)
    if (name == text.substr(x + 1))
      return BytesPerSecond{gigabits * 1e9 / 8 * static_cast<double>(*lanes)};
  return std::nullopt;
}

}  // namespace vtopo::detail
