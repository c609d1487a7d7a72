#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "sim/formats/traffic/foreign_traffic.hpp"
#include "sim/formats/traffic/interchange_graph.hpp"
#include "topology/base/append_format.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

namespace xml = boost::property_tree::xml_parser;

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

/// Reads a document as Boost.Graph's reader does, which keeps the names of nodes to itself.
class GraphmlReader {
 public:
  explicit GraphmlReader(const std::string& path) : path_(path), graph_(path) {}

  Recording read(const std::string& text, WeightRule rule) {
    std::istringstream stream(text);
    Tree document;
    xml::read_xml(stream, document, xml::no_comments | xml::trim_whitespace);
    const auto root = document.get_child_optional("graphml");
    if (!root) fail("no element <graphml>");
    if (root->count("graph") != 1)
      fail(fmt::format("{} graphs; accepted is one", root->count("graph")));
    for (const auto& [name, element] : *root)
      if (name == "key") add_key(element);
    read_graph(root->get_child("graph"));
    return std::move(graph_).recording(rule);
  }

 private:
  using Tree = boost::property_tree::ptree;

  /// An attribute that the document declares.
  struct Key {
    std::string name;
    boost::optional<std::string> value;  ///< of edges that have none of their own
  };

  [[noreturn]] void fail(std::string_view what) const { throw input_error({path_}, what); }

  std::string attribute(const Tree& element, std::string_view of, const std::string& name) const {
    const auto value = element.get_optional<std::string>("<xmlattr>." + name);
    if (!value) fail(fmt::format("<{}> without {}=", of, name));
    return *value;
  }

  void add_key(const Tree& element) {
    const auto subject = element.get("<xmlattr>.for", "all");
    if (subject != "edge" && subject != "all") return;
    const std::string id = attribute(element, "key", "id");
    // The name is an attribute whose own name has a dot, the separator of usual paths.
    const auto name =
        element.get_optional<std::string>(Tree::path_type("<xmlattr>/attr.name", '/'));
    keys_[id] = {name.value_or(id), element.get_optional<std::string>("default")};
  }

  void read_graph(const Tree& graph) {
    const std::string direction = attribute(graph, "graph", "edgedefault");
    for (const auto& [name, element] : graph) {
      if (name == "hyperedge") fail("a <hyperedge>; accepted are edges of two nodes");
      if (name != "node") continue;
      if (element.count("graph") > 0) fail("a <graph> inside a <node>; accepted is one graph");
      graph_.node(attribute(element, "node", "id"));
    }
    for (const auto& [name, element] : graph)
      if (name == "edge") add_edge(element, direction == "directed");
  }

  void add_edge(const Tree& element, bool directed_default) {
    const auto directed = element.get_optional<std::string>("<xmlattr>.directed");
    const std::size_t source = graph_.node(attribute(element, "edge", "source"));
    const std::size_t target = graph_.node(attribute(element, "edge", "target"));
    const std::size_t edge = graph_.add_edge(
        source, target, directed ? *directed == "true" || *directed == "1" : directed_default);
    for (const auto& [id, key] : keys_)
      if (key.value) graph_.set_attribute(edge, key.name, *key.value);
    for (const auto& [name, data] : element) {
      if (name != "data") continue;
      const std::string id = attribute(data, "data", "key");
      const auto key = keys_.find(id);
      graph_.set_attribute(edge, key == keys_.end() ? id : key->second.name, data.data());
    }
  }

  const std::string& path_;
  InterchangeGraph graph_;
  std::map<std::string, Key> keys_;
};

}  // namespace

Recording read_graphml(const std::string& path, WeightRule rule) {
  const std::string text = read_interchange_text(path);
  Tags(path, text).check();
  try {
    return GraphmlReader(path).read(text, rule);
  } catch (const xml::xml_parser_error& error) {
    throw input_error({path, narrow<int>(error.line())},
                      fmt::format("{}; accepted is GraphML", error.message()));
  }
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
