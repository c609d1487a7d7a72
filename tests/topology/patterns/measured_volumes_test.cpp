#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <vector>

#include "tests/topology/measured.hpp"
#include "topology/base/text.hpp"
#include "topology/patterns/library_rules.hpp"
#include "topology/patterns/pattern.hpp"

// Volumes inside and between the cells of a dragonfly+ of one job of 512 nodes, as the benchmark
// suite PICO counted them for its algorithms (github HLC-Lab/pico, MIT licence).

namespace vtopo {

using namespace vtopo::detail;
namespace {

struct Volumes {
  double inside = 0, between = 0;
};

Volumes operator+(const Volumes& a, const Volumes& b) {
  return {a.inside + b.inside, a.between + b.between};
}

/// Cell of each rank's node.
std::vector<int> cells_of_job() {
  std::map<std::string, int> cells;
  std::string line;
  for (std::ifstream file = measured_file("allocations/leonardo-nodes.txt");
       std::getline(file, line);) {
    const auto words = split(line, ' ');
    cells["lrdn" + std::string(words.at(1))] = static_cast<int>(*parse_integer(words.at(5)));
  }
  std::ifstream file = measured_file("measured/allocations/leonardo-2025_03_28___18_19_43.csv");
  std::vector<int> result;
  std::getline(file, line);
  while (std::getline(file, line)) {
    const std::string host(split(line, ',').at(1));
    result.push_back(cells.at(host.substr(0, host.find('.'))));
  }
  return result;
}

/// Rows as `collective,algorithm`.
std::map<std::string, Volumes> published_volumes() {
  std::map<std::string, Volumes> result;
  std::ifstream file = measured_file("measured/leonardo-2025_03_28___18_19_43-volumes.csv");
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    const auto words = split(line, ',');
    if (words.at(0) == "num_ranks") continue;
    result[fmt::format("{},{}", words[0], words[1])] = {parse_number(words.at(2)).value(),
                                                        parse_number(words.at(3)).value()};
  }
  return result;
}

/// @param part only steps whose names begin so.
/// @return in vectors of the collective: of a rank in the end, or of all that it contributes.
Volumes volumes_of(const std::string& pattern, const std::vector<int>& cells,
                   std::string_view part = "") {
  const int ranks = static_cast<int>(cells.size());
  const PatternSpec spec = parse_patterns(pattern).at(0);
  const bool blocks = spec.name == "allgather" || spec.name == "reduce_scatter" ||
                      spec.name == "alltoall" || spec.name == "scatter";
  const CommunicationSteps steps = pattern_steps(spec, {ranks, nullptr}, Bytes{1e6});
  Volumes volumes;
  for (const CommunicationStep& step : steps.steps) {
    if (!step.name.starts_with(part)) continue;
    for (const StepMessage& message : step.messages) {
      const bool same = cells.at(static_cast<std::size_t>(message.source)) ==
                        cells.at(static_cast<std::size_t>(message.destination));
      (same ? volumes.inside : volumes.between) +=
          static_cast<double>(message.slots * step.rounds) * steps.slot_share;
    }
  }
  const double unit = blocks ? ranks : 1;
  return {volumes.inside / unit, volumes.between / unit};
}

void check_equal(const Volumes& a, const Volumes& b) {
  CHECK(a.inside == b.inside);
  CHECK(a.between == b.between);
}

TEST_CASE("volumes inside and between cells are those that were published") {
  const auto published = published_volumes();
  if (published.empty()) {
    WARN("left out: no measured data (VTOPO_SHARED_DATA names the folder of `measured`)");
    return;
  }
  const std::vector<int> cells = cells_of_job();
  REQUIRE(cells.size() == 512);
  const auto check = [&](const std::string& row, const std::string& pattern) {
    CAPTURE(row, pattern);
    check_equal(volumes_of(pattern, cells), published.at(row));
  };
  check("allreduce,ring", "allreduce:algorithm=ring");
  check("allreduce,recursive_doubling", "allreduce:algorithm=recursive_doubling");
  check("allreduce,rabenseifner", "allreduce:algorithm=rabenseifner");
  check("allgather,ring", "allgather:algorithm=ring");
  check("allgather,distance_doubling",
        "allgather:algorithm=recursive_doubling,order=distance_doubling");
  check("allgather,distance_halving",
        "allgather:algorithm=recursive_doubling,order=distance_halving");
  check("alltoall,bruck", "alltoall:algorithm=bruck");
  check("bcast,binomial_doubling", "bcast:algorithm=binomial,order=distance_doubling");
  check("bcast,binomial_halving", "bcast:algorithm=binomial,order=distance_halving");
  check("reduce,binomial_doubling", "reduce:algorithm=binomial,order=distance_doubling");
  check("reduce,binomial_halving", "reduce:algorithm=binomial,order=distance_halving");
  check("reduce,binomial_bdw_halving_doubling",
        "reduce:algorithm=rabenseifner,order=distance_doubling");
  check("reduce,binomial_bdw_doubling_halving",
        "reduce:algorithm=rabenseifner,order=distance_halving");
  check("reduce_scatter,ring", "reduce_scatter:algorithm=ring");
  check("reduce_scatter,distance_doubling",
        "reduce_scatter:algorithm=recursive_halving,order=distance_doubling");
  check("reduce_scatter,distance_halving",
        "reduce_scatter:algorithm=recursive_halving,order=distance_halving");
  check("scatter,binomial_doubling", "scatter:algorithm=binomial,order=distance_doubling");
  check("scatter,binomial_halving", "scatter:algorithm=binomial,order=distance_halving");
}

// The published rows leave out the scatter, whose rows of its own are added here.
TEST_CASE("a broadcast by scatter and allgather has the published volumes of both") {
  const auto published = published_volumes();
  if (published.empty()) return;
  const std::vector<int> cells = cells_of_job();
  const std::string halving = "bcast:algorithm=scatter_allgather,order=distance_halving";
  check_equal(volumes_of(halving, cells, "allgather"),
              published.at("bcast,binomial_bdw_halving_doubling"));
  check_equal(volumes_of(halving, cells), published.at("bcast,binomial_bdw_halving_doubling") +
                                              published.at("scatter,binomial_halving"));
  const std::string doubling = "bcast:algorithm=scatter_allgather,order=distance_doubling";
  check_equal(volumes_of(doubling, cells, "allgather"),
              published.at("bcast,binomial_bdw_doubling_halving"));
  check_equal(volumes_of(doubling, cells), published.at("bcast,binomial_bdw_doubling_halving") +
                                               published.at("scatter,binomial_doubling"));
}

/// Of `2x2x2` or `8`.
int nodes_of(std::string_view text) {
  int nodes = 1;
  for (const std::string_view size : split(text, 'x'))
    nodes *= static_cast<int>(parse_integer(size).value());
  return nodes;
}

/// Whether vtopo has the algorithm of a measured point among so many ranks.
bool has_steps(const std::vector<std::string_view>& point) {
  // as the column `library` spells them
  const std::map<std::string_view, std::string_view> libraries{
      {"ompi", "openmpi"}, {"mpich", "mpich"}, {"over", "pico"}, {"fjmpi", "fujitsu"}};
  const LibraryAlgorithm* row =
      find_library_algorithm(libraries.at(point.at(5)), point.at(3), point.at(4));
  REQUIRE(row != nullptr);
  if (row->options.empty()) return false;
  const auto spec = parse_patterns(fmt::format("{}:{}", point.at(3), row->options)).at(0);
  const int nodes = nodes_of(point.at(2));
  return !pattern_steps(spec, {nodes, nullptr}, Bytes{1e6}).steps.empty();
}

// 80 %: the least part of the points of at least 64 KiB that `validate` is to predict.
TEST_CASE("every algorithm of the measured points is known by name, four of five have steps") {
  std::ifstream file = measured_file("measured/runs.csv");
  std::string line;
  std::getline(file, line);
  int known = 0, all = 0;
  while (std::getline(file, line)) {
    const auto point = split(line, ',');
    CAPTURE(line);
    if (parse_integer(point.at(6)).value() < 65536) continue;
    ++all;
    if (has_steps(point)) ++known;
  }
  CHECK(known >= 0.8 * all);
}

}  // namespace
}  // namespace vtopo
