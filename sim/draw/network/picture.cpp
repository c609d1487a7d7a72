#include "sim/draw/network/picture.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <variant>

#include "sim/draw/network/layouts.hpp"
#include "sim/draw/network/sketch.hpp"

namespace vtopo::detail {

namespace {

/// Names of the ends of a cable, the smaller vertex first, and which of several between them.
struct CableKey {
  int low, high, duplicate;
  auto operator<=>(const CableKey&) const = default;
};

/// Ends of a cable that lies `aside` of the first of parallel ones; the same for both directions.
std::pair<DrawnVertex, DrawnVertex> shifted(DrawnVertex from, DrawnVertex to, double aside) {
  const bool upwards = from.vertex < to.vertex;
  const double dx = upwards ? to.at.x - from.at.x : from.at.x - to.at.x;
  const double dy = upwards ? to.at.y - from.at.y : from.at.y - to.at.y;
  const double length = std::hypot(dx, dy);
  if (aside > 0 && length > 0)
    for (Point* at : {&from.at, &to.at}) {
      at->x -= aside * dy / length;
      at->y += aside * dx / length;
    }
  return {from, to};
}

}  // namespace

void draw_cables(const Network& network, const CablePath& path, NetworkPicture& picture) {
  constexpr int max_links_apart = 5000;
  const double apart = network.num_links() <= max_links_apart ? 4 : 0;
  std::unordered_map<int, const DrawnVertex*> drawn;
  for (const DrawnVertex& vertex : picture.vertices) drawn.emplace(vertex.vertex, &vertex);
  std::map<CableKey, std::size_t> cables;
  std::map<std::pair<int, int>, int> duplicates;  // directed links seen between two vertices
  for (int l = 0; l < network.num_links(); ++l) {
    const auto ends = network.link_ends(LinkId{l});
    if (!ends) continue;
    const auto from = drawn.find(ends->from), to = drawn.find(ends->to);
    if (from == drawn.end() || to == drawn.end()) continue;
    const int duplicate = duplicates[{ends->from, ends->to}]++;
    const auto [low, high] = std::minmax(ends->from, ends->to);
    const auto [entry, is_new] =
        cables.emplace(CableKey{low, high, duplicate}, picture.cables.size());
    if (!is_new) {
      if (entry->second < picture.cables.size()) picture.cables[entry->second].back = LinkId{l};
      continue;
    }
    const auto [start, end] = shifted(*from->second, *to->second, apart * duplicate);
    auto data = path(start, end);
    if (data)
      picture.cables.push_back(
          {LinkId{l}, std::nullopt, network.link_class(LinkId{l}), std::move(*data)});
    else
      entry->second = static_cast<std::size_t>(-1);
  }
}

std::string line_path(Point from, Point to) {
  return fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", from.x, from.y, to.x, to.y);
}

std::string grouped_digits(std::int64_t count) {
  const std::string digits = fmt::format("{}", count);
  std::string result;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) result += ',';
    result += digits[i];
  }
  return result;
}

NetworkPicture lay_out(const Network& network) {
  const auto layout = network.layout();
  if (!layout) return lay_out(network, make_sketch(network));
  NetworkPicture picture =
      std::visit([&](const auto& known) { return lay_out(network, known); }, *layout);
  constexpr double fits = 2500, max_shrinking = 3;
  const double larger = std::max(picture.width, picture.height);
  if (larger > fits * max_shrinking) return lay_out(network, make_sketch(network));
  picture.scale = std::min(1.0, fits / larger);
  return picture;
}

}  // namespace vtopo::detail
