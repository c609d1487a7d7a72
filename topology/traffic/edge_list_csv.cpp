#include <algorithm>

#include "topology/base/append_format.hpp"
#include "topology/base/line_values.hpp"
#include "topology/traffic/formats.hpp"

namespace vtopo::detail {

namespace {

constexpr std::string_view accepted_header = "src,dst,bytes or src,dst,bytes,messages";

/// Number of columns that the header announces.
std::size_t read_header(LineFile& file) {
  if (!file.next_content())
    throw input_error({file.path()}, fmt::format("no header; accepted is {}", accepted_header));
  std::string header;
  const auto fields = file.fields(',');
  for (const Token& field : fields) {
    if (!header.empty()) header += ',';
    header += field.text;
  }
  if (header != "src,dst,bytes" && header != "src,dst,bytes,messages")
    throw input_error(file.at(fields[0].column),
                      fmt::format("header \"{}\"; accepted is {}", header, accepted_header));
  return fields.size();
}

DirectedEdge read_edge(LineFile& file, std::size_t num_columns) {
  const auto fields = file.fields(',');
  if (fields.size() != num_columns)
    throw input_error(
        fields.size() < num_columns ? file.line_end() : file.at(fields[num_columns].column),
        fmt::format("{} fields where the header has {}", fields.size(), num_columns));
  DirectedEdge edge{read_rank(file, fields[0]), read_rank(file, fields[1]), {}};
  edge.volume = Bytes{read_number(file, fields[2], "volume")};
  if (num_columns == 4) edge.messages = read_messages(file, fields[3]);
  return edge;
}

}  // namespace

Recording read_edge_list_csv(const std::string& path) {
  LineFile file(path);
  const std::size_t num_columns = read_header(file);
  Recording recording;
  while (file.next_content()) {
    const DirectedEdge edge = read_edge(file, num_columns);
    recording.name(edge.source);
    recording.name(edge.destination);
    if (edge.volume.value > 0 || edge.messages > 0) recording.edges.push_back(edge);
  }
  return recording;
}

std::string write_edge_list_csv(const CommGraph& graph) {
  std::string text = "src,dst,bytes,messages\n";
  int named = 0;
  graph.for_each_edge([&](Rank source, const CommEdge& edge) {
    append_format(text, "{},{},{},{}\n", number(source), number(edge.destination),
                  edge.volume.value, edge.messages);
    named = std::max({named, number(source) + 1, number(edge.destination) + 1});
  });
  const int last = graph.num_ranks() - 1;  // named although it is silent
  if (named <= last) append_format(text, "{},{},0,0\n", last, last);
  return text;
}

}  // namespace vtopo::detail
