#include <catch2/catch.hpp>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <set>

#include "netmodels/platform/platform.hpp"
#include "tests/netmodels/platform/simgrid_oracle.hpp"
#include "tests/support/folders.hpp"
#include "topology/base/text.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using vtopo::tests::simgrid_host_names;

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

TEST_CASE("Plain SimGrid loads every machine, with as many hosts") {
  constexpr int most_hosts = 60000;  // Fugaku takes SimGrid 6 s and 1.5 GB
  for (const Machine& machine : table_of_machines()) {
    if (machine.hosts > most_hosts) continue;
    INFO(machine.file);
    const auto names = simgrid_host_names(folder + machine.file);
    CHECK(std::ssize(names) == machine.hosts);
    const auto network = load(machine);
    PlatformProperties said = read_platform_properties(folder + machine.file);
    if (!said.knows_host_names || said.network.empty()) continue;
    std::set<std::string> own;
    for (int h = 0; h < network->num_hosts(); ++h) own.insert(network->host_name(HostId{h}));
    CHECK(std::set<std::string>(names.begin(), names.end()) == own);
  }
}

TEST_CASE("Every machine has a title of one short line, and says what it assumes in short lines") {
  constexpr std::size_t longest_title = 50, longest_assumption = 71;  // within 80 columns
  for (const Machine& machine : table_of_machines()) {
    INFO(machine.file);
    const PlatformProperties said = read_platform_properties(folder + machine.file);
    CHECK_FALSE(said.title.empty());
    CHECK(said.title.size() <= longest_title);
    for (const std::string& assumption : said.assumptions) {
      INFO(assumption);
      CHECK(assumption.size() <= longest_assumption);
    }
    const bool is_real = !machine.file.starts_with("teaching") && machine.file != "two-rooms.xml" &&
                         machine.file != "bluegene-q-rack.xml";
    CHECK(said.assumptions.empty() != is_real);
  }
}

TEST_CASE("Eight GPUs of a node reach their peers of another by eight rails at once") {
  for (const char* file : {"dgx-superpod-h100.xml", "rail-only-h100.xml"}) {
    INFO(file);
    const auto network = load_platform(folder + file, {});
    std::set<LinkId> used;
    std::vector<LinkId> route;
    const int far = 64 * 8;  // GPU 0 of a node of another unit
    for (int gpu = 0; gpu < 8; ++gpu) {
      route.clear();
      network->append_route(HostId{gpu}, HostId{far + gpu}, route);
      for (const LinkId link : route) CHECK(used.insert(link).second);  // no link twice
    }
    route.clear();
    network->append_route(HostId{0}, HostId{7}, route);  // inside the node by NVLink alone
    REQUIRE(route.size() == 2);
    for (const LinkId link : route) CHECK(network->link(link).bandwidth.value == 450e9);
    route.clear();
    network->append_route(HostId{0}, HostId{far + 7}, route);
    CHECK(network->link_name(route.front()).find("nvlink") != std::string::npos);
  }
}

TEST_CASE("Four pairs of routers join two groups of LUMI") {
  PlatformOptions options;
  options.interfaces = "";  // hosts are joined to routers
  const auto network = load_platform(folder + "lumi.xml", options);
  const auto partition = [&] {
    for (const HostParts& parts : network->parts())
      if (parts.name == "group") return parts.partitions.front();
    return HostPartition{};
  }();
  REQUIRE(partition.count == 32);
  // Routers of groups 0 and 1 by the groups of hosts: links between them that both ends name.
  std::map<int, int> group_of_router;
  for (int l = 0; l < network->num_links(); ++l)
    if (const auto ends = network->link_ends(LinkId{l}); ends->from < network->num_hosts())
      group_of_router[ends->to] = partition.part_of[static_cast<std::size_t>(ends->from)];
  std::set<int> from, to;
  for (int l = 0; l < network->num_links(); ++l) {
    const auto ends = network->link_ends(LinkId{l});
    const auto a = group_of_router.find(ends->from), b = group_of_router.find(ends->to);
    if (a == group_of_router.end() || b == group_of_router.end()) continue;
    if (a->second != 0 || b->second != 1) continue;
    from.insert(ends->from);
    to.insert(ends->to);
  }
  CHECK(from.size() == 4);
  CHECK(to.size() == 4);
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
  CHECK(built == 5);  // the others are in properties or have more hosts
}
