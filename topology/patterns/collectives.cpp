#include "topology/patterns/collectives.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/patterns/algorithms.hpp"
#include "topology/patterns/library_rules.hpp"

namespace vtopo::detail {

namespace {

CollectiveAlgorithm copying(double copies, CollectiveAlgorithm algorithm) {
  algorithm.copies = copies;
  return algorithm;
}

std::vector<CollectiveAlgorithm> all_algorithms() {
  using namespace collectives;
  constexpr auto powers = RankNumbers::powers_of_two;
  using Orders = std::vector<PartnerOrder>;
  const Orders doubling_first{{"distance_doubling"}, {"distance_halving"}};
  const Orders halving_first{{"distance_halving"}, {"distance_doubling"}};
  const Orders gathers{{"distance_doubling"}, {"distance_halving", powers}};
  const Orders scatters{{"distance_halving"}, {"distance_doubling", powers}};
  const Orders pairs{{"xor", powers}, {"shift"}};
  const Orders ranks_in_order{{"levels"}, {"in_order"}}, partners{{"xor"}, {"bine"}};
  using Keys = std::vector<std::string_view>;
  const Keys segments{"segments"}, window{"window"}, radix{"radix"},
      chain{"segments", "radix", "channels", "ranks_per_node"}, binomial{"segments", "children"},
      tree{"segments", "children", "radix"}, nodes{"ranks_per_node"},
      rings{"channels", "ranks_per_node"}, node_trees{"segments", "channels", "ranks_per_node"},
      whole_vectors{"shape", "ports"}, vector_pieces{"segments", "shape", "ports"};
  return {
      copying(1, {"allreduce", "rabenseifner", allreduce_rabenseifner, {}, doubling_first}),
      copying(
          1, {"allreduce", "recursive_doubling", allreduce_recursive_doubling, {}, doubling_first}),
      {"allreduce", "ring", allreduce_ring, rings},
      {"allreduce", "segmented_ring", allreduce_ring, segments},
      copying(2, {"allreduce", "reduce_bcast", allreduce_reduce_bcast, binomial, halving_first}),
      copying(1, {"allreduce", "linear", allreduce_linear, window}),
      {"allreduce", "tree", allreduce_tree, node_trees},
      {"allreduce", "double_tree", allreduce_double_tree, node_trees},
      {"allreduce", "hierarchical", allreduce_hierarchical, nodes},
      {"allreduce", "torus_doubling", allreduce_axes_doubling, whole_vectors, partners, 0, powers},
      {"allreduce", "torus_halving", allreduce_axes_halving, vector_pieces, partners, 0, powers},
      {"allgather", "ring", allgather_ring, rings},
      {"allgather", "bruck", allgather_bruck, radix, {}, 2},
      {"allgather", "recursive_doubling", allgather_recursive_doubling, {}, gathers},
      {"allgather", "neighbor", allgather_neighbor, {}, {}, 0, RankNumbers::even},
      {"allgather", "sparbit", allgather_sparbit},
      {"allgather", "linear", allgather_linear},
      {"allgather", "hierarchical", allgather_hierarchical, nodes},
      copying(2, {"reduce_scatter",
                  "recursive_halving",
                  reduce_scatter_recursive_halving,
                  {},
                  halving_first}),
      copying(1, {"reduce_scatter", "ring", reduce_scatter_ring, rings}),
      copying(1, {"reduce_scatter", "hierarchical", reduce_scatter_hierarchical, nodes}),
      {"reduce_scatter", "pairwise", reduce_scatter_pairwise},
      copying(2, {"reduce_scatter", "recursive_doubling", reduce_scatter_recursive_doubling}),
      copying(2, {"reduce_scatter", "butterfly", reduce_scatter_butterfly}),
      copying(2, {"reduce_scatter", "reduce_then_scatter", reduce_scatter_reduce_then_scatter}),
      {"alltoall", "pairwise", alltoall_pairwise, {}, pairs},
      {"alltoall", "bruck", alltoall_bruck},
      {"alltoall", "linear", alltoall_linear, window},
      {"alltoall", "hierarchical", alltoall_hierarchical, nodes},
      {"bcast", "binomial", bcast_binomial, binomial, halving_first},
      {"bcast", "binary", bcast_binary, tree, {}, 2},
      {"bcast", "split_binary", bcast_split_binary, segments},
      {"bcast", "chain", bcast_chain, chain, {}, 1},
      {"bcast", "knomial", bcast_knomial, tree, {}, 4},
      {"bcast", "linear", bcast_linear, window},
      {"bcast", "scatter_allgather", bcast_scatter_allgather, {}, scatters},
      {"bcast", "scatter_allgather_ring", bcast_scatter_allgather_ring, {}, halving_first},
      copying(2, {"reduce", "binomial", reduce_binomial, binomial, halving_first}),
      copying(2, {"reduce", "binary", reduce_binary, tree, ranks_in_order, 2}),
      copying(2, {"reduce", "chain", reduce_chain, chain, {}, 1}),
      copying(2, {"reduce", "knomial", reduce_knomial, tree, {}, 4}),
      copying(1, {"reduce", "linear", reduce_linear, window}),
      copying(2, {"reduce", "rabenseifner", reduce_rabenseifner, {}, doubling_first}),
      copying(0.5, {"gather", "binomial", gather_binomial, {}, halving_first}),
      {"gather", "linear", gather_linear, window},
      {"gather", "linear_sync", gather_linear_sync},
      copying(0.5, {"scatter", "binomial", scatter_binomial, {}, halving_first}),
      {"scatter", "linear", scatter_linear, window},
      copying(1, {"scatter", "bcast", scatter_bcast}),
      {"barrier", "bruck", barrier_bruck},
      {"barrier", "recursive_doubling", barrier_recursive_doubling},
      {"barrier", "binomial", barrier_binomial},
      {"barrier", "linear", barrier_linear},
  };
}

bool exists(RankNumbers numbers, int ranks) {
  if (numbers == RankNumbers::even) return ranks % 2 == 0;
  return numbers == RankNumbers::any || std::has_single_bit(static_cast<unsigned>(ranks));
}

void check_ranks(const CollectiveAlgorithm& algorithm, RankNumbers numbers, int ranks,
                 const std::string& what) {
  if (exists(numbers, ranks)) return;
  std::vector<std::string> others;
  for (const CollectiveAlgorithm& other : collective_algorithms())
    if (other.collective == algorithm.collective && exists(other.ranks, ranks) &&
        other.name != algorithm.name)
      others.emplace_back(other.name);
  throw UsageError(fmt::format("{} ranks are not {}, which {} needs; accepted for them: {}", ranks,
                               numbers == RankNumbers::even ? "an even number" : "a power of two",
                               what, join(others, ", ")));
}

void check_order(const CollectiveAlgorithm& algorithm, int ranks, const std::string& order) {
  std::vector<std::string> names;
  for (const PartnerOrder& known : algorithm.orders) {
    if (known.name == order)
      return check_ranks(algorithm, known.ranks, ranks,
                         fmt::format("{} with order={}", algorithm.name, order));
    names.emplace_back(known.name);
  }
  throw UsageError(
      names.empty()
          ? fmt::format("{} has no order \"{}\": there is only one", algorithm.name, order)
          : fmt::format("{} has no order \"{}\"; accepted: {}{}", algorithm.name, order,
                        join(names, ", "), suggestion(order, names)));
}

std::string usual_order(const CollectiveAlgorithm& algorithm, int ranks) {
  for (const PartnerOrder& order : algorithm.orders)
    if (exists(order.ranks, ranks)) return std::string(order.name);
  return {};
}

}  // namespace

std::span<const CollectiveAlgorithm> collective_algorithms() {
  static const std::vector<CollectiveAlgorithm> algorithms = all_algorithms();
  return algorithms;
}

CommunicationSteps make_steps(const CollectiveAlgorithm& algorithm, int ranks,
                              CollectiveOptions options) {
  if (options.root < 0 || options.root >= ranks)
    throw UsageError(fmt::format("root {} is none of {} ranks: accepted are 0 to {}", options.root,
                                 ranks, ranks - 1));
  if (ranks == 1) return {};
  check_ranks(algorithm, algorithm.ranks, ranks, std::string(algorithm.name));
  if (options.order.empty()) options.order = usual_order(algorithm, ranks);
  if (!options.order.empty()) check_order(algorithm, ranks, options.order);
  if (options.radix == 0) options.radix = algorithm.radix;
  if (algorithm.radix > 1 && options.radix < 2)
    throw UsageError(fmt::format("radix {}: {} needs at least 2", options.radix, algorithm.name));
  CommunicationSteps result = algorithm.steps(ranks, options);
  result.copies += algorithm.copies;
  return result;
}

namespace {

/// Text of an option; empty: not given.
std::string_view option(const PatternSpec& spec, std::string_view key) {
  const auto at = spec.options.find(key);
  return at == spec.options.end() ? std::string_view() : std::string_view(at->second);
}

std::int64_t number_option(const PatternSpec& spec, std::string_view key, std::int64_t usual) {
  return parse_integer(option(spec, key)).value_or(usual);
}

/// Sizes of `64x64`; none of an empty text.
std::vector<int> parsed_shape(std::string_view text) {
  std::vector<int> sizes;
  if (text.empty()) return sizes;
  for (const std::string_view size : split(text, 'x'))
    sizes.push_back(static_cast<int>(parse_integer(size).value_or(0)));
  return sizes;
}

/// Segments of `segment=SIZE`.
/// @param message that is cut.
std::int64_t segments_of_size(std::string_view size, Bytes message) {
  const double segments = std::ceil(message.value / parse_bytes(size).value);
  if (segments > static_cast<double>(max_segments))
    throw UsageError(fmt::format("segment={} cuts {} into {:.3g} pieces: at most {:.3g}", size,
                                 format_bytes(message), segments,
                                 static_cast<double>(max_segments)));
  return std::max<std::int64_t>(static_cast<std::int64_t>(segments), 1);
}

}  // namespace

bool is_automatic(const PatternSpec& spec) {
  return option(spec, "algorithm") == "auto";
}

const CollectiveAlgorithm* algorithm_of(const PatternSpec& spec) {
  const std::string_view name = option(spec, "algorithm");
  for (const CollectiveAlgorithm& algorithm : collective_algorithms())
    if (algorithm.collective == spec.name && (name.empty() || name == algorithm.name))
      return &algorithm;
  return nullptr;
}

PatternSpec with_algorithm(const PatternSpec& spec, int ranks, Bytes volume) {
  if (!is_automatic(spec) || ranks == 1) return spec;
  const std::string library(option(spec, "library"));
  const auto per_node = parse_integer(option(spec, "ranks_per_node"));
  if (library == "nccl" && !per_node)
    throw UsageError("library=nccl chooses by nodes: give ranks_per_node=");
  const LibraryAlgorithm* row = find_library_algorithm(
      library, spec.name,
      library_choice(library, spec.name, ranks, volume, static_cast<int>(per_node.value_or(1))));
  PatternSpec result = spec;
  if (library == "nccl") result.options.insert_or_assign("channels", std::to_string(*per_node));
  result.options.erase("library");
  for (const std::string_view word : split(row->options, ',')) {
    const auto equals = word.find('=');
    result.options.insert_or_assign(std::string(word.substr(0, equals)),
                                    std::string(word.substr(equals + 1)));
  }
  return result;
}

CommunicationSteps collective_steps(const PatternSpec& spec, int ranks, Bytes volume) {
  if (ranks == 1) return {};
  const CollectiveAlgorithm& algorithm = *algorithm_of(spec);
  CollectiveOptions options;
  options.root = static_cast<int>(number_option(spec, "root", 0));
  options.segments = number_option(spec, "segments", 1);
  options.radix = static_cast<int>(number_option(spec, "radix", 0));
  options.window = static_cast<int>(number_option(spec, "window", 0));
  options.ports = static_cast<int>(number_option(spec, "ports", 1));
  options.channels = static_cast<int>(number_option(spec, "channels", 1));
  options.ranks_per_node = static_cast<int>(number_option(spec, "ranks_per_node", 1));
  options.shape = parsed_shape(option(spec, "shape"));
  options.order = option(spec, "order");
  if (const auto children = option(spec, "children"); !children.empty())
    options.together = children == "together";
  CommunicationSteps whole = make_steps(algorithm, ranks, options);
  const std::string_view segment = option(spec, "segment");
  if (segment.empty()) return whole;
  // Pieces are those of a message, and of the whole vector where the sizes of messages differ.
  const bool is_of_vector = algorithm.name == "torus_halving";
  options.segments =
      segments_of_size(segment, volume * whole.slot_share * (is_of_vector ? whole.num_slots : 1));
  return make_steps(algorithm, ranks, options);
}

}  // namespace vtopo::detail
