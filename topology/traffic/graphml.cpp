#include <algorithm>
#include <boost/graph/graphml.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <sstream>
#include <string>
#include <utility>

#include "topology/base/line_values.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/append_format.hpp"
#include "topology/traffic/formats.hpp"
#include "topology/traffic/interchange_graph.hpp"

namespace vtopo::detail {

namespace {

/// Takes from Boost.Graph's reader what it finds: nodes are ranks in the order of the file.
class GraphmlTarget : public boost::mutate_graph {
 public:
  GraphmlTarget(const std::string& path, bool directed) : path_(path), graph_(path, directed) {}

  bool is_directed() const override { return graph_.is_directed(); }

  boost::any do_add_vertex() override {
    if (num_ranks_ == max_ranks_in_file)
      throw input_error({path_}, fmt::format("more than {} nodes", max_ranks_in_file));
    graph_.name(Rank{num_ranks_});
    return Rank{num_ranks_++};
  }

  std::pair<boost::any, bool> do_add_edge(boost::any source, boost::any target) override {
    const auto* from = boost::any_cast<Rank>(&source);
    const auto* to = boost::any_cast<Rank>(&target);
    if (from == nullptr || to == nullptr)
      throw input_error({path_}, "an edge of a node that the file does not have");
    return {graph_.add_edge(*from, *to), true};
  }

  void set_graph_property(const std::string&, const std::string&, const std::string&) override {}
  void set_vertex_property(const std::string&, boost::any, const std::string&,
                           const std::string&) override {}
  void set_edge_property(const std::string& name, boost::any edge, const std::string& value,
                         const std::string&) override {
    if (const auto* edge_number = boost::any_cast<std::size_t>(&edge))
      graph_.set_attribute(*edge_number, name, value);
  }

  InterchangeGraph&& graph() && { return std::move(graph_); }

 private:
  std::string path_;
  InterchangeGraph graph_;
  int num_ranks_ = 0;
};

/// The tags of a document, as far as needed to see how deep they are nested.
class Tags {
 public:
  Tags(const std::string& path, std::string_view text) : path_(path), text_(text) {}

  /// The XML reader calls itself for each level: a document nested deeply would end the program.
  /// @throws InputError if elements are nested more than `deepest`, or for a kind of markup that
  /// communication graphs have no use for.
  void check() {
    constexpr int deepest = 64;
    int depth = 0;
    for (at_ = text_.find('<'); at_ != std::string_view::npos; at_ = text_.find('<', at_)) {
      depth += next_tag();
      if (depth > deepest) fail(fmt::format("elements nested more than {} deep", deepest));
      if (depth == 0 && has_element_) return check_end();
    }
  }

 private:
  [[noreturn]] void fail(std::string_view sentence) const {
    const auto seen = text_.substr(0, at_);
    throw input_error({path_, narrow<int>(std::count(seen.begin(), seen.end(), '\n')) + 1},
                      sentence);
  }

  /// The reader takes the first document and ignores what follows.
  void check_end() {
    if (at_ < text_.size() && text_[at_] == '>') ++at_;
    while ((at_ = text_.find_first_not_of(" \t\r\n", at_)) != std::string_view::npos) {
      const std::string_view rest = text_.substr(at_);
      if (!rest.starts_with("<!--") && !rest.starts_with("<?"))
        fail("something behind the end of the document; accepted is one document per file");
      next_tag();
    }
  }

  void skip_behind(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
  }

  /// Moves behind the tag at the current place; returns by how much it changes the depth.
  int next_tag() {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("<!--")) return skip_behind("-->"), 0;
    if (rest.starts_with("<?")) return skip_behind("?>"), 0;
    if (rest.starts_with("<!")) fail("a declaration or CDATA; accepted are elements and comments");
    if (rest.starts_with("</")) return skip_behind(">"), -1;
    has_element_ = true;
    char quote = 0;
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (quote == 0 && c == '>') break;
      if (quote == 0 && (c == '"' || c == '\''))
        quote = c;
      else if (c == quote)
        quote = 0;
    }
    return at_ < text_.size() && text_[at_ - 1] == '/' ? 0 : 1;
  }

  const std::string& path_;
  std::string_view text_;
  std::size_t at_ = 0;
  bool has_element_ = false;
};

Recording read_graphml_graph(const std::string& path, const std::string& text, bool directed) {
  GraphmlTarget target(path, directed);
  std::istringstream stream(text);
  try {
    boost::read_graphml(stream, target, 0);
  } catch (const boost::property_tree::xml_parser_error& error) {
    throw input_error({path, narrow<int>(error.line())},
                      fmt::format("{}; accepted is GraphML", error.message()));
  }
  return std::move(target).graph().recording();
}

}  // namespace

Recording read_graphml(const std::string& path) {
  const std::string text = read_interchange_text(path);
  Tags(path, text).check();
  return read_by_boost(path, "GraphML",
                       [&](bool directed) { return read_graphml_graph(path, text, directed); });
}

std::string write_graphml(const CommGraph& graph) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
      "  <key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n"
      "  <key id=\"m\" for=\"edge\" attr.name=\"messages\" attr.type=\"int\"/>\n"
      "  <graph id=\"G\" edgedefault=\"directed\">\n";
  for (int r = 0; r < graph.num_ranks(); ++r) append_format(text, "    <node id=\"n{}\"/>\n", r);
  graph.for_each_edge([&](Rank source, const CommEdge& edge) {
    append_format(text,
                  "    <edge source=\"n{}\" target=\"n{}\"><data key=\"w\">{}</data><data "
                  "key=\"m\">{}</data></edge>\n",
                  number(source), number(edge.destination), edge.volume.value, edge.messages);
  });
  text += "  </graph>\n</graphml>\n";
  return text;
}

}  // namespace vtopo::detail
