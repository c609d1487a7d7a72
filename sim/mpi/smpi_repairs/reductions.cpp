// Reductions and scans. SMPI combines contributions in the order in which they come where a
// function does not block, and in the wrong one in scans of operations that do not commute. Here
// contributions go packed where they are needed, by collectives of SMPI that only move data, and
// are combined there in the order of ranks.

#include <xbt/config.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/mpi/smpi_repairs/datatypes.hpp"
#include "sim/mpi/smpi_repairs/intercommunicators.hpp"
#include "sim/mpi/smpi_repairs/open_calls.hpp"
#include "sim/mpi/smpi_repairs/requests.hpp"
#include "topology/base/narrow.hpp"

using namespace vtopo::detail;
using namespace vtopo::detail::overlay;

namespace {

/// Whose contributions a process combines.
enum class Range { all, up_to_own, before_own };

void free_handle(MPI_Op* op) {
  PMPI_Op_free(op);
}

void free_handle(MPI_Datatype* type) {
  PMPI_Type_free(type);
}

MPI_Op null_of(MPI_Op /*op*/) {
  return MPI_OP_NULL;
}

MPI_Datatype null_of(MPI_Datatype /*type*/) {
  return MPI_DATATYPE_NULL;
}

/// A handle that a reduction needs to its end. If the program frees it before, which MPI allows, it
/// goes with the last reduction that needs it.
template <class Handle>
class InUse {
 public:
  explicit InUse(Handle handle) : handle_(handle) { ++all()[handle].times; }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;
  ~InUse() {
    const auto found = all().find(handle_);
    if (--found->second.times > 0) return;
    const bool freed = found->second.freed;
    all().erase(found);
    if (freed) free_handle(&handle_);
  }

  operator Handle() const { return handle_; }

  /// Whether the program's handle is in use; then it is taken from the program.
  static bool take(Handle* handle) {
    const auto found = handle == nullptr ? all().end() : all().find(*handle);
    if (found == all().end()) return false;
    found->second.freed = true;
    *handle = null_of(*handle);
    return true;
  }

 private:
  struct Use {
    int times = 0;
    bool freed = false;
  };
  static std::map<Handle, Use>& all() {
    static std::map<Handle, Use> the_handles;
    return the_handles;
  }

  Handle handle_;
};

/// A reduction, as one process takes part in it.
struct Reduction {
  Reduction(MPI_Datatype its_type, MPI_Op its_op, MPI_Comm its_comm)
      : type(its_type), op(its_op), comm(its_comm) {
    PMPI_Type_size(its_type, &unit);
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
  }

  InUse<MPI_Datatype> type;
  InUse<MPI_Op> op;
  MPI_Comm comm;
  int unit = 0;  ///< bytes of an element
  int rank = 0, size = 0;
  void* result = nullptr;
  int count = 0;   ///< elements of the result
  int pieces = 0;  ///< contributions to the result: those of ranks 0 to pieces - 1
  std::vector<char> sent{}, received{};  ///< packed

