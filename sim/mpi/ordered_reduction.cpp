#include "sim/mpi/ordered_reduction.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/mpi/collective_request.hpp"
#include "sim/mpi/errors.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail::overlay {

namespace {

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

/// Bytes around the address of an element.
struct Bounds {
  MPI_Aint lower = 0, upper = 0;
};

/// Those of a type's extent.
Bounds nominal_bounds(MPI_Datatype type) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  PMPI_Type_get_extent(type, &lower, &extent);
  return {std::min(lower, lower + extent), std::max(lower, lower + extent)};
}

std::vector<MPI_Datatype> parts_of(MPI_Datatype type) {
  int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  std::vector<MPI_Datatype> parts(static_cast<std::size_t>(types));
  std::vector<int> numbers(static_cast<std::size_t>(integers));
  std::vector<MPI_Aint> places(static_cast<std::size_t>(addresses));
  if (combiner != MPI_COMBINER_NAMED)
    PMPI_Type_get_contents(type, integers, addresses, types, numbers.data(), places.data(),
                           parts.data());
  return parts;
}

/// Bounds that hold all data of an element: those of a type whose extent was changed may lie
/// outside of it, and SMPI's MPI_Type_get_true_extent returns the extent.
Bounds real_bounds(MPI_Datatype type) {
  Bounds bounds = nominal_bounds(type);
  for (const MPI_Datatype part : parts_of(type)) {
    const Bounds nominal = nominal_bounds(part);
    const Bounds real = real_bounds(part);
    bounds.lower = std::min(bounds.lower + real.lower - nominal.lower, real.lower);
    bounds.upper = std::max(bounds.upper + real.upper - nominal.upper, real.upper);
  }
  return bounds;
}

/// Memory for elements with their gaps, to be addressed as a buffer of a program.
class Elements {
 public:
  Elements(int count, MPI_Datatype type) {
    const Bounds element = real_bounds(type);
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    PMPI_Type_get_extent(type, &lower, &extent);
    const MPI_Aint last = (count - 1) * extent;
    first_ = element.lower + std::min<MPI_Aint>(0, last);
    bytes_.resize(static_cast<std::size_t>(element.upper + std::max<MPI_Aint>(0, last) - first_));
  }
  void* address() { return bytes_.data() - first_; }

 private:
  MPI_Aint first_ = 0;
  std::vector<char> bytes_;
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

}  // namespace

void reduce_to_range(Range range, const void* sendbuf, void* recvbuf, int count, MPI_Datatype type,
                     MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  const Uncharged own_time;
  const auto what = std::make_shared<Reduction>(type, op, comm);
  what->result = recvbuf;
  what->count = count;
  what->pieces = range == Range::all         ? what->size
                 : range == Range::up_to_own ? what->rank + 1
                                             : what->rank;
  pack(*what, sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, count);
  run(
      what, [range](Reduction& r, MPI_Request* moved) { return move_to_range(r, range, moved); },
      request);
}

void reduce_to_root(const void* sendbuf, void* recvbuf, int count, int root, MPI_Datatype type,
                    MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  const Uncharged own_time;
  const auto what = std::make_shared<Reduction>(type, op, comm);
  what->result = recvbuf;
  what->count = count;
  what->pieces = what->rank == root ? what->size : 0;
  pack(*what, sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, count);
  what->received.resize(
      static_cast<std::size_t>(what->bytes_of(std::int64_t{what->pieces} * count)));
  run(
      what,
      [root](Reduction& r, MPI_Request* moved) {
        const int bytes = int_size(r.sent);
        return PMPI_Igather(r.sent.data(), bytes, MPI_BYTE, r.received.data(), bytes, MPI_BYTE,
                            root, r.comm, moved);
      },
      request);
}

void reduce_and_scatter(const void* sendbuf, void* recvbuf, std::span<const int> counts,
                        MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  const Uncharged own_time;
  const auto what = std::make_shared<Reduction>(type, op, comm);
  what->result = recvbuf;
  what->count = counts[static_cast<std::size_t>(what->rank)];
  what->pieces = what->size;
  pack(*what, sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf,
       std::accumulate(counts.begin(), counts.end(), 0));
  run(
      what,
      [counts](Reduction& r, MPI_Request* moved) {
        std::vector<int> sent, places;
        for (const int count : counts) {
          places.push_back(std::accumulate(sent.begin(), sent.end(), 0));
          sent.push_back(count * r.unit);
        }
        const std::vector<int> received(counts.size(), r.bytes_of(r.count));
        return exchange(r, sent, places, received, moved);
      },
      request);
}

bool is_still_needed(MPI_Op* op) {
  return InUse<MPI_Op>::take(op);
}

bool is_still_needed(MPI_Datatype* type) {
  return InUse<MPI_Datatype>::take(type);
}

}  // namespace vtopo::detail::overlay
