#include "topology/guests/guest_topology.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/named_entries.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

using namespace detail;

namespace {

constexpr std::string_view parallel_prefix = "parallel:";
constexpr std::string_view axis_prefix = "axis.";
constexpr std::int64_t largest_size = 1 << 24;

struct NamedExchange {
  std::string_view name;
  AxisExchange exchange;
};
constexpr std::array<NamedExchange, 7> exchanges{{{"allreduce", AxisExchange::allreduce},
                                                  {"allgather", AxisExchange::allgather},
                                                  {"reduce_scatter", AxisExchange::reduce_scatter},
                                                  {"alltoall", AxisExchange::alltoall},
                                                  {"ring", AxisExchange::ring},
                                                  {"p2p", AxisExchange::p2p},
                                                  {"none", AxisExchange::none}}};

/// The axes that need no prefix, and what they exchange if nothing is said.
constexpr std::array<NamedExchange, 5> usual_exchanges{{{"tp", AxisExchange::allreduce},
                                                        {"cp", AxisExchange::ring},
                                                        {"ep", AxisExchange::alltoall},
                                                        {"dp", AxisExchange::allreduce},
                                                        {"pp", AxisExchange::p2p}}};

/// A number of the model.
struct ModelKey {
  std::string_view name;
  std::optional<double> value;  ///< if it is not given; absent: it must be
  std::int64_t least = 1;
  std::int64_t most = 1000000000;
};

/// In the order of their names. 0 of a number whose least is 1 stands for: from others.
constexpr std::array<ModelKey, 17> model_keys{{{"bytes_per_value", 2},
                                               {"experts", 1},
                                               {"ffn", 0},
                                               {"gated", 0, 0, 1},
                                               {"heads", 0},
                                               {"hidden", std::nullopt},
                                               {"interleave", 1},
                                               {"kv_heads", 0},
                                               {"layers", std::nullopt},
                                               {"micro_batch", 1},
                                               {"micro_batches", std::nullopt},
                                               {"sequence", std::nullopt},
                                               {"sequence_parallel", 0, 0, 1},
                                               {"tied", 0, 0, 1},
                                               {"top_k", 2},
                                               {"vocab", 0, 0},
                                               {"zero", 0, 0, 3}}};

const ModelKey* find_model_key(std::string_view name) {
  if (name == "experts_per_token") name = "top_k";
  for (const ModelKey& key : model_keys)
    if (key.name == name) return &key;
  return nullptr;
}

/// A published model.
struct NamedModel {
  std::string_view name;
  std::string_view keys;  ///< as in a specification
};

// Numbers of the models' papers and cards: T. Brown et al., "Language Models are Few-Shot Learners"
// (2020), table 2.1; H. Touvron et al., "Llama 2" (2023); "The Llama 3 Herd of Models" (2024),
// table 3; A. Jiang et al., "Mixtral of Experts" (2024), table 1, and the card of 8x22B.
constexpr std::string_view gpt_3 =
    "layers=96,hidden=12288,heads=96,ffn=49152,vocab=50257,sequence=2048,tied=1";
constexpr std::array<NamedModel, 9> named_models{
    {{"gpt-3", gpt_3},
     {"gpt-3-175b", gpt_3},
     {"llama-2-7b", "layers=32,hidden=4096,heads=32,ffn=11008,gated=1,vocab=32000,sequence=4096"},
     {"llama-2-70b",
      "layers=80,hidden=8192,heads=64,kv_heads=8,ffn=28672,gated=1,vocab=32000,sequence=4096"},
     {"llama-3-8b",
      "layers=32,hidden=4096,heads=32,kv_heads=8,ffn=14336,gated=1,vocab=128256,sequence=8192"},
     {"llama-3-70b",
      "layers=80,hidden=8192,heads=64,kv_heads=8,ffn=28672,gated=1,vocab=128256,sequence=8192"},
     {"llama-3-405b",
      "layers=126,hidden=16384,heads=128,kv_heads=8,ffn=53248,gated=1,vocab=128256,sequence=8192"},
     {"mixtral-8x7b",
      "layers=32,hidden=4096,heads=32,kv_heads=8,ffn=14336,gated=1,vocab=32000,sequence=32768,"
      "experts=8,top_k=2"},
     {"mixtral-8x22b",
      "layers=56,hidden=6144,heads=48,kv_heads=8,ffn=16384,gated=1,vocab=32768,sequence=65536,"
      "experts=8,top_k=2"}}};

const NamedModel* find_named_model(std::string_view name) {
  const auto found = std::find_if(named_models.begin(), named_models.end(),
                                  [&](const NamedModel& model) { return model.name == name; });
  return found == named_models.end() ? nullptr : &*found;
}

/// Reads one specification.
class ProgramReader {
 public:
  explicit ProgramReader(std::string_view spec) : spec_(spec) {}

