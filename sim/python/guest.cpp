#include "sim/python/module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "topology/base/compressed_rows.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace py = pybind11;

namespace vtopo::detail::python {

namespace {

/// Numbers of a buffer as they lie in memory, with whatever strides.
class Numbers {
 public:
  Numbers(const py::buffer& buffer, std::string_view name, py::ssize_t dimensions)
      : info_(buffer.request()), name_(name) {
    if (py::hasattr(buffer, "mask"))
      throw UsageError(
          fmt::format("{}: a masked array, whose mask would not count; expected one such as its "
                      "filled(0)",
                      name));
    if (info_.ndim != dimensions)
      throw UsageError(
          fmt::format("{}: a buffer of {} dimensions; expected {}", name, info_.ndim, dimensions));
    static const std::string accepted = "bBhHiIlLqQfd?";
    format_ = info_.format.empty() ? '\0' : info_.format.back();
    const bool native = info_.format.size() == 1 ||
                        (info_.format.size() == 2 && std::strchr("@=<", info_.format[0]));
    if (!native || accepted.find(format_) == std::string::npos)
      throw UsageError(fmt::format("{}: numbers of the format \"{}\"; expected integers or floats",
                                   name, info_.format));
  }

  std::size_t size(std::size_t dimension = 0) const {
    return static_cast<std::size_t>(info_.shape[dimension]);
  }
  const std::string& name() const { return name_; }

  double at(std::size_t i, std::size_t j = 0) const {
    const auto* byte = static_cast<const char*>(info_.ptr) +
                       static_cast<py::ssize_t>(i) * info_.strides[0] +
                       (info_.ndim > 1 ? static_cast<py::ssize_t>(j) * info_.strides[1] : 0);
    switch (format_) {
      case 'f':
        return read<float>(byte);
      case 'd':
        return read<double>(byte);
      default:
        return is_signed() ? signed_at(byte) : unsigned_at(byte);
    }
  }

  /// @throws UsageError unless it is a whole number from 0 to `end` - 1.
  int whole(std::size_t i, std::int64_t end) const {
    const double value = at(i);
    if (!(value >= 0) || value >= static_cast<double>(end) || value != std::floor(value))
      throw UsageError(fmt::format("{}[{}] is {}; accepted are whole numbers from 0 to {}", name_,
                                   i, value, end - 1));
    return static_cast<int>(value);
  }

 private:
  template <class Value>
  static double read(const char* byte) {
    Value value;
    std::memcpy(&value, byte, sizeof(value));
    return static_cast<double>(value);
  }
  bool is_signed() const { return std::strchr("bhilq", format_) != nullptr; }
  double signed_at(const char* byte) const {
    switch (info_.itemsize) {
      case 1:
        return read<std::int8_t>(byte);
      case 2:
        return read<std::int16_t>(byte);
      case 4:
        return read<std::int32_t>(byte);
      default:
        return read<std::int64_t>(byte);
    }
  }
  double unsigned_at(const char* byte) const {
    switch (info_.itemsize) {
      case 1:
        return read<std::uint8_t>(byte);
      case 2:
        return read<std::uint16_t>(byte);
      case 4:
        return read<std::uint32_t>(byte);
      default:
        return read<std::uint64_t>(byte);
    }
  }

  py::buffer_info info_;
  std::string name_;
  char format_ = 0;
};

Bytes checked_volume(const Numbers& volumes, std::size_t i, std::size_t j = 0) {
  const double value = volumes.at(i, j);
  if (!(value >= 0) || !std::isfinite(value))
    throw UsageError(
        fmt::format("{}[{}] is {}; accepted are finite numbers >= 0", volumes.name(), i, value));
  return Bytes{value};
}

void check_lengths(const Numbers& a, const Numbers& b) {
  if (a.size() != b.size())
    throw UsageError(fmt::format("{} has {} entries and {} has {}; expected equally many", a.name(),
                                 a.size(), b.name(), b.size()));
}

/// 1 + the largest rank that occurs.
int ranks_in(const Numbers& from, const Numbers& to) {
  constexpr std::int64_t max_ranks = std::numeric_limits<int>::max();
  int ranks = 0;
  for (const Numbers* ends : {&from, &to})
    for (std::size_t e = 0; e < ends->size(); ++e)
      ranks = std::max(ranks, 1 + ends->whole(e, max_ranks));
  return ranks;
}

/// Positions in a buffer as a range, so that a graph is filled from where the numbers lie.
class Positions {
 public:
  struct Iterator {
    std::size_t at;
    std::size_t operator*() const { return at; }
    Iterator& operator++() {
      ++at;
      return *this;
    }
    bool operator==(const Iterator&) const = default;
  };

