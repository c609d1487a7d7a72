#include <fmt/format.h>

#include <memory>

#include "cli/command/scenario_verb.hpp"
#include "cli/command/verb.hpp"
#include "cli/command/what_if.hpp"
#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "cli/output/report_output.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/research/bench/report/bench_report.hpp"
#include "sim/scenario/scenario_options.hpp"
#include "topology/base/error.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

constexpr int exit_impossible = 1;

/// Ranks that finish after such a share of the makespan are last, too.
constexpr double last_ranks_share = 1 - 1e-6;

struct BenchOptions {
  std::vector<std::string> instances{"quick"};
  std::string mappers = "block,greedy,rcm,bisection,multilevel,exchange,annealing";
  std::uint64_t seed = 1;
  std::string seeds;  ///< empty: `seed` alone
  std::optional<std::int64_t> steps;
  std::optional<std::string> objective;
  std::string time_limit;  ///< empty: none
  bool simulate = false;
  std::string hosts;  ///< empty: those of the instance
  std::vector<std::string> plugins;
  std::string part = "rows";
  LimitOptions limits{"60s", "4GiB"};
  bool list = false;
  std::optional<std::string> format;
  std::string output = "-";
  std::string timing = "on";
};

std::vector<std::uint64_t> parse_seeds(const BenchOptions& options) {
  if (options.seeds.empty()) return {options.seed};
  std::vector<std::uint64_t> seeds;
  for (const auto word : split(options.seeds, ',')) {
    const auto value = parse_integer(word);
    if (!value || *value < 0)
      throw UsageError(fmt::format("seed \"{}\" in \"{}\": accepted is a whole number >= 0", word,
                                   options.seeds));
    seeds.push_back(static_cast<std::uint64_t>(*value));
  }
  return seeds;
}

/// What is sent in simulations.
CommGraph in_units(const CommGraph& guest, double unit) {
  std::vector<DirectedEdge> edges;
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    edges.push_back({source, edge.destination, edge.volume * unit, edge.messages});
  });
  return CommGraph(guest.num_ranks(), edges);
}

/// The burst of the problem's messages, by vtopo's own solver.
std::optional<PredictedTime> burst_time(const BenchProblem& problem, const Embedding& embedding) {
  const SimulationResult result = simulate(in_units(problem.guest, problem.unit), *problem.network,
                                           embedding, {.solver = Solver::fast});
  PredictedTime time{.makespan = result.makespan, .last = {}};
  for (std::size_t r = 0; r < result.rank_finish.size(); ++r)
    if (result.rank_finish[r] >= result.makespan * last_ranks_share)
      time.last.push_back(id_at<Rank>(r));
  return time;
}

/// A folder takes everything, anything else one part.
bool is_folder(const std::string& path) {
  return path.ends_with('/');
}

BenchPlan make_plan(const BenchOptions& options) {
  BenchPlan plan;
  plan.mappers = parse_mappers(options.mappers);
  plan.seeds = parse_seeds(options);
  plan.steps = options.steps;
  if (options.objective) plan.objective = parse_objective(*options.objective);
  if (options.simulate || (plan.objective && plan.objective->time != TimeFirst::no))
    plan.clock = burst_time;
  if (!options.time_limit.empty())
    plan.limits.deadline =
        read_option("time-limit", [&] { return parse_seconds(options.time_limit); });
  const Limits limits = parse_limits(options.limits);
  if (limits.time) plan.limits.time = *limits.time;
  if (limits.memory) plan.limits.memory = *limits.memory;
  if (options.timing != "on" && options.timing != "off")
    throw UsageError(fmt::format("timing \"{}\"; accepted: on, off", options.timing));
  is_folder(options.output) ? check_folder(options.output) : check_output(options.output);
  return plan;
}

std::vector<Instance> chosen(const BenchOptions& options) {
  std::vector<Instance> instances;
  for (const std::string& list : options.instances) {
    auto some = choose_instances(list);
    instances.insert(instances.end(), some.begin(), some.end());
  }
  if (options.hosts.empty()) return instances;
  for (Instance& instance : instances) {
    instance.hosts = options.hosts;
    instance.best.reset();  // it is of all hosts
  }
  return instances;
}

std::vector<std::pair<std::string, std::string>> described(const BenchOptions& options,
                                                           const BenchPlan& plan) {
  std::vector<std::string> mappers;
  for (const MapperSpec& mapper : plan.mappers) mappers.push_back(to_string(mapper));
  std::vector<std::pair<std::string, std::string>> result{
      {"instances", join(options.instances, " ")},
      {"mapper", join(mappers, ",")},
      {"seeds", options.seeds.empty() ? std::to_string(options.seed) : options.seeds}};
  if (options.steps) result.emplace_back("steps", std::to_string(*options.steps));
  if (options.objective) result.emplace_back("objective", *options.objective);
  if (!options.time_limit.empty()) result.emplace_back("time-limit", options.time_limit);
  if (options.simulate) result.emplace_back("simulate", "yes");
  if (!options.hosts.empty()) result.emplace_back("hosts", options.hosts);
  for (const std::string& plugin : options.plugins) result.emplace_back("plugin", plugin);
  result.emplace_back("run-limit", options.limits.run_limit);
  result.emplace_back("memory-limit", options.limits.memory_limit);
  return result;
}

using PartCsv = std::string (*)(const BenchReport&);

/// What `--part` calls the tables that CSV may be.
constexpr std::pair<std::string_view, PartCsv> csv_parts[] = {{"rows", render_bench_csv},
                                                              {"league", render_league_csv},
                                                              {"pairs", render_pairs_csv},
                                                              {"profiles", render_profiles_csv}};

