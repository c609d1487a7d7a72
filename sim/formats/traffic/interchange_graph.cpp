#include "sim/formats/traffic/interchange_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>
#include <system_error>
#include <tuple>

#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/lower_case.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

constexpr std::string_view weight_name = "weight";

/// Names that mean a volume, in small letters.
constexpr std::array<std::string_view, 6> volume_names{"bytes",  "edge weight", "size",
                                                       "volume", "traffic",     weight_name};

/// Attributes of edges that only say how they are drawn (Graphviz) or what they are called.
constexpr std::array<std::string_view, 17> drawing_names{
    "arrowsize",     "color",      "constraint", "decorate",
    "fontsize",      "headclip",   "id",         "key",
    "labelangle",    "len",        "minlen",     "labeldistance",
    "labelfontsize", "labelfloat", "penwidth",   "style",
    "tailclip"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// In any case.
bool is_volume_name(std::string_view name) {
  return is_one_of(volume_names, lower_case(name));
}

}  // namespace

std::size_t InterchangeGraph::node(const std::string& name) {
  const auto [entry, is_new] = numbers_.emplace(name, names_.size());
  if (!is_new) return entry->second;
  if (int_size(names_) == max_ranks_in_file)
    throw input_error({file_}, fmt::format("more than {} nodes", max_ranks_in_file));
  names_.push_back(name);
  return entry->second;
}

std::size_t InterchangeGraph::add_edge(std::size_t source, std::size_t destination, bool directed) {
  edges_.push_back({source, destination, directed});
  return edges_.size() - 1;
}

void InterchangeGraph::set_attribute(std::size_t edge, const std::string& name,
                                     const std::string& value) {
  if (name == "messages")
    edges_[edge].messages = value;
  else if (!is_one_of(drawing_names, name))
    attributes_[name].emplace_back(edge, value);
}

void InterchangeGraph::sort_nodes(const std::function<std::size_t(const std::string&)>& place) {
  std::vector<std::size_t> places, order(names_.size()), moved(names_.size());
  for (const std::string& name : names_) places.push_back(place(name));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
  std::vector<std::string> names;
  for (std::size_t n = 0; n < order.size(); ++n) {
    moved[order[n]] = n;
    names.push_back(std::move(names_[order[n]]));
  }
  names_ = std::move(names);
  for (auto& [name, node] : numbers_) node = moved[node];
  for (Edge& edge : edges_) {
    edge.source = moved[edge.source];
    edge.destination = moved[edge.destination];
  }
}

/// The attribute that is the volume: `weight`, else the only one that is called like a volume, else
/// the only number, of those that all edges have; null: there is none.
/// @throws InputError for more than one.
const InterchangeGraph::Attribute* InterchangeGraph::find_volume() {
  std::vector<const Attribute*> named, numbers, complete;
  const Attribute* weight = nullptr;
  for (const Attribute& one : attributes_) {
    const bool is_number = std::all_of(one.second.begin(), one.second.end(), [](const auto& value) {
      return parse_number(trim(value.second)).has_value();
    });
    if (one.first == weight_name) weight = &one;
    if (is_number) numbers.push_back(&one);
    if (is_volume_name(one.first)) named.push_back(&one);
  }
  for (const Attribute* one : named)
    if (num_without(*one) == 0) complete.push_back(one);
  const Attribute* chosen = nullptr;
  std::vector<const Attribute*>& candidates = named.empty() ? numbers : named;
  if (weight != nullptr && (candidates.size() == 1 || num_without(*weight) == 0))
    chosen = weight;
  else if (complete.size() == 1 || candidates.size() == 1)
    chosen = complete.size() == 1 ? complete.front() : candidates.front();
  if (chosen == nullptr && !candidates.empty()) {
    std::vector<std::string> names;
    for (const Attribute* one : candidates)
      if (one != weight) names.push_back('"' + one->first + '"');
    throw input_error(
        {file_},
        fmt::format("{} \"{}\", and {} could be their volume: accepted is one of them, or "
                    "one that is called \"{}\"",
                    weight == nullptr ? "the edges have no attribute" : "not all edges have",
                    weight_name, join(names, " or "), weight_name));
  }
  if (chosen != nullptr && chosen != weight)
    recording_.remarks.push_back(fmt::format(
        "the volume of an edge is its attribute \"{}\", as {} called \"{}\"", chosen->first,
        weight == nullptr ? "none is" : "not all have one", weight_name));
  for (const Attribute* one : numbers)
    if (one != chosen && one->first != "label")
      recording_.remarks.push_back(
          fmt::format("the volume of an edge is its attribute \"{}\": \"{}\" is not read",
                      chosen->first, one->first));
  return chosen;
}

