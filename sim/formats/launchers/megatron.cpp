#include <algorithm>
#include <array>

#include "sim/formats/launchers/axis_order.hpp"
#include "sim/formats/launchers/launchers.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::formats {

namespace {

struct MegatronAxis {
  std::string_view name;
  std::string_view option;  ///< that has its size; empty: what is left
};
constexpr std::array<MegatronAxis, 5> megatron_axes{{{"tp", "tensor-model-parallel-size"},
                                                     {"cp", "context-parallel-size"},
                                                     {"ep", "expert-model-parallel-size"},
                                                     {"dp", ""},
                                                     {"pp", "pipeline-model-parallel-size"}}};

std::string order_of(const EmbeddingDocument& document) {
  if (document.program == nullptr)
    throw UsageError(
        "embedding format megatron: it is an order of axes, which only parallel:AXIS=SIZE,... has");
  for (const ParallelAxis& axis : document.program->axes)
    if (std::none_of(megatron_axes.begin(), megatron_axes.end(),
                     [&](const MegatronAxis& known) { return known.name == axis.name; }))
      throw UsageError(fmt::format(
          "embedding format megatron: it has no axis \"{}\"; accepted: tp, cp, ep, dp, pp",
          axis.name));
  const auto order = block_axis_order(*document.program, document.embedding, document.allocation);
  if (order) return *order;
  throw UsageError(
      "embedding format megatron: no order of the axes alone is this embedding; --mapper "
      "axes:whole=yes finds the best that is, and -o FILE.jax or FILE.slurm says where every rank "
      "is");
}

std::string write_megatron(const EmbeddingDocument& document) {
  return order_of(document) + '\n';
}

Embedding refuse_megatron(const std::string& path, std::optional<int>, const Network&,
                          const Allocation&) {
  throw UsageError(fmt::format(
      "{}: an order of axes is written, not read; parallel:...,order=tp-dp numbers ranks by one",
      path));
}

/// Whether axes come in the order of all.
bool is_part_of(std::string_view order, std::string_view all) {
  for (const std::string_view axis : split(order, '-')) {
    const std::size_t at = all.find(axis);
    if (at == all.npos) return false;
    all.remove_prefix(at);
  }
  return true;
}

std::vector<std::pair<std::string, std::string>> launch_megatron(const EmbeddingDocument& document,
                                                                 const std::string&) {
  const std::string order = order_of(document);
  const bool is_default = is_part_of(order, "tp-cp-ep-dp-pp");
  if (is_default || is_part_of(order, "tp-cp-ep-pp-dp")) {
    const std::vector<std::string> nodes = nodes_in_use(document);
    const auto num_nodes = static_cast<int>(nodes.size());
    std::string command = fmt::format(
        "torchrun --nnodes={} --node-rank=$NODE_RANK --nproc-per-node={} --master-addr={} "
        "pretrain_gpt.py",
        num_nodes, document.embedding.num_ranks() / std::max(1, num_nodes),
        nodes.empty() ? "" : nodes.front());
    for (const MegatronAxis& known : megatron_axes)
      for (const ParallelAxis& axis : document.program->axes)
        if (axis.name == known.name && axis.size > 1 && !known.option.empty())
          command += fmt::format(" --{} {}", known.option, axis.size);
    return {{"Megatron-LM", command + (is_default ? "" : " --use-tp-pp-dp-mapping")}};
  }
  std::string call = "megatron.core.parallel_state.initialize_model_parallel(";
  for (const MegatronAxis& known : megatron_axes)
    for (const ParallelAxis& axis : document.program->axes)
      if (axis.name == known.name && axis.size > 1 && !known.option.empty()) {
        std::string name(known.option);
        std::replace(name.begin(), name.end(), '-', '_');
        call += fmt::format("{}={}, ", name, axis.size);
      }
  return {{"Megatron Core", fmt::format("{}order=\"{}\")", call, order)}};
}

}  // namespace

/// Megatron: the order of the axes of `parallel:`, the one with consecutive ranks first. Ranks fill
/// nodes in the order of the allocation; the options of Megatron-LM know two orders (`order` in
/// megatron/training/initialize.py), `initialize_model_parallel` takes any.
EmbeddingFormat megatron() {
  return {"megatron",     "Megatron: order of the axes of parallel:, such as tp-cp-dp-pp",
          write_megatron, refuse_megatron,
          nullptr,        launch_megatron};
}

}  // namespace vtopo::detail::formats
