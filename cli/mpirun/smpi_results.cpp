#include "cli/mpirun/smpi_results.hpp"

#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/mpirun/smpi_deadlock.hpp"
#include "cli/mpirun/whole_numbers.hpp"
#include "topology/base/error.hpp"
#include "topology/base/units.hpp"
#include "topology/traffic/traffic.hpp"

namespace vtopo::detail {

namespace {

using PlainJson = nlohmann::json;

constexpr int exit_limit = 124;  // as timeout(1)
constexpr int exit_failure = 1;
constexpr int after_signal = 128;

std::vector<PlainJson> lines_of(const std::string& path) {
  std::vector<PlainJson> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    PlainJson value = PlainJson::parse(line, nullptr, false);
    if (value.is_object()) lines.push_back(std::move(value));
  }
  return lines;
}

std::optional<Bytes> bytes_or_none(const PlainJson& value) {
  if (!value.is_number()) return std::nullopt;
  return Bytes{value.get<double>()};
}

std::vector<ConstructorReport> constructors_of(const std::string& path) {
  std::vector<ConstructorReport> reports;
  for (const PlainJson& line : lines_of(path)) {
    ConstructorReport report;
    report.call = line.at("call").get<std::string>();
    report.ranks = whole(line.at("ranks"));
    if (line.at("mapper").is_string()) report.mapper = line.at("mapper").get<std::string>();
    if (line.at("kept_because").is_string())
      report.kept_because = line.at("kept_because").get<std::string>();
    report.predicted_gain = line.at("predicted_gain").get<double>();
    report.hop_bytes_before = bytes_or_none(line.at("hop_bytes_before"));
    report.hop_bytes_after = bytes_or_none(line.at("hop_bytes_after"));
    reports.push_back(std::move(report));
  }
  return reports;
}

RunTraffic traffic_of(const std::string& path) {
  TrafficOptions options;
  options.format = TrafficFormat::vtopo_record;
  RunTraffic traffic;
  const auto read = [&](RecordKinds kinds) {
    options.record_kinds = kinds;
    return read_traffic(path, options);
  };
  traffic.all = read(RecordKinds::all);
  traffic.point_to_point = read(RecordKinds::point_to_point);
  traffic.collective = read(RecordKinds::collective);
  return traffic;
}

FinishedRun finished_run(const PlainJson& line, const SmpiFiles& files) {
  FinishedRun run;
  run.simulated = Seconds{line.at("simulated_seconds").get<double>()};
  for (const double time : line.at("rank_seconds").get<std::vector<double>>())
    run.rank_seconds.push_back(Seconds{time});
  for (const PlainJson& topology : line.at("topologies"))
    run.topologies.push_back({topology.at("topology").get<std::string>(),
                              whole(topology.at("ranks")), whole<long>(topology.at("calls")),
                              Seconds{topology.at("mean_seconds").get<double>()},
                              Seconds{topology.at("max_seconds").get<double>()}});
  run.constructors = constructors_of(files.constructors);
  run.traffic = traffic_of(files.recording);
  std::ifstream recording(files.recording, std::ios::binary);
  run.recording.assign(std::istreambuf_iterator<char>(recording), {});
  return run;
}

std::string ending_in_words(const PlainJson& ending) {
  const auto kind = ending.at("ending").get<std::string>();
  const auto ranks = whole_numbers(ending.at("ranks"));
  const std::string who = ranks_in_words(ranks);
  if (kind == "abort")
    return fmt::format("{} called MPI_Abort with error code {}", who, whole(ending.at("code")));
  if (kind == "error")
    return fmt::format("{} called {}, which failed with {}: the error handler is {}", who,
                       ending.at("call").get<std::string>(), ending.at("error").get<std::string>(),
                       "MPI_ERRORS_ARE_FATAL");
  if (kind == "absent")
    return fmt::format("{} called {}, which simulated ranks do not have", who,
                       ending.at("call").get<std::string>());
  if (kind == "deadlock") return deadlock_in_words(ending);
  if (kind == "unfinished")
    return fmt::format("{} ended without MPI_Finalize: there is no report", who);
  const int number = whole(ending.at("signal"));
  return fmt::format("{} ended by signal {} ({})",
                     ranks.empty() || ranks.front() < 0 ? "the simulation was" : who + " was",
                     number, strsignal(number));
}

/// The sentence on a status for which the overlay reported no ending.
std::string status_in_words(int status) {
  if (status > after_signal && status <= after_signal + SIGRTMAX)
    return fmt::format("the simulation was ended by signal {} ({})", status - after_signal,
                       strsignal(status - after_signal));
  return fmt::format("the program ended with exit code {}", status);
}

void tell_end(const std::vector<PlainJson>& endings, const ForegroundEnd& end, int status,
              SmpiRun& run) {
  if (end.limit_hit) {
    run.exit_code = exit_limit;
    run.sentence = fmt::format("the run was ended after {}, its --run-limit",
                               format_seconds(end.process.wall));
  } else if (end.interrupted != 0) {
    run.interrupted = true;
    run.exit_code = after_signal + end.interrupted;
    run.sentence =
        fmt::format("interrupted by signal {} ({})", end.interrupted, strsignal(end.interrupted));
  } else if (!endings.empty()) {
    run.exit_code = status != 0 ? status : exit_failure;
    run.sentence = ending_in_words(endings.front());
    if (status != 0 && endings.front().at("ending") == "unfinished")
      run.sentence = fmt::format("{}; {}", status_in_words(status), *run.sentence);
  } else if (status != 0) {
    run.exit_code = status;
    run.sentence = status_in_words(status);
  } else if (!run.finished) {
    run.exit_code = exit_failure;
    run.sentence = "the program ended without MPI_Init, or by _exit in a rank: there is no report";
  }
}

SmpiRun run_told(const SmpiFiles& files, const ForegroundEnd& end,
                 const std::optional<int>& status) {
  SmpiRun run;
  run.wall = end.process.wall;
  std::vector<PlainJson> endings;
  for (PlainJson& line : lines_of(files.run)) {
    if (line.at("schema") == "vtopo/run/v1")
      run.finished = finished_run(line, files);
    else
      endings.push_back(std::move(line));
  }
  if (!status && !end.limit_hit && end.interrupted == 0 && endings.empty()) {
    run.exit_code = end.process.status == 0 ? exit_failure : end.process.exit_code();
    run.sentence = fmt::format("smpirun {} before it started the program; its words stand above",
                               end.process.description());
    return run;
  }
  tell_end(endings, end, status.value_or(end.process.exit_code()), run);
  return run;
}

}  // namespace

SmpiRun read_run(const SmpiFiles& files, const ForegroundEnd& end,
                 const std::optional<int>& status) {
  try {
    return run_told(files, end, status);
  } catch (const PlainJson::exception&) {  // only if the program has written into them
    throw InputError("the files that the overlay wrote on the run have been damaged");
  }
}

}  // namespace vtopo::detail
