// The processes of the job, and every message between them that SMPI starts, those of its
// collective algorithms included. SMPI makes an object per message and starts it, once or, if it is
// persistent, again and again; both functions are found by way of the dynamic linker, so that a
// preloaded library comes first.

#include "sim/mpi/smpi_repairs/job.hpp"

#include <dlfcn.h>
#include <simgrid/actor.h>
#include <simgrid/host.h>
#include <simgrid/s4u/Barrier.hpp>
#include <simgrid/s4u/Host.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "sim/mpi/smpi_repairs/environment.hpp"
#include "sim/mpi/smpi_repairs/open_calls.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail::overlay {

namespace {

/// The one state of the overlay: SMPI runs all processes in one address space, one at a time.
struct Job {
  std::vector<Process> processes;  ///< by rank in MPI_COMM_WORLD
  int num_joined = 0;
};

Job& job() {
  static Job the_job;
  return the_job;
}

Hardware& hardware() {
  static Hardware the_hardware;
  return the_hardware;
}

std::string node_of(const std::string& host) {
  return hardware().node_of ? hardware().node_of(host) : host;
}

int distance(int rank, int other) {
  const std::string& host = process(rank).host;
  return hardware().distance ? hardware().distance(host, process(other).host) : 0;
}

/// Lets all processes go on at one simulated time, as they leave MPI_Init in SMPI. After a barrier
/// of messages they would not: equal steps would then be many events, which take several times
/// longer to simulate.
void meet(int size) {
  static const auto all = simgrid::s4u::Barrier::create(static_cast<unsigned>(size));
  smpi([] {
    all->wait();
    return MPI_SUCCESS;
  });
}

enum Column : std::size_t { point_to_point, collective, num_columns };

/// What one process sent to one other.
struct SentTo {
  std::array<std::uint64_t, num_columns> bytes{};
  std::array<std::uint64_t, num_columns> messages{};
};

/// A message that is ready to be started.
struct PreparedMessage {
  long source = 0;  ///< actor
  long destination = 0;
  std::uint64_t bytes = 0;
  Column column = point_to_point;
  int tag = 0;
  bool sent = false;  ///< by the process that prepares it; else received
};

struct Recording {
  std::unordered_map<const void*, PreparedMessage> prepared;
  std::vector<std::map<int, SentTo>> sent;  ///< by source; ranks of MPI_COMM_WORLD
  std::vector<char> counts;                 ///< by source: whether it takes part now
  std::uint64_t seen = 0;                   ///< messages of any kind
};

Recording& recording() {
  static Recording the_recording;
  return the_recording;
}

std::vector<int>& ranks_of_actors() {
  static std::vector<int> ranks;
  return ranks;
}

// Bits of SMPI's flags.
constexpr unsigned is_send = 0x4;
constexpr unsigned is_one_sided = 0x200;

/// Whether the calling process sends the messages of collectives that are made here there.
bool carries_own_messages(MPI_Comm comm) {
  const auto place = static_cast<std::size_t>(world_rank());
  return place < job().processes.size() && job().processes[place].messages == comm;
}

/// SMPI gives its own messages negative tags.
Column column_of(int tag, MPI_Comm comm, unsigned flags) {
  if ((flags & is_one_sided) != 0) return point_to_point;
  return tag < 0 || carries_own_messages(comm) ? collective : point_to_point;
}

/// A new message; its place may be that of an older one.
void note_new(const void* message, int count, MPI_Datatype type, long source, long destination,
              int tag, MPI_Comm comm, unsigned flags) {
  if ((flags & is_send) == 0) {
    recording().prepared[message] = {source, destination, 0, point_to_point, tag, false};
    return;
  }
  int unit = 0;
  if (count > 0) PMPI_Type_size(type, &unit);
  const auto bytes = static_cast<std::uint64_t>(std::max(count, 0)) *
                     static_cast<std::uint64_t>(std::max(unit, 0));
  recording().prepared[message] = {source, destination, bytes, column_of(tag, comm, flags),
                                   tag,    true};
}

void note_start(const void* message) {
  Recording& all = recording();
  ++all.seen;
  const auto found = all.prepared.find(message);
  if (found == all.prepared.end() || !found->second.sent) return;
  const PreparedMessage& what = found->second;
  const int source = rank_of_actor(what.source);
  const int destination = rank_of_actor(what.destination);
  if (source < 0 || destination < 0 || !all.counts[static_cast<std::size_t>(source)]) return;
  SentTo& cell = all.sent[static_cast<std::size_t>(source)][destination];
  cell.bytes[what.column] += what.bytes;
  ++cell.messages[what.column];
}

void set_counts(bool on) {
  if (records()) recording().counts[static_cast<std::size_t>(world_rank())] = on ? 1 : 0;
}

/// Called by each process of a job of that many, before the others.
void note_process(int size) {
  const auto actor = static_cast<std::size_t>(sg_actor_self_get_pid());
  auto& ranks = ranks_of_actors();
  if (actor >= ranks.size()) ranks.resize(actor + 1, -1);
  ranks[actor] = world_rank();
  recording().sent.resize(static_cast<std::size_t>(size));
  recording().counts.resize(static_cast<std::size_t>(size));
}

/// From here on, what the calling process sends counts. It has received a message before.
void begin_recording() {
  if (!records()) return;
  if (recording().seen == 0 && recording().counts.size() > 1)
    throw UsageError(
        "VTOPO_RECORD: this library does not see the messages of SMPI: preload it (linking it is "
        "not enough), under SimGrid 3.32");
  set_counts(true);
}

void write_recording() {
  if (!records()) return;
  const std::string path = environment("VTOPO_RECORD");
  const std::string unfinished = path + ".part";
  std::ofstream file(unfinished);
  const auto& sent = recording().sent;
  file << "# vtopo-record 1\n# ranks " << sent.size()
       << "\nsource,destination,bytes,messages,collective_bytes,collective_messages\n";
  std::size_t lines = 0;
  for (std::size_t source = 0; source < sent.size(); ++source)
    for (const auto& [destination, cell] : sent[source]) {
      file << fmt::format("{},{},{},{},{},{}\n", source, destination, cell.bytes[point_to_point],
                          cell.messages[point_to_point], cell.bytes[collective],
                          cell.messages[collective]);
      ++lines;
    }
  file << "# end " << lines << '\n';
  file.close();
  if (!file || std::rename(unfinished.c_str(), path.c_str()) != 0)
    throw InputError(fmt::format("{}: cannot be written (VTOPO_RECORD)", path));
}

}  // namespace

