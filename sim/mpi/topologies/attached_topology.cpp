#include "sim/mpi/topologies/attached_topology.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <string_view>

#include "sim/mpi/decision/c_binding.hpp"
#include "sim/mpi/smpi_repairs/job.hpp"
#include "sim/mpi/smpi_repairs/open_calls.hpp"

namespace vtopo::detail::overlay {

namespace {

std::string name_of(const VirtualTopology& topology) {
  if (std::holds_alternative<Graph>(topology)) return "graph";
  if (std::holds_alternative<DistGraph>(topology)) return "dist_graph";
  std::vector<std::string> sizes;
  for (const Dimension& dimension : std::get<Cartesian>(topology).dimensions())
    sizes.push_back(fmt::format("{}{}", dimension.size, dimension.periodic() ? "p" : ""));
  return fmt::format("cart:{}", fmt::join(sizes, "x"));
}

std::string line_of(const TopologyTimes& times) {
  const double sum = std::accumulate(times.seconds.begin(), times.seconds.end(), 0.0);
  const double largest =
      times.seconds.empty() ? 0 : *std::max_element(times.seconds.begin(), times.seconds.end());
  return fmt::format(
      "{{\"topology\":\"{}\",\"ranks\":{},\"calls\":{},\"mean_seconds\":{},\"max_seconds\":{}}}",
      times.topology, times.ranks, times.calls, sum / std::max(times.ranks, 1), largest);
}

std::vector<std::shared_ptr<TopologyTimes>>& all_times() {
  static std::vector<std::shared_ptr<TopologyTimes>> times;
  return times;
}

/// The record of a new communicator, for the report.
std::shared_ptr<TopologyTimes> new_times(const VirtualTopology& topology) {
  auto times = std::make_shared<TopologyTimes>();
  times->topology = name_of(topology);
  times->ranks = num_ranks(topology);
  return all_times().emplace_back(std::move(times));
}

/// Key of the attribute that holds the virtual topology of a communicator.
int topology_key = MPI_KEYVAL_INVALID;

/// A range of message tags that nobody else has; the first one. Tags start again at 0 when all have
/// been given.
int reserve_tags(int count) {
  static int next = 0;
  if (next > std::numeric_limits<int>::max() - count) next = 0;
  return std::exchange(next, next + count);
}

std::shared_ptr<MessageContext> make_context(int num_tags, std::shared_ptr<TopologyTimes> times) {
  auto context = std::make_shared<MessageContext>();
  context->first_tag = reserve_tags(num_tags);
  context->num_tags = num_tags;
  context->times = std::move(times);
  return context;
}

/// A grid needs a tag per direction: with two ranks in a dimension, both neighbours are the same.
int tags_needed(const VirtualTopology& topology) {
  const auto* grid = std::get_if<Cartesian>(&topology);
  return grid ? std::max<int>(1, 2 * static_cast<int>(grid->dimensions().size())) : 1;
}

/// Ranks in MPI_COMM_WORLD of some ranks of a communicator; MPI_PROC_NULL for none.
std::vector<int> world_ranks(MPI_Comm comm, const std::vector<std::optional<Rank>>& ranks) {
  std::vector<int> known;
  for (const auto& rank : ranks)
    if (rank) known.push_back(number(*rank));
  const std::vector<int> translated = world_ranks_of(comm, known);
  std::vector<int> result;
  result.reserve(ranks.size());
  auto next = translated.begin();
  for (const auto& rank : ranks) result.push_back(rank ? *next++ : MPI_PROC_NULL);
  return result;
}

/// @param opposite a message from the first of a pair of neighbours was sent to the second of one.
std::vector<Peer> tagged(const std::vector<int>& ranks, const MessageContext& context,
                         bool opposite) {
  std::vector<Peer> peers;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const int direction = static_cast<int>(opposite ? i ^ 1U : i);
    peers.push_back({ranks[i], context.first_tag + (context.num_tags > 1 ? direction : 0)});
  }
  return peers;
}

// Callbacks of the attribute.

int copy_attached(MPI_Comm, int, void*, void* in, void* out, int* flag) {
  auto& original = *static_cast<AttachedTopology*>(in);
  MessageContext& context = *original.context;
  if (original.num_duplicates == context.duplicates.size())
    context.duplicates.push_back(make_context(context.num_tags, context.times));
  auto duplicate = context.duplicates[original.num_duplicates++];
  *static_cast<void**>(out) =
      new AttachedTopology{original.communicator, std::move(duplicate), 0, std::nullopt};
  *flag = 1;
  return MPI_SUCCESS;
}

int delete_attached(MPI_Comm, int, void* value, void*) {
  delete static_cast<AttachedTopology*>(value);
  return MPI_SUCCESS;
}

/// SMPI's error code of a class.
int code_of(MpiErrorClass error_class) {
  switch (error_class) {
    case MpiErrorClass::comm:
      return MPI_ERR_COMM;
    case MpiErrorClass::group:
      return MPI_ERR_GROUP;
    case MpiErrorClass::rank:
      return MPI_ERR_RANK;
    case MpiErrorClass::topology:
      return MPI_ERR_TOPOLOGY;
    case MpiErrorClass::dims:
      return MPI_ERR_DIMS;
    case MpiErrorClass::arg:
      return MPI_ERR_ARG;
    case MpiErrorClass::info:
      return MPI_ERR_INFO;
    case MpiErrorClass::other:
      break;
  }
  return MPI_ERR_OTHER;
}

/// A sentence with names in place of MPI's own negative numbers, which are ranks that are none.
std::string with_names(std::string_view sentence) {
  struct Named {
    int number;
    std::string_view name;
  };
  constexpr std::array names{
      Named{MPI_PROC_NULL, "MPI_PROC_NULL"}, Named{MPI_ANY_SOURCE, "MPI_ANY_SOURCE"},
      Named{MPI_ANY_TAG, "MPI_ANY_TAG"}, Named{MPI_UNDEFINED, "MPI_UNDEFINED"}};
  std::string text(sentence);
  for (const auto& [number, name] : names) {
    const std::string digits = std::to_string(number);
    for (std::size_t at = text.find(digits); at != std::string::npos; at = text.find(digits, at)) {
      const std::size_t end = at + digits.size();
      const bool is_longer = end < text.size() && text[end] >= '0' && text[end] <= '9';
      const bool is_weight = std::string_view(text).substr(0, at).ends_with("weight ");
      if (!is_longer && !is_weight) text.replace(at, digits.size(), name);
      at += is_longer || is_weight ? digits.size() : name.size();
    }
  }
  const auto has = [&](const char* word) { return text.find(word) != std::string::npos; };
  if (has("MPI_PROC_NULL") && (has("edge") || has("neighbour")))
    text += "; MPI_PROC_NULL is not a rank of an edge: leave the edge out";
  return text;
}

}  // namespace

