#include "sim/research/bench/bench.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <tuple>

#include "netmodels/process/child_process.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/evaluation/totals.hpp"
#include "topology/base/deadline.hpp"
#include "topology/base/error.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {
namespace {

using Clock = std::chrono::steady_clock;

/// Memory of this process, in bytes (proc(5): statm counts pages).
double own_resident() {
  std::ifstream file("/proc/self/statm");
  double total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

struct ChildAnswer {
  RunStatus status = RunStatus::failed;
  double seconds = 0;
};

std::vector<HostId> mapped_hosts(const MapperSpec& spec, const MappingProblem& problem,
                                 SearchControl control, const RunLimits& limits,
                                 ChildAnswer& answer) {
  control.progress = nullptr;
  const auto start = Clock::now();
  if (limits.deadline) control.deadline = time_point_after(start, *limits.deadline);
  std::vector<HostId> hosts = run_mapper(spec, problem, control).hosts();
  answer = {RunStatus::ok, std::chrono::duration<double>(Clock::now() - start).count()};
  return hosts;
}

/// The child's side: its size before it starts, then how it went, then hosts or words.
void run_in_child(Channel& channel, const MapperSpec& spec, const MappingProblem& problem,
                  const SearchControl& control, const RunLimits& limits) {
  channel.send_value(own_resident());
  ChildAnswer answer;
  try {
    const std::vector<HostId> hosts = mapped_hosts(spec, problem, control, limits, answer);
    channel.send_value(answer);
    channel.send_vector(hosts);
  } catch (const Error& error) {
    channel.send_value(answer);
    channel.send_text(error.what());
  }
}

/// Reads what the child says after its size.
void receive_result(ChildProcess& child, const MappingProblem& problem, const RunLimits& limits,
                    IsolatedRun& run) {
  const Channel& channel = child.channel();
  const auto answer = channel.receive_value<ChildAnswer>();
  if (answer && answer->status == RunStatus::failed) {
    run.words = channel.receive_text().value_or("said nothing");
  } else if (auto hosts = answer ? channel.receive_vector<HostId>() : std::nullopt) {
    run.embedding.emplace(*std::move(hosts), problem.allocation);
    run.mapping_time = Seconds{answer->seconds};
    run.status = RunStatus::ok;
  } else if (child.limit_hit() == LimitHit::time) {
    run.status = RunStatus::timed_out;
    run.words = fmt::format("takes more than {}", format_seconds(limits.time));
  } else if (child.limit_hit() == LimitHit::memory) {
    run.status = RunStatus::out_of_memory;
    run.words = fmt::format("needs more than {}", format_bytes(limits.memory));
  } else {
    run.words = child.exit_description();
  }
}

constexpr double at_the_best = 1 + 1e-9;
constexpr double none = std::numeric_limits<double>::infinity();

/// Sums over the rows of a mapper.
struct Standing {
  LeagueRow row;
  double log_sum = 0;
  int ratios = 0;
};

void count(const BenchRow& row, Standing& standing) {
  standing.row.cpu_time += row.cpu_time;
  if (row.status == RunStatus::not_applicable) ++standing.row.not_applicable;
  if (row.status != RunStatus::ok) {
    if (row.status != RunStatus::not_applicable) ++standing.row.failed;
    return;
  }
  ++standing.row.solved;
  if (!row.ratio_to_best || *row.ratio_to_best <= 0) return;
  if (*row.ratio_to_best <= at_the_best) ++standing.row.best;
  standing.row.worst_ratio = std::max(standing.row.worst_ratio.value_or(0), *row.ratio_to_best);
  standing.log_sum += std::log(*row.ratio_to_best);
  ++standing.ratios;
}

constexpr double rounding_of_sums = 1e-9;  ///< of sums, relative

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

/// The plan with one of its budgets.
BenchPlan with_budget(BenchPlan plan, double budget) {
  if (plan.budgets.are_seconds)
    plan.limits.deadline = Seconds{budget};
  else
    plan.steps = static_cast<std::int64_t>(budget);
  return plan;
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

/// With all budgets.
template <class Table>
auto all_rows(Table& table) {
  std::vector<decltype(table.rows.data())> rows;
  for (auto& row : table.rows) rows.push_back(&row);
  for (auto& row : table.with_less) rows.push_back(&row);
  return rows;
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
  for (const BenchRow* row : all_rows(table)) {
    if (row->status != RunStatus::ok) continue;
    const bool beaten = is_known && row->value >= table.best * (1 - rounding_of_sums);
    const bool first = table.best_source.empty();
    if (beaten || table.best_is_proven || (!first && row->value >= table.best)) continue;
    table.best = row->value;
    table.best_source = "these rows";
  }
}

void compare_rows(BenchTable& table) {
  find_best(table);
  for (BenchRow* row : all_rows(table)) {
    if (row->status != RunStatus::ok) continue;
    row->ratio_to_best = ratio(row->value, table.best);
    if (table.bound && *table.bound > 0) row->ratio_to_bound = row->value / *table.bound;
  }
  std::sort(table.rows.begin(), table.rows.end(), [](const BenchRow& a, const BenchRow& b) {
    return std::tie(a.status, a.value, a.mapper, a.seed) <
           std::tie(b.status, b.value, b.mapper, b.seed);
  });
}

}  // namespace

std::string_view to_string(RunStatus status) {
  switch (status) {
    case RunStatus::ok:
      return "ok";
    case RunStatus::not_applicable:
      return "not applicable";
    case RunStatus::timed_out:
      return "timed out";
    case RunStatus::out_of_memory:
      return "out of memory";
    case RunStatus::failed:
      break;
  }
  return "failed";
}

IsolatedRun run_isolated(const MapperSpec& spec, const MappingProblem& problem,
                         const SearchControl& control, const RunLimits& limits) {
  IsolatedRun run;
  MappingProblem asked = problem;
  asked.options = spec.options;  // an option may be what the mapper needs
  if (const auto reason = unsupported_reason(spec, asked)) {
    run.status = RunStatus::not_applicable;
    run.words = *reason;
    return run;
  }
  constexpr bool memory_is_usual = true;  // a crash is described without it
  ChildProcess child(
      [&](Channel& channel) { run_in_child(channel, spec, problem, control, limits); },
      {limits.time, limits.memory, memory_is_usual});
  const auto before = child.channel().receive_value<double>();
  try {
    receive_result(child, problem, limits, run);
  } catch (const FitError& error) {
    run.words = error.what();
  }
  const ProcessEnd& end = child.end();
  run.cpu_time = end.cpu;
  run.memory = Bytes{std::max(0.0, end.peak.value - before.value_or(0))};
  return run;
}

std::vector<LeagueRow> league(const std::vector<BenchTable>& tables) {
  std::map<std::string, Standing> standings;
  for (const BenchTable& table : tables)
    for (const BenchRow& row : table.rows) count(row, standings[row.mapper]);
  std::vector<LeagueRow> rows;
  for (auto& [mapper, standing] : standings) {
    standing.row.mapper = mapper;
    if (standing.ratios > 0) standing.row.mean_ratio = std::exp(standing.log_sum / standing.ratios);
    rows.push_back(standing.row);
  }
  std::sort(rows.begin(), rows.end(), [](const LeagueRow& a, const LeagueRow& b) {
    const double mean_a = a.mean_ratio.value_or(none), mean_b = b.mean_ratio.value_or(none);
    return std::tie(b.solved, mean_a, a.mapper) < std::tie(a.solved, mean_b, b.mapper);
  });
  return rows;
}

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
  if (plan.clock && problem.network->facts().distances_only)
    throw UsageError(
        fmt::format("{}: {}", instance.name, *why_not_simulated(*problem.network, Solver::fast)));
  for (const MapperSpec& mapper : plan.mappers)
    for (const std::uint64_t seed : plan.seeds) {
      task.seed = seed;
      const auto run = [&](const BenchPlan& with) {
        if (progress) progress(instance.name, row_label(mapper));
        return run_row(mapper, task, with, problem, table);
      };
      if (plan.budgets.values.empty()) {
        table.rows.push_back(run(plan));
        continue;
      }
      for (const double budget : plan.budgets.values) {
        const bool is_last = budget == plan.budgets.values.back();
        // What no budget changes is run once.
        const bool is_known =
            budget != plan.budgets.values.front() && !find_mapper(mapper.name).anytime;
        BenchRow row = is_known ? table.with_less.back() : run(with_budget(plan, budget));
        row.budget = budget;
        (is_last ? table.rows : table.with_less).push_back(std::move(row));
      }
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
    if (known->proven || table.best >= known->value * (1 - rounding_of_sums)) continue;
    const auto rows = all_rows(table);
    const BenchRow& row = **std::min_element(rows.begin(), rows.end(), [](auto* a, auto* b) {
      return std::tie(a->status, a->value) < std::tie(b->status, b->value);
    });
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
    for (const BenchRow* row : all_rows(table))
      if (row->status == RunStatus::ok && row->value < table.best * (1 - rounding_of_sums))
        sentences.push_back(
            fmt::format("{} on {}: {} {} is below the proven optimum {} ({}): one of them is wrong",
                        row->mapper, table.instance.name, judged_by(table), row->value, table.best,
                        table.best_source));
  }
  return sentences;
}

}  // namespace vtopo::detail