int world_rank() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

void check_own_host() {
  static std::unordered_set<sg_host_t> hosts;
  const sg_host_t host = sg_host_self();
  if (hosts.insert(host).second) return;  // the first process there
  std::vector<simgrid::s4u::Link*> links;
  double latency = 0;
  host->route_to(host, links, &latency);
  if (links.empty())
    throw InputError(fmt::format(
        "several processes run on host \"{}\", from which the platform has no way to itself: "
        "accepted are platforms with loopback links (loopback_bw and loopback_lat of a cluster, or "
        "a route with this host as source and destination)",
        host->get_name()));
}

void join_job() {
  int size = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  job().processes.resize(static_cast<std::size_t>(size));
  MPI_Comm messages = MPI_COMM_NULL;
  note_process(size);
  note_job(size);
  smpi([&] { return PMPI_Comm_dup(MPI_COMM_WORLD, &messages); });
  PMPI_Comm_set_errhandler(messages, MPI_ERRORS_RETURN);
  const std::string host = sg_host_self_get_name();
  job().processes[static_cast<std::size_t>(world_rank())] = {messages, host, node_of(host)};
  ++job().num_joined;
  meet(size);  // from here on, every process knows the host of every other
  begin_recording();
}

bool has_joined() {
  return has_joined(world_rank());
}

bool leave_job() {
  Process& leaving = job().processes[static_cast<std::size_t>(world_rank())];
  set_counts(false);
  PMPI_Comm_free(&leaving.messages);
  leaving.messages = MPI_COMM_NULL;
  if (--job().num_joined > 0) return false;
  write_recording();
  return true;
}

const Process& process(int world_rank) {
  const auto place = static_cast<std::size_t>(world_rank);
  // Who has left may still be asked for: others map onto its host.
  if (place >= job().processes.size() || job().processes[place].host.empty())
    throw UsageError(
        fmt::format("process {} has not called MPI_Init under the overlay: link or preload it "
                    "before SMPI's library",
                    world_rank));
  return job().processes[place];
}

