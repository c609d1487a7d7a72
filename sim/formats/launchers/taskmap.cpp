#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "sim/formats/launchers/launchers.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail::formats {

namespace {

/// `[first node, nodes, ranks per node, repetitions]` of Flux's RFC 34: ranks go to the nodes in
/// turn, so many to each, and that again.
using Block = std::array<std::int64_t, 4>;

/// Number of the node of each rank, in the order of ranks.
std::vector<int> numbers_of_nodes(const EmbeddingDocument& document) {
  const auto used = nodes_in_use(document);
  const auto all = allocated_nodes(document.network, document.allocation);
  std::unordered_map<std::string, int> numbers;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i] != all[i])
      throw UsageError(fmt::format(
          "embedding format taskmap: it numbers the nodes of the job, and node \"{}\" has no rank "
          "while others behind it do; allocate no more nodes than needed, or use flux, which names "
          "them",
          all[i]));
    numbers.emplace(used[i], narrow<int>(i));
  }
  std::vector<int> result;
  for (const std::string& node : node_names(document, "", "taskmap"))
    result.push_back(numbers.at(node));
  return result;
}

/// Consecutive ranks of a node, then nodes that follow each other, then equal blocks.
std::vector<Block> blocks_of(const std::vector<int>& nodes) {
  std::vector<Block> runs, rows, blocks;
  for (const int node : nodes)
    if (!runs.empty() && runs.back()[0] == node)
      ++runs.back()[2];
    else
      runs.push_back({node, 1, 1, 1});
  for (const Block& run : runs)
    if (!rows.empty() && rows.back()[0] + rows.back()[1] == run[0] && rows.back()[2] == run[2])
      ++rows.back()[1];
    else
      rows.push_back(run);
  for (const Block& row : rows)
    if (!blocks.empty() && std::equal(row.begin(), row.begin() + 3, blocks.back().begin()))
      ++blocks.back()[3];
    else
      blocks.push_back(row);
  return blocks;
}

std::string write_taskmap(const EmbeddingDocument& document) {
  std::string text;
  for (const Block& block : blocks_of(numbers_of_nodes(document)))
    text += fmt::format("{}[{}]", text.empty() ? "" : ",", fmt::join(block, ","));
  return '[' + text + "]\n";
}

/// The array of blocks, alone or in the object that Flux calls wrapped.
nlohmann::json read_blocks(const std::string& path) {
  LineFile file(path);
  std::string text;
  while (file.next_content()) text += std::string(file.line()) + '\n';
  nlohmann::json map = nlohmann::json::parse(text, nullptr, false);
  if (map.is_object() && map.value("version", nlohmann::json()) == 1 && map.contains("map"))
    map = nlohmann::json(map["map"]);
  if (!map.is_array())
    throw input_error({path},
                      "expected a task map of Flux: an array of blocks such as [[0,4,2,1]], or "
                      "{\"version\":1,\"map\":[[0,4,2,1]]}");
  return map;
}

Block read_block(const std::string& path, std::size_t number, const nlohmann::json& value,
                 std::size_t num_nodes) {
  const auto is_count = [](const nlohmann::json& count) { return count.is_number_unsigned(); };
  Block block{};
  bool valid = value.is_array() && value.size() == block.size() &&
               std::all_of(value.begin(), value.end(), is_count);
  for (std::size_t i = 0; valid && i < block.size(); ++i) {
    const auto count = value[i].get<std::uint64_t>();
    valid = count >= (i == 0 ? 0u : 1u) && count < 16777216;
    if (valid) block[i] = static_cast<std::int64_t>(count);
  }
  if (!valid)
    throw input_error({path}, fmt::format("block {} is {}: expected [first node, nodes, ranks per "
                                          "node, repetitions], the last three from 1",
                                          number, value.dump().substr(0, 60)));
  if (block[0] + block[1] > static_cast<std::int64_t>(num_nodes))
    throw input_error({path},
                      fmt::format("block {} has node {}: the allocation has nodes 0 to {}", number,
                                  block[0] + block[1] - 1, static_cast<int>(num_nodes) - 1));
  return block;
}

void place_block(const std::string& path, const Block& block, const std::vector<std::string>& nodes,
                 PlacedRanks& ranks) {
  const auto [first, count, ranks_per_node, repetitions] = block;
  for (std::int64_t again = 0; again < repetitions; ++again)
    for (std::int64_t node = first; node < first + count; ++node)
      for (std::int64_t rank = 0; rank < ranks_per_node; ++rank)
        ranks.place_next(ranks.host_named(nodes[static_cast<std::size_t>(node)], {path}), {path});
}

void read_taskmap(const std::string& path, PlacedRanks& ranks) {
  const auto nodes = allocated_nodes(ranks.network(), ranks.allocation());
  std::size_t number = 0;
  for (const nlohmann::json& value : read_blocks(path)) {
    ++number;
    place_block(path, read_block(path, number, value, nodes.size()), nodes, ranks);
  }
}

}  // namespace

/// Flux's task map (RFC 34) in JSON, `flux run --taskmap=manual:MAP`: which ranks are on which node
/// of the job. Nodes are numbered in the order of the allocation, which must be that of the job:
/// Flux keeps the nodes of a job in the order of its own ranks. Wrapped maps are read, too.
EmbeddingFormat taskmap() {
  return {"taskmap",
          "Flux: flux run --taskmap=manual:\"$(cat FILE)\"",
          write_taskmap,
          reader(read_taskmap),
          nullptr,
          [](const EmbeddingDocument& document, const std::string& file) {
            return flux_run(document, "manual:\"$(cat " + file + ")\"");
          }};
}

}  // namespace vtopo::detail::formats
