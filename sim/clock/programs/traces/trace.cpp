#include "sim/clock/programs/traces/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "sim/clock/programs/matched_prefix.hpp"
#include "sim/clock/programs/program.hpp"
#include "sim/clock/programs/schedule_program.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/foreign_formats.hpp"
#include "topology/base/id_vector.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/named_entries.hpp"
#include "topology/base/text.hpp"
#include "topology/patterns/collectives.hpp"
#include "topology/patterns/library_rules.hpp"

namespace vtopo::detail {

namespace {

/// Requests of collectives are numbered from here on, those of the program below.
constexpr std::int32_t first_collective_request = 1 << 30;
constexpr std::size_t max_templates = 64;

bool is_collective(std::string_view name) {
  const auto all = collective_algorithms();
  return std::any_of(all.begin(), all.end(),
                     [&](const CollectiveAlgorithm& row) { return row.collective == name; });
}

std::int32_t next_request(const std::vector<Operation>& starts) {
  return first_collective_request + static_cast<std::int32_t>(starts.size());
}

/// Refuses what would fill the memory, before it is made.
void check_num_messages(const CommunicationSteps& steps) {
  double num_operations = 0;
  for (const CommunicationStep& step : steps.steps) {
    num_operations += 2 * static_cast<double>(step.messages.size());
    check_num_operations(num_operations);
  }
}

}  // namespace

CollectiveCalls::CollectiveCalls(CollectiveChoice choice) : choice_(std::move(choice)) {
  entry_named("library", choice_.library, ruled_libraries());
  if (depends_on_nodes({"allreduce", {{"algorithm", "auto"}, {"library", choice_.library}}}))
    throw UsageError(fmt::format(
        "library {} chooses by the nodes of a communicator, which a trace does not have; name an "
        "algorithm, as allreduce:algorithm=double_tree,ranks_per_node=8",
        choice_.library));
  for (const PatternSpec& spec : choice_.algorithms) {
    if (!is_collective(spec.name))
      throw UsageError(fmt::format("\"{}\" is not a collective with algorithms", spec.name));
    if (depends_on_nodes(spec) && !spec.options.contains("ranks_per_node"))
      throw UsageError(fmt::format(
          "{} needs the ranks of a node, which a trace does not have: give it ranks_per_node=",
          to_string(spec)));
  }
}

PatternSpec CollectiveCalls::spec_of(const CollectiveCall& call, int ranks) const {
  PatternSpec spec{std::string(call.name), {{"algorithm", "auto"}, {"library", choice_.library}}};
  for (const PatternSpec& named : choice_.algorithms)
    if (named.name == call.name) spec = named;
  spec = with_algorithm(spec, ranks, call.volume);
  if (is_automatic(spec))
    throw UsageError(fmt::format(
        "what {} does in {} of {} ranks is not known; name an algorithm, as {}:algorithm=NAME",
        choice_.library, call.name, ranks, call.name));
  if (call.root != 0) spec.options["root"] = std::to_string(call.root);
  return spec;
}

const Program& CollectiveCalls::template_of(const CollectiveCall& call, int ranks) {
  const auto& rows = collective_algorithms();  // whose names live as long as the program
  const auto row = std::find_if(
      rows.begin(), rows.end(),
      [&](const CollectiveAlgorithm& algorithm) { return algorithm.collective == call.name; });
  const Key key{row->collective, call.volume.value, call.root, index(ranks)};
  if (const auto found = templates_.find(key); found != templates_.end()) return found->second;
  if (templates_.size() == max_templates) templates_.clear();
  const CommunicationSteps steps = collective_steps(spec_of(call, ranks), ranks, call.volume);
  check_num_messages(steps);
  return templates_.emplace(key, program_of(steps, call.volume, all_ranks(ranks), ranks))
      .first->second;
}

void CollectiveCalls::append(const CollectiveCall& call, const CallMembers& members,
                             bool has_open_requests, std::vector<Operation>& operations) {
  const int ranks = static_cast<int>(members.ranks.size());
  if (ranks == 1) return;
  const auto& own = template_of(call, ranks).ranks[Rank{members.self}];
  check_num_operations(static_cast<double>(operations.size() + own.size()));
  std::vector<std::int32_t> started;
  for (Operation operation : own) {
    if (is_send(operation.kind) || is_receive(operation.kind)) {
      operation.peer = number(members.ranks[index(operation.peer)]);
      operation.communicator = members.communicator;
      operation.request += first_collective_request;
      started.push_back(operation.request);
    } else if (operation.kind == Operation::Kind::wait_all) {
      if (has_open_requests) {
        append_waits(started, operations);
        started.clear();
        continue;
      }
      started.clear();
    }
    operations.push_back(operation);
  }
}

void CollectiveCalls::append_exchange(std::span<const double> sent,
                                      std::span<const double> received, const CallMembers& members,
                                      std::vector<Operation>& operations) {
  std::vector<Operation> starts;
  const MessageTag tag{0, members.communicator};
  for (std::size_t i = 0; i < members.ranks.size(); ++i) {
    if (i == index(members.self)) continue;
    if (received[i] > 0)
      starts.push_back(start_receive(members.ranks[i], {received[i]}, next_request(starts), tag));
    if (sent[i] > 0)
      starts.push_back(start_send(members.ranks[i], {sent[i]}, next_request(starts), tag));
  }
  append_with_waits(starts, operations);
}

void CollectiveCalls::append_ring(std::span<const double> volumes, const CallMembers& members,
                                  std::vector<Operation>& operations) {
  const int ranks = static_cast<int>(members.ranks.size());
  const auto around = [&](int i) { return index(((i % ranks) + ranks) % ranks); };
  const MessageTag tag{0, members.communicator};
  for (int step = 0; step + 1 < ranks; ++step) {
    const Operation starts[] = {
        start_receive(members.ranks[around(members.self - 1)],
                      {volumes[around(members.self - step - 1)]}, first_collective_request, tag),
        start_send(members.ranks[around(members.self + 1)], {volumes[around(members.self - step)]},
                   first_collective_request + 1, tag)};
    append_with_waits(starts, operations);
  }
}

void CollectiveCalls::append_chain(Bytes volume, const CallMembers& members,
                                   std::vector<Operation>& operations) {
  const MessageTag tag{0, members.communicator};
  const auto self = index(members.self);
  if (self > 0) {
    operations.push_back(receive(members.ranks[self - 1], volume, tag));
    operations.push_back(reduce(volume));
  }
  if (self + 1 < members.ranks.size())
    operations.push_back(send(members.ranks[self + 1], volume, tag));
}

namespace {

const TraceFormat& format_named(const std::string& name) {
  return entry_named("trace format", name, trace_formats());
}

const TraceFormat& format_of(const std::string& path) {
  for (const TraceFormat& format : trace_formats())
    if (format.recognizes(path)) return format;
  const LineFile readable(path);  // else the error says why not
  throw input_error({path},
                    "not a trace: accepted are a folder of VTOPO_RECORD_TRACE, a list of SMPI's "
                    "time-independent traces or one such file, and GOAL (num_ranks ...)");
}

/// Messages of a channel that are posted, loops counted, and where the last one is.
struct PostedEnds {
  double sent = 0, received = 0;
};

struct EndPosition {
  Rank rank{};
  std::size_t operation = 0;
};

/// Calls `visit(rank, position, operation, times)` for each message end.
template <class Visitor>
void for_each_end(const Program& program, Visitor&& visit) {
  for (int r = 0; r < program.num_ranks(); ++r) {
    std::vector<double> times{1};
    const auto& operations = program.ranks[Rank{r}];
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const Operation& operation = operations[i];
      if (operation.kind == Operation::Kind::repeat)
        times.push_back(times.back() * operation.amount);
      else if (operation.kind == Operation::Kind::end_repeat)
        times.pop_back();
      else if (is_send(operation.kind) || is_receive(operation.kind))
        visit(Rank{r}, i, operation, times.back());
    }
  }
}

/// The first end of a message that the other rank never posts; loops are closed.
std::optional<EndPosition> first_unmatched(const Program& program) {
  std::map<MessageChannel, PostedEnds> channels;
  const auto count = [](PostedEnds& ends, const Operation& operation, double times) -> double& {
    return (is_send(operation.kind) ? ends.sent : ends.received) += times;
  };
  for_each_end(program, [&](Rank rank, std::size_t, const Operation& operation, double times) {
    count(channels[channel_of(rank, operation)], operation, times);
  });
  std::map<MessageChannel, PostedEnds> so_far;
  std::optional<EndPosition> first;
  for_each_end(program, [&](Rank rank, std::size_t i, const Operation& operation, double times) {
    const MessageChannel channel = channel_of(rank, operation);
    const PostedEnds& all = channels[channel];
    const double others = is_send(operation.kind) ? all.received : all.sent;
    if (count(so_far[channel], operation, times) > others && !first) first = {rank, i};
  });
  return first;
}

/// Takes what all ranks have reached.
void shorten(Trace& trace) {
  const std::int64_t recorded = num_messages(trace.program);
  IdVector<Rank, RankPrefix> prefixes = matched_prefix(trace.program);
  for (int r = 0; r < prefixes.size(); ++r) {
    std::vector<std::int32_t> lines;
    for (const std::size_t position : prefixes[Rank{r}].positions)
      lines.push_back(trace.lines[Rank{r}][position]);
    trace.lines[Rank{r}] = std::move(lines);
    trace.program.ranks[Rank{r}] = std::move(prefixes[Rank{r}].operations);
  }
  std::string sentence = trace.cuts.front();
  if (trace.cuts.size() > 1)
    sentence += fmt::format(", as those of {}", counted(trace.cuts.size() - 1, "more rank"));
  trace.cuts = {fmt::format("{}; replayed is what all ranks have reached: {} of {} messages",
                            sentence, num_messages(trace.program), recorded)};
}

}  // namespace

