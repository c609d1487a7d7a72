#include "cli/mpirun/smpi_results.hpp"

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"
#include "topology/traffic/traffic.hpp"

namespace vtopo::detail {

namespace {

using PlainJson = nlohmann::json;

/// @throws nlohmann::json::exception for what is not a number, or does not fit.
template <class Number = int>
Number whole(const nlohmann::json& value) {
  const auto number = value.get<double>();
  const auto least = static_cast<double>(std::numeric_limits<Number>::min());
  if (!(number >= least && number < -least))
    throw nlohmann::json::out_of_range::create(406, "a number out of range", &value);
  return static_cast<Number>(number);
}

/// @throws as `whole`.
std::vector<int> whole_numbers(const nlohmann::json& list) {
  std::vector<int> numbers;
  for (const auto& value : list.get_ref<const nlohmann::json::array_t&>())
    numbers.push_back(whole(value));
  return numbers;
}

constexpr std::size_t max_ranks = 16;
constexpr std::size_t max_reported = 8;

struct AwaitedMessage {
  bool sent = false;
  std::optional<int> partner;  ///< absent: any
  std::optional<int> tag;      ///< absent: any
};

/// What one rank waits for.
struct RankInCall {
  std::string call;  ///< empty: not known
  bool collective = false;
  std::vector<AwaitedMessage> messages;
  std::vector<int> missing;  ///< who has not come to the collective call, or not done its part
};

using Waits = std::map<int, RankInCall>;

std::optional<int> number_or_any(const PlainJson& value) {
  return value.is_number() ? std::optional(whole(value)) : std::nullopt;
}

Waits waits_of(const PlainJson& ending) {
  Waits waits;
  for (const PlainJson& line : ending.value("waits", PlainJson::array())) {
    RankInCall& wait = waits[whole(line.at("rank"))];
    wait.call = line.at("call").get<std::string>();
    wait.collective = line.at("collective").get<bool>();
    wait.missing = whole_numbers(line.at("missing"));
    for (const PlainJson& message : line.at("messages"))
      wait.messages.push_back({message.at("sent").get<bool>(), number_or_any(message.at("rank")),
                               number_or_any(message.at("tag"))});
  }
  return waits;
}

/// Ranks for which a rank waits; those of a wait for any of several are among them.
std::vector<int> partners_of(const RankInCall& wait) {
  std::vector<int> partners = wait.missing;
  for (const AwaitedMessage& message : wait.messages)
    if (message.partner) partners.push_back(*message.partner);
  return partners;
}

/// Depth-first search for ranks that wait for each other in a ring.
class RingSearch {
 public:
  explicit RingSearch(const Waits& waits) : waits_(waits) {}

  /// The first ring found, from its lowest rank on; empty: there is none.
  std::vector<int> run() {
    for (const auto& [rank, wait] : waits_) {
      if (!visited_.insert(rank).second) continue;
      path_.push_back({rank, partners_of(wait), 0});
      while (!path_.empty())
        if (auto ring = step(); !ring.empty()) return ring;
    }
    return {};
  }

 private:
  struct Visit {
    int rank;
    std::vector<int> partners;
    std::size_t next;
  };

  std::vector<int> step() {
    Visit& visit = path_.back();
    if (visit.next == visit.partners.size()) {
      path_.pop_back();
      return {};
    }
    const int partner = visit.partners[visit.next++];
    const auto at =
        std::find_if(path_.begin(), path_.end(), [&](const Visit& v) { return v.rank == partner; });
    if (at != path_.end()) return ring_from(static_cast<std::size_t>(at - path_.begin()));
    const auto found = waits_.find(partner);
    if (found != waits_.end() && visited_.insert(partner).second)
      path_.push_back({partner, partners_of(found->second), 0});
    return {};
  }

  std::vector<int> ring_from(std::size_t place) const {
    std::vector<int> ring;
    for (std::size_t i = place; i < path_.size(); ++i) ring.push_back(path_[i].rank);
    std::rotate(ring.begin(), std::min_element(ring.begin(), ring.end()), ring.end());
    return ring;
  }

