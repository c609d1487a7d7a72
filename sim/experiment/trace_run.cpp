#include "sim/experiment/trace_run.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "sim/embedding/embedding_files.hpp"
#include "sim/experiment/experiment.hpp"
#include "sim/experiment/mapping_runs.hpp"
#include "sim/experiment/scenario_options.hpp"
#include "sim/programs/program_traffic.hpp"
#include "sim/ranks/run_program.hpp"
#include "topology/base/error.hpp"
#include "topology/base/units_text.hpp"

namespace vtopo {

namespace {

/// The scenario has no application of its own.
void check_trace_scenario(const Scenario& scenario) {
  const auto refuse = [](std::string_view option) {
    throw UsageError(
        fmt::format("--trace and {}: a trace says itself who communicates with whom", option));
  };
  if (!scenario.topology.empty()) refuse("--topology");
  if (!scenario.traffic.empty()) refuse("--traffic");
  if (!scenario.schedule.empty()) refuse("--schedule");
  if (!scenario.patterns.empty()) refuse("--pattern");
  if (!scenario.background.empty())
    throw UsageError("--trace and --background: a trace has the network for itself");
  if (scenario.objective && (*scenario.objective)->time == TimeFirst::simulated)
    throw UsageError(
        "--trace and --objective simulated-time: mappers see what the trace sends in "
        "all; expected another objective");
}

std::vector<MapperSpec> trace_mappers(const Scenario& scenario) {
  if (scenario.embedding.empty()) return parse_mappers(scenario.mappers);
  MapperSpec file{mapper_of(MapperRole::embedding_file).name, {{"path", scenario.embedding}}};
  file.options["format"] = embedding_format_of(scenario.embedding, scenario.embedding_format).name;
  return {file};
}

Experiment trace_experiment(const Scenario& scenario, const Trace& trace, Observer& observer) {
  Experiment experiment;
  LoadedNetwork loaded = load_network(scenario, observer);
  experiment.network = std::move(loaded.network);
  experiment.endpoint = loaded.endpoint;
  experiment.allocation =
      make_allocation(*experiment.network, scenario.hosts, *scenario.slots, scenario.seed);
  check_fit(trace.program.num_ranks(), experiment.allocation);
  experiment.guest = traffic_of(trace.program);
  experiment.network_text =
      fmt::format("{}: {} hosts, {} directed links; allocated: {} hosts, {} slots", loaded.text,
                  experiment.network->num_hosts(), experiment.network->num_links(),
                  experiment.allocation.num_hosts(), experiment.allocation.num_slots());
  return experiment;
}

/// The run of a trace under its embeddings.
class TraceRuns {
 public:
  TraceRuns(const Scenario& scenario, const TraceSettings& settings, const Trace& trace,
            const Experiment& experiment, Observer& observer)
      : scenario_(scenario),
        settings_(settings),
        trace_(trace),
        experiment_(experiment),
        observer_(observer) {}

  TraceRow row(const MapperSpec& mapper, const Mapped& mapped) const {
    TraceRow row;
    row.mapper = to_string(mapper);
    row.mapping_time = mapped.time;
    row.solver = is_own() ? "fast" : "simgrid";
    row.times = times(row.mapper, mapped.embedding);
    for (const PathStep& step : row.times.critical_path)
      row.critical_path.push_back(described(step, mapped.embedding));
    return row;
  }

 private:
  bool is_own() const {
    return *scenario_.solver != Solver::simgrid && *scenario_.network_model == NetworkModel::cm02;
  }

  ProgramTimes times(const std::string& mapper, const Embedding& embedding) const {
    const auto work = observer_.begin("simulating " + mapper);
    if (!is_own()) return by_simgrid(embedding);
    const auto request = observer_.listen();
    ProgramOptions options;
    options.endpoint = experiment_.endpoint;
    if (std::isfinite((*scenario_.loopback_bandwidth).value))
      options.endpoint.memory_bandwidth = *scenario_.loopback_bandwidth;
    options.progress = work->callback();
    options.stop = [&] { return request->is_set(); };
    options.critical_path = settings_.critical_path;
    return simulate_program(trace_.program, *experiment_.network, embedding, options);
  }

  ProgramTimes by_simgrid(const Embedding& embedding) const {
    if (!is_free(experiment_.endpoint))
      throw UsageError(
          "--solver simgrid: SimGrid does not know what messages cost at their ends; "
          "expected --solver fast");
    if (settings_.critical_path)
      throw UsageError("--critical-path and --solver simgrid: expected --solver fast");
    const Limits limits = parse_limits(scenario_.limits);
    RankOptions options;
    options.model = *scenario_.network_model;
    options.loopback_bandwidth = *scenario_.loopback_bandwidth;
    options.time_limit = limits.time;
    options.memory_limit = limits.memory;
    return run_program(trace_.program, *experiment_.network, embedding, options);
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

  const Scenario& scenario_;
  const TraceSettings& settings_;
  const Trace& trace_;
  const Experiment& experiment_;
  Observer& observer_;
};

}  // namespace

TraceReport run_trace(const Scenario& scenario, const TraceSettings& settings, Observer& observer) {
  check_trace_scenario(scenario);
  const std::vector<MapperSpec> mappers = trace_mappers(scenario);
  const Trace trace = [&] {
    const auto work = observer.begin("reading " + settings.path);
    return read_trace(settings.path, settings.options);
  }();
  const Experiment experiment = trace_experiment(scenario, trace, observer);
  TraceReport report;
  report.scenario = described(scenario);
  report.scenario.emplace_back("trace", settings.path);
  report.network = experiment.network_text;
  report.seed = scenario.seed;
  report.ranks = trace.program.num_ranks();
  report.hosts = experiment.allocation.num_hosts();
  report.messages = num_messages(trace.program);
  report.trace =
      fmt::format("{} ({}): {} ranks, {} messages, {}", settings.path, trace.format, report.ranks,
                  report.messages, format_bytes(experiment.guest.total_volume()));
  const TraceRuns runs(scenario, settings, trace, experiment, observer);
  const Bounds bounds;
  MappingRuns mapping(mappers, scenario, experiment, bounds, observer);
  mapping.run_together();
  for (std::size_t m = 0; m < mappers.size(); ++m) {
    const Mapped mapped = mapping.take(m);
    for (const std::string& remark : mapped.remarks) observer.remark(remark);
    report.rows.push_back(runs.row(mappers[m], mapped));
  }
  return report;
}

}  // namespace vtopo
