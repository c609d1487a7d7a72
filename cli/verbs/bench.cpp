#include <fmt/format.h>

#include <memory>

#include "cli/options/limit_options.hpp"
#include "cli/options/option_words.hpp"
#include "cli/options/verb.hpp"
#include "cli/output/output.hpp"
#include "cli/output/progress.hpp"
#include "sim/report/bench_report.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

constexpr int exit_impossible = 1;

struct BenchOptions {
  std::vector<std::string> instances{"quick"};
  std::string mappers = "block,greedy,rcm,bisection,multilevel,exchange,annealing";
  std::uint64_t seed = 1;
  std::string seeds;  ///< empty: `seed` alone
  std::optional<std::int64_t> steps;
  std::optional<std::string> objective;
  std::string time_limit;  ///< empty: none
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

BenchPlan make_plan(const BenchOptions& options) {
  BenchPlan plan;
  plan.mappers = parse_mappers(options.mappers);
  plan.seeds = parse_seeds(options);
  plan.steps = options.steps;
  if (options.objective) plan.objective = parse_objective(*options.objective);
  if (!options.time_limit.empty())
    plan.limits.deadline =
        read_option("time-limit", [&] { return parse_seconds(options.time_limit); });
  const Limits limits = parse_limits(options.limits);
  if (limits.time) plan.limits.time = *limits.time;
  if (limits.memory) plan.limits.memory = *limits.memory;
  if (options.timing != "on" && options.timing != "off")
    throw UsageError(fmt::format("timing \"{}\"; accepted: on, off", options.timing));
  check_output(options.output);
  return plan;
}

std::vector<Instance> chosen(const BenchOptions& options) {
  std::vector<Instance> instances;
  for (const std::string& list : options.instances) {
    auto some = choose_instances(list);
    instances.insert(instances.end(), some.begin(), some.end());
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
  result.emplace_back("run-limit", options.limits.run_limit);
  result.emplace_back("memory-limit", options.limits.memory_limit);
  return result;
}

std::string render(const BenchReport& report, OutputFormat format) {
  switch (format) {
    case OutputFormat::csv:
      return render_bench_csv(report);
    case OutputFormat::json:
      return render_bench_json(report);
    case OutputFormat::table:
      break;
  }
  return render_bench_table(report);
}

std::string list_text(std::span<const Instance> instances, OutputFormat format) {
  switch (format) {
    case OutputFormat::csv:
      return list_instances_csv(instances);
    case OutputFormat::json:
      return list_instances_json(instances);
    case OutputFormat::table:
      break;
  }
  return list_instances_table(instances);
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

void say_records(const std::vector<BenchTable>& tables) {
  for (const BenchTable& table : tables) {
    const auto& known = table.instance.best;
    if (!known || known->measure != table.measure || known->value == table.best) continue;
    say(fmt::format("a record: {} {} on {}, best known was {}", table.measure->name, table.best,
                    table.instance.name, known->value));
  }
}

int run_bench(const BenchOptions& options) {
  const OutputFormat format = choose_output_format(options.format, options.output);
  const BenchPlan plan = make_plan(options);
  const std::vector<Instance> instances = chosen(options);
  if (options.list) {
    write_output(options.output, list_text(instances, format));
    return 0;
  }
  BenchReport report;
  report.options = described(options, plan);
  report.timing = options.timing == "on";
  for (const Instance& instance : instances) report.tables.push_back(run_instance(instance, plan));
  report.league = league(report.tables);
  write_output(options.output, render(report, format));
  say_records(report.tables);
  const auto sentences = impossible_rows(report.tables);
  for (const std::string& sentence : sentences) say(sentence);
  return sentences.empty() ? 0 : exit_impossible;
}

void add_plan_options(Verb& verb, BenchOptions& options) {
  verb.group("What is run");
  verb.add("--instances", &options.instances,
           "all, quick, names and patterns of names, qap:FILE (a comma list), or one "
           "GUEST@NETWORK; may be given several times")
      .takes({"all", "quick", "qap:"}, true);
  verb.add("--mapper", &options.mappers,
           "comma list of NAME[:option=value], or all (see vtopo mappers)")
      .takes(mapper_words(), true);
  verb.add("--seed", &options.seed, "of the mappers").whole_number();
  verb.add("--seeds", &options.seeds, "comma list: a run of every mapper with each");
  verb.add("--steps", &options.steps, "budget of refining mappers, in tried exchanges")
      .whole_number();
  verb.add("--objective", &options.objective,
           "what refining mappers lower and rows are compared by (default: what each "
           "instance is about)")
      .takes(objective_words(), true);
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
      "  vtopo bench --instances traffic:examples/lammps-lj-64@torus:8x4x2 --seeds 1,2,3\n"
      "\n"
      "Each run is a process of its own; figures are evaluated from the embedding it returns.\n"
      "A result below a proven optimum is an error of the program: exit code 1.";
  add_plan_options(verb, *options);
  verb.group("Output");
  verb.add("--list", &options->list, "tell the instances and run nothing");
  verb.add("--format", &options->format, "table, csv or json (default: by extension)");
  verb.add("--timing", &options->timing, "on, or off: measured times and memory are left out");
  verb.add("-o,--output", &options->output, "file (.txt, .csv, .json), or - for stdout");
  verb.run = [options](const Invocation&) { return run_bench(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
