#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "sim/formats/traffic/foreign_traffic.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// Headings per communicator and their sums; they repeat what the `C` lines say.
constexpr std::array<std::string_view, 4> summary_kinds{"D", "O2A", "A2O", "A2A"};

/// What a line kind counts.
struct KindMeaning {
  std::string_view kind;
  std::string_view meaning;
};
constexpr std::array<KindMeaning, 5> meanings{{{"E", "point-to-point"},
                                               {"I", "inside the library"},
                                               {"C", "collectives"},
                                               {"S", "one-sided writes"},
                                               {"R", "one-sided reads"}}};

template <class Kinds>
bool has_kind(const Kinds& kinds, std::string_view kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// Volume and messages, summed over lines.
struct Flow {
  double bytes = 0;
  std::int64_t messages = 0;

  void add(double more_bytes, std::int64_t more_messages) {
    bytes += more_bytes;
    messages += more_messages;
  }
};

/// Sums up the lines of one or more files.
class ProfReader {
 public:
  explicit ProfReader(std::span<const std::string> kinds) : kinds_(kinds) {}

  /// Reads one file; where `owner` is given, every line must come from that rank.
  /// @param may_be_empty whether a silent rank has an empty file; else it is cut off.
  void read(const std::string& path, std::optional<Rank> owner, bool may_be_empty) {
    LineFile file(path);
    bool empty = true;
    for (; file.next(); empty = false) {
      if (!file.has_line_end())
        throw input_error(file.line_end(),
                          "the file ends inside this line: the recording is cut off, Open MPI ends "
                          "every line with a line end");
      if (file.line().starts_with('#'))
        is_new_ = true;
      else if (!trim(file.line()).empty())
        read_line(file, owner);
    }
    if (empty && !may_be_empty)
      throw input_error({path}, "no line: the recording of this rank is cut off");
  }

  /// @throws InputError if messages of a pair exceed 2^31-1 in sum.
  Recording recording(const std::string& path) && {
    take_old_kinds();
    Flows counted;
    for (const auto& [kind, flows] : flows_)
      for (const auto& [ends, flow] : flows)
        (has_kind(kinds_, kind) ? counted[ends] : uncounted_[kind]).add(flow.bytes, flow.messages);
    for (const auto& [ends, flow] : counted) {
      if (flow.messages > std::numeric_limits<int>::max())
        throw input_error({path},
                          fmt::format("{} messages from rank {} to rank {}; accepted are "
                                      "up to 2147483647",
                                      flow.messages, number(ends.first), number(ends.second)));
      if (flow.bytes > 0 || flow.messages > 0)
        recording_.edges.push_back(
            {ends.first, ends.second, Bytes{flow.bytes}, narrow<int>(flow.messages)});
    }
    remark_on_uncounted();
    return std::move(recording_);
  }

  int num_ranks() const { return recording_.num_ranks; }

 private:
  void read_line(LineFile& file, std::optional<Rank> owner) {
    const auto fields = file.fields('\t');
    const std::string_view kind = fields[0].text;
    is_new_ = is_new_ || (kind != "E" && kind != "I");
    if (has_kind(prof_traffic_kinds, kind)) return read_traffic_line(file, fields, owner);
    if (!has_kind(summary_kinds, kind))
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
    if (fields[0].text == "R") std::swap(source, destination);
    flows_[std::string(fields[0].text)][{source, destination}].add(bytes, messages);
  }

  /// Open MPI before 3.0 wrote no headings and two kinds of lines: `I` for what the application
  /// sends, `E` for what the filter takes from it, messages with tags of the library.
  void take_old_kinds() {
    if (is_new_ || flows_.empty()) return;
    const bool has_library = flows_.contains("E");
    std::string meaning =
        "lines E count as kind E (point-to-point); before 3.0 they were inside the library";
    if (flows_.contains("I")) {
      std::swap(flows_["E"], flows_["I"]);
      meaning =
          fmt::format("as of Open MPI before 3.0, lines I count as kind E (point-to-point){}",
                      has_library ? ", lines E as kind I (inside the library)"
                                  : "; as there are no lines E, collectives may be among them "
                                    "(pml_monitoring_enable 1)");
    }
    recording_.remarks.push_back("no line \"# POINT TO POINT\": " + meaning);
  }

  /// Kinds `I` and `C` count the same collectives: one of them is enough.
  void remark_on_uncounted() {
    std::vector<std::string> parts, more(kinds_.begin(), kinds_.end());
    for (const auto& [kind, meaning] : meanings) {
      const auto found = uncounted_.find(kind);
      const bool again =
          (kind == "I" && has_kind(kinds_, "C")) || (kind == "C" && has_kind(kinds_, "I"));
      if (again || found == uncounted_.end() || found->second.bytes <= 0) continue;
      const bool same = kind == "C" && uncounted_.contains("I");
      parts.push_back(fmt::format("{} of kind {} ({})", format_bytes({found->second.bytes}), kind,
                                  same ? "the same collectives" : meaning));
      if (kind != "C" || !has_kind(more, "I")) more.emplace_back(kind);
    }
    if (parts.empty()) return;
    recording_.remarks.push_back(fmt::format("not counted: {}; --prof-kinds {} counts {}",
                                             join(parts, ", "), join(more, ","),
                                             parts.size() == 1 ? "it" : "them"));
  }

  static Token without_unit(const LineFile& file, const Token& token, std::string_view unit) {
    if (!token.text.ends_with(unit))
      throw input_error(
          file.at(token.column),
          fmt::format("\"{}\" is not a number with \"{}\" behind it", token.text, unit));
    return {token.text.substr(0, token.text.size() - unit.size()), token.column};
  }

  std::span<const std::string> kinds_;
  using Flows = std::map<std::pair<Rank, Rank>, Flow>;
  bool is_new_ = false;                                 ///< of Open MPI 3.0 or later
  std::map<std::string, Flows, std::less<>> flows_;     ///< by kind
  std::map<std::string, Flow, std::less<>> uncounted_;  ///< by kind
  Recording recording_;
};

/// What the name of a file says: `NAME.<rank>.prof`, and `NAME_<phase>_<rank>.prof` of older
/// versions, which wrote a file per rank whenever the program asked for it.
struct FileName {
  Rank rank{};
  std::string run;    ///< `NAME`
  std::string phase;  ///< empty where files have none
};

FileName parse_file_name(const std::filesystem::path& path) {
  const std::string stem = path.stem().string();
  const std::size_t end = stem.find_last_of("._");
  const auto rank =
      end == stem.npos ? std::nullopt : parse_integer(std::string_view(stem).substr(end + 1));
  if (!rank || *rank < 0 || *rank >= max_ranks_in_file)
    throw input_error(
        {path.string()},
        fmt::format("no rank in the file name; accepted in a folder are names such as "
                    "run.17.prof with ranks 0..{}",
                    max_ranks_in_file - 1));
  FileName name{Rank{narrow<int>(*rank)}, stem.substr(0, end), ""};
  const std::size_t front = name.run.rfind('_');
  if (stem[end] == '.' || front == stem.npos || !parse_integer(name.run.substr(front + 1)))
    return name;
  name.phase = name.run.substr(front + 1);
  name.run.resize(front);
  return name;
}

/// Files by rank.
using RankFiles = std::map<Rank, std::string>;

/// Files of a folder by phase; one phase without a name where files have none.
/// @throws InputError for two files of one rank.
std::map<std::string, RankFiles> files_of_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  std::vector<fs::path> paths;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().extension() == ".prof") paths.push_back(entry->path());
  if (error) throw input_error({folder}, fmt::format("cannot be read: {}", error.message()));
  std::sort(paths.begin(), paths.end());
  std::map<std::string, RankFiles> files;
  std::string run;
  for (const auto& path : paths) {
    const FileName name = parse_file_name(path);
    const bool has_phases = !name.phase.empty();
    if (!files.empty() && (files.contains("") == has_phases || (has_phases && name.run != run)))
      throw input_error(
          {path.string()},
          fmt::format("another recording, \"{}\", besides \"{}\"; accepted is one", name.run, run));
    run = name.run;
    const auto [other, added] = files[name.phase].emplace(name.rank, path.string());
    if (!added)
      throw input_error({path.string()},
                        fmt::format("second file of rank {} besides {}; accepted is one per rank",
                                    number(other->first), other->second));
  }
  return files;
}

void check_all_ranks(const std::string& folder, const RankFiles& files, int num_ranks) {
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
    reader.read(path, std::nullopt, false);
    return std::move(reader).recording(path);
  }
  const auto phases = files_of_folder(path);
  if (phases.empty()) throw input_error({path}, "no .prof file in the folder");
  std::vector<std::string> names;
  for (const auto& [phase, files] : phases) {
    check_all_ranks(path, files, number(files.rbegin()->first) + 1);
    for (const auto& [rank, file] : files) reader.read(file, rank, !phase.empty());
    names.push_back(phase);
  }
  for (const auto& [phase, files] : phases) check_all_ranks(path, files, reader.num_ranks());
  Recording recording = std::move(reader).recording(path);
  if (names.size() > 1)
    recording.remarks.push_back(fmt::format("the phases {} are added up", join(names, ", ")));
  return recording;
}

}  // namespace vtopo::detail
