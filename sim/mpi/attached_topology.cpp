#include "sim/mpi/attached_topology.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/mpi/errors.hpp"
#include "sim/mpi/job.hpp"
#include "topology/mpi/c_binding.hpp"

namespace vtopo::detail::overlay {

namespace {

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

/// Context of a new communicator, drawn by its rank 0 for all.
std::shared_ptr<MessageContext> shared_context(MPI_Comm comm, const VirtualTopology& topology) {
  struct Handout {
    std::shared_ptr<MessageContext> context;
    int remaining;
  };
  int size = 0;
  PMPI_Comm_size(comm, &size);
  Handout* handout = nullptr;
  if (rank_in(comm) == Rank{0})
    handout = new Handout{make_context(tags_needed(topology), times_of(topology)), size};
  smpi([&] { return PMPI_Bcast(&handout, sizeof handout, MPI_BYTE, 0, comm); });
  std::shared_ptr<MessageContext> context = handout->context;
  if (--handout->remaining == 0) delete handout;
  return context;
}

/// Ranks in MPI_COMM_WORLD of some ranks of a communicator; MPI_PROC_NULL for none.
std::vector<int> world_ranks(MPI_Comm comm, const std::vector<std::optional<Rank>>& ranks) {
  std::vector<int> known;
  for (const auto& rank : ranks)
    if (rank) known.push_back(number(*rank));
  std::vector<int> translated(known.size());
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group world_group = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  PMPI_Comm_group(MPI_COMM_WORLD, &world_group);
  if (!known.empty())
    PMPI_Group_translate_ranks(group, static_cast<int>(known.size()), known.data(), world_group,
                               translated.data());
  PMPI_Group_free(&group);
  PMPI_Group_free(&world_group);
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

}  // namespace

AttachedTopology* attached(MPI_Comm comm) {
  if (comm == MPI_COMM_WORLD) return nullptr;  // one object of all processes: never has any
  void* value = nullptr;
  int found = 0;
  if (PMPI_Comm_get_attr(comm, topology_key(), static_cast<void*>(&value), &found) != MPI_SUCCESS)
    return nullptr;
  return found ? static_cast<AttachedTopology*>(value) : nullptr;
}

void attach(MPI_Comm comm, const Communicator& communicator) {
  auto context = shared_context(comm, *communicator.topology());
  auto by_rank = ProcessGroup::consecutive(ProcessId{0}, communicator.size());
  auto* value = new AttachedTopology{communicator.with_group(std::move(by_rank)),
                                     std::move(context), 0, std::nullopt};
  PMPI_Comm_set_attr(comm, topology_key(), value);
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

std::shared_ptr<TopologyTimes> times_of(MPI_Comm comm) {
  const AttachedTopology* value = comm == MPI_COMM_NULL ? nullptr : attached(comm);
  return value == nullptr ? nullptr : value->context->times;
}

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

}  // namespace vtopo::detail::overlay
