#include <cstdint>
#include <limits>

#include "topology/base/append_format.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/traffic/formats.hpp"

namespace vtopo::detail {

namespace {

constexpr std::string_view columns =
    "source,destination,bytes,messages,collective_bytes,collective_messages";

/// Number behind `word` in a line such as `# ranks 64`.
/// @throws InputError unless it is an integer in 0..largest.
std::int64_t number_behind(const LineFile& file, std::string_view word, std::int64_t largest) {
  const std::string_view line = trim(file.line());
  const auto value = line.starts_with(word) ? parse_integer(trim(line.substr(word.size())))
                                            : std::optional<std::int64_t>();
  if (!value || *value < 0 || *value > largest)
    throw input_error(file.at(1), fmt::format("\"{}\" stands where \"{} N\" belongs, with N in "
                                              "0..{}",
                                              line, word, largest));
  return *value;
}

/// @throws InputError with `what` if the file ends here.
void next_line(LineFile& file, const FilePosition& end, std::string_view what) {
  if (!file.next())
    throw input_error(end, fmt::format("the file ends before {}: the recording is cut off", what));
}

/// Reads the three lines at the top; returns the number of ranks.
int read_header(LineFile& file) {
  const FilePosition end{file.path()};
  next_line(file, end, "its first line");
  if (const auto version = number_behind(file, "# vtopo-record", 1000000); version != 1)
    throw input_error(file.at(1),
                      fmt::format("version {} of the format; accepted is version 1", version));
  next_line(file, end, "the number of ranks");
  const auto ranks = number_behind(file, "# ranks", max_ranks_in_file);
  next_line(file, end, "the names of the columns");
  if (trim(file.line()) != columns)
    throw input_error(file.at(1),
                      fmt::format("columns \"{}\"; accepted are {}", trim(file.line()), columns));
  return narrow<int>(ranks);
}

Rank read_member(const LineFile& file, const Token& token, int num_ranks) {
  const Rank rank = read_rank(file, token);
  if (number(rank) >= num_ranks)
    throw input_error(file.at(token.column),
                      fmt::format("rank {} in a recording of {} ranks", number(rank), num_ranks));
  return rank;
}

std::int64_t read_count(const LineFile& file, const Token& token) {
  const auto count = parse_integer(token.text);
  if (!count || *count < 0)
    throw input_error(
        file.at(token.column),
        fmt::format("number of messages \"{}\": accepted is an integer in 0..2^63-1", token.text));
  return *count;
}

/// Volume and messages of the kinds that count.
DirectedEdge read_edge(LineFile& file, int num_ranks, RecordKinds kinds) {
  const auto fields = file.fields(',');
  if (fields.size() != 6)
    throw input_error(fields.size() < 6 ? file.line_end() : file.at(fields[6].column),
                      fmt::format("{} fields; accepted are 6: {}", fields.size(), columns));
  DirectedEdge edge{
      read_member(file, fields[0], num_ranks), read_member(file, fields[1], num_ranks), {}};
  std::uint64_t messages = 0;
  for (const std::size_t column : {2U, 4U}) {
    const double bytes = read_number(file, fields[column], "volume");
    const auto count = static_cast<std::uint64_t>(read_count(file, fields[column + 1]));
    if (kinds == (column == 2 ? RecordKinds::collective : RecordKinds::point_to_point)) continue;
    edge.volume.value += bytes;
    messages += count;
  }
  if (messages > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
    throw input_error(file.at(fields[3].column),
                      fmt::format("{} messages from rank {} to rank {}; accepted are up to "
                                  "2147483647",
                                  messages, number(edge.source), number(edge.destination)));
  edge.messages = narrow<int>(messages);
  return edge;
}

}  // namespace

bool is_vtopo_record(const std::string& path) {
  LineFile file(path);
  return file.next() && file.line().starts_with("# vtopo-record");
}

Recording read_vtopo_record(const std::string& path, RecordKinds kinds) {
  LineFile file(path);
  Recording recording;
  recording.num_ranks = read_header(file);
  std::int64_t lines = 0;
  for (;; ++lines) {
    next_line(file, file.line_end(), "its last line \"# end N\"");
    if (file.line().starts_with("# end")) break;
    const DirectedEdge edge = read_edge(file, recording.num_ranks, kinds);
    if (edge.volume.value > 0 || edge.messages > 0) recording.edges.push_back(edge);
  }
  if (number_behind(file, "# end", std::numeric_limits<std::int64_t>::max()) != lines)
    throw input_error(file.at(1), fmt::format("\"{}\" after {} lines: lines are missing or added",
                                              trim(file.line()), lines));
  while (file.next()) {
    if (trim(file.line()).empty()) continue;
    throw input_error(file.at(1),
                      fmt::format("\"{}\" behind the last line \"# end {}\"; accepted is "
                                  "one recording per file",
                                  trim(file.line()), lines));
  }
  return recording;
}

std::string write_vtopo_record(const CommGraph& graph) {
  std::string text = fmt::format("# vtopo-record 1\n# ranks {}\n{}\n", graph.num_ranks(), columns);
  graph.for_each_edge([&](Rank source, const CommEdge& edge) {
    append_format(text, "{},{},{},{},0,0\n", number(source), number(edge.destination),
                  edge.volume.value, edge.messages);
  });
  text += fmt::format("# end {}\n", graph.num_edges());
  return text;
}

}  // namespace vtopo::detail