  ParallelProgram read() {
    for (const auto word : split(spec_.substr(parallel_prefix.size()), ',')) {
      const std::size_t equals = word.find('=');
      if (equals == std::string_view::npos || equals == 0) fail(fmt::format("\"{}\"", word));
      add(word.substr(0, equals), word.substr(equals + 1));
    }
    if (axes_.empty()) fail("no axis");
    check_ranks();
    if (!model_.empty() || !named_.empty()) set_volumes();
    put_in_order();
    std::vector<Dimension> dimensions;
    for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis)
      dimensions.push_back({axis->size, wraps(*axis) ? Periodicity::periodic : Periodicity::open});
    return {axes_, Cartesian(std::move(dimensions)), assumptions_};
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(
        fmt::format("{} in \"{}\": accepted is parallel:AXIS=SIZE[:EXCHANGE[:BYTES]],... such as "
                    "parallel:tp=8,cp=2:ring:4MiB,dp=16,pp=4, with order=tp-cp-dp-pp and the keys "
                    "of a model (layers=, hidden=, sequence=, micro_batches=)",
                    what, spec_));
  }

  [[noreturn]] void fail_unknown_key(std::string_view key) const {
    std::vector<std::string> axes, keys;
    for (const auto& usual : usual_exchanges) axes.emplace_back(usual.name);
    for (const ModelKey& known_key : model_keys) keys.emplace_back(known_key.name);
    std::vector<std::string> known{"order", "model"};
    known.insert(known.end(), axes.begin(), axes.end());
    known.insert(known.end(), keys.begin(), keys.end());
    throw UsageError(fmt::format(
        "\"{}\" in \"{}\" is neither an axis nor a key of a model; accepted are the axes "
        "{} and axis.NAME, the keys {}, order and model{}",
        key, spec_, join(axes, ", "), join(keys, ", "), suggestion(key, known)));
  }

  static bool wraps(const ParallelAxis& axis) {
    return axis.exchange != AxisExchange::p2p && axis.exchange != AxisExchange::alltoall &&
           axis.exchange != AxisExchange::none;
  }

  void add(std::string_view key, std::string_view value) {
    if (key == "model") return add_named_model(value);
    if (key == "order") {
      for (const auto name : split(value, '-')) order_.emplace_back(name);
    } else if (const ModelKey* const known = find_model_key(key)) {
      const auto number = parse_integer(value);
      if (!number || *number < known->least || *number > known->most)
        fail(fmt::format("{} \"{}\", which is not a number from {} to {},", key, value,
                         known->least, known->most));
      if (!model_.emplace(known->name, static_cast<double>(*number)).second) fail_twice(key);
    } else if (key.starts_with(axis_prefix)) {
      add_axis(checked_name(key.substr(axis_prefix.size())), value);
    } else if (is_usual_axis(key)) {
      add_axis(key, value);
    } else {
      fail_unknown_key(key);
    }
  }

  /// Its numbers count where the specification gives no others.
  void add_named_model(std::string_view name) {
    const NamedModel* const model = find_named_model(name);
    std::vector<std::string> names;
    for (const NamedModel& known : named_models) names.emplace_back(known.name);
    if (model == nullptr)
      throw UsageError(
          fmt::format("model \"{}\" in \"{}\": there is no such file; accepted are "
                      "FILE.json, which only scenarios read, and {}{}",
                      name, spec_, join(names, ", "), suggestion(name, names)));
    if (!named_.empty()) fail_twice("model");
    named_.emplace("micro_batches", 1);
    for (const auto word : split(model->keys, ','))
      named_.emplace(word.substr(0, word.find('=')),
                     static_cast<double>(*parse_integer(word.substr(word.find('=') + 1))));
  }

  static bool is_usual_axis(std::string_view name) {
    return std::any_of(usual_exchanges.begin(), usual_exchanges.end(),
                       [&](const NamedExchange& usual) { return usual.name == name; });
  }

  std::string_view checked_name(std::string_view name) const {
    if (!is_axis_name(name))
      fail(fmt::format("axis name \"{}\", which is not a letter and then letters, digits and _,",
                       name));
    return name;
  }

  [[noreturn]] void fail_twice(std::string_view name) const {
    fail(fmt::format("\"{}\" twice", name));
  }

