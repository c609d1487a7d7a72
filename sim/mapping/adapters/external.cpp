#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <thread>

#include "netmodels/process/memory_file.hpp"
#include "netmodels/process/subprocess.hpp"
#include "netmodels/process/temporary_files.hpp"
#include "sim/mapping/adapters/problem_files.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::mappers {

namespace {

std::optional<std::string> external_unsupported_reason(const MappingProblem& problem);
Embedding map_external(const MappingProblem& problem, const SearchControl& control);

}  // namespace

/// A program that reads the problem from files and writes the embedding into one; see the README in
/// this folder. It runs only if it is named.
MapperInfo external() {
  return {
      .name = "external",
      .summary = "runs a program: COMMAND GUEST NETWORK SLOTS MAPPING, all files",
      .reference = "the program",
      .options = {{"command", "program to execute, as a path; no shell reads it", ""},
                  {"guest", "metis (.graph) or csv (src,dst,bytes)", "metis"},
                  {"network", "distances (matrix of hops) or xml (SimGrid platform)", "distances"}},
      .needs = "command=PROGRAM; up to 4096 hosts, or network=xml and a modelled network",
      .unsupported_reason = external_unsupported_reason,
      .map = map_external,
      .anytime = true,
      .runs_program = true,
      .self_contained = false};
}

namespace {

constexpr std::size_t max_letters_of_last_words = 200;

GuestFile guest_form(const std::string& text) {
  if (text == "metis") return GuestFile::metis;
  if (text == "csv") return GuestFile::csv;
  throw UsageError(fmt::format("guest \"{}\" of mapper external: accepted are metis, csv", text));
}

NetworkFile network_form(const std::string& text) {
  if (text == "distances") return NetworkFile::distances;
  if (text == "xml") return NetworkFile::xml;
  throw UsageError(
      fmt::format("network \"{}\" of mapper external: accepted are distances, xml", text));
}

std::optional<std::string> external_unsupported_reason(const MappingProblem& problem) {
  const MapperInfo info = external();
  if (option_value(info, problem, "command").empty()) return "needs command=PROGRAM";
  return network_file_unsupported_reason(problem,
                                         network_form(option_value(info, problem, "network")));
}

/// ": " and the last words of a program, or nothing.
std::string quoted_last_words(const MemoryFile& log) {
  constexpr std::size_t max_bytes = 4096;
  std::string words = last_words(log.text(max_bytes)).substr(0, max_letters_of_last_words);
  for (char& letter : words)
    if (static_cast<unsigned char>(letter) < ' ') letter = ' ';
  return words.empty() ? words : ": " + words;
}

/// Hands on the lines `report_value VALUE [STEPS]` of a program's output, from a position on.
/// @return where the last whole line ends.
std::size_t hand_on_values(const std::string& output, std::size_t from,
                           const SearchControl& control) {
  for (auto end = output.find('\n', from); end != output.npos; end = output.find('\n', from)) {
    const auto words = split(trim(std::string_view(output).substr(from, end - from)), ' ');
    from = end + 1;
    if (words.size() < 2 || words[0] != "report_value") continue;
    const auto value = parse_number(words[1]);
    const auto steps = words.size() > 2 ? parse_integer(words[2]) : std::optional<std::int64_t>(0);
    if (value && std::isfinite(*value) && steps && *steps >= 0)
      control.report_value(*value, *steps);
  }
  return from;
}

/// Runs a program until its end or that of the search.
/// @return how it failed, to follow its name, or nothing if it ended with exit code 0.
std::optional<std::string> run_program(const Executable& program, const SearchControl& control,
                                       const MemoryFile& log) {
  constexpr std::chrono::milliseconds longest_pause{20};
  Subprocess process(program);
  std::size_t read = 0;
  for (auto pause = std::chrono::milliseconds{1}; !process.has_ended();
       pause = std::min(2 * pause, longest_pause)) {
    if (control.stop != nullptr && control.stop->load(std::memory_order_relaxed))
      return "was interrupted";
    if (control.deadline && SearchControl::Clock::now() >= *control.deadline)
      return "did not end within the time limit";
    std::this_thread::sleep_for(pause);
    if (control.improved) read = hand_on_values(log.text(), read, control);
  }
  hand_on_values(log.text(), read, control);
  const ProcessEnd& end = process.wait();
  return end.status == 0 ? std::nullopt : std::optional(end.description());
}

Embedding map_external(const MappingProblem& problem, const SearchControl& control) {
  const MapperInfo info = external();
  const std::string command = option_value(info, problem, "command");
  const GuestFile guest = guest_form(option_value(info, problem, "guest"));
  const NetworkFile network = network_form(option_value(info, problem, "network"));
  const TemporaryFolder folder;
  const std::vector<std::string> words{
      command, folder.file(guest == GuestFile::metis ? "guest.graph" : "guest.csv"),
      folder.file(network == NetworkFile::xml ? "network.xml" : "distances.txt"),
      folder.file("slots.txt"), folder.file("mapping.txt")};
  write_guest(problem, guest, words[1]);
  write_network(problem, network, words[2]);
  write_slots(problem, words[3]);
  const MemoryFile log;
  const Executable program{.words = words,
                           .output = log.descriptor(),
                           .errors = log.descriptor(),
                           .folder = folder.path()};
  if (const auto failure = run_program(program, control, log))
    throw InputError(fmt::format("program \"{}\" {}{}", command, *failure, quoted_last_words(log)));
  if (!std::filesystem::exists(words[4]))
    throw InputError(
        fmt::format("program \"{}\" wrote no mapping{}", command, quoted_last_words(log)));
  return read_mapping(problem, words[4], fmt::format("mapping of \"{}\"", command));
}

}  // namespace

}  // namespace vtopo::detail::mappers
