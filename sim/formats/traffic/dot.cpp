#include <algorithm>
#include <boost/graph/graphviz.hpp>
#include <cctype>
#include <map>
#include <new>
#include <string>
#include <utility>

#include "sim/formats/traffic/foreign_traffic.hpp"
#include "sim/formats/traffic/interchange_graph.hpp"
#include "topology/base/append_format.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

namespace reader = boost::detail::graph;

/// Takes from Boost.Graph's reader what it finds.
class DotTarget : public reader::mutate_graph {
 public:
  DotTarget(const std::string& path, bool directed) : graph_(path), directed_(directed) {}

  bool is_directed() const override { return directed_; }
  void do_add_vertex(const reader::node_t& node) override { graph_.node(node); }
  void do_add_edge(const reader::edge_t& edge, const reader::node_t& source,
                   const reader::node_t& target) override {
    edges_.emplace(edge, graph_.add_edge(graph_.node(source), graph_.node(target), directed_));
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
  InterchangeGraph graph_;
  bool directed_;
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

/// Where each word outside of lists of attributes comes first in a file. Boost's reader returns the
/// nodes, which are among these words, sorted by name.
class FirstPlaces {
 public:
  explicit FirstPlaces(std::string_view text) : text_(text) {
    std::size_t at = std::min(text.find('{'), text.size());
    while (at < text.size()) at = see(at);
  }

  /// Behind all others if there is no such word.
  std::size_t operator()(const std::string& word) const {
    const auto found = places_.find(word);
    return found == places_.end() ? text_.size() : found->second;
  }

 private:
  /// Takes what starts at `at`; returns where it is over.
  std::size_t see(std::size_t at) {
    if (const std::size_t behind = behind_verbatim(text_, at); behind != at) {
      if (text_[at] == '"') add(at, text_.substr(at + 1, behind - std::min(behind, at + 2)));
      return behind;
    }
    constexpr std::string_view ends = " \t\r\n;,:=+-[]{}\"<>#/";
    // A number may have a sign; an arrow is not one.
    const bool sign = text_[at] == '-' && text_.substr(at + 1, 1).find_first_of("0123456789.") == 0;
    const std::size_t end = std::min(text_.find_first_of(ends, sign ? at + 1 : at), text_.size());
    if (end > at) {
      add(at, text_.substr(at, end - at));
      return end;
    }
    lists_ += text_[at] == '[' ? 1 : text_[at] == ']' ? -1 : 0;
    if (text_.substr(at, 1).find_first_not_of(" \t\r\n") == 0) before_ = text_[at];
    return at + 1;
  }

  /// Values (`rankdir=LR`) and ports (`a:n`) are not nodes.
  void add(std::size_t at, std::string_view word) {
    if (lists_ == 0 && before_ != '=' && before_ != ':') places_.emplace(word, at);
    before_ = 0;
  }

  std::string_view text_;
  std::map<std::string, std::size_t, std::less<>> places_;
  int lists_ = 0;    ///< of attributes that are open
  char before_ = 0;  ///< the last sign in front of a word; 0: another word
};

/// The text with `subgraph` in front of braces without it (`0 -> {1 2}`), which the reader does not
/// take at the end of an edge.
/// @throws InputError for such a group with edges inside, of whose nodes the reader loses some.
std::string with_subgraphs(const std::string& path, std::string_view text) {
  struct Group {
    bool is_end = false, has_edge = false;
  };
  const auto is_arrow = [&](std::size_t at) {
    return at < text.size() && (text.substr(at, 2) == "->" || text.substr(at, 2) == "--");
  };
  std::vector<Group> open(1);
  std::string result;
  char before = 0;      // the last sign that is not blank, outside of comments
  bool is_end = false;  // of an edge, what comes next
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t behind = behind_verbatim(text, at);
    const bool after_arrow = before == '>' || before == '-';
    is_end = after_arrow ? text[at] == '{' || text.substr(at).starts_with("subgraph") : is_end;
    const std::string_view piece = text.substr(at, std::max(behind, at + 1) - at);
    if (is_arrow(at)) open.back().has_edge = true;
    if (piece == "{") {
      if (before != 0 && std::string_view(">-;{}]").find(before) != text.npos)
        result += "subgraph ";
      open.push_back({is_end});
      is_end = false;
    } else if (piece == "}" && open.size() > 1) {
      const Group group = open.back();
      open.pop_back();
      if (group.has_edge && (group.is_end || is_arrow(text.find_first_not_of(" \t\r\n", at + 1))))
        throw input_error({path},
                          "an edge ends in a group with edges of its own; accepted are "
                          "groups of nodes such as {1 2}");
      open.back().has_edge = open.back().has_edge || group.has_edge;
    }
    const bool is_comment = behind != at && (piece[0] == '/' || piece[0] == '#');
    if (!is_comment && std::isspace(static_cast<unsigned char>(piece[0])) == 0) before = piece[0];
    result += piece;
    at += piece.size();
  }
  return result;
}

/// @param complete `with_subgraphs` of the text.
/// @throws boost::undirected_graph_error for a graph without directions that is read as one with.
Recording read_graph(const std::string& path, const std::string& text, const std::string& complete,
                     bool directed, WeightRule rule) {
  DotTarget target(path, directed);
  reader::read_graphviz_new(complete, &target);
  InterchangeGraph graph = std::move(target).graph();
  graph.sort_nodes(FirstPlaces(text));
  return std::move(graph).recording(rule);
}

}  // namespace

Recording read_dot(const std::string& path, WeightRule rule) {
  const std::string text = read_interchange_text(path);
  check_braces(path, text);
  check_numbers(path, text);
  try {
    const std::string complete = with_subgraphs(path, text);
    try {
      return read_graph(path, text, complete, true, rule);
    } catch (const boost::undirected_graph_error&) {
      return read_graph(path, text, complete, false, rule);
    }
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw input_error({path}, fmt::format("no DOT that is understood: {}", error.what()));
  }
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
