#include "topology/traffic/interchange_graph.hpp"

#include <fmt/format.h>

#include <boost/graph/graphviz.hpp>
#include <filesystem>
#include <limits>
#include <new>
#include <system_error>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

std::size_t InterchangeGraph::add_edge(Rank source, Rank destination) {
  name(source);
  name(destination);
  edges_.push_back({source, destination});
  return edges_.size() - 1;
}

void InterchangeGraph::set_attribute(std::size_t edge, std::string_view name,
                                     const std::string& value) {
  if (name == "weight") edges_[edge].weight = value;
  if (name == "messages") edges_[edge].messages = value;
}

DirectedEdge InterchangeGraph::value_of(const Edge& edge) const {
  const auto fail = [&](std::string_view what, std::string_view value, std::string_view accepted) {
    throw input_error(
        {file_}, fmt::format("{} \"{}\" of the edge from rank {} to rank {} is not {}", what, value,
                             number(edge.source), number(edge.destination), accepted));
  };
  const auto weight = parse_number(trim(edge.weight));
  if (!weight || *weight < 0 || *weight > max_volume.value)
    fail("weight", edge.weight, fmt::format("a number in 0..{}", max_volume.value));
  const auto messages = parse_integer(trim(edge.messages));
  if (!messages || *messages < 0 || *messages > std::numeric_limits<int>::max())
    fail("number of messages", edge.messages, "an integer in 0..2147483647");
  return {edge.source, edge.destination, Bytes{*weight}, narrow<int>(*messages)};
}

Recording InterchangeGraph::recording() && {
  for (const Edge& edge : edges_) {
    DirectedEdge value = value_of(edge);
    if (value.volume.value == 0 && value.messages == 0) continue;
    if (!directed_ && value.source != value.destination) {
      value.volume.value /= 2;
      recording_.edges.push_back({value.destination, value.source, value.volume, value.messages});
    }
    recording_.edges.push_back(value);
  }
  return std::move(recording_);
}

std::string read_interchange_text(const std::string& path) {
  constexpr std::uintmax_t max_bytes = 16777216;
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (!error && size > max_bytes)
    throw input_error({path}, fmt::format("has {} bytes; accepted are up to {} in a format for "
                                          "interchange, more as edges or mtx",
                                          size, max_bytes));
  return read_lines(path);
}

Recording read_by_boost(const std::string& path, std::string_view format,
                        const std::function<Recording(bool directed)>& read) {
  try {
    try {
      return read(true);
    } catch (const boost::undirected_graph_error&) {
      return read(false);
    }
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw input_error({path}, fmt::format("no {} that is understood: {}", format, error.what()));
  }
}

}  // namespace vtopo::detail
