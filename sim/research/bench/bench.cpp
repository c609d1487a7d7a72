#include "sim/research/bench/bench.hpp"

#include <algorithm>
#include <tuple>

#include "sim/evaluation/totals.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

constexpr double rounding = 1e-9;  ///< of sums, relative

std::optional<double> ratio(double value, double reference) {
  if (reference > 0) return value / reference;
  return value == 0 ? std::optional(1.0) : std::nullopt;
}

/// What mappers know of the time, if rows are compared by it.
TimePrediction prediction(const BenchProblem& built, const BenchPlan& plan) {
  return {.simulate = [&](const Embedding& embedding) { return plan.clock(built, embedding); },
          .bound =
              [&](const Embedding& embedding) {
                return evaluate_totals(built.guest, *built.network, embedding).max_congestion *
                       built.unit;
              }};
}

BenchRow run_row(const MapperSpec& mapper, const MappingProblem& problem, const BenchPlan& plan,
                 const BenchProblem& built, const BenchTable& table) {
  BenchRow row;
  row.mapper = row_label(mapper);
  row.seed = problem.seed;
  SearchControl control{.steps = plan.steps};
  if (table.by_time) control.time = prediction(built, plan);
  IsolatedRun run = run_isolated(mapper, problem, control, plan.limits);
  row.status = run.status;
  row.words = std::move(run.words);
  row.mapping_time = run.mapping_time;
  row.cpu_time = run.cpu_time;
  row.memory = run.memory;
  if (!run.embedding) return row;
  row.metrics = evaluate(problem.guest, problem.network, *run.embedding);
  row.metrics.links.clear();
  if (plan.clock)
    if (const auto time = plan.clock(built, *run.embedding)) row.makespan = time->makespan;
  row.value = table.by_time ? row.makespan.value().value : table.measure->value(row.metrics);
  return row;
}

std::optional<double> bound_of(const Measure& measure, const MappingProblem& problem) {
  if (!measure.floor) return std::nullopt;
  return measure.floor(problem, lower_bounds(problem.guest, problem.network, problem.allocation));
}

/// Best known, or the best of the rows where it is better or nothing is known.
void find_best(BenchTable& table) {
  const auto& known = table.instance.best;
  const bool is_known = known && !table.by_time && known->measure == table.measure;
  if (is_known) {
    table.best = known->value;
    table.best_is_proven = known->proven;
    table.best_source = known->source;
  }
  for (const BenchRow& row : table.rows) {
    if (row.status != RunStatus::ok) continue;
    const bool beaten = is_known && row.value >= table.best * (1 - rounding);
    const bool first = table.best_source.empty();
    if (beaten || table.best_is_proven || (!first && row.value >= table.best)) continue;
    table.best = row.value;
    table.best_source = "these rows";
  }
}

void compare_rows(BenchTable& table) {
  find_best(table);
  for (BenchRow& row : table.rows) {
    if (row.status != RunStatus::ok) continue;
    row.ratio_to_best = ratio(row.value, table.best);
    if (table.bound && *table.bound > 0) row.ratio_to_bound = row.value / *table.bound;
  }
  std::sort(table.rows.begin(), table.rows.end(), [](const BenchRow& a, const BenchRow& b) {
    return std::tie(a.status, a.value, a.mapper, a.seed) <
           std::tie(b.status, b.value, b.mapper, b.seed);
  });
}

}  // namespace

BenchTable bench(const Instance& instance, const BenchPlan& plan, const BenchProgress& progress) {
  const BenchProblem problem = build(instance);
  BenchTable table;
  table.instance = instance;
  table.ranks = problem.guest.num_ranks();
  table.hosts = problem.allocation.num_hosts();
  table.edges = static_cast<std::int64_t>(problem.guest.num_edges());
  const Objective objective = plan.objective.value_or(Objective{{{{instance.measure, 1}}}});
  table.by_time = objective.time != TimeFirst::no && plan.clock;
  table.measure = table.by_time ? &max_congestion_measure() : &first_measure(objective);
  MappingProblem task{.guest = problem.guest,
                      .network = *problem.network,
                      .allocation = problem.allocation,
                      .grid = problem.grid ? &*problem.grid : nullptr,
                      .objective = objective};
  table.bound = bound_of(*table.measure, task);
  if (table.by_time && table.bound) *table.bound *= problem.unit;
  for (const MapperSpec& mapper : plan.mappers)
    for (const std::uint64_t seed : plan.seeds) {
      if (progress) progress(instance.name, row_label(mapper));
      task.seed = seed;
      table.rows.push_back(run_row(mapper, task, plan, problem, table));
    }
  compare_rows(table);
  return table;
}

std::string field_name(const Measure& measure) {
  std::string name = measure.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string judged_by(const BenchTable& table) {
  return table.by_time ? "makespan" : field_name(*table.measure);
}

std::vector<std::string> records(const std::vector<BenchTable>& tables) {
  std::vector<std::string> sentences;
  for (const BenchTable& table : tables) {
    const auto& known = table.instance.best;
    if (!known || table.by_time || known->measure != table.measure) continue;
    if (known->proven || table.best >= known->value * (1 - rounding)) continue;
    const BenchRow& row = table.rows.front();  // the best
    sentences.push_back(fmt::format("a record: {} {} on {} by {}, seed {}; best known was {} ({})",
                                    row.value, judged_by(table), table.instance.name, row.mapper,
                                    row.seed, known->value, known->source));
  }
  return sentences;
}

std::vector<std::string> impossible_rows(const std::vector<BenchTable>& tables) {
  std::vector<std::string> sentences;
  for (const BenchTable& table : tables) {
    if (!table.best_is_proven) continue;
    for (const BenchRow& row : table.rows)
      if (row.status == RunStatus::ok && row.value < table.best * (1 - rounding))
        sentences.push_back(fmt::format(
            "{} on {}: {} {} is below the proven optimum {} ({}): one of them is wrong", row.mapper,
            table.instance.name, judged_by(table), row.value, table.best, table.best_source));
  }
  return sentences;
}

}  // namespace vtopo::detail
