#include "sim/draw/network/picture.hpp"

#include <catch2/catch.hpp>
#include <pugixml.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "netmodels/fabric/fabric.hpp"
#include "netmodels/network_spec.hpp"
#include "netmodels/platform/platform.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using tests::message_of;

namespace {

NetworkPicture picture_of(const std::string& spec) {
  return lay_out(*make_network(spec, {}));
}

/// Directed links that the cables of a picture stand for.
std::set<int> drawn_links(const NetworkPicture& picture) {
  std::set<int> links;
  for (const DrawnCable& cable : picture.cables) {
    links.insert(number(cable.forth));
    if (cable.back) links.insert(number(*cable.back));
  }
  return links;
}

}  // namespace

// Every link of a small network is drawn once; hosts of dragonflies are not drawn, so their two
// links each are missing.
TEST_CASE("Pictures of small networks show every link once") {
  for (const std::string spec : {"torus:4x4", "torus:3x3x3", "torus:2x4", "mesh:3x4x2", "torus:5",
                                 "fat-tree:2;4,4;1,2;1,2", "fat-tree:3;2,2,2;1,2,2;1,1,1"}) {
    INFO(spec);
    const auto network = make_network(spec, {});
    const NetworkPicture picture = lay_out(*network);
    CHECK(static_cast<int>(drawn_links(picture).size()) == network->num_links());
    for (const DrawnCable& cable : picture.cables) CHECK(cable.back.has_value());
  }
  const auto dragonfly = make_network("dragonfly:3,1;2,1;4,1;2", {});
  CHECK(static_cast<int>(drawn_links(lay_out(*dragonfly)).size()) ==
        dragonfly->num_links() - 2 * dragonfly->num_hosts());
}

TEST_CASE("Everything drawn lies inside the picture") {
  for (const std::string spec : {"torus:8x8x4", "mesh:3x5", "fat-tree:2;4,4;1,2;1,2",
                                 "dragonfly:5,1;2,1;4,1;2", "dragonfly:1,1;1,1;4,1;2"}) {
    INFO(spec);
    const NetworkPicture picture = picture_of(spec);
    CHECK_FALSE(picture.vertices.empty());
    for (const DrawnVertex& vertex : picture.vertices) {
      CHECK((vertex.at.x >= 0 && vertex.at.x <= picture.width));
      CHECK((vertex.at.y >= 0 && vertex.at.y <= picture.height));
    }
  }
}

TEST_CASE("Large networks are drawn in part and say so") {
  const NetworkPicture torus = picture_of("torus:64x64x64");
  CHECK(torus.vertices.size() == 4096);
  CHECK(torus.caption.at(1) == "Drawn: the first 1 of 64 planes, 4,096 of 262,144 routers");
  const NetworkPicture tree = picture_of("fat-tree:2;44,182;1,6;1,6");
  CHECK(tree.vertices.size() == 188);
  CHECK(tree.caption.at(0) == "8,008 hosts, 44 below each switch of level 1, are not drawn");
}

// 256 nodes of eight GPUs, each with an interface.
TEST_CASE("Levels inside of nodes are counted as what they are, in a picture that fits a page") {
  const NetworkPicture picture =
      picture_of("fat-tree:2;32,8;1,2;1,16,rails=8,nics=8,injection=50GBps,node=8:nvlink=450GBps");
  const auto has = [&](std::string_view words) {
    return std::any_of(picture.texts.begin(), picture.texts.end(),
                       [&](const DrawnText& text) { return text.text == words; });
  };
  CHECK(has("nodes (nvlink): 256"));
  CHECK(has("interfaces: 2,048"));
  CHECK(std::count(picture.caption.begin(), picture.caption.end(),
                   "2,048 hosts, 8 below each of the 256 nodes (nvlink), are not drawn") == 1);
  CHECK(picture.width <= 1300);
}

