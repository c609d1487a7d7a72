#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "cli/verbs/topology/topology_inquiry.hpp"

namespace vtopo::detail {

namespace {

using Json = nlohmann::ordered_json;

Json rank_value(std::optional<Rank> rank) {
  return rank ? Json(number(*rank)) : Json(nullptr);
}

template <class Ranks>
Json rank_array(const Ranks& ranks) {
  Json array = Json::array();
  for (const std::optional<Rank> rank : ranks) array.push_back(rank_value(rank));
  return array;
}

/// Weights of MPI are integers and stay so; files may have others.
Json weight_array(const std::vector<double>& weights) {
  constexpr double largest = 1e15;  // integers up to here are exact
  Json array = Json::array();
  for (const double weight : weights)
    if (weight <= largest && weight == std::floor(weight))
      array.push_back(static_cast<std::int64_t>(weight));
    else
      array.push_back(weight);
  return array;
}

/// Puts `dims` and `periods` into an object.
void put_grid(Json& object, const std::vector<Dimension>& dimensions) {
  object["dims"] = Json::array();
  object["periods"] = Json::array();
  for (const Dimension& dimension : dimensions) {
    object["dims"].push_back(dimension.size);
    object["periods"].push_back(dimension.periodic());
  }
}

Json shift_object(const ShiftAnswer& shift) {
  Json object{{"direction", shift.direction}, {"disp", shift.disp}, {"ranks", Json::array()}};
  for (const auto& [rank, ranks] : shift.ranks)
    object["ranks"].push_back({{"rank", number(rank)},
                               {"source", rank_value(ranks.source)},
                               {"dest", rank_value(ranks.destination)}});
  return object;
}

Json neighbors_object(const NeighborsAnswer& answer, TopologyKind kind) {
  const auto& [sources, destinations] = answer.neighbourhood;
  Json object{{"rank", number(answer.rank)}};
  if (kind != TopologyKind::dist_graph) {
    object["neighbors"] = rank_array(destinations);
    return object;
  }
  object["indegree"] = sources.size();
  object["outdegree"] = destinations.size();
  object["weighted"] = answer.source_weights.has_value();
  object["sources"] = rank_array(sources);
  if (answer.source_weights) object["sourceweights"] = weight_array(*answer.source_weights);
  object["destinations"] = rank_array(destinations);
  if (answer.destination_weights) object["destweights"] = weight_array(*answer.destination_weights);
  return object;
}

Json sub_object(const SubAnswer& sub) {
  Json object{{"remain_dims", sub.remain_dims}};
  put_grid(object, sub.dimensions);
  object["communicators"] = Json::array();
  for (const auto& ranks : sub.communicators) object["communicators"].push_back(rank_array(ranks));
  return object;
}

void put_description(Json& document, const TopologyAnswers& answers) {
  document["topo_test"] = mpi_name(answers.kind);
  document["comm_size"] = answers.num_ranks;
  if (answers.kind == TopologyKind::cart) put_grid(document, answers.dimensions);
  if (!answers.graphdims) return;
  document["nnodes"] = answers.graphdims->num_ranks;
  document["nedges"] = answers.graphdims->num_edges;
}

}  // namespace

std::string render_json(const TopologyAnswers& answers) {
  Json document{{"schema", "vtopo/topology/v1"}, {"topology", answers.specification}};
  put_description(document, answers);
  for (const auto& [rank, coords] : answers.coords)
    document["cart_coords"].push_back({{"rank", number(rank)}, {"coords", coords}});
  for (const auto& [coords, rank] : answers.rank)
    document["cart_rank"].push_back({{"coords", coords}, {"rank", number(rank)}});
  for (const auto& shift : answers.shift) document["cart_shift"].push_back(shift_object(shift));
  for (const auto& answer : answers.neighbors)
    document["neighbors"].push_back(neighbors_object(answer, answers.kind));
  for (const auto& sub : answers.sub) document["cart_sub"].push_back(sub_object(sub));
  // File names may hold any bytes; an answer with U+FFFD in one is better than none.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace vtopo::detail