  /// @throws ArgumentError if a message or the sum of all that come would be too long.
  int bytes_of(std::int64_t elements) const {
    const std::int64_t bytes = elements * unit;
    if (bytes > std::numeric_limits<int>::max())
      throw ArgumentError(MPI_ERR_COUNT,
                          fmt::format("a reduction that moves {} bytes to a process: accepted are "
                                      "at most {}",
                                      bytes, std::numeric_limits<int>::max()));
    return static_cast<int>(bytes);
  }
};

void pack(Reduction& what, const void* contribution, int count) {
  what.sent.resize(static_cast<std::size_t>(what.bytes_of(count)));
  if (what.sent.empty()) return;
  int position = 0;
  smpi([&] {
    return PMPI_Pack(contribution, count, what.type, what.sent.data(), int_size(what.sent),
                     &position, what.comm);
  });
}

/// MPI applies an operation as inout = in op inout, so the last contribution comes first.
void combine(Reduction& what) {
  const int bytes = what.bytes_of(what.count);
  if (what.pieces == 0 || bytes == 0) return;
  const auto unpack = [&](int piece, void* where) {
    int position = 0;
    smpi([&] {
      return PMPI_Unpack(what.received.data() + std::int64_t{piece} * bytes, bytes, &position,
                         where, what.count, what.type, what.comm);
    });
  };
  unpack(what.pieces - 1, what.result);
  Elements before(what.count, what.type);
  for (int piece = what.pieces - 2; piece >= 0; --piece) {
    unpack(piece, before.address());
    smpi([&] {
      return PMPI_Reduce_local(before.address(), what.result, what.count, what.type, what.op);
    });
  }
}

/// Begins to move the contributions.
using Move = std::function<int(Reduction&, MPI_Request*)>;

/// @param request null: blocks.
void run(const std::shared_ptr<Reduction>& what, const Move& move, MPI_Request* request) {
  if (what->result == nullptr && what->pieces > 0 && what->count > 0)
    throw ArgumentError(MPI_ERR_BUFFER, "the buffer for the result is null");
  CollectiveRequest moved;
  moved.comm = what->comm;
  moved.messages.push_back(MPI_REQUEST_NULL);
  moved.active = true;
  moved.at_end = [what] { combine(*what); };
  smpi([&] { return move(*what, moved.messages.data()); });
  if (request != nullptr) {
    *request = make_request(std::move(moved));
    return;
  }
  smpi([&] { return PMPI_Wait(moved.messages.data(), MPI_STATUS_IGNORE); });
  combine(*what);
}

/// Moves to each process from each other that many bytes; those that come are pieces of one size.
int exchange(Reduction& what, std::span<const int> sent, std::span<const int> places,
             std::span<const int> received, MPI_Request* request) {
  const int bytes = what.bytes_of(what.count);
  std::vector<int> starts(received.size());
  for (std::size_t i = 0; i < starts.size(); ++i)
    starts[i] = received[i] > 0 ? narrow<int>(i) * bytes : 0;
  what.received.resize(
      static_cast<std::size_t>(what.bytes_of(std::int64_t{what.pieces} * what.count)));
  return PMPI_Ialltoallv(what.sent.data(), sent.data(), places.data(), MPI_BYTE,
                         what.received.data(), received.data(), starts.data(), MPI_BYTE, what.comm,
                         request);
}

bool is_in(Range range, int contributor, int rank) {
  return range == Range::all || contributor < rank ||
         (range == Range::up_to_own && contributor == rank);
}

int move_to_range(Reduction& what, Range range, MPI_Request* request) {
  const int bytes = what.bytes_of(what.count);
  std::vector<int> sent, received;
  for (int other = 0; other < what.size; ++other) {
    sent.push_back(is_in(range, what.rank, other) ? bytes : 0);
    received.push_back(is_in(range, other, what.rank) ? bytes : 0);
  }
  const std::vector<int> places(sent.size());
  return exchange(what, sent, places, received, request);
}

/// A reduction to which the calling process has packed its contribution.
std::shared_ptr<Reduction> contributed(const void* sendbuf, void* recvbuf, int count,
                                       MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  auto what = std::make_shared<Reduction>(type, op, comm);
  what->result = recvbuf;
  pack(*what, sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, count);
  return what;
}

// Arguments are those of MPI, buffers may be MPI_IN_PLACE; with a null request they block.
// @throws SmpiFailure, ArgumentError

/// MPI_Iallreduce and the scans.
void reduce_to_range(Range range, const void* sendbuf, void* recvbuf, int count, MPI_Datatype type,
                     MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  const Uncharged own_time;
  const auto what = contributed(sendbuf, recvbuf, count, type, op, comm);
  what->count = count;
  what->pieces = range == Range::all         ? what->size
                 : range == Range::up_to_own ? what->rank + 1
                                             : what->rank;
  const auto move = [range](Reduction& r, MPI_Request* moved) {
    return move_to_range(r, range, moved);
  };
  run(what, move, request);
}

void reduce_to_root(const void* sendbuf, void* recvbuf, int count, int root, MPI_Datatype type,
                    MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  const Uncharged own_time;
  const auto what = contributed(sendbuf, recvbuf, count, type, op, comm);
  what->count = count;
  what->pieces = what->rank == root ? what->size : 0;
  what->received.resize(
      static_cast<std::size_t>(what->bytes_of(std::int64_t{what->pieces} * count)));
  const auto move = [root](Reduction& r, MPI_Request* moved) {
    const int bytes = int_size(r.sent);
    return PMPI_Igather(r.sent.data(), bytes, MPI_BYTE, r.received.data(), bytes, MPI_BYTE, root,
                        r.comm, moved);
  };
  run(what, move, request);
}

/// @param counts elements of each process' result.
void reduce_and_scatter(const void* sendbuf, void* recvbuf, std::span<const int> counts,
                        MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  const Uncharged own_time;
  const auto what = contributed(sendbuf, recvbuf, std::accumulate(counts.begin(), counts.end(), 0),
                                type, op, comm);
  what->count = counts[static_cast<std::size_t>(what->rank)];
  what->pieces = what->size;
  const auto move = [counts](Reduction& r, MPI_Request* moved) {
    std::vector<int> sent, places;
    for (const int count : counts) {
      places.push_back(std::accumulate(sent.begin(), sent.end(), 0));
      sent.push_back(count * r.unit);
    }
    const std::vector<int> received(counts.size(), r.bytes_of(r.count));
    return exchange(r, sent, places, received, moved);
  };
  run(what, move, request);
}

/// Whether SMPI's own function is to say what is wrong.
bool is_wrong(const void* sendbuf, const void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
              MPI_Comm comm) {
  return comm == MPI_COMM_NULL || count < 0 || type == MPI_DATATYPE_NULL || op == MPI_OP_NULL ||
         recvbuf == MPI_IN_PLACE || (sendbuf == nullptr && count > 0) ||
         PMPI_Reduce_local(nullptr, nullptr, 0, type, op) != MPI_SUCCESS;
}

/// The counts of a call, none if they are wrong.
std::span<const int> counts_of(const int* counts, MPI_Comm comm) {
  int size = 0;
  if (counts == nullptr || comm == MPI_COMM_NULL || PMPI_Comm_size(comm, &size) != MPI_SUCCESS)
    return {};
  const std::span<const int> all(counts, static_cast<std::size_t>(size));
  return std::any_of(all.begin(), all.end(), [](int count) { return count < 0; })
             ? std::span<const int>()
             : all;
}

std::vector<int> equal_counts(int count, MPI_Comm comm) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  return std::vector<int>(static_cast<std::size_t>(size), count);
}