TEST_CASE("A cable that passes a router is bent around it, and no name lies on another") {
  const auto network = load_platform(tests::source_path("platforms/teaching-dragonfly.xml"), {});
  const NetworkPicture picture = lay_out(*network);
  for (const DrawnText& one : picture.texts)
    for (const DrawnText& other : picture.texts) {
      const double letters = double(one.text.size() + other.text.size()) / 2;
      if (&one != &other && std::abs(one.at.y - other.at.y) < 10)
        CHECK(std::abs(one.at.x - other.at.x) > 5 * letters);
    }
  // in each group of three routers the first and the last are joined past the second
  CHECK(std::count_if(picture.cables.begin(), picture.cables.end(), [](const DrawnCable& cable) {
          return cable.path.find('Q') != std::string::npos;
        }) >= 3);
  const std::string svg = to_svg(picture, *network, "teaching-dragonfly");
  CHECK(svg.find("class=\"title\">teaching-dragonfly</text>") != std::string::npos);
}

// 22 cells that are all joined: 22 * 21 / 2 = 231 strokes of 18 cables each, and 18 leaves and 18
// spines with 180 hosts in each cell.
TEST_CASE("Groups with very many cables are drawn as one vertex each with counts") {
  const auto network = make_network("dragonfly-plus:22;18,18;10,links=18", {});
  const NetworkPicture picture = lay_out(*network);
  CHECK(picture.vertices.size() == 22);
  CHECK(picture.vertices.at(3).name == "cell 3: 36 switches, 180 hosts");
  CHECK(picture.cables.size() == 231);
  CHECK(std::all_of(picture.cables.begin(), picture.cables.end(),
                    [](const DrawnCable& cable) { return cable.cables == 18 && cable.back; }));
  CHECK(picture.caption.at(0) == "A circle is a cell with all its switches, a line 18 cables");
  CHECK(std::max(picture.width, picture.height) <= 2500);
  pugi::xml_document document;
  CHECK(document.load_string(to_svg(picture, *network).c_str()));
}

TEST_CASE("An SVG is well-formed XML with a tooltip for each cable") {
  const auto network = make_network("torus:4x4", {});
  const NetworkPicture picture = lay_out(*network);
  pugi::xml_document document;
  REQUIRE(document.load_string(to_svg(picture, *network).c_str()));
  const auto tooltips = document.select_nodes("//path/title");
  CHECK(tooltips.size() == picture.cables.size());
  CHECK(std::string(tooltips.begin()->node().text().get()) == "d0+:0->1, d0-:1->0: 10 GB/s");
}

TEST_CASE("DOT names hosts and cables, and refuses what nobody can look at") {
  const auto fabric =
      make_fabric({"two \"hosts\"",
                   {"a", "b"},
                   {"s"},
                   {{0, 2, {1e9}, {1e-6}}, {0, 2, {1e9}, {1e-6}}, {1, 2, {2e9}, {0}}},
                   {}});
  const std::string dot = to_dot(*fabric);
  CHECK(dot.find("graph \"two \\\"hosts\\\"\" {") == 0);
  CHECK(dot.find("  \"a\" -- s0 [label=\"2 x 1 GB/s\"];\n") != std::string::npos);
  CHECK(dot.find("  \"b\" -- s0 [label=\"2 GB/s\"];\n") != std::string::npos);
  CHECK(message_of<UsageError>([] { to_dot(*make_network("torus:16x16x16", {})); }) ==
        "torus:16x16x16 has 24576 directed links: networks of up to 2000 are drawn as DOT");
}

TEST_CASE("A network without a layout is drawn by levels, parallel cables once with their number") {
  const auto fabric = make_fabric(
      {"two \"hosts\"",
       {"a", "b"},
       {"s", "t"},
       {{0, 2, {1e9}, {1e-6}}, {0, 2, {1e9}, {1e-6}}, {1, 2, {2e9}, {0}}, {2, 3, {1}, {}}},
       {}});
  const NetworkPicture picture = lay_out(*fabric);
  REQUIRE(picture.vertices.size() == 4);
  CHECK(picture.vertices[0].at.y == picture.vertices[1].at.y);  // hosts at the bottom
  CHECK(picture.vertices[2].at.y < picture.vertices[0].at.y);
  CHECK(picture.vertices[3].at.y < picture.vertices[2].at.y);
  CHECK(drawn_links(picture) == std::set<int>{0, 1, 4, 5, 6, 7});  // of cables 0, 2 and 3
  CHECK(std::count_if(picture.texts.begin(), picture.texts.end(),
                      [](const DrawnText& text) { return text.text == "x2"; }) == 1);
}