  explicit Positions(std::size_t size) : size_(size) {}
  std::size_t size() const { return size_; }
  Iterator begin() const { return {0}; }
  Iterator end() const { return {size_}; }

 private:
  std::size_t size_;
};

}  // namespace

CommGraph graph_of_edges(std::optional<int> num_ranks, const py::buffer& sources,
                         const py::buffer& destinations, const py::buffer& volumes) {
  const Numbers from(sources, "sources", 1), to(destinations, "destinations", 1),
      bytes(volumes, "volumes", 1);
  check_lengths(from, to);
  check_lengths(from, bytes);
  if (num_ranks && *num_ranks < 0)
    throw UsageError(fmt::format("ranks is {}; accepted are whole numbers from 0 on", *num_ranks));
  const int ranks = num_ranks ? *num_ranks : ranks_in(from, to);
  return CommGraph(CompressedRows<CommEdge>::sorted(
      index(ranks), Positions{from.size()},
      [&](std::size_t e) { return static_cast<std::size_t>(from.whole(e, ranks)); },
      [&](std::size_t e) {
        return CommEdge{checked_volume(bytes, e), Rank{to.whole(e, ranks)}};
      }));
}

CommGraph graph_of_rows(const py::buffer& offsets, const py::buffer& destinations,
                        const py::buffer& volumes) {
  const Numbers starts(offsets, "offsets", 1), to(destinations, "destinations", 1),
      bytes(volumes, "volumes", 1);
  check_lengths(to, bytes);
  if (starts.size() == 0) throw UsageError("offsets has no entries; expected one more than ranks");
  const int ranks = narrow<int>(starts.size() - 1);
  CompressedRows<CommEdge> rows;
  rows.reserve(index(ranks), to.size());
  const auto end = static_cast<std::int64_t>(to.size()) + 1;
  for (int r = 0; r < ranks; ++r) {
    const auto row = static_cast<std::size_t>(r);
    const int first = starts.whole(row, end), last = starts.whole(row + 1, end);
    if (last < first)
      throw UsageError(fmt::format("offsets[{}] is {}, less than the one before", r + 1, last));
    for (int e = first; e < last; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      rows.push({checked_volume(bytes, entry), Rank{to.whole(entry, ranks)}});
    }
    rows.end_row();
  }
  return CommGraph(std::move(rows));
}

CommGraph graph_of_matrix(const py::buffer& matrix) {
  const Numbers bytes(matrix, "matrix", 2);
  if (bytes.size(0) != bytes.size(1))
    throw UsageError(fmt::format("matrix has {} rows and {} columns; expected a square",
                                 bytes.size(0), bytes.size(1)));
  CompressedRows<CommEdge> rows;
  for (std::size_t r = 0; r < bytes.size(0); ++r) {
    for (std::size_t c = 0; c < bytes.size(1); ++c)
      if (bytes.at(r, c) != 0) rows.push({checked_volume(bytes, r, c), id_at<Rank>(c)});
    rows.end_row();
  }
  return CommGraph(std::move(rows));
}

py::bytes packed_edges(const CommGraph& graph) {
  std::string bytes;
  const auto append = [&](const auto& value) {
    char parts[sizeof(value)];
    std::memcpy(parts, &value, sizeof(value));
    bytes.append(parts, sizeof(value));
  };
  bytes.reserve(graph.num_edges() * (3 * sizeof(int) + sizeof(double)));
  graph.for_each_edge([&](Rank source, const CommEdge& edge) {
    append(number(source));
    append(number(edge.destination));
    append(edge.messages);
    append(edge.volume.value);
  });
  return {bytes};
}

}  // namespace vtopo::detail::python