bool commutes(MPI_Op op) {
  int answer = 1;
  PMPI_Op_commutative(op, &answer);
  return answer != 0;
}

/// Whether SMPI's scans are wrong: they combine in another order, and take elements of types that
/// the program made to begin where their extent does.
bool is_scan_wrong(MPI_Datatype type, MPI_Op op) {
  int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  return !commutes(op) || combiner != MPI_COMBINER_NAMED;
}

/// Whether the algorithms of blocking reductions may take every operation for one that commutes, as
/// several do that a user can choose (smpi/allreduce:rdb).
bool is_order_lost(MPI_Op op) {
  namespace config = simgrid::config;
  static const bool is_sound = [] {
    const auto own = {"smpi/reduce", "smpi/allreduce", "smpi/reduce_scatter"};
    const auto selector = config::get_value<std::string>("smpi/coll-selector");
    return std::all_of(own.begin(), own.end(), config::is_default) &&
           (selector == "default" || selector == "mpich" || selector == "ompi");
  }();
  return !is_sound && !commutes(op);
}

}  // namespace

// A blocking reduction, also between two groups, and its non-blocking form. SMPI's own says what is
// wrong with a call, and does those that block where it does them right.
#define VTOPO_PARTS(...) __VA_ARGS__
#define VTOPO_REDUCTION(Name, Iname, parameters, arguments, between_groups, wrong, is_smpi_wrong, \
                        ordered)                                                                  \
  int MPI_##Name(VTOPO_PARTS parameters, MPI_Comm comm) {                                         \
    if (const Intercommunicator* const between = intercommunicator(comm)) {                       \
      const InCall call(collective_call("MPI_" #Name, between->whole));                           \
      return mpi_function(comm, [&] { between_groups; });                                         \
    }                                                                                             \
    const InCall call(collective_call("MPI_" #Name, comm));                                       \
    MPI_Request* const request = nullptr;                                                         \
    if (wrong || !is_smpi_wrong) return call.result(PMPI_##Name(VTOPO_PARTS arguments, comm));    \
    return mpi_function(comm, [&] { ordered; });                                                  \
  }                                                                                               \
  int MPI_##Iname(VTOPO_PARTS parameters, MPI_Comm comm, MPI_Request* request) {                  \
    refuse_intercommunicator("MPI_" #Iname, comm);                                                \
    if (request == nullptr || wrong)                                                              \
      return answered("MPI_" #Iname, PMPI_##Iname(VTOPO_PARTS arguments, comm, request), comm);   \
    return mpi_function(comm, [&] { ordered; });                                                  \
  }
#define VTOPO_TO_RANGE(Name, Iname, between_groups, range, is_smpi_wrong)                \
  VTOPO_REDUCTION(                                                                       \
      Name, Iname,                                                                       \
      (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op), \
      (sendbuf, recvbuf, count, datatype, op), between_groups,                           \
      is_wrong(sendbuf, recvbuf, count, datatype, op, comm), is_smpi_wrong,              \
      reduce_to_range(range, sendbuf, recvbuf, count, datatype, op, comm, request))

VTOPO_TO_RANGE(Allreduce, Iallreduce, allreduce(*between, sendbuf, recvbuf, count, datatype, op),
               Range::all, is_order_lost(op))
VTOPO_TO_RANGE(Scan, Iscan, refuse_intercommunicator("MPI_Scan", comm), Range::up_to_own,
               is_scan_wrong(datatype, op))
VTOPO_TO_RANGE(Exscan, Iexscan, refuse_intercommunicator("MPI_Exscan", comm), Range::before_own,
               is_scan_wrong(datatype, op))
VTOPO_REDUCTION(Reduce, Ireduce,
                (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                 int root),
                (sendbuf, recvbuf, count, datatype, op, root),
                reduce(*between, sendbuf, recvbuf, count, datatype, op, root),
                is_wrong(sendbuf, recvbuf, count, datatype, op, comm), is_order_lost(op),
                reduce_to_root(sendbuf, recvbuf, count, root, datatype, op, comm, request))
VTOPO_REDUCTION(
    Reduce_scatter, Ireduce_scatter,
    (const void* sendbuf, void* recvbuf, const int* recvcounts, MPI_Datatype datatype, MPI_Op op),
    (sendbuf, recvbuf, recvcounts, datatype, op),
    reduce_scatter(*between, sendbuf, recvbuf, counts_of(recvcounts, between->local), datatype, op),
    (counts_of(recvcounts, comm).empty() || is_wrong(sendbuf, recvbuf, 0, datatype, op, comm)),
    is_order_lost(op),
    reduce_and_scatter(sendbuf, recvbuf, counts_of(recvcounts, comm), datatype, op, comm, request))
VTOPO_REDUCTION(Reduce_scatter_block, Ireduce_scatter_block,
                (const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype,
                 MPI_Op op),
                (sendbuf, recvbuf, recvcount, datatype, op),
                reduce_scatter(*between, sendbuf, recvbuf, equal_counts(recvcount, between->local),
                               datatype, op),
                is_wrong(sendbuf, recvbuf, recvcount, datatype, op, comm), is_order_lost(op),
                reduce_and_scatter(sendbuf, recvbuf, equal_counts(recvcount, comm), datatype, op,
                                   comm, request))
#undef VTOPO_TO_RANGE
#undef VTOPO_REDUCTION
#undef VTOPO_PARTS

// What the program frees while a reduction that is not complete needs it becomes null, and the last
// such reduction frees it.

int MPI_Op_free(MPI_Op* op) {
  return InUse<MPI_Op>::take(op) ? MPI_SUCCESS : answered("MPI_Op_free", PMPI_Op_free(op));
}

int MPI_Type_free(MPI_Datatype* datatype) {
  if (InUse<MPI_Datatype>::take(datatype)) return MPI_SUCCESS;
  return answered("MPI_Type_free", PMPI_Type_free(datatype));
}
