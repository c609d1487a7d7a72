#include <filesystem>
#include <fstream>

#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/external/problem_files.hpp"
#include "sim/mapping/external/program.hpp"
#include "sim/mapping/external/temporary_folder.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::mappers {

namespace {

std::optional<std::string> external_unsupported_reason(const MappingProblem& problem);
Embedding map_external(const MappingProblem& problem, const SearchControl& control);

}  // namespace

/// A program that reads the problem from files and writes the embedding into one; see the README in
/// `sim/mapping/external`. It runs only if it is named.
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

/// The last line of a file that is more than blanks, as ": line", or nothing.
std::string last_words(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::streamoff>(file.tellg());
  constexpr std::streamoff most = 4096;
  std::string text(static_cast<std::size_t>(std::max<std::streamoff>(0, std::min(size, most))),
                   ' ');
  file.seekg(std::max<std::streamoff>(0, size - most));
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  std::string words;
  for (const auto line : split(text, '\n'))
    if (!trim(line).empty()) words = trim(line).substr(0, max_letters_of_last_words);
  for (char& letter : words)
    if (static_cast<unsigned char>(letter) < ' ') letter = ' ';
  return words.empty() ? words : ": " + words;
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
  const std::string log = folder.file("log.txt");
  const auto failure = run_program(words, log, {control.deadline, control.stop});
  if (failure)
    throw InputError(fmt::format("program \"{}\" {}{}", command, *failure, last_words(log)));
  if (!std::filesystem::exists(words[4]))
    throw InputError(fmt::format("program \"{}\" wrote no mapping{}", command, last_words(log)));
  return read_mapping(problem, words[4], fmt::format("mapping of \"{}\"", command));
}

}  // namespace

}  // namespace vtopo::mappers
