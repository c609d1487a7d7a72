#include "sim/report/trace_run.hpp"

#include "sim/clock/simgrid_clock.hpp"
#include "sim/run/experiment.hpp"
#include "sim/run/rows.hpp"
#include "sim/scenario/scenario_options.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

/// The run of a trace under its embeddings.
class TraceRuns {
 public:
  TraceRuns(const SimulationOptions& how, TraceWishes wishes, const Experiment& experiment,
            Observer& observer)
      : how_(how),
        wishes_(wishes),
        trace_(*experiment.trace),
        experiment_(experiment),
        observer_(observer) {}

  TraceRow row(const MapperSpec& mapper, const Mapped& mapped) const {
    TraceRow row;
    row.mapper = row_label(mapper);
    row.mapping_time = mapped.time;
    row.solver = is_own() ? "fast" : "simgrid";
    row.times = times(row.mapper, mapped.embedding, row.timeline);
    for (const PathStep& step : row.times.critical_path)
      row.critical_path.push_back(described(step, mapped.embedding));
    return row;
  }

 private:
  bool is_own() const { return how_.solver == Solver::fast; }

  /// Spans of one kind that follow each other are one.
  static void add_span(const RankSpan& span, std::vector<RankSpan>& timeline,
                       IdVector<Rank, std::size_t>& last) {
    const std::size_t before = last[span.rank];
    if (before < timeline.size() && timeline[before].kind == span.kind &&
        timeline[before].end == span.begin) {
      timeline[before].end = span.end;
      return;
    }
    last[span.rank] = timeline.size();
    timeline.push_back(span);
  }

  ProgramTimes times(const std::string& mapper, const Embedding& embedding,
                     std::vector<RankSpan>& timeline) const {
    const auto work = observer_.begin("simulating " + mapper);
    if (!is_own()) return by_simgrid(embedding);
    const auto request = observer_.listen();
    ProgramOptions options;
    options.endpoint = experiment_.endpoint;
    options.progress = work->callback();
    options.stop = stop_or_limit([&] { return request->is_set(); }, how_.time_limit);
    options.critical_path = wishes_.critical_path;
    IdVector<Rank, std::size_t> last(trace_.program.num_ranks(), timeline.max_size());
    if (wishes_.timeline)
      options.span = [&](const RankSpan& span) { add_span(span, timeline, last); };
    return simulate_program(trace_.program, *experiment_.network, embedding, options);
  }

  ProgramTimes by_simgrid(const Embedding& embedding) const {
    if (!is_free(experiment_.endpoint))
      throw UsageError(
          "--solver simgrid: SimGrid does not know what messages cost at their ends; "
          "expected --solver fast");
    if (wishes_.critical_path)
      throw UsageError("--critical-path and --solver simgrid: expected --solver fast");
    return simgrid_clock().run_program(trace_.program, *experiment_.network, embedding, how_);
  }

  TraceStep described(const PathStep& step, const Embedding& embedding) const {
    TraceStep result{step, {}, {}, {}};
    const auto& operations = trace_.program.ranks[step.rank];
    if (step.operation == operations.size()) return result;
    result.position = trace_.position(step.rank, step.operation);
    result.call = trace_.call(step.rank, step.operation);
    if (step.kind != PathStep::Kind::message) return result;
    const MessageChannel channel = channel_of(step.rank, operations[step.operation]);
    std::vector<LinkId> links;
    experiment_.network->append_route(embedding.host_of(Rank{channel.source}),
                                      embedding.host_of(Rank{channel.destination}), links);
    for (const LinkId link : links) result.links.push_back(experiment_.network->link_name(link));
    return result;
  }

  const SimulationOptions& how_;
  TraceWishes wishes_;
  const Trace& trace_;
  const Experiment& experiment_;
  Observer& observer_;
};

}  // namespace

TraceReport run_trace(const Scenario& scenario, TraceWishes wishes, Observer& observer) {
  if (!scenario.background.empty())
    throw UsageError("simulate --trace and --background: expected vtopo compare");
  const Mapping mapping = mapping_of(scenario);
  std::vector<MapperSpec> mappers = mapping.mappers;
  if (mapping.order_file) mappers = {*mapping.order_file};
  const ClockChoice clock = clock_of(scenario);
  const Experiment experiment = build_experiment(scenario, observer);
  TraceReport report;
  report.scenario = described(scenario);
  report.network = experiment.network_text;
  report.seed = scenario.seed;
  report.ranks = experiment.guest.num_ranks();
  report.hosts = experiment.allocation.num_hosts();
  report.messages = num_messages(experiment.trace->program);
  report.trace = experiment.guest_text;
  const TraceRuns runs(clock.how, wishes, experiment, observer);
  RowSetup setup{mapping.objective, budget_of(scenario), clock.how};
  if (clock.simulate == false) setup.clock.reset();
  const std::vector<Mapped> mapped = map_ranks(experiment, mappers, setup, observer);
  for (std::size_t m = 0; m < mappers.size(); ++m)
    report.rows.push_back(runs.row(mappers[m], mapped[m]));
  return report;
}

}  // namespace vtopo::detail
