#include "sim/mpi/construction.hpp"

#include <ctime>
#include <map>
#include <utility>

#include "sim/mpi/attached_topology.hpp"
#include "sim/mpi/decision/report_line.hpp"
#include "sim/mpi/errors.hpp"
#include "sim/mpi/machine.hpp"
#include "sim/mpi/open_calls.hpp"
#include "sim/simulation/program_times.hpp"

namespace vtopo::detail::overlay {

namespace {

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
  MappingChoice choice = mapping_choice(call.info);
  choice.quick = false;  // simulations take longer than mappers
  const auto clock = [](const Program& program, const Network& network,
                        const Embedding& embedding) {
    return simulate_program(program, network, embedding).makespan;
  };
  Reordering result = reorder({request.guest, grid}, *machine()->network, hosts, choice, clock);
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
                            ? "the program asks for reorder=0: --force-reorder overrules it"
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

}  // namespace

Reorderer reorderer_of(const ConstructorCall& call) {
  if (!may_reorder(call)) return {};
  return [&call](const ReorderRequest& request) { return reordering_of(call, request).old_ranks; };
}

std::optional<Communicator> construct(const ConstructorCall& call, bool tells,
                                      const Construct& make) {
  const Communicator old = value_of(call.comm, call.name.data());
  const bool reports = tells && !settings().report.empty();
  if (!may_reorder(call) && !reports) return make(old, {});
  return make(old, [&](const ReorderRequest& request) {
    const double start = processor_seconds();
    const Reordering result = reordering_of(call, request);
    if (reports) report_constructor(call.name, old.size(), result, processor_seconds() - start);
    return result.old_ranks;
  });
}

MPI_Comm realise_part(const char* function, MPI_Comm old, int colour, Rank rank,
                      Communicator value) {
  MPI_Comm made = MPI_COMM_NULL;
  const InCall call(OpenCall{.name = function, .comm = old, .collective = true});
  smpi([&] { return PMPI_Comm_split(old, colour, number(rank), &made); });
  inherit_error_handler(old, made);
  attach(made, std::move(value));
  return made;
}

MPI_Comm realise(const char* function, MPI_Comm old, const std::optional<Communicator>& value) {
  const std::optional<Rank> rank =
      value ? value->rank_of(ProcessId{number(rank_in(old))}) : std::nullopt;
  if (rank) return realise_part(function, old, 0, *rank, *value);
  MPI_Comm none = MPI_COMM_NULL;
  const InCall call(OpenCall{.name = function, .comm = old, .collective = true});
  smpi([&] { return PMPI_Comm_split(old, MPI_UNDEFINED, 0, &none); });
  return MPI_COMM_NULL;
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
