#include <algorithm>
#include <optional>
#include <utility>

#include "netmodels/host_names.hpp"
#include "sim/formats/launchers/launchers.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::formats {

namespace {

/// Where hosts are the devices of nodes, each has one rank.
std::optional<std::string> torchrun_unsupported_reason(const Network& network,
                                                       const Allocation& allocation) {
  const auto& slots = allocation.slots;
  if (std::all_of(slots.begin(), slots.end(), [](int count) { return count == 1; })) return {};
  const std::string node = network.host_place(allocation.hosts[0]).node;
  const auto places = HostNames(network).find_all(node);
  if (!places || places->count == 1) return {};
  return fmt::format("a host here is one of the {} devices of {}; accepted is --ranks-per-node 1",
                     places->count, node);
}

/// A node of the job: ranks first, first + 1, ... on these devices.
struct LaunchedNode {
  std::string name;
  int first = 0;
  std::vector<int> devices;
};

/// Nodes in the order of their ranks.
/// @throws UsageError where torchrun cannot number ranks so.
std::vector<LaunchedNode> launched_nodes(const EmbeddingDocument& document) {
  std::vector<LaunchedNode> nodes;
  int rank = 0;
  for (auto& [name, slot] : node_slots(document)) {
    if (nodes.empty() || nodes.back().name != name)
      nodes.push_back({plain_name(name, "", "torchrun"), rank, {}});
    nodes.back().devices.push_back(slot);
    ++rank;
  }
  std::vector<std::string> names;
  for (const LaunchedNode& node : nodes) names.push_back(node.name);
  std::sort(names.begin(), names.end());
  const bool again = std::adjacent_find(names.begin(), names.end()) != names.end();
  const bool even = std::all_of(nodes.begin(), nodes.end(), [&](const LaunchedNode& node) {
    return node.devices.size() == nodes.front().devices.size();
  });
  if (again || !even)
    throw UsageError(fmt::format(
        "embedding format torchrun: it numbers ranks node by node, as many on each, and here {}; "
        "slurm, rankfile, csv and json can say so",
        again ? "ranks of a node do not follow each other" : "nodes have different numbers"));
  return nodes;
}

std::string write_torchrun(const EmbeddingDocument& document) {
  std::string text;
  int node_rank = 0;
  for (const LaunchedNode& node : launched_nodes(document))
    text += fmt::format("{} {} {}\n", node.name, node_rank++, fmt::join(node.devices, ","));
  return text;
}

void read_torchrun(const std::string& path, PlacedRanks& ranks) {
  LineFile file(path);
  while (file.next_content()) {
    const auto words = file.words();
    if (words.size() != 3)
      throw input_error(file.at(1), fmt::format("\"{}\": accepted is a node, its node rank and its "
                                                "devices, such as node07 0 0,1,2,3",
                                                file.line()));
    const Token name = words[0], devices = words[2];
    const auto pieces = split(devices.text, ',');
    const int first = number(read_rank(file, words[1])) * int_size(pieces);
    for (std::size_t i = 0; i < pieces.size(); ++i)
      ranks.place(Rank{first + narrow<int>(i)},
                  ranks.host_with_slot(name.text, pieces[i], file.at(devices.column)), file.at(1));
  }
}

std::vector<std::pair<std::string, std::string>> launch_torchrun(const EmbeddingDocument& document,
                                                                 const std::string& file) {
  const auto nodes = launched_nodes(document);
  if (nodes.empty()) return {};
  return {{"torchrun",
           fmt::format(
               "while read -r node rank devices; do ssh -n \"$node\" CUDA_VISIBLE_DEVICES=$devices "
               "torchrun --nnodes={} --node-rank=$rank --nproc-per-node={} --master-addr={} "
               "--master-port=29500 program.py & done < {}; wait",
               nodes.size(), nodes.front().devices.size(), nodes.front().name, file)}};
}

}  // namespace

/// PyTorch's torchrun: a line for each node, with its node rank and the devices of its ranks in
/// their order.
EmbeddingFormat torchrun() {
  return {"torchrun",
          "PyTorch: torchrun --node-rank of each node, devices of its ranks",
          write_torchrun,
          reader(read_torchrun),
          torchrun_unsupported_reason,
          launch_torchrun};
}

}  // namespace vtopo::detail::formats