std::string Trace::position(Rank rank, std::size_t operation) const {
  const std::string& file = files.size() == 1 ? files.front() : files[index(rank)];
  return to_string(FilePosition{file, lines[rank][operation], 0});
}

std::string Trace::call(Rank rank, std::size_t operation) const {
  LineFile file(files.size() == 1 ? files.front() : files[index(rank)]);
  for (std::int32_t line = 0; line < lines[rank][operation]; ++line)
    if (!file.next()) return {};
  return std::string(trim(file.line()));
}

std::span<const TraceFormat> trace_formats() {
  static const auto all = with_foreign({}, &ForeignFormats::traces);
  return all;
}

Trace read_trace(const std::string& path, const TraceOptions& options) {
  const TraceFormat& format =
      options.format.empty() ? format_of(path) : format_named(options.format);
  static_cast<void>(CollectiveCalls(
      options.collectives));  // refuses a wrong choice also where nothing asks for it
  Trace trace = format.read(path, options);
  trace.format = format.name;
  if (!trace.cuts.empty() && !options.prefix)
    throw InputError(trace.cuts.front() + "; --prefix replays what all ranks have reached");
  if (!trace.cuts.empty()) shorten(trace);
  if (const auto reason = why_not_run(trace)) throw InputError(*reason);
  return trace;
}

std::optional<std::string> why_not_run(const Trace& trace) {
  const auto reason = why_not_run(trace.program);
  if (!reason) return std::nullopt;
  const auto unmatched = first_unmatched(trace.program);
  if (!unmatched) return fmt::format("{}: {}", trace.files.front(), *reason);
  const auto [rank, position] = *unmatched;
  const Operation& operation = trace.program.ranks[rank][position];
  const bool sends = is_send(operation.kind);
  return fmt::format("{}: rank {} {} rank {} a message (tag {}) that it never {}: {}",
                     trace.position(rank, position), number(rank), sends ? "sends" : "expects from",
                     operation.peer, operation.tag, sends ? "receives" : "sends",
                     trace.call(rank, position));
}

}  // namespace vtopo::detail