  void add_axis(std::string_view name, std::string_view value) {
    ParallelAxis axis{std::string(name), 1, AxisExchange::allreduce, std::nullopt};
    for (const ParallelAxis& other : axes_)
      if (other.name == axis.name) fail_twice(name);
    const auto words = split(value, ':');
    const auto size = parse_integer(words[0]);
    if (!size || *size < 1 || *size > largest_size)
      fail(fmt::format("size \"{}\" of axis {}, which is not a number from 1 to {},", words[0],
                       name, largest_size));
    axis.size = narrow<int>(*size);
    for (const auto& usual : usual_exchanges)
      if (usual.name == name) axis.exchange = usual.exchange;
    if (words.size() > 1) axis.exchange = exchange_named(words[1]);
    if (words.size() > 2) axis.volume = parse_bytes(std::string(words[2]));
    if (words.size() > 3) fail(fmt::format("\"{}\"", value));
    axes_.push_back(std::move(axis));
  }

  AxisExchange exchange_named(std::string_view name) const {
    return entry_named(fmt::format("\"{}\": exchange", spec_), name, exchanges).exchange;
  }

  void check_ranks() const {
    double ranks = 1;
    for (const ParallelAxis& axis : axes_) ranks *= axis.size;
    if (ranks > static_cast<double>(max_id))
      fail(fmt::format("{:.3g} ranks, more than {},", ranks, max_id));
  }

  double model(std::string_view key) const { return model_.find(key)->second; }

  double size_of(std::string_view name) const {
    for (const ParallelAxis& axis : axes_)
      if (axis.name == name) return axis.size;
    return 1;
  }

  void complete_model() {
    if (!named_.empty() && !model_.contains("micro_batches"))
      assumptions_ = {"one micro-batch per step; micro_batches=N sets it"};
    model_.insert(named_.begin(), named_.end());
    for (const ModelKey& key : model_keys) {
      if (!key.value && !model_.contains(key.name))
        fail(fmt::format("a model without {}=", key.name));
      model_.emplace(key.name, key.value.value_or(0));
    }
    const double heads = std::max(1.0, model("heads"));
    if (model("kv_heads") > heads)
      fail(fmt::format("kv_heads {} of {} heads,", model("kv_heads"), heads));
    if (model("kv_heads") == 0) model_["kv_heads"] = heads;
    model_["kv_share"] = model("kv_heads") / heads;
    if (model("ffn") == 0) model_["ffn"] = 4 * model("hidden");
    if (model("interleave") * size_of("pp") > model("layers"))
      fail(fmt::format("interleave {} of {} layers in {} stages,", model("interleave"),
                       model("layers"), size_of("pp")));
  }

  /// Parameters of the layers and words of a rank, of which those of pp with words have most.
  double parameters_of_rank() const {
    const double hidden = model("hidden");
    const double attention = (2 + 2 * model("kv_share")) * hidden * hidden;
    const double experts =
        model("experts") / size_of("ep") * (2 + model("gated")) * hidden * model("ffn");
    const double words =
        model("vocab") * hidden * (size_of("pp") > 1 || model("tied") == 1 ? 1 : 2);
    return ((attention + experts) * model("layers") / size_of("pp") + words) / size_of("tp");
  }

  /// The formulas of the README of this folder.
  void set_volumes() {
    complete_model();
    const double layers = model("layers") / size_of("pp");
    const double batches = model("micro_batches");
    const double value = model("bytes_per_value");
    const double activation =
        model("micro_batch") * model("sequence") / size_of("cp") * model("hidden") * value;
    const double shard = activation / size_of("tp");
    // Reduced gradients are two passes of a ring over the parameters; without parameters of their
    // own ranks gather them for each micro-batch forward and backward, a pass each.
    const double passes = model("zero") == 3 ? 1 + 2 * batches : 2;
    const std::array<std::pair<std::string_view, double>, 5> volumes{
        {{"tp", 4 * layers * batches * activation},
         {"cp", 3 * layers * batches * (size_of("cp") - 1) * 2 * shard * model("kv_share")},
         {"ep", 4 * layers * batches * model("top_k") * shard / size_of("ep")},
         {"dp", parameters_of_rank() * value * passes / 2},
         {"pp", batches * model("interleave") * shard}}};
    for (ParallelAxis& axis : axes_)
      for (const auto& [name, volume] : volumes)
        if (axis.name == name && !axis.volume) {
          axis.volume = Bytes{volume};
          if (name == "pp" && axis.size > 1)
            axis.wrap = Bytes{batches * (model("interleave") - 1) * shard};
        }
  }