PartCsv csv_part(const std::string& name) {
  for (const auto& [known, csv] : csv_parts)
    if (known == name) return csv;
  throw UsageError(fmt::format("part \"{}\": accepted are rows, league, pairs, profiles", name));
}

/// Runs of one instance with a bar that counts them.
BenchTable run_instance(const Instance& instance, const BenchPlan& plan) {
  ProgressBar bar("bench " + instance.name);
  const double runs = static_cast<double>(plan.mappers.size() * plan.seeds.size());
  double done = 0;
  return bench(instance, plan, [&](const std::string&, const std::string&) {
    bar.update(done / runs);
    done += 1;
  });
}

int run_bench(BenchOptions options, const Invocation& invocation) {
  for (const std::string& name : load_plugins(options.plugins))
    if (!is_given(invocation, "mapper")) options.mappers += ',' + name;
  const PartCsv csv = csv_part(options.part);
  const bool to_folder = is_folder(options.output);
  const OutputFormat format =
      to_folder ? OutputFormat::table : choose_output_format(options.format, options.output);
  const BenchPlan plan = make_plan(options);
  const std::vector<Instance> instances = chosen(options);
  if (options.list) {
    write_output(options.output, in_format(format, list_instances_table, list_instances_csv,
                                           list_instances_json, instances));
    return 0;
  }
  BenchReport report;
  report.options = described(options, plan);
  report.timing = options.timing == "on";
  for (const Instance& instance : instances) report.tables.push_back(run_instance(instance, plan));
  report.league = league(report.tables);
  if (to_folder)
    write_folder(options.output, bench_files(report));
  else
    write_output(options.output,
                 in_format(format, render_bench_table, csv, render_bench_json, report));
  for (const std::string& record : records(report.tables)) say(record);
  const auto sentences = impossible_rows(report.tables);
  for (const std::string& sentence : sentences) say(sentence);
  return sentences.empty() ? 0 : exit_impossible;
}

std::vector<std::string> instance_words() {
  std::vector<std::string> words{"all", "quick", "qap:", "real:"};
  for (std::string& set : instance_sets()) words.push_back(std::move(set));
  return words;
}

void add_plan_options(Verb& verb, BenchOptions& options) {
  verb.group("What is run");
  verb.offer(
      verb.add("--instances", &options.instances,
               fmt::format("all, quick, {}, names and patterns of names, qap:FILE, qap:FOLDER, "
                           "real:FOLDER of recordings (a comma list), or one GUEST@NETWORK; may be "
                           "given several times",
                           join(instance_sets(), ", "))),
      instance_words(), true);
  verb.offer(verb.add("--mapper", &options.mappers,
                      "comma list of NAME[:option=value][,label=ROW], or all (see vtopo mappers)"),
             mapper_words(), true);
  verb.add("--seed", &options.seed, "of the mappers")->check(whole_number());
  verb.add("--seeds", &options.seeds, "comma list: a run of every mapper with each");
  verb.add("--steps", &options.steps, "most exchanges that refining mappers try (tabu: make)")
      ->check(whole_number());
  verb.offer(
      verb.add(
          "--objective", &options.objective,
          "what mappers minimise and rows are compared by; time is the simulated one (default: "
          "what each instance is about)"),
      objective_words(), true);
  verb.add("--simulate", &options.simulate,
           "a column with the simulated time of all messages at once (makespan); a volume of 1 of "
           "generated instances is 64 KiB there");
  verb.add("--hosts", &options.hosts,
           "hosts of the job, as of vtopo compare (default: all of the instance)");
  verb.add("--plugin", &options.plugins, scenario_option("plugin").help);
  verb.add("--time-limit", &options.time_limit,
           "of each refining mapper, which then returns its best");
  add_limit_options(verb, options.limits, "a mapper that takes longer is ended",
                    "a mapper that asks for more, on top of its problem, gets no memory");
}

}  // namespace

}  // namespace vtopo::detail

namespace vtopo::detail::verbs {

Verb bench() {
  auto options = std::make_shared<BenchOptions>();
  Verb verb{"bench", "a league of mappers on instances with known optima and records"};
  verb.listed = {VerbHeading::many, 2};
  verb.examples =
      "Examples:\n"
      "  vtopo bench --list --instances all\n"
      "  vtopo bench --instances 'q6-*,q9-*,7pt-512' --mapper block,greedy,exchange,multilevel "
      "--steps 10000\n"
      "  vtopo bench --instances traffic:examples/lammps-lj-64@torus:8x8x8 --hosts random:64 "
      "--mapper block,greedy,rcm,exchange --simulate --steps 20000\n"
      "  vtopo bench --instances 'q6-*,7pt-512*,27pt-512,rgg-512,5pt-512' --mapper "
      "block,greedy,rcm,"
      "exchange:start=rcm,label=mine --steps 20000 --seeds 1,2 -o paper/\n"
      "\n"
      "Each run is a process of its own; figures are evaluated from the embedding it returns.\n"
      "A result below a proven optimum is an error of the program: exit code 1.";
  add_plan_options(verb, *options);
  verb.group("Output");
  verb.add("--list", &options->list, "list the instances and run nothing");
  verb.add("--format", &options->format, "table, csv or json (default: by extension)");
  verb.add(
      "--part", &options->part,
      "what CSV holds: rows, league, pairs (Wilcoxon's signed-rank test of each two mappers) or "
      "profiles (performance profiles)");
  verb.add("--timing", &options->timing, "on, or off: measured times and memory are left out");
  verb.add("-o,--output", &options->output,
           "file (.txt, .csv, .json), a folder with / at its end for all of it with a picture and "
           "tables "
           "for LaTeX, or - for stdout");
  verb.run = [options](const Invocation& invocation) { return run_bench(*options, invocation); };
  return verb;
}

}  // namespace vtopo::detail::verbs
