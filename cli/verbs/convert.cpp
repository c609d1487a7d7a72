#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "cli/command/scenario_verb.hpp"
#include "cli/command/verb.hpp"
#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "netmodels/process/temporary_files.hpp"
#include "sim/formats/traces/foreign_traces.hpp"
#include "sim/formats/traffic/foreign_traffic.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/placement/embedding_files.hpp"
#include "sim/run/load_network.hpp"
#include "sim/scenario/scenario.hpp"
#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/units.hpp"
#include "topology/guests/guest_topology.hpp"
#include "topology/traffic/formats.hpp"

namespace vtopo::detail::verbs {

namespace {

/// Standard input as a file, for readers that look at a file more than once; gone with the object,
/// and with the process where it calls `remove_temporary_files`.
class StandardInputFile {
 public:
  /// Reads standard input to its end.
  /// @throws InputError if that, or writing it to the folder for temporary files, fails, and above
  /// the size of files that are read.
  StandardInputFile();
  ~StandardInputFile();
  StandardInputFile(const StandardInputFile&) = delete;
  StandardInputFile& operator=(const StandardInputFile&) = delete;

  const std::string& path() const { return path_; }

  /// A sentence of a reader, with "standard input" where it names the file.
  std::string with_its_name(std::string sentence) const;

 private:
  int make_file();
  void copy(int descriptor) const;

  std::string path_;
  std::optional<TemporaryPath> temporary_;
};

[[noreturn]] void fail(std::string_view what) {
  throw InputError(
      fmt::format("standard input cannot be {}: {}", what, std::generic_category().message(errno)));
}

StandardInputFile::StandardInputFile() {
  std::error_code error;
  const auto folder = std::filesystem::temp_directory_path(error);
  path_ = (error ? std::filesystem::path("/tmp") : folder) / "vtopo-input-XXXXXX";
  const int descriptor = make_file();
  try {
    copy(descriptor);
  } catch (...) {
    ::close(descriptor);
    ::unlink(path_.c_str());
    throw;
  }
  ::close(descriptor);
}

StandardInputFile::~StandardInputFile() {
  ::unlink(path_.c_str());
}

int StandardInputFile::make_file() {
  const SignalPause pause;
  const int descriptor = ::mkostemp(path_.data(), O_CLOEXEC);
  if (descriptor == -1) fail("kept in a temporary file");
  temporary_.emplace(path_);
  return descriptor;
}

void StandardInputFile::copy(int descriptor) const {
  std::array<char, 65536> buffer{};
  std::uintmax_t total = 0;
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count == 0) return;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("read");
    total += static_cast<std::uintmax_t>(count);
    if (total > LineFile::max_file_bytes)
      throw InputError(fmt::format("standard input has more than {} bytes; accepted are up to that",
                                   LineFile::max_file_bytes));
    if (!write_all(descriptor, {buffer.data(), static_cast<std::size_t>(count)}))
      fail("kept in a temporary file");
  }
}

std::string StandardInputFile::with_its_name(std::string sentence) const {
  for (auto at = sentence.find(path_); at != std::string::npos; at = sentence.find(path_, at))
    sentence.replace(at, path_.size(), "standard input");
  return sentence;
}

constexpr std::string_view goal = "goal";

struct ConvertOptions : Scenario {
  std::string input;
  std::string output;
  std::optional<std::string> from;
  std::optional<std::string> to;
  std::string unit = "1";
  bool strict = false;

  bool is_embedding() const { return !network.empty() || !platform.empty(); }
};

/// A name with a colon that is not a file: a virtual topology.
bool names_topology(const std::string& input) {
  std::error_code error;
  return input.find(':') != std::string::npos && !std::filesystem::exists(input, error);
}

CommGraph guest_of_topology(const ConvertOptions& options) {
  constexpr double most = 16777216;  // ranks of a file that is read; edges in a few GB of memory
  const GuestTopology topology = parse_guest_topology(options.input);
  const double ranks = num_ranks(topology), edges = max_edges(topology);
  if (ranks > most || edges > 8 * most)
    throw UsageError(
        fmt::format("\"{}\" has {:.3g} ranks and {:.3g} edges; accepted are up to {} and {}",
                    options.input, ranks, edges, most, 8 * most));
  const Bytes volume = options.bytes->front();
  return make_comm_graph(topology, {&volume, 1});
}

