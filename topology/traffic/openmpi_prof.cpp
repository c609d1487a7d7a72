#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "topology/base/line_values.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/traffic/formats.hpp"

namespace vtopo::detail {

namespace {

/// Headings per communicator and their sums; they repeat what the `C` lines say.
constexpr std::array<std::string_view, 4> summary_kinds{"D", "O2A", "A2O", "A2A"};

bool holds(std::span<const std::string_view> kinds, std::string_view kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// Volume and messages of an ordered pair of ranks, summed over lines.
struct Flow {
  double bytes = 0;
  std::int64_t messages = 0;
};

/// Sums up the lines of one or more files.
class ProfReader {
 public:
  explicit ProfReader(std::span<const std::string> kinds) : kinds_(kinds) {}

  /// Reads one file; where `owner` is given, every line must come from that rank.
  void read(const std::string& path, std::optional<Rank> owner) {
    LineFile file(path);
    bool empty = true;
    for (; file.next(); empty = false) {
      if (!file.has_line_end())
        throw input_error(file.line_end(),
                          "the file ends inside this line: the recording is cut off, Open MPI ends "
                          "every line with a line end");
      if (!file.line().starts_with('#') && !trim(file.line()).empty()) read_line(file, owner);
    }
    if (empty) throw input_error({path}, "no line: the recording of this rank is cut off");
  }

  /// @throws InputError if messages of a pair exceed 2^31-1 in sum.
  Recording recording(const std::string& path) && {
    for (const auto& [ends, flow] : flows_) {
      if (flow.messages > std::numeric_limits<int>::max())
        throw input_error({path},
                          fmt::format("{} messages from rank {} to rank {}; accepted are "
                                      "up to 2147483647",
                                      flow.messages, number(ends.first), number(ends.second)));
      if (flow.bytes > 0 || flow.messages > 0)
        recording_.edges.push_back(
            {ends.first, ends.second, Bytes{flow.bytes}, narrow<int>(flow.messages)});
    }
    return std::move(recording_);
  }

  int num_ranks() const { return recording_.num_ranks; }

 private:
  void read_line(LineFile& file, std::optional<Rank> owner) {
    const auto fields = file.fields('\t');
    const std::string_view kind = fields[0].text;
    if (holds(prof_traffic_kinds, kind)) return read_traffic_line(file, fields, owner);
    if (!holds(summary_kinds, kind))
      throw input_error(file.at(fields[0].column),
                        fmt::format("line kind \"{}\" is unknown; accepted are E I S R C D O2A A2O "
                                    "A2A, with tabs between fields",
                                    kind));
    if (kind == "D") name_members(fields.back().text);
  }

  /// Lets the ranks of `procs: 0,1,2` count as named: silent ranks appear nowhere else.
  void name_members(std::string_view members) {
    constexpr std::string_view heading = "procs: ";
    if (!members.starts_with(heading)) return;
    for (const auto member : split(members.substr(heading.size()), ',')) {
      const auto rank = parse_integer(member);
      if (rank && *rank >= 0 && *rank < max_ranks_in_file)
        recording_.name(Rank{narrow<int>(*rank)});
    }
  }

  /// Reads `kind src dst "N bytes" "N msgs sent" [histogram]`.
  void read_traffic_line(const LineFile& file, std::span<const Token> fields,
                         std::optional<Rank> owner) {
    if (fields.size() < 5)
      throw input_error(
          file.line_end(),
          fmt::format("the line ends after {} of at least 5 fields; accepted is kind, "
                      "source, destination, \"N bytes\", \"N msgs sent\" between tabs",
                      fields.size()));
    Rank source = read_rank(file, fields[1]);
    Rank destination = read_rank(file, fields[2]);
    if (owner && source != *owner)
      throw input_error(
          file.at(fields[1].column),
          fmt::format("rank {} in the file of rank {}; accepted are lines of the rank "
                      "in the file name",
                      number(source), number(*owner)));
    const double bytes = read_number(file, without_unit(file, fields[3], " bytes"), "volume");
    const int messages = read_messages(file, without_unit(file, fields[4], " msgs sent"));
    recording_.name(source);
    recording_.name(destination);
    if (std::find(kinds_.begin(), kinds_.end(), fields[0].text) == kinds_.end()) return;
    if (fields[0].text == "R") std::swap(source, destination);
    Flow& flow = flows_[{source, destination}];
    flow.bytes += bytes;
    flow.messages += messages;
  }

  static Token without_unit(const LineFile& file, const Token& token, std::string_view unit) {
    if (!token.text.ends_with(unit))
      throw input_error(
          file.at(token.column),
          fmt::format("\"{}\" is not a number with \"{}\" behind it", token.text, unit));
    return {token.text.substr(0, token.text.size() - unit.size()), token.column};
  }

  std::span<const std::string> kinds_;
  std::map<std::pair<Rank, Rank>, Flow> flows_;
  Recording recording_;
};

/// Rank in `NAME.<rank>.prof`.
Rank rank_of_file(const std::filesystem::path& path) {
  const std::string stem = path.stem().string();
  const auto rank = parse_integer(split(stem, '.').back());
  if (!rank || *rank < 0 || *rank >= max_ranks_in_file || stem.find('.') == std::string::npos)
    throw input_error(
        {path.string()},
        fmt::format("no rank in the file name; accepted in a folder are names such as "
                    "run.17.prof with ranks 0..{}",
                    max_ranks_in_file - 1));
  return Rank{narrow<int>(*rank)};
}

/// Files of a folder by rank.
/// @throws InputError for two files of one rank.
std::map<Rank, std::string> files_of_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  std::vector<fs::path> paths;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().extension() == ".prof") paths.push_back(entry->path());
  if (error) throw input_error({folder}, fmt::format("cannot be read: {}", error.message()));
  std::sort(paths.begin(), paths.end());
  std::map<Rank, std::string> files;
  for (const auto& path : paths) {
    const auto [other, added] = files.emplace(rank_of_file(path), path.string());
    if (!added)
      throw input_error({path.string()},
                        fmt::format("second file of rank {} besides {}; accepted is one per rank",
                                    number(other->first), other->second));
  }
  return files;
}

void check_all_ranks(const std::string& folder, const std::map<Rank, std::string>& files,
                     int num_ranks) {
  const int missing = num_ranks - int_size(files);
  if (missing <= 0) return;
  int first = 0;
  while (files.contains(Rank{first})) ++first;
  throw input_error({folder},
                    fmt::format("no file of rank {}{}; accepted is one .prof file of each rank in "
                                "0..{}",
                                first, missing > 1 ? fmt::format(" and {} more", missing - 1) : "",
                                num_ranks - 1));
}

}  // namespace

Recording read_openmpi_prof(const std::string& path, std::span<const std::string> kinds) {
  ProfReader reader(kinds);
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    reader.read(path, std::nullopt);
    return std::move(reader).recording(path);
  }
  const auto files = files_of_folder(path);
  if (files.empty()) throw input_error({path}, "no .prof file in the folder");
  check_all_ranks(path, files, number(files.rbegin()->first) + 1);
  for (const auto& [rank, file] : files) reader.read(file, rank);
  check_all_ranks(path, files, reader.num_ranks());
  return std::move(reader).recording(path);
}

}  // namespace vtopo::detail
