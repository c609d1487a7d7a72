#include "sim/mpi/topologies/construction.hpp"

#include <simgrid/s4u/Barrier.hpp>

#include <ctime>
#include <map>

#include "sim/clock/program_times.hpp"
#include "sim/mpi/decision/reordering.hpp"
#include "sim/mpi/smpi_repairs/job.hpp"
#include "sim/mpi/smpi_repairs/open_calls.hpp"
#include "sim/mpi/topologies/attached_topology.hpp"

namespace vtopo::detail::overlay {

namespace {

Machine load_machine_of_environment() {
  Machine machine{network_of_environment(), {}};
  if (!machine.network) return machine;
  for (int h = 0; h < machine.network->num_hosts(); ++h)
    machine.hosts.emplace(machine.network->host_name(HostId{h}), HostId{h});
  return machine;
}

/// Hosts of all ranks of a communicator, by rank.
/// @throws InputError if one runs on a host that the machine does not have.
std::vector<HostId> hosts_of(MPI_Comm comm, const Machine& machine) {
  const std::vector<int> world = world_ranks_of(comm);
  std::vector<HostId> hosts;
  hosts.reserve(world.size());
  for (const int rank : world) {
    const std::string& name = process(rank).host;
    const auto found = machine.hosts.find(name);
    if (found == machine.hosts.end())
      throw InputError(fmt::format("process {} runs on host \"{}\", which {} does not have", rank,
                                   name, machine.network->description()));
    hosts.push_back(found->second);
  }
  return hosts;
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Asks the mapping engine; adds the processor time that it took to `seconds`.
Reordering computed(const ConstructorCall& call, const ReorderRequest& request,
                    const std::vector<HostId>& hosts, double& seconds) {
  const double start = processor_seconds();
  const Cartesian* grid = std::get_if<Cartesian>(&request.topology);
  const auto clock = [](const Program& program, const Network& network,
                        const Embedding& embedding) {
    return simulate_program(program, network, embedding).makespan;
  };
  Reordering result =
      reorder({request.guest, grid}, *machine()->network, hosts, mapping_choice(call.info), clock);
  seconds += processor_seconds() - start;
  return result;
}

/// Answers to equal questions, so that all processes get the same one, computed once.
Reordering remembered(const ConstructorCall& call, const ReorderRequest& request,
                      const std::vector<HostId>& hosts, double& seconds) {
  if (call.key.empty()) return computed(call, request, hosts, seconds);
  using Question = std::pair<std::vector<int>, Info>;
  static std::map<Question, Reordering> answers;
  Question question{call.key, call.info};
  for (const HostId host : hosts) question.first.push_back(number(host));
  auto found = answers.find(question);
  if (found == answers.end())
    found = answers.emplace(std::move(question), computed(call, request, hosts, seconds)).first;
  return found->second;
}

/// The mapping; its time is charged once the answer is there for the other processes.
Reordering mapped(const ConstructorCall& call, const ReorderRequest& request,
                  const std::vector<HostId>& hosts) {
  double seconds = 0;
  Reordering result = remembered(call, request, hosts, seconds);
  if (settings().charge_mapping && seconds > 0) smpi_execute(seconds);
  return result;
}

bool wants_reorder(const ConstructorCall& call) {
  return (call.reorder || settings().force_reorder) && settings().reorder;
}

Reordering reordering_of(const ConstructorCall& call, const ReorderRequest& request) {
  const Machine* where = machine();
  if (wants_reorder(call) && where != nullptr)
    return mapped(call, request, hosts_of(call.comm, *where));
  const char* because = !call.reorder
                            ? "the program asks for reorder=0 (--force-reorder overrules it)"
                        : !settings().reorder ? "reordering is switched off"
                                              : "no network is given";
  const ReorderProblem problem{request.guest};
  if (where == nullptr || settings().report.empty())
    return keep_order(problem, nullptr, {}, because);
  return keep_order(problem, where->network.get(), hosts_of(call.comm, *where), because);
}

bool may_reorder(const ConstructorCall& call) {
  return wants_reorder(call) && machine() != nullptr;
}

/// What the processes that make communicators together share: they run in one address space.
class Meeting {
 public:
  Meeting(MPI_Comm old, const Parts& parts) {
    MPI_Group all = MPI_GROUP_NULL;
    PMPI_Comm_group(old, &all);
    int size = 0;
    PMPI_Group_size(all, &size);
    for (const std::vector<int>& ranks : parts)
      PMPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &groups_.emplace_back());
    PMPI_Group_free(&all);
    all_ = simgrid::s4u::Barrier::create(static_cast<unsigned>(size));
  }
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;
  ~Meeting() {
    for (MPI_Group& group : groups_) PMPI_Group_free(&group);
  }

  MPI_Group group(int part) const { return groups_[static_cast<std::size_t>(part)]; }

  /// Waits for all processes, so that what they do next begins at one simulated time: equal steps
  /// that begin at many take several times longer to simulate.
  void leave() {
    smpi([&] {
      all_->wait();
      return MPI_SUCCESS;
    });
  }

 private:
  std::vector<MPI_Group> groups_;  ///< a list of processes for all, not one for each
  simgrid::s4u::BarrierPtr all_;
};

}  // namespace

const Machine* machine() {
  static const Machine the_machine = load_machine_of_environment();
  return the_machine.network ? &the_machine : nullptr;
}

Reorderer reorderer_of(const ConstructorCall& call) {
  if (!may_reorder(call)) return {};
  return [&call](const ReorderRequest& request) { return reordering_of(call, request).old_ranks; };
}

std::optional<Communicator> construct(const ConstructorCall& call, bool reports,
                                      const Construct& make) {
  const Communicator old = value_of(call.comm, call.name.data());
  reports = reports && !settings().report.empty();
  if (!may_reorder(call) && !reports) return make(old, {});
  return make(old, [&](const ReorderRequest& request) {
    const double start = processor_seconds();
    const Reordering result = reordering_of(call, request);
    if (reports) report_constructor(call.name, old.size(), result, processor_seconds() - start);
    return result.old_ranks;
  });
}

MPI_Comm realise(const char* function, MPI_Comm old, const std::function<Parts()>& parts,
                 const std::optional<std::pair<int, Communicator>>& part) {
  const InCall call(collective_call(function, old));
  const auto meeting = shared_by_all(old, [&] { return std::make_shared<Meeting>(old, parts()); });
  MPI_Comm made = MPI_COMM_NULL;
  if (part) {
    smpi([&] { return PMPI_Comm_create(old, meeting->group(part->first), &made); });
    inherit_error_handler(old, made);
    attach(made, part->second);
  }
  meeting->leave();
  return made;
}

MPI_Comm realise(const char* function, MPI_Comm old, const std::optional<Communicator>& value) {
  const auto parts = [&] {
    if (!value) return Parts{};
    std::vector<int> ranks;
    ranks.reserve(static_cast<std::size_t>(value->size()));
    for (int r = 0; r < value->size(); ++r) ranks.push_back(number(value->process(Rank{r})));
    return Parts{std::move(ranks)};
  };
  const bool is_in = value && value->rank_of(ProcessId{number(rank_in(old))});
  return realise(function, old, parts, is_in ? std::optional(std::pair(0, *value)) : std::nullopt);
}

Info info_of(MPI_Info info) {
  Info result;
  if (info == MPI_INFO_NULL) return result;
  int count = 0;
  PMPI_Info_get_nkeys(info, &count);
  for (int i = 0; i < count; ++i) {
    char key[MPI_MAX_INFO_KEY + 1] = "";
    PMPI_Info_get_nthkey(info, i, key);
    int length = 0;
    int found = 0;
    PMPI_Info_get_valuelen(info, key, &length, &found);
    std::string value(static_cast<std::size_t>(length) + 1, '\0');
    PMPI_Info_get(info, key, length + 1, value.data(), &found);
    result[key] = value.c_str();
  }
  return result;
}

Info info_of(MPI_Comm comm) {
  MPI_Info info = MPI_INFO_NULL;
  if (PMPI_Comm_get_info(comm, &info) != MPI_SUCCESS || info == MPI_INFO_NULL) return {};
  Info result = info_of(info);
  PMPI_Info_free(&info);
  return result;
}

}  // namespace vtopo::detail::overlay
