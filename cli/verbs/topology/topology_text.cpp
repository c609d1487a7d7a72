#include <algorithm>

#include "cli/verbs/topology/topology_inquiry.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/append_format.hpp"

namespace vtopo::detail {

namespace {

constexpr std::size_t label_width = 30;

std::string rank_text(std::optional<Rank> rank) {
  return rank ? std::to_string(number(*rank)) : "-";
}

/// One answer per line: the call, then what it returns.
std::string line(const std::string& call, const std::string& result) {
  if (result.empty()) return call + '\n';
  return fmt::format("{:<{}} {}\n", call, label_width, result);
}

template <class List, class TextOf>
std::string joined(const List& list, TextOf text_of, std::string_view separator = " ") {
  std::string text;
  for (const auto& entry : list) {
    if (!text.empty()) text += separator;
    text += text_of(entry);
  }
  return text;
}

std::string numbers(const std::vector<int>& values, std::string_view separator = " ") {
  return joined(
      values, [](int value) { return std::to_string(value); }, separator);
}

/// A grid as specifications write it: `cart:4px4`; of zero dimensions: `one rank`.
std::string grid_text(const std::vector<Dimension>& dimensions) {
  if (dimensions.empty()) return "a grid of zero dimensions";
  return "cart:" + joined(
                       dimensions,
                       [](const Dimension& dimension) {
                         return std::to_string(dimension.size) + (dimension.periodic() ? "p" : "");
                       },
                       "x");
}

std::string description(const TopologyAnswers& answers) {
  std::string text = line("topo_test", std::string(mpi_name(answers.kind))) +
                     line("comm_size", std::to_string(answers.num_ranks));
  if (answers.kind == TopologyKind::cart) {
    text += line("cartdim_get", std::to_string(answers.dimensions.size()));
    text += line("cart_get dims", joined(answers.dimensions, [](const Dimension& dimension) {
                   return std::to_string(dimension.size);
                 }));
    text += line("cart_get periods", joined(answers.dimensions, [](const Dimension& dimension) {
                   return std::string(dimension.periodic() ? "1" : "0");
                 }));
  }
  if (answers.graphdims)
    text += line("graphdims_get",
                 fmt::format("{} {}", answers.graphdims->num_ranks, answers.graphdims->num_edges));
  return text;
}

std::string shift_text(const ShiftAnswer& shift) {
  std::string text = fmt::format("cart_shift {},{}\n{:>12}{:>12}{:>12}\n", shift.direction,
                                 shift.disp, "rank", "source", "dest");
  for (const auto& [rank, ranks] : shift.ranks)
    append_format(text, "{:>12}{:>12}{:>12}\n", number(rank), rank_text(ranks.source),
                  rank_text(ranks.destination));
  return text;
}

std::string weights_text(const Weights& weights) {
  return joined(*weights, [](double weight) { return fmt::format("{}", weight); });
}

std::string dist_neighbors_text(const NeighborsAnswer& answer) {
  const int rank = number(answer.rank);
  const auto& [sources, destinations] = answer.neighbourhood;
  std::string text = line(
      fmt::format("dist_graph_neighbors_count {}", rank),
      fmt::format("{} {} {}", sources.size(), destinations.size(), answer.source_weights ? 1 : 0));
  text += line(fmt::format("sources {}", rank), joined(sources, rank_text));
  if (answer.source_weights)
    text += line(fmt::format("sourceweights {}", rank), weights_text(answer.source_weights));
  text += line(fmt::format("destinations {}", rank), joined(destinations, rank_text));
  if (answer.destination_weights)
    text += line(fmt::format("destweights {}", rank), weights_text(answer.destination_weights));
  return text;
}

std::string neighbors_text(const NeighborsAnswer& answer, TopologyKind kind) {
  if (kind == TopologyKind::dist_graph) return dist_neighbors_text(answer);
  const auto& neighbours = answer.neighbourhood.destinations;
  const std::string list = joined(neighbours, rank_text);
  const int rank = number(answer.rank);
  if (kind == TopologyKind::cart) return line(fmt::format("neighbors {}", rank), list);
  return line(fmt::format("graph_neighbors_count {}", rank), std::to_string(neighbours.size())) +
         line(fmt::format("graph_neighbors {}", rank), list);
}

std::string sub_text(const SubAnswer& sub) {
  const std::vector<int> remain(sub.remain_dims.begin(), sub.remain_dims.end());
  const std::size_t count = sub.communicators.size();
  std::string text =
      line(fmt::format("cart_sub {}", numbers(remain, ",")),
           fmt::format("{}, each {}", counted(count, "communicator"), grid_text(sub.dimensions)));
  for (const auto& ranks : sub.communicators) text += line("", "ranks " + joined(ranks, rank_text));
  return text;
}

bool has_null(const TopologyAnswers& answers) {
  const auto in_neighbours = [](const NeighborsAnswer& answer) {
    const auto& all = answer.neighbourhood.destinations;
    return std::find(all.begin(), all.end(), std::nullopt) != all.end();
  };
  const auto in_shift = [](const ShiftAnswer& shift) {
    return std::any_of(shift.ranks.begin(), shift.ranks.end(), [](const auto& entry) {
      return !entry.second.source || !entry.second.destination;
    });
  };
  return std::any_of(answers.neighbors.begin(), answers.neighbors.end(), in_neighbours) ||
         std::any_of(answers.shift.begin(), answers.shift.end(), in_shift);
}

}  // namespace

std::string render_text(const TopologyAnswers& answers) {
  std::string text = description(answers);
  for (const auto& [rank, coords] : answers.coords)
    text += line(fmt::format("cart_coords {}", number(rank)), numbers(coords));
  for (const auto& [coords, rank] : answers.rank)
    text += line("cart_rank " + numbers(coords, ","), rank_text(rank));
  for (const auto& shift : answers.shift) text += shift_text(shift);
  for (const auto& neighbors : answers.neighbors) text += neighbors_text(neighbors, answers.kind);
  for (const auto& sub : answers.sub) text += sub_text(sub);
  if (has_null(answers)) text += "- stands for MPI_PROC_NULL\n";
  return text;
}

}  // namespace vtopo::detail
