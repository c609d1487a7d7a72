#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <mutex>
#include <utility>

#include "cli/command/scenario_verb.hpp"
#include "cli/command/verb.hpp"
#include "cli/command/what_if.hpp"
#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "cli/output/report_output.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/research/bench/report/bench_report.hpp"
#include "sim/scenario/scenario_options.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail::verbs {

namespace {

constexpr int exit_impossible = 1;
constexpr int exit_interrupted = 128 + SIGINT;

/// Ranks that finish after such a share of the makespan are last, too.
constexpr double last_ranks_share = 1 - 1e-6;

struct BenchOptions {
  std::vector<std::string> instances{"quick"};
  std::string mappers = "block,greedy,rcm,bisection,multilevel,exchange,annealing";
  std::uint64_t seed = 1;
  std::string seeds;  ///< empty: `seed` alone
  std::string steps;  ///< a number or a comma list; empty: those of each mapper
  std::optional<std::string> objective;
  std::string time_limit;  ///< the same; empty: none
  std::string against;     ///< mapper; empty: none
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
  constexpr std::int64_t most = 10'000;
  std::vector<std::uint64_t> seeds;
  for (const auto word : split(options.seeds, ',')) {
    const std::size_t dots = word.find("..");
    const auto first = parse_integer(word.substr(0, dots));
    const auto last = dots == word.npos ? first : parse_integer(word.substr(dots + 2));
    if (!first || !last || *first < 0 || *last < *first || *last - *first >= most)
      throw UsageError(
          fmt::format("seed \"{}\" in \"{}\": accepted are whole numbers >= 0 and up to {} of them "
                      "as 1..3",
                      word, options.seeds, most));
    for (auto seed = *first; seed <= *last; ++seed)
      seeds.push_back(static_cast<std::uint64_t>(seed));
  }
  return seeds;
}

double parse_steps(std::string_view word) {
  const auto steps = parse_integer(word);
  if (!steps || *steps < 0)
    throw UsageError(fmt::format("steps \"{}\": accepted is a whole number >= 0", word));
  return static_cast<double>(*steps);
}

/// Of a comma list, ascending and each once.
template <class Parse>
std::vector<double> parse_budgets(const std::string& list, Parse parse) {
  std::vector<double> values;
  if (list.empty()) return values;
  for (const auto word : split(list, ',')) values.push_back(parse(word));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// One of steps and times may be a list, whose values are budgets of curves.
void set_budgets(const BenchOptions& options, BenchPlan& plan) {
  const auto steps =
      read_option("steps", [&] { return parse_budgets(options.steps, parse_steps); });
  const auto times = read_option("time-limit", [&] {
    return parse_budgets(options.time_limit,
                         [](std::string_view word) { return parse_seconds(word).value; });
  });
  if (steps.size() > 1 && times.size() > 1)
    throw UsageError("--steps and --time-limit both have several values: give one of them one");
  if (steps.size() == 1) plan.steps = static_cast<std::int64_t>(steps[0]);
  if (times.size() == 1) plan.limits.deadline = Seconds{times[0]};
  if (steps.size() > 1) plan.budgets = {steps, false};
  if (times.size() > 1) plan.budgets = {times, true};
}

/// The label of a mapper of the plan that the others are compared with.
void check_against(const BenchOptions& options, const BenchPlan& plan) {
  if (options.against.empty()) return;
  std::vector<std::string> labels;
  for (const MapperSpec& mapper : plan.mappers) labels.push_back(row_label(mapper));
  if (std::find(labels.begin(), labels.end(), options.against) == labels.end())
    throw UsageError(fmt::format("--against {}: accepted are the mappers of --mapper: {}{}",
                                 options.against, join(labels, ", "),
                                 suggestion(options.against, labels)));
  if (labels.size() < 2)
    throw UsageError(fmt::format("--against {}: there is no other mapper", options.against));
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

/// A part of the answer, and how it is written to files of an extension; null: not at all.
struct BenchPart {
  std::string_view name;
  std::string (*csv)(const BenchReport&);
  std::string (*svg)(const BenchReport&) = nullptr;
  std::string (*tex)(const BenchReport&) = nullptr;
};

constexpr BenchPart bench_parts[] = {
    {"rows", render_bench_csv},
    {"league", render_league_csv, nullptr, render_league_latex},
    {"pairs", render_pairs_csv},
    {"profiles", render_profiles_csv, render_profiles_svg, render_profiles_latex},
    {"curves", render_curves_csv, render_curves_svg, render_curves_latex}};

const BenchPart& bench_part(const std::string& name) {
  for (const BenchPart& part : bench_parts)
    if (part.name == name) return part;
  throw UsageError(
      fmt::format("part \"{}\": accepted are rows, league, pairs, profiles, curves", name));
}

/// The writer of a picture or a figure for LaTeX that `-o` names; null: it is neither.
std::string (*figure_of(const BenchOptions& options))(const BenchReport&) {
  const bool is_svg = options.output.ends_with(".svg");
  if (!is_svg && !options.output.ends_with(".tex")) return nullptr;
  const BenchPart& part = bench_part(options.part);
  const auto writer = is_svg ? part.svg : part.tex;
  if (writer == nullptr)
    throw UsageError(fmt::format("{}: {} are not written as {}; accepted: --part {}",
                                 options.output, part.name, is_svg ? "SVG" : "LaTeX",
                                 is_svg ? "profiles, curves" : "league, profiles, curves"));
  return writer;
}

void check_part(const BenchOptions& options, const BenchPlan& plan) {
  if (bench_part(options.part).name == "curves" && plan.budgets.values.empty())
    throw UsageError(
        "curves need several budgets: --steps 100,1000,10000 or --time-limit 0.1s,1s,10s");
}

BenchPlan make_plan(const BenchOptions& options) {
  BenchPlan plan;
  plan.mappers = parse_mappers(options.mappers);
  plan.seeds = parse_seeds(options);
  set_budgets(options, plan);
  check_against(options, plan);
  if (options.objective) plan.objective = parse_objective(*options.objective);
  if (options.simulate || (plan.objective && plan.objective->time != TimeFirst::no))
    plan.clock = burst_time;
  const Limits limits = parse_limits(options.limits);
  if (limits.time) plan.limits.time = *limits.time;
  if (limits.memory) plan.limits.memory = *limits.memory;
  if (options.timing != "on" && options.timing != "off")
    throw UsageError(fmt::format("timing \"{}\"; accepted: on, off", options.timing));
  if (!options.list) check_part(options, plan);
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
  if (!options.steps.empty()) result.emplace_back("steps", options.steps);
  if (options.objective) result.emplace_back("objective", *options.objective);
  if (!options.time_limit.empty()) result.emplace_back("time-limit", options.time_limit);
  if (!options.against.empty()) result.emplace_back("against", options.against);
  if (options.simulate) result.emplace_back("simulate", "yes");
  if (!options.hosts.empty()) result.emplace_back("hosts", options.hosts);
  for (const std::string& plugin : options.plugins) result.emplace_back("plugin", plugin);
  result.emplace_back("run-limit", options.limits.run_limit);
  result.emplace_back("memory-limit", options.limits.memory_limit);
  return result;
}

/// Runs of one instance with a bar that counts them.
BenchTable run_instance(const Instance& instance, const BenchPlan& plan) {
  ProgressBar bar("bench " + instance.name);
  const double runs = static_cast<double>(plan.mappers.size() * plan.seeds.size() *
                                          std::max<std::size_t>(1, plan.budgets.values.size()));
  double done = 0;
  return bench(instance, plan, [&](const std::string&, const std::string&) {
    bar.update(done / runs);
    done += 1;
  });
}

/// Whether nobody says what is to be run.
bool is_alone(const Invocation& invocation) {
  for (const char* option : {"instances", "mapper", "plugin", "steps", "time-limit", "hosts"})
    if (is_given(invocation, option)) return false;
  return true;
}

/// Those that take a few seconds.
void keep_small(std::vector<Instance>& instances) {
  constexpr int most = 2500;
  const std::size_t all = instances.size();
  std::erase_if(instances,
                [](const Instance& instance) { return build(instance).guest.num_ranks() > most; });
  say(fmt::format("the {} quick instances of up to {} ranks; --instances quick runs all {}",
                  instances.size(), most, all));
}

/// What was done and written: `9 instances, 7 mappers, 1 seed: 63 runs in 8.1 s; ...`.
std::string done_text(const BenchReport& report, const BenchOptions& options,
                      std::chrono::duration<double> taken) {
  std::size_t runs = 0;
  for (const BenchTable& table : report.tables) runs += table.rows.size() + table.with_less.size();
  std::string done = fmt::format("{}, {}: {}", counted(report.tables.size(), "instance"),
                                 counted(report.league.size(), "mapper"), counted(runs, "run"));
  if (report.timing) done += fmt::format(" in {:.1f} s", taken.count());
  if (options.output == "-")
    return done + "; -o FOLDER/ writes rows, league, pairs and profiles as CSV, SVG and LaTeX";
  if (!is_folder(options.output)) return fmt::format("{}; written: {}", done, options.output);
  std::vector<std::string> names;
  for (const PaperFile& file : bench_files(report)) names.push_back(file.name);
  return fmt::format("{}; written to {}: {}", done, options.output, join(names, ", "));
}

int run_bench(BenchOptions options, const Invocation& invocation) {
  for (const std::string& name : load_plugins(options.plugins))
    if (!is_given(invocation, "mapper")) options.mappers += ',' + name;
  const auto figure = figure_of(options);
  const bool to_folder = is_folder(options.output);
  const OutputFormat format = to_folder || figure != nullptr
                                  ? OutputFormat::table
                                  : choose_output_format(options.format, options.output);
  const BenchPlan plan = make_plan(options);
  std::vector<Instance> instances = chosen(options);
  if (!options.list && is_alone(invocation)) keep_small(instances);
  if (options.list) {
    write_output(options.output, in_format(format, list_instances_table, list_instances_csv,
                                           list_instances_json, instances));
    return 0;
  }
  const auto start = SearchControl::Clock::now();
  BenchReport report;
  report.options = described(options, plan);
  report.timing = options.timing == "on";
  report.against = options.against;
  report.budgets = plan.budgets;
  std::mutex mutex;  // of the tables
  const auto finish = [&] {
    const std::lock_guard lock(mutex);
    const bool is_whole = report.tables.size() == instances.size();
    if (!is_whole)
      say(fmt::format("interrupted: {} of {} instances are whole", report.tables.size(),
                      instances.size()));
    if (report.tables.empty()) return exit_interrupted;
    report.league = league(report.tables);
    if (to_folder)
      write_folder(options.output, bench_files(report));
    else if (figure != nullptr)
      write_output(options.output, figure(report));
    else
      write_output(options.output,
                   in_format(format, render_bench_table, bench_part(options.part).csv,
                             render_bench_json, report));
    if (is_whole && (options.output != "-" || format == OutputFormat::table))
      say(done_text(report, options, SearchControl::Clock::now() - start));
    for (const std::string& record : records(report.tables)) say(record);
    const auto sentences = impossible_rows(report.tables);
    for (const std::string& sentence : sentences) say(sentence);
    return sentences.empty() ? 0 : exit_impossible;
  };
  const auto search = [&] {
    const auto request = console().listen();
    for (const Instance& instance : instances) {
      BenchTable table = run_instance(instance, plan);
      if (request->is_set()) return;  // the signal may have ended its last run, too
      const std::lock_guard lock(mutex);
      report.tables.push_back(std::move(table));
    }
  };
  return console().search_and_finish(search, finish, finish);
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
  verb.add("--seeds", &options.seeds, "such as 1,2,5 or 1..3: a run of every mapper with each");
  verb.add("--steps", &options.steps,
           "most exchanges that refining mappers try (tabu: make), or several such as "
           "100,1000,10000: also curves of quality against them");
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
           "of each refining mapper, which then returns its best, or several such as "
           "0.1s,1s,10s: also curves of quality against them");
  verb.add("--against", &options.against,
           "one of the mappers, by name or label: the others are tested against it alone");
  add_limit_options(verb, options.limits, "a mapper that takes longer is ended",
                    "a mapper that asks for more, on top of its problem, gets no memory");
}

}  // namespace

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
      "block,greedy,rcm,exchange:start=rcm,label=mine --steps 20000 --seeds 1,2 -o paper/\n"
      "  vtopo bench --instances '*-512*' --mapper block,greedy,annealing --steps 100,1000,10000 "
      "--seeds 1..3 --against greedy\n"
      "\n"
      "Each run is a process of its own; figures are evaluated from the embedding it returns.\n"
      "A result below a proven optimum is an error of the program: exit code 1.";
  add_plan_options(verb, *options);
  verb.group("Output");
  verb.add("--list", &options->list, "list the instances and run nothing");
  verb.add("--format", &options->format, "table, csv or json (default: by extension)");
  verb.add("--part", &options->part,
           "what CSV holds: rows, league, pairs (Wilcoxon's signed-rank test of each two mappers), "
           "profiles (performance profiles) or curves; of the last two .svg and .tex, too");
  verb.add("--timing", &options->timing, "on, or off: measured times and memory are left out");
  verb.add("-o,--output", &options->output,
           "file (.txt, .csv, .json), a folder with / at its end for all of it with pictures and "
           "tables for LaTeX, or - for stdout");
  verb.run = [options](const Invocation& invocation) { return run_bench(*options, invocation); };
  return verb;
}

}  // namespace vtopo::detail::verbs