namespace {

std::shared_ptr<const Network> platform_of(const std::string& zones) {
  return load_platform(
      tests::write_file(
          "zones.xml",
          "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
          "<platform version=\"4.1\">\n" +
              zones + "</platform>\n"),
      {});
}

bool has_text(const NetworkPicture& picture, std::string_view words) {
  return std::any_of(picture.texts.begin(), picture.texts.end(),
                     [&](const DrawnText& text) { return text.text == words; });
}

}  // namespace

TEST_CASE("A link of which only routes are known is a labelled line in its zone") {
  // Three hosts on one link: no vertex is at an end of it.
  std::string text =
      "<zone id=\"z\" routing=\"Full\">\n<host id=\"a\" "
      "speed=\"1Gf\"/>\n<host id=\"b\" speed=\"1Gf\"/>\n<host id=\"c\" speed=\"1Gf\"/>\n<link "
      "id=\"bus\" bandwidth=\"1GBps\" latency=\"0\"/>\n";
  for (const auto& [from, to] : {std::pair("a", "b"), std::pair("b", "c"), std::pair("a", "c")})
    text += std::string("<route src=\"") + from + "\" dst=\"" + to +
            "\"><link_ctn id=\"bus\"/></route>\n";
  const auto network = platform_of(text + "</zone>\n");
  const NetworkPicture picture = lay_out(*network);
  CHECK(picture.boxes.size() == 1);
  CHECK(picture.vertices.size() == 3);
  CHECK(picture.cables.size() == 1);
  CHECK(has_text(picture, "z: 3 hosts"));
  CHECK(has_text(picture, "bus, 1 GB/s"));
  pugi::xml_document document;
  CHECK(document.load_string(to_svg(picture, *network).c_str()));
}

TEST_CASE("Zones are boxes in each other with their hosts") {
  std::string text = "<zone id=\"all\" routing=\"Full\">\n";
  for (const char* name : {"one", "two"})
    text += std::string("<cluster id=\"") + name + "\" prefix=\"" + name +
            "-\" suffix=\"\" radical=\"0-11\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\" "
            "bb_bw=\"4GBps\" bb_lat=\"1us\" router_id=\"router-" +
            name + "\"/>\n";
  text +=
      "<link id=\"backbone\" bandwidth=\"8GBps\" latency=\"1us\"/>\n<zoneRoute src=\"one\" "
      "dst=\"two\" gw_src=\"router-one\" gw_dst=\"router-two\"><link_ctn "
      "id=\"backbone\"/></zoneRoute>\n</zone>\n";
  const auto network = platform_of(text);
  const NetworkPicture picture = lay_out(*network);
  REQUIRE(picture.boxes.size() == 3);
  CHECK(has_text(picture, "all: 24 hosts"));
  CHECK(has_text(picture, "one: 12 hosts"));
  CHECK(std::count_if(picture.vertices.begin(), picture.vertices.end(),
                      [](const DrawnVertex& vertex) { return vertex.is_host; }) == 24);
  // hosts lie in the box of their cluster
  for (const DrawnVertex& vertex : picture.vertices) {
    if (!vertex.is_host) continue;
    const DrawnBox& box = picture.boxes[vertex.name.starts_with("one-") ? 1 : 2];
    CHECK((vertex.at.x > box.corner.x && vertex.at.x < box.corner.x + box.width));
    CHECK((vertex.at.y > box.corner.y && vertex.at.y < box.corner.y + box.height));
  }
  CHECK(static_cast<int>(drawn_links(picture).size()) == network->num_links());
}

