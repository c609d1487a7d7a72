#include "sim/mapping/plugin/plugin.hpp"

#include <catch2/catch.hpp>

#include "netmodels/network_spec.hpp"
#include "sim/mapping/api/tables.hpp"
#include "tests/sim/guests.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using tests::TemporaryFile;

namespace {

std::string hostile(int kind) {
  return std::string(VTOPO_TEST_PLUGINS) + "/hostile_" + std::to_string(kind) + ".so";
}

/// What a mapper of the first library does with four ranks in a line on a ring of five hosts.
Embedding map_by(const std::string& name, std::string* remark = nullptr,
                 std::function<void(double, std::int64_t)> improved = nullptr) {
  const auto network = make_network("torus:5", {});
  const auto allocation = make_allocation(*network, "all", std::vector{1}, 1);
  const Cartesian grid(std::vector<Dimension>{{4}});
  const CommGraph guest = unit_grid({4});
  for (const MapperInfo& info : load_plugin(hostile(0)))
    if (info.name == name)
      return info.map({.guest = guest,
                       .network = *network,
                       .allocation = allocation,
                       .grid = &grid,
                       .seed = 9,
                       .options = {{"size", "given"}}},
                      {.steps = 12,
                       .remark =
                           [&](const std::string& sentence) {
                             if (remark != nullptr) *remark = sentence;
                           },
                       .improved = std::move(improved)});
  throw std::logic_error("no such mapper");
}

std::string what_if_mapped(const std::string& name) {
  return tests::message_of<InputError>([&] { map_by(name); });
}

std::string by(const std::string& name) {
  return "mapper " + name + " of plugin \"" + hostile(0) + "\" ";
}

}  // namespace

TEST_CASE("A plugin's mappers tell what they are and map") {
  const auto mappers = load_plugin(hostile(0));
  REQUIRE(mappers.size() == 13);
  CHECK(mappers[0].name == "outside");
  CHECK(mappers[0].anytime);
  REQUIRE(mappers[0].options.size() == 2);
  CHECK(mappers[0].options[1].default_value == "red");
  CHECK(map_by("in_order").hosts() == std::vector{HostId{0}, HostId{1}, HostId{2}, HostId{3}});
}

TEST_CASE("A plugin is told the truth about the problem") {
  CHECK(what_if_mapped("right_questions") == "no error");
}

TEST_CASE("Questions out of range are answered without harm") {
  CHECK(what_if_mapped("wrong_questions") == "no error");
}

TEST_CASE("What a plugin returns is checked, and the plugin and the rank are named") {
  CHECK(what_if_mapped("outside") ==
        by("outside") + "puts rank 2 on host 5 of the allocation; accepted are 0 to 4");
  CHECK(what_if_mapped("crowded") ==
        by("crowded") + "puts rank 1 on host 1 of the allocation, whose slots (1) are full");
  CHECK(what_if_mapped("nothing") ==
        by("nothing") + "puts rank 0 on host -1 of the allocation; accepted are 0 to 4");
  CHECK(what_if_mapped("failing") == by("failing") + "failed with code 7: the moon is full");
  CHECK(what_if_mapped("silent_failure") == by("silent_failure") + "failed with code -1");
  CHECK(what_if_mapped("throwing") == by("throwing") + "threw: thrown over the border");
}

TEST_CASE("A mapper that aborts or exits is named in a sentence, and what it prints is a remark") {
  CHECK(what_if_mapped("aborting") == by("aborting") + "was ended by signal 6 (Aborted)");
  CHECK(what_if_mapped("exiting") ==
        by("exiting") + "ended with exit code 0 before it had placed the ranks");
  std::string remark;
  CHECK(map_by("printing", &remark) == map_by("in_order"));
  CHECK(remark == by("printing") + "printed: {\"rows\": 1}");
}

TEST_CASE(
    "Values that a plugin reports come to the search's listener, as long as they are numbers") {
  std::vector<std::pair<double, std::int64_t>> reported;
  map_by("reporting", nullptr,
         [&](double value, std::int64_t steps) { reported.emplace_back(value, steps); });
  CHECK(reported == std::vector<std::pair<double, std::int64_t>>{{12.5, 3}, {10, 5}});
}

TEST_CASE("What is no plugin of this version is refused in one sentence") {
  const TemporaryFile text("no-plugin.so", "no library\n");
  const auto refusal = [](const std::string& path) {
    try {
      load_plugin(path);
    } catch (const InputError& error) {
      const std::string start = "plugin \"" + path + "\": ";
      REQUIRE(std::string(error.what()).starts_with(start));
      return std::string(error.what()).substr(start.size());
    }
    return std::string("nothing");
  };
  CHECK(refusal(hostile(1)) ==
        "its mapper 0 is made for version 2 of the interface; this vtopo has 1");
  CHECK(refusal(hostile(2)) == "it does not know version 1 of the interface, which this vtopo has");
  CHECK(refusal(hostile(4)) ==
        "the name of its mapper 0 is \"a:b\"; accepted are letters, digits and _");
  CHECK(refusal(hostile(5)) ==
        "its mapper empty lacks a summary, a reference, options or a function");
  CHECK(refusal(hostile(6)) == "it has 0 mappers; accepted are 1 to 1000");
  CHECK(refusal(hostile(7)) == "it is not a plugin: it has no function vtopo_mapper_plugins");
  CHECK(refusal(hostile(8)) ==
        "it cannot be loaded: the process that tried was ended by signal 6 (Aborted)");
  CHECK(refusal("/no/such/file.so") == "there is no such file");
  CHECK(refusal("/dev") == "it is not a regular file");
  CHECK_FALSE(refusal(text.path()).empty());  // in the loader's words
}

TEST_CASE("A mapper whose name is taken is refused and the table stays as it was") {
  const std::size_t count = all_mappers().size();
  CHECK_THROWS_WITH(add_plugin(hostile(3)), "mapper \"greedy\" of plugin \"" + hostile(3) +
                                                "\": there is a mapper of that name already");
  CHECK_THROWS_AS(add_plugin(hostile(3)), UsageError);
  CHECK(all_mappers().size() == count);
}