/// How many edges do not have it.
std::size_t InterchangeGraph::num_without(const Attribute& attribute) const {
  std::vector<bool> has(edges_.size());
  for (const auto& [edge, value] : attribute.second) has[edge] = true;
  return static_cast<std::size_t>(std::count(has.begin(), has.end(), false));
}

void InterchangeGraph::take_weights() {
  const Attribute* volume = find_volume();
  const std::size_t without = volume == nullptr ? edges_.size() : num_without(*volume);
  if (volume != nullptr)
    for (const auto& [edge, value] : volume->second) edges_[edge].weight = value;
  if (without > 0 && volume != nullptr && volume->first != weight_name)
    throw input_error({file_}, fmt::format("{} of {} without \"{}\", the volume of the others; "
                                           "accepted is one attribute of all edges",
                                           without, counted(edges_.size(), "edge"), volume->first));
  if (without > 0)
    recording_.remarks.push_back(fmt::format("{} of {} without \"{}\": each counts as 1 B", without,
                                             counted(edges_.size(), "edge"), weight_name));
  attributes_.clear();
}

DirectedEdge InterchangeGraph::value_of(const Edge& edge, const std::vector<Rank>& ranks,
                                        WeightRule rule) const {
  const Rank source = ranks[edge.source], destination = ranks[edge.destination];
  const auto fail = [&](std::string_view what, std::string_view value, std::string_view accepted) {
    throw input_error(
        {file_}, fmt::format("{} \"{}\" of the edge from rank {} to rank {} is not {}", what, value,
                             number(source), number(destination), accepted));
  };
  auto weight = parse_number(trim(edge.weight));
  if (weight && rule != WeightRule::value) weight = std::abs(*weight);
  if (!weight || *weight < 0 || *weight > max_volume.value)
    fail("weight", edge.weight, fmt::format("a number in 0..{}", max_volume.value));
  const auto messages = parse_integer(trim(edge.messages));
  if (!messages || *messages < 0 || *messages > std::numeric_limits<int>::max())
    fail("number of messages", edge.messages, "an integer in 0..2147483647");
  return {source, destination, Bytes{*weight}, narrow<int>(*messages)};
}

Recording InterchangeGraph::recording(WeightRule rule) && {
  take_weights();
  const NodeRanks nodes = ranks_of_names(names_);
  if (!names_.empty() && !nodes.remark.empty()) recording_.remarks.push_back(nodes.remark);
  recording_.num_ranks = int_size(names_);
  for (const Edge& edge : edges_) {
    DirectedEdge value = value_of(edge, nodes.ranks, rule);
    if (value.volume.value == 0 && value.messages == 0) continue;
    if (!edge.directed && value.source != value.destination) {
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

namespace {

bool by_ends(const DirectedEdge& a, const DirectedEdge& b) {
  return std::tie(a.source, a.destination) < std::tie(b.source, b.destination);
}

}  // namespace

void UndirectedEdges::add(Rank neighbour, double weight) {
  edges_.push_back({Rank{num_vertices() - 1}, neighbour, {weight}});
}

void UndirectedEdges::check_ends() const {
  std::vector<DirectedEdge> sorted = edges_;
  std::sort(sorted.begin(), sorted.end(), by_ends);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const DirectedEdge& edge = sorted[i];
    const FilePosition place{file_, lines_[index(edge.source)]};
    const auto fail = [&](std::string_view what) {
      throw input_error(place, fmt::format("the edge of ranks {} and {} (counted from 0) {}",
                                           number(edge.source), number(edge.destination), what));
    };
    if (edge.source == edge.destination) fail("is a loop; accepted are edges of two vertices");
    if (i > 0 && !by_ends(sorted[i - 1], edge)) fail("is named twice at one end");
    const DirectedEdge opposite{edge.destination, edge.source, {}};
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), opposite, by_ends);
    if (found == sorted.end() || by_ends(opposite, *found))
      fail("is missing at its other end; accepted are edges named at both ends");
    if (found->volume != edge.volume)
      fail(fmt::format("has weight {} here and {} at its other end", edge.volume.value,
                       found->volume.value));
  }
}

Recording UndirectedEdges::recording() && {
  check_ends();
  for (DirectedEdge& edge : edges_) edge.volume.value /= 2;
  return {num_vertices(), std::move(edges_)};
}

std::int64_t read_integer_between(const LineFile& file, const Token& token, std::string_view what,
                                  std::int64_t smallest, std::int64_t largest) {
  const auto value = parse_integer(token.text);
  if (!value || *value < smallest || *value > largest)
    throw input_error(file.at(token.column), fmt::format("{} \"{}\" is not an integer in {}..{}",
                                                         what, token.text, smallest, largest));
  return *value;
}

}  // namespace vtopo::detail
