// What the default of `vtopo map` gains over the order given, and how its times compare with those
// of the objectives hop-bytes and max-congestion in a run of their own: seeds x networks x traffic.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <optional>

#include "sim/run/plan.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

struct Options {
  int seeds = 20;
  std::string matrices;  ///< folder of `src,dst,bytes`; empty: none
  std::string time_limit;
  std::string only;  ///< part of the name of an instance; empty: all
  std::string csv;
  bool print_only = false;
};

/// Traffic of so many ranks, or a network with at least as many hosts.
struct Named {
  std::string name;
  int ranks;
  std::function<void(Scenario&)> set;
};

Named recording(const std::string& name, int ranks, const std::string& path) {
  return {name, ranks, [path](Scenario& scenario) { scenario.traffic = path; }};
}

std::vector<Named> traffics(const std::string& matrices) {
  std::vector<Named> list{recording("lammps-64", 64, "examples/lammps-lj-64")};
  if (!matrices.empty())
    for (const auto& [name, ranks] :
         {std::pair("amg-64", 64), std::pair("lulesh-64", 64), std::pair("cloverleaf-1152", 1152),
          std::pair("miniamr-1000", 1000), std::pair("minimd-1024", 1024)})
      list.push_back(recording(name, ranks, fmt::format("{}/{}.csv", matrices, name)));
  list.push_back({"7pt-512", 512, [](Scenario& scenario) { scenario.topology = "cart:8x8x8"; }});
  list.push_back({"phases-256", 256, [](Scenario& scenario) {
                    scenario.topology = "cart:16px16p";
                    scenario.patterns = {"phased", "allreduce:algorithm=ring,sub=1-0"};
                  }});
  return list;
}

/// Small ones for up to 512 ranks, large ones for more.
std::vector<Named> networks() {
  const auto spec = [](const std::string& text) {
    return [text](Scenario& scenario) { scenario.network = text; };
  };
  const auto file = [](const std::string& path) {
    return [path](Scenario& scenario) { scenario.platform = path; };
  };
  return {{"torus", 512, spec("torus:8x8x8")},
          {"tapered fat tree", 512, spec("fat-tree:2;32,16;1,8;1,1")},
          {"dragonfly", 512, spec("dragonfly:8,1;4,1;4,1;4")},
          {"dragonfly+", 512, spec("dragonfly-plus:8;8,8;8")},
          {"platform XML", 512, file("platforms/bluegene-q-rack.xml")},
          {"torus", 2048, spec("torus:12x12x12")},
          {"tapered fat tree", 2048, spec("fat-tree:2;32,48;1,8;1,1")},
          {"dragonfly", 2048, spec("dragonfly:12,1;6,1;6,1;4")},
          {"dragonfly+", 2048, spec("dragonfly-plus:12;12,12;12")},
          {"platform XML", 2048, file("platforms/theta.xml")}};
}

/// Simulated time of what `map` writes under an objective, of the order given, and its processor
/// time.
struct Placed {
  double given = 0;
  double written = 0;
  double seconds = 0;
};

Placed place(Scenario scenario, const std::optional<std::string>& objective) {
  Observer nobody;
  if (objective) scenario.objective = *objective;
  const auto start = std::clock();
  RunPlan plan = plan_run(scenario, nobody);
  const Report report = (objective ? compare(plan, nobody) : keep_or_move(plan, nobody)).report;
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const auto time = [&](const Row& row) { return row.simulation->makespan.value; };
  const Row& written = report.rows[report.verdict.best];
  return {time(report.rows.front()), time(written), seconds};
}

struct Totals {
  int runs = 0, slower = 0, behind = 0, kept = 0;
  double log_given = 0, log_best = 0, worst_best = 0, seconds = 0;

  void add(const Placed& time, double best_of_others) {
    const double to_best = time.written / best_of_others;
    ++runs;
    slower += time.written > time.given * (1 + 1e-9);
    kept += time.written >= time.given;
    behind += to_best > 1.02;
    worst_best = std::max(worst_best, to_best);
    log_given += std::log(time.written / time.given);
    log_best += std::log(to_best);
    seconds += time.seconds;
  }