  const Waits& waits_;
  std::set<int> visited_;
  std::vector<Visit> path_;
};

/// Ranks, and which of them have ended.
std::string ranks_and_their_state(const std::vector<int>& ranks, const Waits& waits) {
  std::vector<int> ended;
  for (const int rank : ranks)
    if (!waits.contains(rank)) ended.push_back(rank);
  std::string text = ranks_in_words(ranks);
  if (ended.empty()) return text;
  if (ended.size() == ranks.size()) return text + ", which ended before";
  return fmt::format("{} ({} ended before)", text, ranks_in_words(ended));
}

std::string message_in_words(const AwaitedMessage& message, const Waits& waits) {
  const std::string whom =
      message.partner ? ranks_and_their_state({*message.partner}, waits) : std::string("any rank");
  const std::string tag = message.tag ? fmt::format("tag {}", *message.tag) : "any tag";
  return fmt::format("a message with {} {} {}", tag, message.sent ? "to" : "from", whom);
}

std::string wait_in_words(int rank, const RankInCall& wait, const Waits& waits) {
  std::string text =
      fmt::format("rank {} is in {}", rank, wait.call.empty() ? "a function of MPI" : wait.call);
  if (wait.collective && wait.missing.empty())
    return text + ", as are all others of its communicator";
  if (!wait.missing.empty())
    return fmt::format("{}, which waits for {}", text, ranks_and_their_state(wait.missing, waits));
  std::vector<std::string> messages;
  for (const AwaitedMessage& message : wait.messages)
    messages.push_back(message_in_words(message, waits));
  return messages.empty() ? text : fmt::format("{} for {}", text, join(messages, " and "));
}

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
    if (const PlainJson& worst = line.at("worst_collective"); worst.is_object()) {
      report.worst_collective = worst.at("operation").get<std::string>();
      report.worst_change = worst.at("change").get<double>();
    }
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

/// `MPI_Cart_create` and the other constructors that moved ranks; empty: none did.
std::string calls_that_moved(const std::vector<ConstructorReport>& constructors) {
  std::vector<std::string> names;
  for (const ConstructorReport& call : constructors) {
    std::string name = "MPI_" + call.call;
    name[4] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[4])));
    if (call.moved() && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  return join(names, " and ");
}

/// What is said of a bad end after ranks have moved; empty: none have.
std::string note_on_moved_ranks(const std::vector<ConstructorReport>& constructors) {
  const std::string calls = calls_that_moved(constructors);
  if (calls.empty()) return {};
  return fmt::format(
      "; ranks were moved by {} (reorder = 1); a program that goes on with its rank in "
      "MPI_COMM_WORLD fails so; --no-reorder keeps the order",
      calls);
}

/// Whether a rank came to MPI_Init: then the file of the run is there.
bool has_begun(const SmpiFiles& files) {
  return std::filesystem::exists(files.run);
}

void describe_end(const std::vector<PlainJson>& endings, const ForegroundEnd& end, int status,
                  bool begun, SmpiRun& run) {
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
  } else if (!begun) {
    run.has_no_ranks = true;
    run.sentence = "the program has not called MPI_Init: there is no report";
  } else if (!run.finished) {
    run.exit_code = exit_failure;
    run.sentence = "the program ended by _exit in a rank: there is no report";
  }
  if (run.exit_code != 0 && !run.interrupted && run.sentence)
    *run.sentence += note_on_moved_ranks(run.constructors);
}

SmpiRun reported_run(const SmpiFiles& files, const ForegroundEnd& end,
                     const std::optional<int>& status) {
  SmpiRun run;
  run.wall = end.process.wall;
  run.constructors = constructors_of(files.constructors);
  std::vector<PlainJson> endings;
  for (PlainJson& line : lines_of(files.run)) {
    if (line.at("schema") == "vtopo/run/v1")
      run.finished = finished_run(line, files);
    else
      endings.push_back(std::move(line));
  }
  if (!status && !end.limit_hit && end.interrupted == 0 && endings.empty()) {
    run.exit_code = end.process.status == 0 ? exit_failure : end.process.exit_code();
    run.sentence = fmt::format("smpirun {} before it started the program; see its output above",
                               end.process.description());
    return run;
  }
  describe_end(endings, end, status.value_or(end.process.exit_code()), has_begun(files), run);
  return run;
}

}  // namespace

std::string ranks_in_words(const std::vector<int>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < ranks.size() && i < max_ranks; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", ranks[i]);
  if (ranks.size() > max_ranks) text += fmt::format(" and {} more", ranks.size() - max_ranks);
  return text;
}

std::string deadlock_in_words(const PlainJson& ending) {
  const auto ranks = whole_numbers(ending.at("ranks"));
  std::string text = fmt::format("deadlock: {} of the program wait{} for what never comes",
                                 ranks_in_words(ranks), ranks.size() == 1 ? "s" : "");
  const Waits waits = waits_of(ending);
  std::vector<int> told = RingSearch(waits).run();
  if (!told.empty()) {
    text += ", in a ring ";
    for (std::size_t i = 0; i < std::min(told.size(), max_ranks); ++i)
      text += fmt::format("{} -> ", told[i]);
    text += told.size() > max_ranks ? fmt::format("... -> {}", told.front())
                                    : std::to_string(told.front());
  } else {
    for (const auto& [rank, wait] : waits) told.push_back(rank);
  }
  for (std::size_t i = 0; i < std::min(told.size(), max_reported); ++i)
    text +=
        fmt::format("{} {}", i == 0 ? ":" : ";", wait_in_words(told[i], waits.at(told[i]), waits));
  if (told.size() > max_reported) text += fmt::format("; and {} more", told.size() - max_reported);
  return text;
}

SmpiRun read_run(const SmpiFiles& files, const ForegroundEnd& end,
                 const std::optional<int>& status) {
  try {
    return reported_run(files, end, status);
  } catch (const PlainJson::exception&) {  // only if the program has written into them
    throw InputError("the files that the overlay wrote on the run have been damaged");
  }
}

}  // namespace vtopo::detail
