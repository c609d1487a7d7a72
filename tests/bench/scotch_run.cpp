#include "scotch_run.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <variant>

#include "program_run.hpp"
#include "scotch_files.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/evaluation/partners.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace scotch {

namespace {

using namespace vtopo;
using namespace vtopo::detail;

struct Files {
  std::string graph, target, mapping, log;
};

Files write_files(const BenchProblem& problem, const std::string& folder) {
  Files files{folder + "/guest.grf", folder + "/network.tgt", folder + "/ranks.map",
              folder + "/scotch.log"};
  std::ofstream(files.graph) << graph(problem.guest);
  std::ofstream(files.target) << target(*problem.network);
  return files;
}

/// Processor time, or nothing if the limit ended it.
std::optional<Seconds> run_gmap(const std::string& options, const Files& files, Seconds limit) {
  std::vector<std::string> words{"scotch_gmap", "-vm"};
  for (const auto option : split(options, ' ')) words.emplace_back(option);
  words.insert(words.end(), {files.graph, files.target, files.mapping, files.log});
  return cpu_time_of(words, limit, "the Debian package is scotch");
}

/// `M CommDilat=2.44 (...)` of the log: hops per edge, unweighted.
double printed_dilation(const std::string& path) {
  std::ifstream file(path);
  constexpr std::string_view key = "CommDilat=";
  for (std::string line; std::getline(file, line);) {
    const std::size_t at = line.find(key);
    if (at != std::string::npos) return std::stod(line.substr(at + key.size()));
  }
  throw InputError(fmt::format("{}: no CommDilat", path));
}

double mean_dilation(const CommGraph& guest, const Network& network,
                     const std::vector<HostId>& hosts) {
  const Partners partners(guest);
  double sum = 0, edges = 0;
  for (int r = 0; r < guest.num_ranks(); ++r)
    for (const Partner& partner : partners.of(Rank{r})) {
      const HostId from = hosts[static_cast<std::size_t>(r)], to = hosts[index(partner.rank)];
      sum += from == to ? 0 : network.hops(from, to);
      edges += 1;
    }
  return edges > 0 ? sum / edges : 0;
}

bool every_host_is_used(const std::vector<HostId>& hosts, const Network& network) {
  std::vector<bool> used(static_cast<std::size_t>(network.num_hosts()), false);
  for (const HostId host : hosts) used[index(host)] = true;
  return std::find(used.begin(), used.end(), false) == used.end();
}

/// Scotch's figure has six decimals. Its targets have the hops of grids and trees, and nearly those
/// of others. Where it leaves hosts empty, it measures from the middle of
/// the region that a rank has to itself, and there is nothing to compare.
void check_numbering(const BenchProblem& problem, const std::vector<HostId>& hosts,
                     const Files& files) {
  const HopMetric metric = problem.network->hop_metric();
  if (!std::holds_alternative<GridMetric>(metric) && !std::holds_alternative<TreeMetric>(metric))
    return;
  if (!every_host_is_used(hosts, *problem.network)) return;
  const double ours = mean_dilation(problem.guest, *problem.network, hosts);
  const double theirs = printed_dilation(files.log);
  if (std::abs(ours - theirs) > 2e-6 * (1 + ours))
    throw InputError(
        fmt::format("hosts are numbered differently: average dilation {} by vtopo, "
                    "{} by Scotch",
                    ours, theirs));
}

}  // namespace

std::optional<BestRun> best_run(const BenchProblem& problem, const std::string& folder,
                                const std::vector<std::string>& option_lists, Seconds limit) {
  const Files files = write_files(problem, folder);
  std::optional<BestRun> best;
  for (const std::string& options : option_lists) {
    const auto cpu_time = run_gmap(options, files, limit);
    if (!cpu_time) continue;
    const auto hosts = read_mapping(files.mapping, problem.guest.num_ranks(), *problem.network);
    check_numbering(problem, hosts, files);
    Embedding embedding = repaired(hosts, problem.guest, *problem.network, problem.allocation);
    int moved = 0;
    for (std::size_t r = 0; r < hosts.size(); ++r) moved += hosts[r] != embedding.hosts()[r];
    const double hop_bytes = evaluate(problem.guest, *problem.network, embedding).hop_bytes.value;
    if (!best || hop_bytes < best->hop_bytes)
      best = BestRun{options, std::move(embedding), moved, hop_bytes, *cpu_time};
  }
  return best;
}

}  // namespace scotch
