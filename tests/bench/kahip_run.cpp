#include "kahip_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <variant>

#include "program_run.hpp"
#include "scotch_files.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/evaluation/partners.hpp"
#include "topology/base/error.hpp"

namespace kahip {

namespace {

using namespace vtopo;
using namespace vtopo::detail;

/// KaHIP adds weights up in 32 bits.
constexpr double max_weight = 1 << 30;

/// METIS format with edge weights: volumes of both directions, in units that keep their sum small.
std::string graph(const CommGraph& guest) {
  const Partners partners(guest);
  std::size_t arcs = 0;
  double total = 0;
  for (int r = 0; r < guest.num_ranks(); ++r)
    for (const Partner& partner : partners.of(Rank{r})) {
      ++arcs;
      total += partner.both().value;
    }
  const double unit = std::max(1.0, total / max_weight);
  std::string text = fmt::format("{} {} 1\n", guest.num_ranks(), arcs / 2);
  for (int r = 0; r < guest.num_ranks(); ++r) {
    for (const Partner& partner : partners.of(Rank{r}))
      text += fmt::format("{} {} ", number(partner.rank) + 1,
                          std::max(1LL, std::llround(partner.both().value / unit)));
    text += '\n';
  }
  return text;
}

struct Hierarchy {
  std::string sizes, distances;  ///< `16:256`, `2:4`: from the leaf switches up
};

Hierarchy hierarchy_of(const TreeMetric& tree) {
  Hierarchy result;
  std::int64_t below = 1;
  for (const HostGroups& level : tree.levels) {
    if (level.hosts == below) continue;
    const char* colon = result.sizes.empty() ? "" : ":";
    result.sizes += fmt::format("{}{}", colon, level.hosts / below);
    result.distances += fmt::format("{}{}", colon, level.hops);
    below = level.hosts;
  }
  return result;
}

/// A line per rank with its host.
std::vector<HostId> read_blocks(const std::string& path, const BenchProblem& problem) {
  std::ifstream file(path);
  std::vector<HostId> hosts;
  for (int block = 0; file >> block;) {
    if (block < 0 || block >= problem.network->num_hosts())
      throw InputError(fmt::format("{}: block {}", path, block));
    hosts.push_back(HostId{block});
  }
  if (hosts.size() != static_cast<std::size_t>(problem.guest.num_ranks()))
    throw InputError(
        fmt::format("{}: {} blocks instead of {}", path, hosts.size(), problem.guest.num_ranks()));
  return hosts;
}

}  // namespace

bool applies_to(const BenchProblem& problem) {
  const auto& slots = problem.allocation.slots;
  return std::holds_alternative<TreeMetric>(problem.network->hop_metric()) &&
         problem.allocation.num_hosts() == problem.network->num_hosts() &&
         std::count(slots.begin(), slots.end(), slots.front()) ==
             static_cast<std::ptrdiff_t>(slots.size());
}

std::optional<scotch::BestRun> run(const std::string& program, const std::string& effort,
                                   const BenchProblem& problem, double imbalance,
                                   const std::string& folder, Seconds limit) {
  const std::string guest = folder + "/guest.graph", mapping = folder + "/blocks";
  std::ofstream(guest) << graph(problem.guest);
  const Hierarchy hierarchy = hierarchy_of(std::get<TreeMetric>(problem.network->hop_metric()));
  std::vector<std::string> words{program,
                                 guest,
                                 "--seed=1",
                                 fmt::format("--imbalance={}", 100 * imbalance),
                                 "--preconfiguration=" + effort,
                                 "--hierarchy_parameter_string=" + hierarchy.sizes,
                                 "--distance_parameter_string=" + hierarchy.distances,
                                 "--output_filename=" + mapping};
  if (program == "kaffpa")
    words.insert(words.end(),
                 {fmt::format("--k={}", problem.network->num_hosts()), "--enable_mapping"});
  const auto cpu_time = cpu_time_of(words, limit, "its options are those of KaHIP 3");
  if (!cpu_time) return std::nullopt;
  const auto hosts = read_blocks(mapping, problem);
  Embedding embedding =
      scotch::repaired(hosts, problem.guest, *problem.network, problem.allocation);
  int moved = 0;
  for (std::size_t r = 0; r < hosts.size(); ++r) moved += hosts[r] != embedding.hosts()[r];
  const double hop_bytes = evaluate(problem.guest, *problem.network, embedding).hop_bytes.value;
  return scotch::BestRun{program, std::move(embedding), moved, hop_bytes, *cpu_time};
}

}  // namespace kahip
