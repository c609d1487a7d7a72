#include "sim/mpi/run_times.hpp"

#include <fcntl.h>
#include <simgrid/engine.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "sim/mpi/decision/settings.hpp"
#include "sim/mpi/job.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail::overlay {

namespace {

struct Run {
  double begin = std::numeric_limits<double>::infinity();
  std::vector<double> finish;  ///< by rank in MPI_COMM_WORLD
  std::vector<std::shared_ptr<TopologyTimes>> topologies;
};

Run& run() {
  static Run the_run;
  return the_run;
}

const std::string& run_file() {
  static const std::string path = environment("VTOPO_RUN");
  return path;
}

double& at_rank(std::vector<double>& values, int rank) {
  const auto place = static_cast<std::size_t>(rank);
  if (values.size() <= place) values.resize(place + 1);
  return values[place];
}

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
  const double most =
      times.seconds.empty() ? 0 : *std::max_element(times.seconds.begin(), times.seconds.end());
  return fmt::format(
      "{{\"topology\":\"{}\",\"ranks\":{},\"calls\":{},\"mean_seconds\":{},\"max_seconds\":{}}}",
      times.topology, times.ranks, times.calls, sum / std::max(times.ranks, 1), most);
}

}  // namespace

std::shared_ptr<TopologyTimes> times_of(const VirtualTopology& topology) {
  auto times = std::make_shared<TopologyTimes>();
  times->topology = name_of(topology);
  times->ranks = num_ranks(topology);
  run().topologies.push_back(times);
  return times;
}

TimedCall::TimedCall(std::shared_ptr<TopologyTimes> times)
    : times_(std::move(times)), start_(simgrid_get_clock()) {}

TimedCall::~TimedCall() {
  if (times_) at_rank(times_->seconds, world_rank()) += simgrid_get_clock() - start_;
}

void begin_run() {
  run().begin = std::min(run().begin, simgrid_get_clock());
}

void end_run() {
  at_rank(run().finish, world_rank()) = simgrid_get_clock();
}

void write_run() {
  if (run_file().empty()) return;
  std::vector<double> finish = run().finish;
  for (double& time : finish) time -= run().begin;
  std::vector<std::string> topologies;
  for (const auto& times : run().topologies) topologies.push_back(line_of(*times));
  append_to_run(
      fmt::format("{{\"schema\":\"vtopo/run/v1\",\"simulated_seconds\":{},\"rank_seconds\":[{}],"
                  "\"topologies\":[{}]}}\n",
                  *std::max_element(finish.begin(), finish.end()), fmt::join(finish, ","),
                  fmt::join(topologies, ",")));
}

void append_to_run(std::string_view line) noexcept {
  if (run_file().empty()) return;
  const int file = open(run_file().c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return;
  [[maybe_unused]] const auto written = write(file, line.data(), line.size());
  close(file);
}

}  // namespace vtopo::detail::overlay
