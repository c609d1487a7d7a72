#include <catch2/catch.hpp>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>

#include "netmodels/platform/platform.hpp"
#include "tests/support/folders.hpp"
#include "topology/base/text.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

const std::string folder = tests::source_path("platforms/");
constexpr int max_hosts = 2000;  // for what takes a while: breadth-first search, SimGrid

/// A row of the table in platforms/README.md.
struct Machine {
  std::string file;
  bool in_properties = false;
  int hosts = 0;
  int links = 0;
  int diameter = 0;
};

int number_in(std::string_view cell) {
  std::string digits(trim(cell));
  digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
  return static_cast<int>(parse_integer(digits).value());
}

std::vector<Machine> table_of_machines() {
  std::vector<Machine> rows;
  std::ifstream stream(folder + "README.md");
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with("| `")) continue;
    const auto cells = split(line, '|');
    REQUIRE(cells.size() == 10);  // eight columns between bars
    const auto name = split(cells[1], '`');
    rows.push_back({std::string(name[1]), trim(name[2]) == "p", number_in(cells[3]),
                    number_in(cells[4]), number_in(cells[5])});
  }
  return rows;
}

std::shared_ptr<const Network> load(const Machine& machine) {
  return load_platform(folder + machine.file, {});
}

/// A vertex one link away, and whether that link is a hop: those of interfaces are not.
struct Neighbour {
  int vertex;
  bool is_hop;
};

using Neighbours = std::vector<std::vector<Neighbour>>;

/// Vertices one link away from each; empty if only routes are known.
Neighbours neighbours_in(const Network& network) {
  Neighbours neighbours(static_cast<std::size_t>(network.num_hosts()));
  for (int l = 0; l < network.num_links(); ++l) {
    const auto ends = network.link_ends(LinkId{l});
    if (!ends) return {};
    const auto from = static_cast<std::size_t>(ends->from);
    neighbours.resize(
        std::max({neighbours.size(), from + 1, static_cast<std::size_t>(ends->to) + 1}));
    neighbours[from].push_back({ends->to, network.link(LinkId{l}).hops > 0});
  }
  return neighbours;
}

/// Hops from `source` to the farthest host, by breadth-first search: what is 0 hops away comes
/// first.
int eccentricity(const Neighbours& neighbours, int source, int num_hosts) {
  std::vector<int> distance(neighbours.size(), std::numeric_limits<int>::max());
  std::deque<int> queue{source};
  distance[static_cast<std::size_t>(source)] = 0;
  while (!queue.empty()) {
    const auto here = static_cast<std::size_t>(queue.front());
    queue.pop_front();
    for (const auto& [vertex, is_hop] : neighbours[here]) {
      int& there = distance[static_cast<std::size_t>(vertex)];
      const int by_here = distance[here] + (is_hop ? 1 : 0);
      if (by_here >= there) continue;
      there = by_here;
      if (is_hop)
        queue.push_back(vertex);
      else
        queue.push_front(vertex);
    }
  }
  return *std::max_element(distance.begin(), distance.begin() + num_hosts);
}

}  // namespace

TEST_CASE("Every platform file has a row in the README, and every row a file") {
  std::set<std::string> files, rows;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".xml") files.insert(entry.path().filename());
  for (const Machine& machine : table_of_machines()) rows.insert(machine.file);
  CHECK(files == rows);
}

TEST_CASE("Machines have the hosts, links and diameter of the README") {
  for (const Machine& machine : table_of_machines()) {
    INFO(machine.file);
    const auto network = load(machine);
    CHECK(network->num_hosts() == machine.hosts);
    CHECK(network->num_links() == machine.links);
    CHECK(network->diameter() == machine.diameter);
  }
}

TEST_CASE("The diameter of a machine is what a search in its links finds") {
  int searched = 0;
  for (const Machine& machine : table_of_machines()) {
    if (machine.hosts > max_hosts) continue;
    INFO(machine.file);
    const auto network = load(machine);
    const auto neighbours = neighbours_in(*network);
    if (neighbours.empty()) {  // only the routes are known
      CHECK(machine.file == "two-rooms.xml");
      continue;
    }
    int diameter = 0;
    for (int h = 0; h < network->num_hosts(); ++h)
      diameter = std::max(diameter, eccentricity(neighbours, h, network->num_hosts()));
    CHECK(diameter == machine.diameter);
    ++searched;
  }
  CHECK(searched >= 6);
}

TEST_CASE("SimGrid builds the smaller machines with the same hosts, links and hops") {
  int built = 0;
  for (const Machine& machine : table_of_machines()) {
    if (machine.hosts > max_hosts || machine.in_properties) continue;
    INFO(machine.file);
    const auto network = load(machine);
    const auto simgrid = load_platform(folder + machine.file, {.simgrid_compatible = true});
    REQUIRE(simgrid->num_hosts() == machine.hosts);
    CHECK(simgrid->num_links() == machine.links);
    const int step = machine.hosts / 16 + 1;  // routes from some hosts to all
    int differing = 0;
    for (int a = 0; a < machine.hosts; a += step)
      for (int b = 0; b < machine.hosts; ++b)
        if (simgrid->hops(HostId{a}, HostId{b}) != network->hops(HostId{a}, HostId{b})) ++differing;
    CHECK(differing == 0);
    if (machine.hosts <= 64) CHECK(simgrid->diameter() == machine.diameter);
    ++built;
  }
  CHECK(built >= 7);
}