CommGraph guest_of(const ConvertOptions& options, const std::string& path) {
  if (!options.from && names_topology(options.input)) return guest_of_topology(options);
  TrafficOptions traffic;
  if (options.from) traffic.format = parse_traffic_format(*options.from);
  traffic.num_ranks = options.ranks;
  traffic.prof_kinds = *options.prof_kinds;
  traffic.record_kinds = *options.record_kinds;
  traffic.weights = *options.weights;
  RecordedTraffic recorded = read_recorded_traffic(path, traffic);
  for (const std::string& sentence : recorded.remarks)
    say(options.input == "-" ? "standard input" + sentence.substr(path.size()) : sentence);
  return std::move(recorded.graph);
}

Bytes unit_of(const ConvertOptions& options) {
  const Bytes unit = read_option("unit", [&] { return parse_bytes(options.unit); });
  if (unit.value <= 0)
    throw UsageError(fmt::format("unit \"{}\": accepted are volumes above 0", options.unit));
  return unit;
}

/// @throws UsageError if the extension of OUT is that of embeddings, which need a network.
void check_is_traffic(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  for (const TrafficFormatInfo& info : traffic_formats())
    if (extension == info.extension) return;
  for (const EmbeddingFormat& format : embedding_formats())
    if (extension == '.' + format.name)
      throw UsageError(fmt::format(
          "\"{}\" is a file of embeddings, whose hosts are missing: give --network or --platform",
          path));
}

TrafficFormat target_format(const ConvertOptions& options) {
  if (options.to) return parse_traffic_format(*options.to);
  check_is_traffic(options.output);
  return options.output == "-" ? TrafficFormat::edge_list_csv
                               : traffic_format_to_write(options.output);
}

std::string converted_traffic(const ConvertOptions& options, const std::string& path) {
  const TrafficFormat format = target_format(options);
  const Bytes unit = unit_of(options);
  TrafficText written = write_traffic(guest_of(options, path), format, unit);
  if (options.strict && !written.losses.empty())
    throw UsageError(fmt::format("{}; without --strict it is written so", written.losses.front()));
  for (const std::string& loss : written.losses) say(loss);
  return std::move(written.text);
}

std::string converted_embedding(const ConvertOptions& options, const std::string& path) {
  const EmbeddingFormat& from = embedding_format_of(options.input, options.from, "--from");
  const EmbeddingFormat& to = embedding_format_of(options.output, options.to, "--to");
  const LoadedNetwork loaded = load_network(options, console());
  const Allocation allocation =
      make_allocation(*loaded.network, options.hosts, *options.slots, options.seed);
  const Embedding embedding =
      read_embedding(from, path, options.ranks, *loaded.network, allocation);
  return write_embedding(
      to, {embedding, *loaded.network, allocation, mapper_of(MapperRole::embedding_file).name});
}

/// Whether OUT is a recorded program, not its traffic.
bool is_program(const ConvertOptions& options) {
  return options.to ? *options.to == goal
                    : std::filesystem::path(options.output).extension() == ".goal";
}

std::string converted_program(const ConvertOptions& options, const std::string& path) {
  if (options.unit != "1" || options.strict || options.is_embedding())
    throw UsageError(
        fmt::format("\"{}\" becomes a program in GOAL: --unit, --strict and networks are for "
                    "traffic and embeddings",
                    options.input));
  if (options.ranks)
    throw UsageError(fmt::format("--ranks {}: a recorded program has the ranks that \"{}\" names",
                                 *options.ranks, options.input));
  TraceOptions trace;
  trace.format = options.from.value_or("");
  trace.collectives.library = options.library;
  if (options.collectives) trace.collectives.algorithms = **options.collectives;
  return to_goal(read_trace(path, trace).program);
}

std::string converted(const ConvertOptions& options, const std::string& path) {
  if (is_program(options)) return converted_program(options, path);
  if (options.collectives)
    throw UsageError(
        "--collectives: only a recorded program that becomes GOAL (OUT .goal) has them");
  return options.is_embedding() ? converted_embedding(options, path)
                                : converted_traffic(options, path);
}