const Process& this_process() {
  return process(world_rank());
}

void set_hardware(Hardware hardware_of_hosts) {
  hardware() = std::move(hardware_of_hosts);
}

int first_rank_on_own_node() {
  const auto& all = job().processes;
  const std::string& own = this_process().node;
  const auto first =
      std::find_if(all.begin(), all.end(), [&](const Process& one) { return one.node == own; });
  return static_cast<int>(first - all.begin());
}

std::optional<int> first_rank_on_smaller_part(const std::vector<int>& ranks) {
  const auto first_with = [&](const auto& shares) {
    return *std::find_if(ranks.begin(), ranks.end(), shares);
  };
  const auto is_on_node = [&](const std::string& node) {
    return [&](int rank) { return process(rank).node == node; };
  };
  const int own = world_rank();
  if (!std::all_of(ranks.begin(), ranks.end(), is_on_node(process(ranks.front()).node)))
    return first_with(is_on_node(this_process().node));
  int farthest = 0;
  for (const int rank : ranks)
    for (const int other : ranks) farthest = std::max(farthest, distance(rank, other));
  if (farthest == 0) return std::nullopt;
  return first_with([&](int rank) { return distance(own, rank) < farthest; });
}

bool has_joined(int rank) {
  const auto& processes = job().processes;
  const auto r = static_cast<std::size_t>(rank);  // of no process: too large
  return r < processes.size() && processes[r].messages != MPI_COMM_NULL;
}

std::vector<int> joined_ranks() {
  std::vector<int> ranks;
  for (int r = 0; r < static_cast<int>(job().processes.size()); ++r)
    if (has_joined(r)) ranks.push_back(r);
  return ranks;
}

bool records() {
  static const bool asked = !environment("VTOPO_RECORD").empty();
  return asked;
}

int rank_of_this_actor() {
  return rank_of_actor(sg_actor_self_get_pid());
}

int rank_of_actor(long actor) {
  const auto& ranks = ranks_of_actors();
  const auto place = static_cast<std::size_t>(actor);
  return actor < 0 || place >= ranks.size() ? -1 : ranks[place];
}

std::optional<SeenMessage> seen_message(MPI_Request request) {
  const auto found = recording().prepared.find(request);
  if (request == MPI_REQUEST_NULL || found == recording().prepared.end()) return std::nullopt;
  const PreparedMessage& message = found->second;
  return SeenMessage{message.sent,
                     rank_of_actor(message.sent ? message.destination : message.source),
                     message.tag};
}

void pause_recording(bool pause) {
  set_counts(!pause);
}

}  // namespace vtopo::detail::overlay

using namespace vtopo::detail::overlay;

#define SEEN_BY_SMPI(symbol) __asm__(symbol) __attribute__((visibility("default")))
#define NEW_MESSAGE "_ZN7simgrid4smpi7RequestC1EPKviPNS0_8DatatypeElliPNS0_4CommEjPNS0_2OpE"
#define START_MESSAGE "_ZN7simgrid4smpi7Request5startEv"

extern "C" {

void vtopo_new_message(void* message, const void* buffer, int count, MPI_Datatype type, long source,
                       long destination, int tag, MPI_Comm comm, unsigned flags, MPI_Op operation)
    SEEN_BY_SMPI(NEW_MESSAGE);
void vtopo_start_message(void* message) SEEN_BY_SMPI(START_MESSAGE);

void vtopo_new_message(void* message, const void* buffer, int count, MPI_Datatype type, long source,
                       long destination, int tag, MPI_Comm comm, unsigned flags, MPI_Op operation) {
  using Next =
      void (*)(void*, const void*, int, MPI_Datatype, long, long, int, MPI_Comm, unsigned, MPI_Op);
  static const auto next = reinterpret_cast<Next>(dlsym(RTLD_NEXT, NEW_MESSAGE));
  next(message, buffer, count, type, source, destination, tag, comm, flags, operation);
  if (records()) note_new(message, count, type, source, destination, tag, comm, flags);
}

void vtopo_start_message(void* message) {
  using Next = void (*)(void*);
  static const auto next = reinterpret_cast<Next>(dlsym(RTLD_NEXT, START_MESSAGE));
  if (records()) note_start(message);
  next(message);
}
}