TEST_CASE("Clusters that are tori lie in planes, and no cable of them crosses a host") {
  std::string text = "<zone id=\"all\" routing=\"Full\">\n";
  const auto cluster = [](const std::string& name, int last, const std::string& sizes) {
    return "<cluster id=\"" + name + "\" prefix=\"" + name + "-\" suffix=\"\" radical=\"0-" +
           std::to_string(last) + "\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\" topology=\"TORUS\" " +
           "topo_parameters=\"" + sizes + "\"/>\n";
  };
  text += cluster("a", 23, "4, 3,2") + cluster("b", 15, "4,4");
  text +=
      "<link id=\"between\" bandwidth=\"8GBps\" latency=\"1us\"/>\n<zoneRoute src=\"a\" dst=\"b\" "
      "gw_src=\"a-0\" gw_dst=\"b-0\"><link_ctn id=\"between\"/></zoneRoute>\n</zone>\n";
  const auto network = platform_of(text);
  const NetworkPicture picture = lay_out(*network);
  std::map<std::string, Point> at;
  for (const DrawnVertex& vertex : picture.vertices) at[vertex.name] = vertex.at;
  REQUIRE(at.size() == 40);
  CHECK(at["a-3"].y == at["a-0"].y);                                    // the first dimension
  CHECK(at["a-4"].x == at["a-0"].x);                                    // the second
  CHECK(at["a-12"].x - at["a-0"].x > 4 * (at["a-1"].x - at["a-0"].x));  // the next plane
  CHECK(at["b-5"].x - at["b-4"].x == Approx(at["b-1"].x - at["b-0"].x));
  int lines = 0, strokes = 0;
  for (const DrawnCable& cable : picture.cables) {
    const auto sides = network->link_sides(cable.forth);
    REQUIRE(sides);
    const std::string from = network->vertex_name(sides->from),
                      to = network->vertex_name(sides->to);
    if (from[0] != to[0]) continue;
    const double length = std::hypot(at[from].x - at[to].x, at[from].y - at[to].y);
    const bool is_stroke = std::count(cable.path.begin(), cable.path.end(), 'M') == 2;
    if (!is_stroke) CHECK(length < 60);
    (is_stroke ? strokes : lines) += 1;
  }
  // By hand. Neighbours: 2 x (3 rows of 3 and 4 columns of 2) in a, 12 + 12 in b. Around: 2 x (3 +
  // 4) and 4 + 4, and 12 between the planes; these have a second cable, which no route uses.
  CHECK(lines == 34 + 24);
  CHECK(strokes == 14 + 8 + 12);
  CHECK(picture.caption.at(1).starts_with("Tori as planes"));
  CHECK(picture.caption.at(2) == "Not drawn, as no route uses them: 24 directed links of tori");
}

TEST_CASE("Cables of rails have a colour each, and the legend says which kinds have") {
  const auto network =
      make_network("fat-tree:1;4;1;1,rails=4,nics=4,injection=50GBps,node=4:nvlink=450GBps", {});
  const std::string svg = to_svg(lay_out(*network), *network);
  const auto count = [&](const std::string& piece) {
    int found = 0;
    for (auto at = svg.find(piece); at != svg.npos; at = svg.find(piece, at + 1)) ++found;
    return found;
  };
  // Four nodes with a cable into each rail, and a sample in the legend.
  for (const std::string colour : {"#0072B2", "#E69F00", "#009E73", "#CC79A7"})
    CHECK(count("stroke=\"" + colour + "\"") == 4 + 1);
  CHECK(count("<title>rail 2, ") == 4);
  CHECK(count("; colours are rails 0 to 3<") == 1);
  const auto plain = make_network("fat-tree:1;4;1;1", {});
  CHECK(to_svg(lay_out(*plain), *plain).find("rail") == std::string::npos);
}

TEST_CASE("Large networks without a layout are drawn as groups, in pictures that fit a screen") {
  // Switches in a ring, with as many hosts each.
  for (const auto& [switches, hosts] : {std::pair(100, 2000), std::pair(2000, 4000)}) {
    FabricSpec spec{"ring", {}, {}, {}, {}};
    for (int h = 0; h < hosts; ++h) {
      spec.hosts.push_back("h" + std::to_string(h));
      spec.cables.push_back({h, hosts + h % switches, {1e9}, {}});
    }
    for (int s = 0; s < switches; ++s) {
      spec.switches.push_back("s" + std::to_string(s));
      spec.cables.push_back({hosts + s, hosts + (s + 1) % switches, {1e9}, {}});
    }
    const auto network = make_fabric(std::move(spec));
    const NetworkPicture picture = lay_out(*network);
    CHECK(picture.vertices.size() >= 50);
    CHECK(picture.vertices.size() <= 500);
    CHECK(picture.width <= 1500);
    CHECK(picture.height <= 1500);
    CHECK_FALSE(picture.caption.empty());
  }
}
