// MPI_Init, MPI_Init_thread and MPI_Finalize: where the overlay joins and leaves the job, and what
// the file of VTOPO_RUN says of the whole run. Attributes of MPI_COMM_SELF, which end with it.

#include <simgrid/engine.h>

#include <algorithm>
#include <limits>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "sim/mpi/smpi_repairs/job.hpp"
#include "sim/mpi/smpi_repairs/library.hpp"
#include "sim/mpi/smpi_repairs/smpi.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail::overlay;

namespace {

/// Simulated times, in seconds.
struct Run {
  double begin = std::numeric_limits<double>::infinity();
  std::vector<double> finish;  ///< by rank in MPI_COMM_WORLD
};

/// What a process said and got in MPI_Init or MPI_Init_thread.
struct Threads {
  int level = MPI_THREAD_SINGLE;
  std::thread::id first = std::this_thread::get_id();  ///< that called it
};

std::map<int, Threads>& threads_of_ranks() {
  static std::map<int, Threads> of_rank;
  return of_rank;
}

/// Threads of a process that call no function of MPI run as anywhere; SMPI's functions are those of
/// the process that the simulation has chosen, whoever calls them.
constexpr int best_level = MPI_THREAD_FUNNELED;

Run& run() {
  static Run the_run;
  return the_run;
}

void note_finish(int rank) {
  const auto place = static_cast<std::size_t>(rank);
  if (run().finish.size() <= place) run().finish.resize(place + 1);
  run().finish[place] = simgrid_get_clock();
}

/// Once all processes have left.
void append_line_of_run() {
  std::vector<double> finish = run().finish;
  for (double& time : finish) time -= run().begin;
  append_to_run(fmt::format(
      "{{\"schema\":\"vtopo/run/v1\",\"simulated_seconds\":{},\"rank_seconds\":[{}],"
      "\"topologies\":[{}]}}\n",
      *std::max_element(finish.begin(), finish.end()), fmt::join(finish, ","), topologies_json()));
}

/// By the first process of the run; the file of VTOPO_RUN is there from then on.
void begin_run() {
  static bool done = false;
  if (std::exchange(done, true)) return;
  append_to_run("\n");
  begin_library();
  report_endings();
}

/// Joins the job, once: SMPI's MPI_Init_thread calls MPI_Init, which is the one below. Wrong
/// settings end the program before it has computed anything.
void join() {
  if (has_joined()) return;
  const Uncharged own_time;
  try {
    begin_run();
    check_own_host();
    join_job();
  } catch (const Error& error) {
    end_simulation(2, error.what());
  }
  threads_of_ranks()[world_rank()] = Threads{};
  run().begin = std::min(run().begin, simgrid_get_clock());
}

/// Attributes that a process has set on MPI_COMM_SELF, by rank, the oldest first.
std::map<int, std::vector<int>>& own_attributes() {
  static std::map<int, std::vector<int>> of_rank;
  return of_rank;
}

int noted_attribute(MPI_Comm comm, int keyval, int code) {
  if (code != MPI_SUCCESS || comm != MPI_COMM_SELF || !has_joined()) return code;
  std::vector<int>& keys = own_attributes()[world_rank()];
  keys.erase(std::remove(keys.begin(), keys.end(), keyval), keys.end());
  keys.push_back(keyval);
  return code;
}

/// Keys that the program has freed while MPI_COMM_SELF has an attribute with them, by rank: SMPI
/// deletes none with a key that is gone.
std::map<int, std::vector<int>>& freed_keys() {
  static std::map<int, std::vector<int>> of_rank;
  return of_rank;
}

/// What MPI_Comm_free_keyval and MPI_Keyval_free do.
int free_key(const char* name, int (*free_function)(int*), int* keyval) {
  const auto found = keyval == nullptr || !has_joined() ? own_attributes().end()
                                                        : own_attributes().find(world_rank());
  if (found == own_attributes().end() ||
      std::find(found->second.begin(), found->second.end(), *keyval) == found->second.end())
    return answered(name, free_function(keyval));
  freed_keys()[world_rank()].push_back(std::exchange(*keyval, MPI_KEYVAL_INVALID));
  return MPI_SUCCESS;
}

/// The first thing that MPI_Finalize does, the last attribute first: the functions that delete them
/// still find MPI as it was (MPI-4.0, 11.2.4). SMPI calls them once it has finalized.
void delete_own_attributes() {
  if (!has_joined()) return;
  for (auto& keys = own_attributes()[world_rank()]; !keys.empty();) {
    const int key = keys.back();
    keys.pop_back();
    void* value = nullptr;
    int is_set = 0;
    if (PMPI_Comm_get_attr(MPI_COMM_SELF, key, &value, &is_set) == MPI_SUCCESS && is_set != 0)
      PMPI_Comm_delete_attr(MPI_COMM_SELF, key);
  }
  for (int key : freed_keys()[world_rank()]) PMPI_Comm_free_keyval(&key);
  freed_keys().erase(world_rank());
}

void leave() {
  if (!has_joined()) return;
  note_finish(world_rank());
  if (!leave_job()) return;
  end_library();
  append_line_of_run();
}

}  // namespace

int MPI_Init(int* argc, char*** argv) {
  const int code = PMPI_Init(argc, argv);
  if (code == MPI_SUCCESS) join();
  return answered("MPI_Init", code);
}

/// SMPI provides MPI_THREAD_SINGLE, whatever is asked for.
int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code = PMPI_Init_thread(argc, argv, required, provided);
  if (code == MPI_SUCCESS) {
    join();
    const int level = std::clamp<int>(required, MPI_THREAD_SINGLE, best_level);
    threads_of_ranks()[world_rank()].level = level;
    if (provided != nullptr) *provided = level;
  }
  return answered("MPI_Init_thread", code);
}

int MPI_Query_thread(int* provided) {
  const int code = PMPI_Query_thread(provided);
  if (code == MPI_SUCCESS) *provided = threads_of_ranks()[world_rank()].level;
  return answered("MPI_Query_thread", code);
}

/// Any thread may ask, of which SimGrid knows only those that simulate.
int MPI_Is_thread_main(int* flag) {
  const auto& all = threads_of_ranks();
  if (flag == nullptr || all.empty())
    return answered("MPI_Is_thread_main", PMPI_Is_thread_main(flag));
  const auto here = std::this_thread::get_id();
  *flag = std::any_of(all.begin(), all.end(),
                      [here](const auto& rank) { return rank.second.first == here; });
  return MPI_SUCCESS;
}

int MPI_Comm_set_attr(MPI_Comm comm, int keyval, void* value) {
  const int code = PMPI_Comm_set_attr(comm, keyval, value);
  return answered("MPI_Comm_set_attr", noted_attribute(comm, keyval, code), comm);
}

int MPI_Attr_put(MPI_Comm comm, int keyval, void* value) {
  const int code = PMPI_Attr_put(comm, keyval, value);
  return answered("MPI_Attr_put", noted_attribute(comm, keyval, code), comm);
}

int MPI_Comm_free_keyval(int* keyval) {
  return free_key("MPI_Comm_free_keyval", PMPI_Comm_free_keyval, keyval);
}

int MPI_Keyval_free(int* keyval) {
  return free_key("MPI_Keyval_free", PMPI_Keyval_free, keyval);
}

int MPI_Finalize() {
  try {
    delete_own_attributes();
    leave();
  } catch (const Error& error) {
    end_simulation(2, error.what());
  }
  return answered("MPI_Finalize", PMPI_Finalize());
}
