#include "sim/research/validation/job_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {
namespace {

/// A dimension of the machine.
struct Dimension {
  char name = 0;
  int size = 1;          ///< that the job has
  bool is_part = false;  ///< the job has as much as it needs, at most `size`
  bool is_open = false;
};

using Coordinates = std::vector<int>;

UsageError unreadable(std::string_view piece) {
  return UsageError(
      fmt::format("vtopo-job-network: \"{}\" in a folded network; accepted is such as "
                  "folded:a=2m,b=3,X<=24,Y<=23;aX/bY, with a letter for each dimension",
                  piece));
}

Dimension read_dimension(std::string_view text) {
  Dimension dimension;
  const std::string_view word = text;
  if (text.size() < 3) throw unreadable(word);
  dimension.name = text.front();
  dimension.is_part = text[1] == '<';
  text.remove_prefix(1);
  const std::string_view sign = dimension.is_part ? "<=" : "=";
  if (!text.starts_with(sign)) throw unreadable(word);
  text.remove_prefix(sign.size());
  dimension.is_open = dimension.is_part || text.ends_with('m');
  if (text.ends_with('m')) text.remove_suffix(1);
  const auto size = parse_integer(text);
  if (!size || *size < 1 || *size > max_ranks_in_file) throw unreadable(word);
  dimension.size = narrow<int>(*size);
  return dimension;
}

std::int64_t product_of(const Coordinates& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1},
                         [](std::int64_t product, int size) { return product * size; });
}

/// All places of a box, each a step from the one before; the last dimension goes to and fro.
std::vector<Coordinates> snake(const Coordinates& sizes) {
  std::vector<Coordinates> path{{}};
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
    std::vector<Coordinates> longer;
    for (int i = 0; i < *size; ++i) {
      for (const Coordinates& place : path) {
        longer.push_back({i});
        longer.back().insert(longer.back().end(), place.begin(), place.end());
      }
      std::reverse(path.begin(), path.end());
    }
    path = std::move(longer);
  }
  return path;
}

/// All places of a box, along the first dimension and back through the others: a closed ring where
/// the first size is even.
std::vector<Coordinates> ring(const Coordinates& sizes) {
  std::vector<Coordinates> others = snake({sizes.begin() + 1, sizes.end()});
  std::vector<Coordinates> path;
  const auto add = [&](int first, const Coordinates& other) {
    path.push_back({first});
    path.back().insert(path.back().end(), other.begin(), other.end());
  };
  for (int i = 0; i < sizes.front(); ++i) add(i, others.front());
  others.erase(others.begin());
  for (int i = sizes.front() - 1; i >= 0; --i) {
    for (const Coordinates& other : others) add(i, other);
    std::reverse(others.begin(), others.end());
  }
  return path;
}

/// Sizes that a ring of so many nodes takes of the dimensions that it is folded into; fewer than
/// nodes if it does not fit.
Coordinates sizes_of(const std::vector<Dimension>& dimensions, int nodes) {
  Coordinates sizes;
  std::vector<std::size_t> parts;
  std::int64_t whole = 1;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    sizes.push_back(dimensions[d].is_part ? 1 : dimensions[d].size);
    whole *= sizes.back();
    if (dimensions[d].is_part) parts.push_back(d);
  }
  if (parts.empty()) return sizes;
  int needed = narrow<int>((nodes + whole - 1) / whole);
  if (parts.size() > 1) {
    int length = 1;
    for (int divisor = 2; divisor * divisor <= needed; ++divisor)
      if (needed % divisor == 0) length = divisor;
    sizes[parts.back()] = std::min(length, dimensions[parts.back()].size);
    needed /= sizes[parts.back()];
  }
  sizes[parts.front()] = std::min(needed, dimensions[parts.front()].size);
  return sizes;
}

/// Of the axes for shapes of so many dimensions.
std::vector<std::string_view> axes_of(std::span<const std::string_view> rules, std::size_t count) {
  for (const std::string_view rule : rules)
    if (const auto axes = split(rule, '/'); axes.size() == count) return axes;
  throw UsageError(
      fmt::format("vtopo-job-network has no axes for a shape of {} dimensions", count));
}

JobLayout folded(std::string_view property, std::string_view nodes) {
  const std::vector<std::string_view> pieces = split(property, ';');
  std::map<char, Dimension> known;
  for (const std::string_view word : split(pieces.front(), ',')) {
    const Dimension dimension = read_dimension(word);
    known.emplace(dimension.name, dimension);
  }
  const std::vector<std::string_view> sizes = split(nodes, 'x');
  const auto axes = axes_of(std::span(pieces).subspan(1), sizes.size());
  JobLayout layout{"torus:", {HostId{0}}};
  std::int64_t stride = 1;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    std::vector<Dimension> dimensions;
    for (const char name : axes[axis]) {
      if (!known.contains(name)) throw unreadable(axes[axis]);
      dimensions.push_back(known.extract(name).mapped());
    }
    if (dimensions.empty()) throw unreadable(pieces[1]);
    const int length = narrow<int>(parse_integer(sizes[axis]).value());
    const Coordinates taken = sizes_of(dimensions, length);
    if (product_of(taken) < length)
      throw UsageError(
          fmt::format("a ring of {} nodes of the shape {} does not fit into the "
                      "dimensions {} of the machine",
                      length, nodes, axes[axis]));
    std::vector<Coordinates> path = ring(taken);
    path.resize(static_cast<std::size_t>(length));
    std::vector<HostId> hosts;
    for (const Coordinates& place : path) {
      std::int64_t offset = 0, inner = stride;
      for (std::size_t d = 0; d < place.size(); ++d) {
        offset += inner * place[d];
        inner *= taken[d];
      }
      for (const HostId host : layout.hosts)
        hosts.push_back(HostId{narrow<int>(number(host) + offset)});
    }
    layout.hosts = std::move(hosts);
    for (std::size_t d = 0; d < taken.size(); ++d) {
      stride *= taken[d];
      if (taken[d] > 1)
        layout.network += fmt::format("{}{}{}", layout.network.back() == ':' ? "" : "x", taken[d],
                                      dimensions[d].is_open ? "m" : "");
    }
  }
  if (layout.network.back() == ':') layout.network += '1';
  return layout;
}

}  // namespace

JobLayout lay_out_job(std::string_view property, std::string_view nodes) {
  constexpr std::string_view is_folded = "folded:", shape = "{}";
  if (property.starts_with(is_folded)) return folded(property.substr(is_folded.size()), nodes);
  const auto place = property.find(shape);
  if (place == std::string_view::npos)
    throw UsageError(fmt::format(
        "vtopo-job-network=\"{}\"; accepted is what a job of a shape sees, such as hyperx:{{}}, or "
        "folded:SIZES;AXES",
        property));
  std::string network(property.substr(0, place));
  network += nodes;
  return {network += property.substr(place + shape.size()), {}};
}

}  // namespace vtopo::detail
