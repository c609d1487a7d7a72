#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "netmodels/host_names.hpp"
#include "netmodels/platform/platform.hpp"
#include "sim/placement/allocation.hpp"
#include "tests/support/folders.hpp"

using namespace vtopo;
using namespace vtopo::detail;

// Host lists of real jobs and the node map of Leonardo stand beside the project, if at all.

namespace {

const std::string allocations = tests::source_path("../shared/data/allocations/");
const std::string measured = tests::source_path("../shared/data/measured/allocations/");

bool is_missing(const std::string& path) {
  if (std::filesystem::exists(path)) return false;
  WARN("skipped: " << path << " is not there");
  return true;
}

std::shared_ptr<const Network> machine(const std::string& name) {
  return load_platform(tests::source_path("platforms/" + name + ".xml"), {});
}

HostPartition partition(const Network& network, std::string_view name) {
  for (const HostParts& parts : network.parts())
    if (parts.name == name) return parts.partitions.front();
  FAIL("no parts " << name);
  return {};
}

}  // namespace

TEST_CASE("Each node of Leonardo is below its leaf switch and in its cell") {
  const std::string path = allocations + "leonardo-nodes.txt";
  if (is_missing(path)) return;
  const auto network = machine("leonardo");
  const HostNames names(*network);
  const auto cells = partition(*network, "cell"), leaves = partition(*network, "leaf");
  std::map<std::string, int> leaf_of_switch;
  std::ifstream file(path);
  std::string line;
  int nodes = 0;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::map<std::string, std::string> values;
    for (std::string key, value; words >> key >> value;) values[key] = value;
    INFO(line);
    const auto host = names.find("lrdn" + values.at("NODE"));
    REQUIRE(host);
    REQUIRE(cells.part_of[index(*host)] == std::stoi(values.at("CELL")) - 1);
    const int leaf = leaves.part_of[index(*host)];
    REQUIRE(leaf_of_switch.emplace(values.at("SWITCH"), leaf).first->second == leaf);
    ++nodes;
  }
  CHECK(nodes == network->num_hosts());
  CHECK(std::ssize(leaf_of_switch) == leaves.count);
}

TEST_CASE("Each GPU node of LUMI that ran a measured job is in the group of its cabinet") {
  if (is_missing(measured)) return;
  const auto network = machine("lumi");
  const HostNames names(*network);
  const auto groups = partition(*network, "group");
  int nodes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(measured)) {
    if (!entry.path().filename().string().starts_with("lumi-")) continue;
    std::ifstream file(entry.path());
    std::string line;
    std::getline(file, line);
    REQUIRE(line == "rank,host,xname");
    while (std::getline(file, line)) {
      INFO(line);
      // x1203c4s2b1n0: cabinet 3 in row 12; rows 11 to 14 have six cabinets of GPU nodes each.
      const auto name = line.find(",nid") + 1, cabinet = line.find(",x") + 2;
      const int row = std::stoi(line.substr(cabinet, 2)) - 11;
      const int group = 8 + 6 * row + std::stoi(line.substr(cabinet + 2, 2));
      const auto host = names.find(line.substr(name, cabinet - 2 - name));
      REQUIRE(host);
      REQUIRE(groups.part_of[index(*host)] == group);
      ++nodes;
    }
  }
  CHECK(nodes == 32 + 16 + 8 + 1000);
}

TEST_CASE("The hosts of measured runs are hosts of their machines") {
  const std::map<std::string, std::string> machines{
      {"leonardo", "leonardo"}, {"lumi", "lumi"}, {"mare_nostrum", "mare-nostrum-5-acc"}};
  if (is_missing(measured)) return;
  int runs = 0;
  for (const auto& [prefix, platform] : machines) {
    const auto network = machine(platform);
    for (const auto& entry : std::filesystem::directory_iterator(measured)) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with(prefix + "-")) continue;
      INFO(name);
      const int one[] = {1};
      const auto allocation = make_allocation(*network, "file:" + entry.path().string(), one, 1);
      std::ifstream file(entry.path());
      const auto lines = std::count(std::istreambuf_iterator<char>(file), {}, '\n');
      CHECK(allocation.num_hosts() == lines - 1);  // one process per node, and a header
      ++runs;
    }
  }
  CHECK(runs >= 10);
}
