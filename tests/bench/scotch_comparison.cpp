// Scotch's static mapping, KaHIP's process mapping if it is installed, and vtopo's mappers on the
// same instances with multiples of Scotch's processor time: hop-bytes, busiest link, seconds,
// geometric means, and quality against time.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "kahip_run.hpp"
#include "program_run.hpp"
#include "scotch_run.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/report/text_columns.hpp"
#include "sim/research/bench/bench.hpp"
#include "sim/run/guest.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

constexpr const char* quick_instances =
    "7pt-512,7pt-4096,5pt-512,5pt-4096,27pt-512,27pt-4096,rgg-512,rgg-4096,7pt-4096-tree2,"
    "7pt-4096-tree3,7pt-4096-dragonfly,rgg-4096-tree2,rgg-4096-dragonfly";
constexpr const char* irregular_instances =
    "regular-512,rmat-4096-tree3,power-1024,delaunay-4096,fem-4096,fem-4096-dragonfly,9pt4d-4096,"
    "rgg-945,7pt-1287";
constexpr const char* large_instances = "7pt-32768,27pt-32768,rgg-32768";
constexpr const char* recording = "examples/lammps-lj-64";

/// Many ranks per host: kinds and sizes on which partitioners are compared.
struct LargeGuest {
  const char* guest;
  int ranks;
};
constexpr LargeGuest large_guests[] = {
    {"rmat:16384:16:1", 16384},     {"stencil:24x24x24:moore", 13824},
    {"rgg:16384:8:1", 16384},       {"delaunay:32768:1", 32768},
    {"rgg:32768:8:1", 32768},       {"cart:245x245", 60025},
    {"cart:40x40x40", 64000},       {"fem:100000:1", 100'000},
    {"delaunay:131072:1", 131'072}, {"delaunay:300000:1", 300'000},
    {"rgg:131072:8:1", 131'072}};
constexpr const char* large_network = "tree:4:8:8@1:10:100";
constexpr int large_hosts = 256;
constexpr double large_imbalance = 0.03;

struct Options {
  std::string mappers = "portfolio";
  std::string objective = "hop-bytes";
  std::vector<std::string> instances;  ///< empty: the list above
  std::string multiples;               ///< empty: 1,10,100, or 1,10 with quick
  double seconds = 60;                 ///< of the last budget; 0: none
  double scotch_limit = 600;
  bool quick = false;
  bool large = false;
  std::string csv;
  std::string svg;
};

/// One mapping of one instance.
struct Result {
  std::string instance;
  std::string contender;  ///< `scotch strict`, `multilevel 10x`
  double hop_bytes = 0;
  double mean_hops = 0;
  double link_load = 0;
  double cpu = 0;
  double to_scotch = 1;       ///< hop_bytes / those of Scotch strict
  double load_to_scotch = 1;  ///< of the busiest link
};

Result result_of(const Instance& instance, std::string contender, const BenchProblem& problem,
                 const Embedding& embedding, Seconds cpu) {
  const Metrics metrics = evaluate(problem.guest, *problem.network, embedding);
  return {instance.name,
          std::move(contender),
          metrics.hop_bytes.value,
          metrics.mean_hops_per_byte,
          metrics.max_link_load.value,
          cpu.value};
}

/// A name and the time that goes with it.
struct Budget {
  std::string name;
  Seconds time;
};

std::vector<Budget> budgets(const Options& options, double scotch_cpu) {
  std::vector<Budget> list;
  const std::string multiples =
      !options.multiples.empty() ? options.multiples : (options.quick ? "1,10" : "1,10,100");
  for (const auto word : split(multiples, ',')) {
    const auto factor = parse_number(word);
    if (!factor || !(*factor > 0))
      throw UsageError(fmt::format("multiple \"{}\" is not > 0", word));
    list.push_back({fmt::format("{}x", word), {std::max(1e-3, *factor * scotch_cpu)}});
  }
  if (options.seconds > 0 && !options.quick)
    list.push_back({fmt::format("{} s", options.seconds), {options.seconds}});
  return list;
}

void run_mappers(const Instance& instance, const BenchProblem& problem, const Options& options,
                 double scotch_cpu, std::vector<Result>& results) {
  for (const MapperSpec& mapper : parse_mappers(options.mappers))
    for (const Budget& budget : budgets(options, scotch_cpu)) {
      const MappingProblem task{.guest = problem.guest,
                                .network = *problem.network,
                                .allocation = problem.allocation,
                                .grid = problem.grid ? &*problem.grid : nullptr,
                                .objective = parse_objective(options.objective)};
      RunLimits limits;
      limits.deadline = budget.time;
      limits.time = Seconds{600 + 2 * budget.time.value};
      const IsolatedRun run = run_isolated(mapper, task, {}, limits);
      const std::string contender = fmt::format("{} {}", to_string(mapper), budget.name);
      if (run.embedding)
        results.push_back(result_of(instance, contender, problem, *run.embedding, run.cpu_time));
      else
        fmt::print(stderr, "{} on {}: {}: {}\n", contender, instance.name, to_string(run.status),
                   run.words);
    }
}

/// What Scotch's `-b` and KaHIP's `--imbalance` are for hosts that take more ranks than an even
/// share: they round down, as `--imbalance`.
std::optional<double> allowed_imbalance(const BenchProblem& problem) {
  const int ranks = problem.guest.num_ranks(), hosts = problem.allocation.num_hosts();
  const int even = ranks / hosts + (ranks % hosts > 0 ? 1 : 0);
  const int slots = problem.allocation.slots.front();
  if (even < 2 || slots <= even) return std::nullopt;
  return (slots + 0.5) / even - 1;
}

/// KaHIP's programs, where they are installed.
void run_kahip(const Instance& instance, const BenchProblem& problem, const Options& options,
               const std::string& folder, std::vector<Result>& results) {
  if (!kahip::applies_to(problem)) return;
  const Seconds limit{options.scotch_limit};
  const std::string effort = options.large ? "fast" : "eco";
  for (const char* program : {"kaffpa", "global_multisection"}) {
    if (!is_on_path(program)) continue;
    if (const auto run = kahip::run(program, effort, problem,
                                    allowed_imbalance(problem).value_or(0), folder, limit))
      results.push_back(result_of(instance, program, problem, run->embedding, run->cpu_time));
    else
      fmt::print(stderr, "{} on {}: no answer in time\n", program, instance.name);
  }
}

/// Of large graphs the strategies that are quick.
std::vector<std::string> scotch_options(const Options& options, double imbalance) {
  if (options.large) return {fmt::format("-b{}", imbalance), fmt::format("-b{} -cs", imbalance)};
  return {fmt::format("-b{}", imbalance), fmt::format("-b{} -cq", imbalance)};
}

std::vector<Result> compare(const Instance& instance, const Options& options,
                            const std::string& folder) {
  const BenchProblem problem = build(instance);
  const Seconds limit{options.scotch_limit};
  std::vector<Result> results;
  const auto imbalance = allowed_imbalance(problem);
  if (const auto run =
          scotch::best_run(problem, folder, scotch_options(options, imbalance.value_or(0)), limit))
    results.push_back(result_of(instance, "scotch strict", problem, run->embedding, run->cpu_time));
  if (const auto run = scotch::best_run(
          problem, folder, scotch_options(options, imbalance ? *imbalance + 0.01 : 0.01), limit))
    results.push_back(
        result_of(instance, "scotch repaired", problem, run->embedding, run->cpu_time));
  if (results.empty()) fmt::print(stderr, "{}: Scotch has no answer in time\n", instance.name);
  run_kahip(instance, problem, options, folder, results);
  if (options.large)
    std::swap(results.front(),
              *std::min_element(results.begin(), results.end(), [](const auto& a, const auto& b) {
                return a.hop_bytes < b.hop_bytes;
              }));
  run_mappers(instance, problem, options, results.empty() ? 1 : results.front().cpu, results);
  for (Result& result : results) {
    result.to_scotch = result.hop_bytes / results.front().hop_bytes;
    result.load_to_scotch = result.link_load / results.front().link_load;
  }
  return results;
}

template <class Items, class Cell>
TextColumn column(std::string heading, const Items& items, Cell&& cell,
                  Align align = Align::right) {
  TextColumn result{"", std::move(heading), {}, align};
  for (const auto& item : items) result.cells.push_back(cell(item));
  return result;
}

void print(const std::vector<TextColumn>& columns) {
  fmt::print("{}", text_table(columns));
  std::fflush(stdout);
}

void print_results(const std::vector<Result>& results) {
  using R = const Result&;
  print({column(
             "instance", results, [](R r) { return r.instance; }, Align::left),
         column(
             "mapper", results, [](R r) { return r.contender; }, Align::left),
         column("hop-bytes", results, [](R r) { return fmt::format("{:.0f}", r.hop_bytes); }),
         column("per byte", results, [](R r) { return fmt::format("{:.3f}", r.mean_hops); }),
         column("/scotch", results, [](R r) { return fmt::format("{:.3f}", r.to_scotch); }),
         column("busiest link", results, [](R r) { return fmt::format("{:.0f}", r.link_load); }),
         column("/scotch", results, [](R r) { return fmt::format("{:.3f}", r.load_to_scotch); }),
         column("CPU s", results, [](R r) { return fmt::format("{:.3f}", r.cpu); })});
}

/// Geometric means of a contender over the instances.
struct Mean {
  std::string contender;
  int instances = 0;
  double hop_bytes = 0, link_load = 0, cpu = 0;  ///< first sums of logarithms
};

std::vector<Mean> means(const std::vector<Result>& results) {
  std::vector<Mean> list;
  for (const Result& result : results) {
    auto mean = std::find_if(list.begin(), list.end(),
                             [&](const Mean& m) { return m.contender == result.contender; });
    if (mean == list.end()) mean = list.insert(list.end(), {result.contender});
    ++mean->instances;
    mean->hop_bytes += std::log(result.to_scotch);
    mean->link_load += std::log(result.load_to_scotch);
    mean->cpu += std::log(std::max(result.cpu, 1e-3));
  }
  for (Mean& mean : list)
    for (double* sum : {&mean.hop_bytes, &mean.link_load, &mean.cpu})
      *sum = std::exp(*sum / mean.instances);
  std::sort(list.begin(), list.end(), [](const Mean& a, const Mean& b) { return a.cpu < b.cpu; });
  return list;
}

/// Quality against time: the fastest first, a bar for the hop-bytes.
void print_curve(const std::vector<Mean>& list) {
  using M = const Mean&;
  fmt::print("\nGeometric means against scotch strict, by processor time\n");
  print({column(
             "mapper", list, [](M m) { return m.contender; }, Align::left),
         column("instances", list, [](M m) { return fmt::format("{}", m.instances); }),
         column("CPU s", list, [](M m) { return fmt::format("{:.3f}", m.cpu); }),
         column("hop-bytes", list, [](M m) { return fmt::format("{:.3f}", m.hop_bytes); }),
         column("busiest link", list, [](M m) { return fmt::format("{:.3f}", m.link_load); }),
         column(
             "hop-bytes", list,
             [](M m) {
               return std::string(static_cast<std::size_t>(std::min(60.0, 40 * m.hop_bytes)), '=');
             },
             Align::left)});
}

void write_csv(const std::string& path, const std::vector<Result>& results) {
  std::ofstream file(path);
  file << "instance,mapper,hop_bytes,mean_hops_per_byte,max_link_load,cpu_seconds,"
          "hop_bytes_to_scotch,max_link_load_to_scotch\n";
  for (const Result& r : results)
    file << fmt::format("\"{}\",\"{}\",{},{},{},{},{},{}\n", r.instance, r.contender, r.hop_bytes,
                        r.mean_hops, r.link_load, r.cpu, r.to_scotch, r.load_to_scotch);
}

/// Points over the logarithm of the processor time, with names.
void write_svg(const std::string& path, const std::vector<Mean>& list) {
  double top = 1;
  for (const Mean& mean : list) top = std::max(top, mean.hop_bytes);
  const double first = std::log10(list.front().cpu), last = std::log10(list.back().cpu);
  const auto x = [&](double cpu) {
    return 60 + 560 * (std::log10(cpu) - first) / std::max(last - first, 1e-9);
  };
  const auto y = [&](double ratio) { return 340 - 300 * ratio / top; };
  std::ofstream file(path);
  file << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"860\" height=\"400\" "
          "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"860\" height=\"400\" "
          "fill=\"white\"/>\n";
  file << fmt::format("<line x1=\"60\" x2=\"820\" y1=\"{0}\" y2=\"{0}\" stroke=\"#999\"/>\n", y(1));
  file << "<text x=\"60\" y=\"20\">hop-bytes / scotch strict (from 0) over CPU seconds "
          "(logarithmic)</text>\n";
  for (const Mean& mean : list)
    file << fmt::format(
        "<circle cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"4\" fill=\"{4}\"/><text x=\"{0:.1f}\" "
        "y=\"{1:.1f}\" dx=\"6\" dy=\"4\">{2} {3:.3f}</text><text x=\"{0:.1f}\" y=\"370\" "
        "text-anchor=\"middle\">{5:.2g}</text>\n",
        x(mean.cpu), y(mean.hop_bytes), mean.contender, mean.hop_bytes,
        mean.contender.starts_with("scotch") ? "#c33" : "#36c", mean.cpu);
  file << "</svg>\n";
}

std::vector<Instance> large_instances_of(const Options& options) {
  std::vector<Instance> instances;
  const auto& only = options.instances;
  for (const auto& [guest, ranks] : large_guests)
    if (only.empty() || std::find(only.begin(), only.end(), guest) != only.end())
      instances.push_back({.name = guest,
                           .description = "many ranks per host",
                           .guest = guest,
                           .network = large_network,
                           .routing = Routing::simgrid,
                           .slots = balanced_slots(ranks, large_hosts, large_imbalance)});
  return instances;
}

std::vector<Instance> chosen(const Options& options) {
  if (options.large) return large_instances_of(options);
  std::vector<std::string> lists = options.instances;
  if (lists.empty()) {
    lists.emplace_back(quick_instances);
    lists.emplace_back(irregular_instances);
    if (!options.quick) lists.emplace_back(large_instances);
    if (std::filesystem::exists(recording))
      lists.push_back(fmt::format("traffic:{}@torus:4x4x4", recording));
  }
  std::vector<Instance> instances;
  for (const std::string& list : lists)
    for (Instance& instance : choose_instances(list)) instances.push_back(std::move(instance));
  return instances;
}

int run(const Options& options) {
  std::string folder = (std::filesystem::temp_directory_path() / "vtopo-scotch-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw InputError("cannot make a temporary folder");
  std::vector<Result> all;
  for (const Instance& instance : chosen(options)) {
    const auto results = compare(instance, options, folder);
    print_results(results);
    fmt::print("\n");
    all.insert(all.end(), results.begin(), results.end());
    if (!options.csv.empty()) write_csv(options.csv, all);
  }
  std::filesystem::remove_all(folder);
  const auto list = means(all);
  print_curve(list);
  if (!options.svg.empty() && !list.empty()) write_svg(options.svg, list);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App command("Scotch's gmap and vtopo's mappers on the same instances");
  command.option_defaults()->always_capture_default();
  command.add_option("--mapper", options.mappers, "vtopo's mappers, as in vtopo bench");
  command.add_option("--objective", options.objective, "of vtopo's mappers");
  command.add_option("--instances", options.instances, "as in vtopo bench (default: 17 of them)")
      ->allow_extra_args(false);
  command.add_option("--multiples", options.multiples, "of Scotch's CPU time, a comma list");
  command.add_option("--seconds", options.seconds, "last budget; 0: none");
  command.add_option("--scotch-limit", options.scotch_limit, "CPU seconds of one run of Scotch");
  command.add_flag("--large", options.large,
                   "11,000 to 300,000 ranks on 256 hosts, imbalance 3 %; the best of the peers "
                   "counts as scotch");
  command.add_flag("--quick", options.quick, "at most 4,096 ranks, 1 and 10 times Scotch's time");
  command.add_option("--csv", options.csv, "all rows as a file");
  command.add_option("--svg", options.svg, "quality against time as a picture");
  CLI11_PARSE(command, argc, argv);
  try {
    return run(options);
  } catch (const Error& error) {
    fmt::print(stderr, "scotch_comparison: {}\n", error.what());
    return 1;
  }
}