  void put_in_order() {
    if (order_.empty()) return;
    std::vector<ParallelAxis> sorted;
    for (const std::string& name : order_)
      for (const ParallelAxis& axis : axes_)
        if (axis.name == name) sorted.push_back(axis);
    if (sorted.size() != axes_.size() || order_.size() != axes_.size())
      fail(fmt::format("order {}, which does not have every axis once,", join(order_, "-")));
    for (std::size_t a = 0; a < sorted.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (sorted[a].name == sorted[b].name)
          fail(fmt::format("order {}, which does not have every axis once,", join(order_, "-")));
    axes_ = std::move(sorted);
  }

  std::string_view spec_;
  std::vector<ParallelAxis> axes_;
  std::vector<std::string> order_;
  std::map<std::string, double, std::less<>> model_;  ///< numbers by key
  std::map<std::string, double, std::less<>> named_;  ///< those of the model of a name
  std::vector<std::string> assumptions_;
};

double edges_per_rank(const ParallelAxis& axis) {
  if (axis.size == 1 || axis.exchange == AxisExchange::none) return 0;
  if (axis.exchange == AxisExchange::alltoall) return axis.size - 1;
  return axis.exchange == AxisExchange::p2p ? 2 : 1;  // the ends of pp send around with `wrap`
}

/// What a rank sends to the next one of a ring.
Bytes around(const ParallelAxis& axis, Bytes volume) {
  const double size = axis.size;
  if (axis.exchange == AxisExchange::allreduce) return volume * (2 * (size - 1) / size);
  if (axis.exchange == AxisExchange::ring) return volume;
  return volume * (size - 1);
}

/// Appends what the rank sends whose coordinate along an axis is `at`.
void push_edges(const ParallelAxis& axis, Bytes volume, int rank, int at, int stride,
                CompressedRows<CommEdge>& rows) {
  const int size = axis.size;
  const auto push = [&](int to, Bytes bytes) {
    rows.push({bytes, Rank{rank + (to - at) * stride}, 1});
  };
  if (size == 1 || axis.exchange == AxisExchange::none) return;
  if (axis.exchange == AxisExchange::alltoall) {
    for (int step = 1; step < size; ++step) push((at + step) % size, volume);
  } else if (axis.exchange == AxisExchange::p2p) {
    if (at > 0) push(at - 1, volume);
    if (at + 1 < size) push(at + 1, volume);
    if (axis.wrap.value > 0 && at == 0) push(size - 1, axis.wrap);
    if (axis.wrap.value > 0 && at == size - 1) push(0, axis.wrap);
  } else {
    push((at + 1) % size, around(axis, volume));
  }
}

}  // namespace

std::optional<ParallelProgram> parse_parallel_program(std::string_view spec) {
  if (!spec.starts_with(parallel_prefix)) return std::nullopt;
  return ProgramReader(spec).read();
}

bool is_model_name(std::string_view name) {
  return find_named_model(name) != nullptr;
}

bool is_axis_name(std::string_view name) {
  constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  return letters.substr(0, 52).find(name.substr(0, 1)) != letters.npos && !name.empty() &&
         name.find_first_not_of(letters) == name.npos;
}

std::string axis_order(const ParallelProgram& program) {
  std::vector<std::string> names;
  for (const ParallelAxis& axis : program.axes) names.push_back(axis.name);
  return join(names, "-");
}

double max_edges(const ParallelProgram& program) {
  double edges = 0;
  for (const ParallelAxis& axis : program.axes)
    edges += edges_per_rank(axis) * program.grid.num_ranks();
  return edges;
}

CommGraph make_comm_graph(const ParallelProgram& program, std::span<const Bytes> volume) {
  const auto& axes = program.axes;
  if (volume.size() != 1 && volume.size() != axes.size())
    throw UsageError(fmt::format("{} volumes for {} axes: accepted is 1 or {}", volume.size(),
                                 axes.size(), axes.size()));
  CompressedRows<CommEdge> rows;
  rows.reserve(index(program.grid.num_ranks()), static_cast<std::size_t>(max_edges(program)));
  for (int rank = 0; rank < program.grid.num_ranks(); ++rank) {
    int stride = 1;
    for (std::size_t a = 0; a < axes.size(); ++a) {
      const Bytes bytes = axes[a].volume.value_or(volume[volume.size() == 1 ? 0 : a]);
      push_edges(axes[a], bytes, rank, rank / stride % axes[a].size, stride, rows);
      stride *= axes[a].size;
    }
    rows.end_row();
  }
  return CommGraph(std::move(rows));
}

}  // namespace vtopo