std::string converted_standard_input(const ConvertOptions& options) {
  if (!options.from)
    throw UsageError("standard input has no extension: give its format, --from NAME");
  const StandardInputFile input;
  try {
    return converted(options, input.path());
  } catch (const InputError& error) {
    throw InputError(input.with_its_name(error.what()));
  } catch (const UsageError& error) {
    throw UsageError(input.with_its_name(error.what()));
  }
}

int run_convert(const ConvertOptions& options) {
  check_not_input({options.output}, {options.input});
  check_output(options.output);
  write_output(options.output, options.input == "-" ? converted_standard_input(options)
                                                    : converted(options, options.input));
  return 0;
}

std::string format_help() {
  std::string text = "format of IN by name. Traffic:";
  for (const TrafficFormatInfo& format : traffic_formats())
    text +=
        fmt::format("\n{}{}{} ({}{})", format.name, format.extension.empty() ? "" : " ",
                    format.extension, format.summary, format.write == nullptr ? "; only read" : "");
  text +=
      "\nPrograms (where OUT is .goal): those of vtopo simulate --trace\nEmbeddings (with "
      "--network or --platform): those of vtopo map";
  return text;
}

void add_traffic_options(Verb& verb, ConvertOptions& options) {
  verb.group("Traffic");
  add_scenario_option(verb, options, "prof-kinds");
  add_scenario_option(verb, options, "weights");
  add_scenario_option(verb, options, "record-kinds")
      ->description("of recordings and time-independent traces: p2p, collective or all");
  add_scenario_option(verb, options, "bytes")
      ->description("volume per directed edge of a virtual topology");
  verb.add("--unit", &options.unit,
           "volumes are written as multiples of this, such as 1KiB where whole numbers "
           "would be too large");
  verb.add("--strict", &options.strict, "write nothing that OUT cannot hold exactly");
}

void add_program_options(Verb& verb, ConvertOptions& options) {
  verb.group("Recorded programs");
  for (const auto name : {"collectives", "library"}) add_scenario_option(verb, options, name);
}

void add_embedding_options(Verb& verb, ConvertOptions& options) {
  add_network_options(verb, options);
  add_platform_limit_options(verb, options.limits);
  verb.group("Embeddings: allocation");
  for (const auto name : {"hosts", "slots", "seed"}) add_scenario_option(verb, options, name);
}

}  // namespace

Verb convert() {
  auto options = std::make_shared<ConvertOptions>();
  Verb verb{"convert", "traffic and embeddings from one file format to another"};
  verb.listed = {VerbHeading::placing, 5};
  verb.common = {"--from",         "--to",         "--ranks",          "--bytes",
                 "--unit",         "--strict",     "--traffic-format", "--prof-kinds",
                 "--record-kinds", "--network",    "--platform",       "--hosts",
                 "--slots",        "--host-names", "--collectives",    "--library"};
  verb.examples =
      "Examples:\n"
      "  vtopo convert examples/lammps-lj-64 lammps.csv\n"
      "  vtopo convert examples/halo-4x4.csv halo.grf --unit 1KiB\n"
      "  vtopo convert cart:16x16 grid.graph --bytes 64KiB\n"
      "  vtopo convert examples/lammps-lj-64 traffic.mtx --prof-kinds E,C\n"
      "  vtopo convert examples/halo-4x4-ranks.csv job.rankfile --network torus:4x4\n"
      "  vtopo convert examples/ring.goal all-steps.goal\n"
      "  cat examples/halo-4x4.csv | vtopo convert - - --from edges --to dot\n"
      "\n"
      "Formats go by extension. What OUT cannot hold is reported on stderr: METIS and Scotch have\n"
      "one whole number for both directions of a pair together (half of it each way when read), "
      "mat\n"
      "whole numbers, matrices one volume per pair and no number of messages. To .goal a recorded\n"
      "program is written with all its operations, for LogGOPSim.";
  verb.add("IN", &options->input,
           "file, folder of .prof files, virtual topology (cart:8x8) or - for stdin")
      ->required();
  verb.add("OUT", &options->output, "file, or - for stdout")->required();
  verb.add("--from", &options->from, format_help());
  verb.add("--to", &options->to, "format of OUT by name; goal of a recorded program");
  add_scenario_option(verb, *options, "ranks")
      ->description("number of ranks, where IN does not say or names fewer");
  add_traffic_options(verb, *options);
  add_program_options(verb, *options);
  add_embedding_options(verb, *options);
  verb.run = [options](const Invocation&) { return run_convert(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
