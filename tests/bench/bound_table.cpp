// How far lower bounds are from the best known embeddings, on the instances of `vtopo bench`,
// guests on hosts of several slots and recorded matrices. bound_table --help.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "sim/evaluation/bounds.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/research/bench/instance.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/traffic/traffic.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

struct Options {
  std::string matrices;  ///< folder of `src,dst,bytes`; empty: none
  std::string best;      ///< file of the best known values; empty: none is kept
  std::string only;      ///< part of the name of a case; empty: all
  double seconds = 2;    ///< of each search
  int ranks = 4096;      ///< at most
};

/// Where a guest of so many ranks goes.
struct Machine {
  std::string name;
  std::string network;
  int slots;
};

std::vector<Machine> machines(int ranks) {
  if (ranks <= 64)
    return {{"torus", "torus:4x4x4", 1},
            {"tapered fat tree", "fat-tree:2;8,8;1,2;1,1", 1},
            {"dragonfly", "dragonfly:4,1;4,1;2,1;2", 1},
            {"torus", "torus:4x4", 4},
            {"tapered fat tree", "fat-tree:2;4,4;1,2;1,1", 4},
            {"dragonfly", "dragonfly:4,1;2,1;1,1;2", 4}};
  return {{"torus", "torus:12x12x8", 1},
          {"tapered fat tree", "fat-tree:2;32,36;1,8;1,1", 1},
          {"dragonfly", "dragonfly:9,1;8,1;4,1;4", 1},
          {"torus", "torus:6x4x3", 16},
          {"tapered fat tree", "fat-tree:2;8,9;1,2;1,1", 16},
          {"dragonfly", "dragonfly:9,1;4,1;2,1;1", 16}};
}

Instance on_slots(std::string name, std::string guest, std::string network, int slots) {
  return {.name = std::move(name),
          .description = "",
          .guest = std::move(guest),
          .network = std::move(network),
          .routing = Routing::simgrid,
          .slots = slots};
}

/// A guest whose hosts have several slots, or a recorded one.
std::vector<Instance> further_instances(const std::string& matrices) {
  std::vector<Instance> list;
  for (const std::string guest : {"cart:32px32p", "cart:16x8x8", "rgg:1024:8:1"})
    for (const Machine& machine : machines(1024))
      if (machine.slots > 1) list.push_back(on_slots(guest, guest, machine.network, machine.slots));
  if (matrices.empty()) return list;
  for (const auto& [name, ranks] :
       {std::pair("amg-64", 64), std::pair("lulesh-64", 64), std::pair("cloverleaf-1152", 1152),
        std::pair("miniamr-1000", 1000), std::pair("minimd-1024", 1024)})
    for (const Machine& machine : machines(ranks))
      list.push_back(on_slots(name, fmt::format("traffic:{}/{}.csv", matrices, name),
                              machine.network, machine.slots));
  return list;
}

/// The least that any run has reached.
struct Best {
  double hop_bytes = std::numeric_limits<double>::infinity();
  double congestion = std::numeric_limits<double>::infinity();

  void add(const Metrics& metrics) {
    hop_bytes = std::min(hop_bytes, metrics.hop_bytes.value);
    congestion = std::min(congestion, metrics.max_congestion.value);
  }
};

using BestKnownValues = std::map<std::string, Best>;

BestKnownValues read_best(const std::string& path) {
  BestKnownValues values;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto words = split(line, '\t');
    values[std::string(words[0])] = {std::stod(std::string(words[1])),
                                     std::stod(std::string(words[2]))};
  }
  return values;
}

void write_best(const std::string& path, const BestKnownValues& values) {
  std::ofstream file(path);
  for (const auto& [name, best] : values)
    file << fmt::format("{}\t{}\t{}\n", name, best.hop_bytes, best.congestion);
}

void search(const BenchProblem& problem, double seconds, Best& best) {
  for (const std::string objective : {"hop-bytes", "max-congestion"}) {
    const MappingProblem task{.guest = problem.guest,
                              .network = *problem.network,
                              .allocation = problem.allocation,
                              .grid = problem.grid ? &*problem.grid : nullptr,
                              .objective = parse_objective(objective)};
    SearchControl control;
    control.deadline =
        SearchControl::Clock::now() + std::chrono::milliseconds(static_cast<int>(seconds * 1000));
    best.add(evaluate(problem.guest, *problem.network,
                      run_mapper({"portfolio", {}, false}, task, control)));
  }
}

struct Row {
  double hop_bytes, congestion;
};

Row show(const Instance& instance, BestKnownValues& known, const Options& options) {
  BenchProblem problem = build(instance);
  const int hosts = (problem.guest.num_ranks() + instance.slots - 1) / instance.slots;
  problem.allocation = make_allocation(*problem.network, fmt::format("first:{}", hosts),
                                       std::vector{instance.slots}, 1);
  const std::string key =
      fmt::format("{} on {} x{}", instance.name, instance.network, instance.slots);
  Best& best = known[key];
  if (instance.best && instance.best->measure == &hop_bytes_measure())
    best.hop_bytes = std::min(best.hop_bytes, instance.best->value);
  if (options.seconds > 0) search(problem, options.seconds, best);
  const auto start = std::chrono::steady_clock::now();
  const Bounds bounds = lower_bounds(problem.guest, *problem.network, problem.allocation);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const Row row{best.hop_bytes > 0 ? bounds.hop_bytes.value / best.hop_bytes : 1,
                best.congestion > 0 ? bounds.congestion.value / best.congestion : 1};
  fmt::print("| `{}` | `{}` | {} | {:.2f} | {} | {:.2f} | {} | {:.2f} |{}\n", instance.name,
             instance.network, instance.slots, row.hop_bytes, bounds.hop_bytes_kind, row.congestion,
             bounds.congestion_kind, seconds,
             row.hop_bytes > 1 + 1e-9 || row.congestion > 1 + 1e-9 ? " VIOLATION" : "");
  std::fflush(stdout);
  return row;
}

void show_all(const Options& options) {
  BestKnownValues known = read_best(options.best);
  std::vector<Instance> instances = built_in_instances();
  for (Instance& instance : further_instances(options.matrices)) instances.push_back(instance);
  fmt::print(
      "| guest | network | slots | hop-bytes: bound / best known | argument | busiest link | "
      "argument | seconds |\n|---|---|---|---|---|---|---|---|\n");
  for (const Instance& instance : instances) {
    const auto network = make_network(instance.network, {});
    if (network->num_hosts() > options.ranks) continue;
    if ((instance.name + " on " + instance.network).find(options.only) == std::string::npos)
      continue;
    show(instance, known, options);
    if (!options.best.empty()) write_best(options.best, known);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Lower bounds against the best known embeddings."};
  app.add_option("--matrices", options.matrices, "folder of communication matrices");
  app.add_option("--best", options.best, "file that keeps the best known values");
  app.add_option("--only", options.only, "part of GUEST on NETWORK");
  app.add_option("--seconds", options.seconds, "of each of two searches; 0: none, with --best");
  app.add_option("--ranks", options.ranks, "leaves out larger networks");
  CLI11_PARSE(app, argc, argv);
  try {
    show_all(options);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
