#include <algorithm>
#include <boost/graph/graphviz.hpp>
#include <map>
#include <string>
#include <utility>

#include "topology/base/append_format.hpp"
#include "topology/base/line_values.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/traffic/formats.hpp"
#include "topology/traffic/interchange_graph.hpp"

namespace vtopo::detail {

namespace {

namespace reader = boost::detail::graph;

/// Takes from Boost.Graph's reader what it finds. Nodes come sorted by name, so that the name must
/// say the rank.
class DotTarget : public reader::mutate_graph {
 public:
  DotTarget(const std::string& path, bool directed) : path_(path), graph_(path, directed) {}

  bool is_directed() const override { return graph_.is_directed(); }
  void do_add_vertex(const reader::node_t& node) override { graph_.name(rank_of(node)); }
  void do_add_edge(const reader::edge_t& edge, const reader::node_t& source,
                   const reader::node_t& target) override {
    edges_.emplace(edge, graph_.add_edge(rank_of(source), rank_of(target)));
  }
  void set_node_property(const reader::id_t&, const reader::node_t&, const reader::id_t&) override {
  }
  void set_edge_property(const reader::id_t& key, const reader::edge_t& edge,
                         const reader::id_t& value) override {
    graph_.set_attribute(edges_.at(edge), key, value);
  }
  void set_graph_property(const reader::id_t&, const reader::id_t&) override {}
  void finish_building_graph() override {}

  InterchangeGraph&& graph() && { return std::move(graph_); }

 private:
  /// Rank of a node called `7` or `n7`.
  Rank rank_of(std::string_view name) const {
    const auto rank = parse_integer(name.starts_with('n') ? name.substr(1) : name);
    if (!rank || *rank < 0 || *rank >= max_ranks_in_file)
      throw input_error({path_}, fmt::format("node \"{}\"; accepted are ranks such as 7 or n7, in "
                                             "0..{}",
                                             name, max_ranks_in_file - 1));
    return Rank{narrow<int>(*rank)};
  }

  std::string path_;
  InterchangeGraph graph_;
  std::map<reader::edge_t, std::size_t> edges_;
};

/// The reader calls itself for each brace: a file nested deeply would end the program.
void check_braces(const std::string& path, std::string_view text) {
  constexpr auto most = 256;
  if (const auto braces = std::count(text.begin(), text.end(), '{'); braces > most)
    throw input_error({path}, fmt::format("{} opening braces; accepted are up to {}, a "
                                          "communication graph needs one",
                                          braces, most));
}

/// Where a quoted string, a comment or HTML that starts at `at` is over; `at` if none does.
std::size_t behind_verbatim(std::string_view text, std::size_t at) {
  const auto behind = [&](std::string_view end) {
    const std::size_t found = text.find(end, at + 1);
    return found == std::string_view::npos ? text.size() : found + end.size();
  };
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) return behind("\n");
  if (rest.starts_with("/*")) return behind("*/");
  if (rest[0] == '#' && (at == 0 || text[at - 1] == '\n')) return behind("\n");
  if (rest[0] == '<') return behind(">");
  if (rest[0] != '"') return at;
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

/// DOT ends a number that has no quotes before a letter: the reader takes 1e6 for 1 and a name.
/// @throws InputError for such a number.
void check_numbers(const std::string& path, std::string_view text) {
  constexpr std::string_view digits = "0123456789.";
  constexpr std::string_view letters =
      "0123456789.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t behind = behind_verbatim(text, at); behind != at) {
      at = behind;
      continue;
    }
    const std::size_t end = std::min(text.find_first_not_of(letters, at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (!word.empty() && digits.find(word[0]) != digits.npos &&
        word.find_first_not_of(digits) != word.npos)
      throw input_error(
          {path,
           narrow<int>(std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '\n')) + 1},
          fmt::format("\"{}\" is two words in DOT; accepted are numbers without letters, or "
                      "with exponents in quotes",
                      word));
    at = std::max(end, at + 1);
  }
}

Recording read_graph(const std::string& path, const std::string& text, bool directed) {
  DotTarget target(path, directed);
  reader::read_graphviz_new(text, &target);
  return std::move(target).graph().recording();
}

}  // namespace

Recording read_dot(const std::string& path) {
  const std::string text = read_interchange_text(path);
  check_braces(path, text);
  check_numbers(path, text);
  return read_by_boost(path, "DOT",
                       [&](bool directed) { return read_graph(path, text, directed); });
}

std::string write_dot(const CommGraph& graph) {
  std::string text = "digraph traffic {\n";
  for (int r = 0; r < graph.num_ranks(); ++r) append_format(text, "  {};\n", r);
  graph.for_each_edge([&](Rank source, const CommEdge& edge) {
    append_format(text, "  {} -> {} [weight=\"{}\", messages={}];\n", number(source),
                  number(edge.destination), edge.volume.value, edge.messages);
  });
  text += "}\n";
  return text;
}

}  // namespace vtopo::detail