ArgumentError argument_error(const MpiError& error) {
  return {code_of(error.error_class()), with_names(error.what())};
}

AttachedTopology* attached(MPI_Comm comm) {
  if (comm == MPI_COMM_WORLD) return nullptr;  // one object of all processes: never has any
  void* value = nullptr;
  int found = 0;
  if (PMPI_Comm_get_attr(comm, topology_key, static_cast<void*>(&value), &found) != MPI_SUCCESS)
    return nullptr;
  return found ? static_cast<AttachedTopology*>(value) : nullptr;
}

void attach(MPI_Comm comm, const Communicator& communicator) {
  const VirtualTopology& topology = *communicator.topology();
  auto context =
      shared_by_all(comm, [&] { return make_context(tags_needed(topology), new_times(topology)); });
  auto by_rank = ProcessGroup::consecutive(ProcessId{0}, communicator.size());
  auto* value = new AttachedTopology{communicator.with_group(std::move(by_rank)),
                                     std::move(context), 0, std::nullopt};
  PMPI_Comm_set_attr(comm, topology_key, value);
}

const Communicator& value_of(MPI_Comm comm, const char* call) {
  if (comm == MPI_COMM_NULL) c::checked(nullptr, call);
  if (const AttachedTopology* own = attached(comm)) return own->communicator;
  static std::map<int, const Communicator> without_topology;  // by size
  int size = 0;
  PMPI_Comm_size(comm, &size);
  const auto found = without_topology.find(size);
  if (found != without_topology.end()) return found->second;
  return without_topology.emplace(size, world(size)).first->second;
}

Rank rank_in(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return Rank{rank};
}

const Peers& peers_of(MPI_Comm comm, const char* call) {
  if (comm == MPI_COMM_NULL) c::checked(nullptr, call);
  AttachedTopology* value = attached(comm);
  if (value == nullptr)
    throw mpi_error<TopologyCondition::no_topology>(call, "Cartesian, graph or distributed graph");
  if (!value->peers) {
    const Neighbourhood around = neighbourhood(*value->communicator.topology(), rank_in(comm));
    value->peers = Peers{tagged(world_ranks(comm, around.sources), *value->context, true),
                         tagged(world_ranks(comm, around.destinations), *value->context, false)};
  }
  return *value->peers;
}

std::shared_ptr<CallTimes> times_of(MPI_Comm comm) {
  const AttachedTopology* value = comm == MPI_COMM_NULL ? nullptr : attached(comm);
  return value == nullptr ? nullptr : value->context->times;
}

void begin_topologies() {
  if (topology_key == MPI_KEYVAL_INVALID)
    PMPI_Comm_create_keyval(copy_attached, delete_attached, &topology_key, nullptr);
}

void end_topologies() {
  PMPI_Comm_free_keyval(&topology_key);
}

std::vector<std::string> topology_lines() {
  std::vector<std::string> lines;
  for (const auto& times : all_times()) lines.push_back(line_of(*times));
  return lines;
}

}  // namespace vtopo::detail::overlay