  std::string cells() const {
    return fmt::format("{} | {:.3f} | {} | {} | {:.3f} | {:.3f} | {} | {:.2f}", runs,
                       std::exp(log_given / runs), kept, slower, std::exp(log_best / runs),
                       worst_best, behind, seconds / runs);
  }
};

/// Times of one seed.
struct Run {
  Placed time;
  double hop_bytes = 0, max_congestion = 0;
};

/// By the text in front of the times: network, traffic, seed.
using Runs = std::map<std::string, Run>;

constexpr const char* csv_header =
    "network,traffic,seed,given,time,hop_bytes,max_congestion,seconds";

/// Those of a file that an earlier call has left; none if there is no file.
Runs read_runs(const std::string& path) {
  Runs runs;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto words = split(line, ',');
    if (words.size() != 8 || line == csv_header) continue;
    const auto number = [&](std::size_t word) { return std::stod(std::string(words[word])); };
    runs[fmt::format("{},{},{}", words[0], words[1], words[2])] = {
        {number(3), number(4), number(7)}, number(5), number(6)};
  }
  return runs;
}

Run run_one(const Named& traffic, const Named& network, int seed, const Options& options) {
  Scenario scenario;
  traffic.set(scenario);
  network.set(scenario);
  scenario.hosts = fmt::format("random:{}", traffic.ranks);
  scenario.seed = static_cast<std::uint64_t>(seed);
  scenario.mappers = "portfolio";
  if (!options.time_limit.empty()) scenario.time_limit = options.time_limit;
  return {place(scenario, std::nullopt), place(scenario, "hop-bytes").written,
          place(scenario, "max-congestion").written};
}

struct Case {
  Named traffic, network;
  Totals totals = {};
};

std::vector<Case> cases(const Options& options) {
  std::vector<Case> list;
  for (const Named& traffic : traffics(options.matrices))
    for (const Named& network : networks()) {
      if ((traffic.ranks > 512) != (network.ranks > 512)) continue;
      const std::string name = traffic.name + " on " + network.name;
      if (name.find(options.only) != std::string::npos) list.push_back({traffic, network});
    }
  return list;
}

/// Seed by seed, so that what is there when it is ended is as much of every case.
void run_all(const Options& options) {
  Runs runs = read_runs(options.csv);
  std::ofstream csv;
  if (!options.csv.empty()) csv.open(options.csv, std::ios::app);
  if (csv.is_open() && runs.empty()) csv << csv_header << '\n';
  std::vector<Case> list = cases(options);
  Totals all;
  for (int seed = 1; seed <= options.seeds; ++seed)
    for (Case& one : list) {
      const std::string key = fmt::format("{},{},{}", one.network.name, one.traffic.name, seed);
      const auto [known, is_new] = runs.try_emplace(key);
      Run& run = known->second;
      if (is_new && options.print_only) continue;
      if (is_new) {
        run = run_one(one.traffic, one.network, seed, options);
        if (csv.is_open())
          csv << fmt::format("{},{},{},{},{},{}\n", key, run.time.given, run.time.written,
                             run.hop_bytes, run.max_congestion, run.time.seconds)
              << std::flush;
      }
      for (Totals* const totals : {&one.totals, &all})
        totals->add(run.time, std::min(run.hop_bytes, run.max_congestion));
    }
  fmt::print(
      "| traffic | network | runs | time over given | kept | slower than given | over best of "
      "the others | worst | above 1.02 | processor seconds "
      "|\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Case& one : list)
    if (one.totals.runs > 0)
      fmt::print("| {} | {} | {} |\n", one.traffic.name, one.network.name, one.totals.cells());
  if (all.runs > 0) fmt::print("| all | | {} |\n", all.cells());
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"What mapping for time gains, beside hop-bytes and max-congestion."};
  app.add_option("--seeds", options.seeds, "per traffic and network");
  app.add_option("--matrices", options.matrices, "folder of communication matrices");
  app.add_option("--time-limit", options.time_limit,
                 "of each run (default: as many steps as usual)");
  app.add_option("--only", options.only, "part of TRAFFIC on NETWORK");
  app.add_option("--csv", options.csv, "also every run; those that it holds are not run again");
  app.add_flag("--print-only", options.print_only, "what --csv holds, no further run");
  CLI11_PARSE(app, argc, argv);
  try {
    run_all(options);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
