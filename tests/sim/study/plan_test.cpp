#include "sim/study/plan.hpp"

#include <catch2/catch.hpp>

#include "tests/support/message_of.hpp"
#include "tests/support/temporary_file.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using tests::TemporaryFile;

namespace {

StudyPlan plan_of(const std::string& text) {
  return read_plan(TemporaryFile("plan.json", text).path());
}

std::vector<std::string> scenarios_of(const StudyPlan& plan) {
  std::vector<std::string> result;
  for (const StudyScenario& scenario : plan.scenarios)
    result.push_back(scenario.settings.canonical_json());
  return result;
}

std::string plan_complaint(const std::string& text) {
  const TemporaryFile file("plan.json", text);
  return tests::message_about(file.path(), [&] { read_plan(file.path()); });
}

}  // namespace

// Test vectors of the authors of the hash (RFC 9923 and the tests of other implementations).
TEST_CASE("the hash of scenarios is FNV-1a of 128 bits") {
  CHECK(fnv1a_128("") == "6c62272e07bb014262b821756295c58d");
  CHECK(fnv1a_128("a") == "d228cb696f1a8caf78912b704e4a8964");
  CHECK(fnv1a_128("foobar") == "343e1662793c64bf6f0d3597ba446f18");
}

TEST_CASE("a plan is the product of its axes, the last one fastest") {
  const StudyPlan plan = plan_of(R"({"base": {"bytes": "1KiB"}, "axes": {
      "guest": [{"topology": "cart:4"}, {"traffic": "t.csv"}],
      "seed": {"from": 1, "to": 2}}})");
  CHECK(plan.combinations == 4);
  CHECK(scenarios_of(plan) ==
        std::vector<std::string>{R"({"bytes":"1KiB","seed":"1","topology":"cart:4"})",
                                 R"({"bytes":"1KiB","seed":"2","topology":"cart:4"})",
                                 R"({"seed":"1","traffic":"t.csv"})",
                                 R"({"seed":"2","traffic":"t.csv"})"});
  CHECK(plan.scenarios[0].key == fnv1a_128(scenarios_of(plan)[0]));
}

TEST_CASE("a value of an axis may be null, a list or an object, and equal scenarios run once") {
  const StudyPlan plan = plan_of(R"({"axes": {
      "fail-link": [null, [], "a", ["a", "b"]],
      "network": ["torus:4", {"network": "torus:4"}]}})");
  CHECK(plan.combinations == 8);
  CHECK(scenarios_of(plan) ==
        std::vector<std::string>{R"({"network":"torus:4"})",
                                 R"({"fail-link":"a","network":"torus:4"})",
                                 R"({"fail-link":["a","b"],"network":"torus:4"})"});
}

TEST_CASE("plans with mistakes are refused at their place") {
  CHECK(plan_complaint("[]") == ":1:1: a plan is an array; accepted is an object");
  CHECK(plan_complaint("{}").starts_with(":1:1: the plan has no \"axes\""));
  CHECK(plan_complaint(R"({"axis": {}})").starts_with(":1:2: unknown key \"axis\""));
  CHECK(plan_complaint(R"({"axes": {"sed": [1]}})").starts_with(":1:19: unknown key \"sed\"") ==
        false);
  CHECK(plan_complaint(R"({"axes": {"sed": [1]}})").find("did you mean \"seed\"?") !=
        std::string::npos);
  CHECK(plan_complaint(R"({"axes": {"seed": []}})")
            .starts_with(":1:19: the axis \"seed\" has no values"));
  CHECK(plan_complaint(R"({"axes": {"seed": 1}})").starts_with(":1:19: \"seed\" is a number"));
  CHECK(plan_complaint(R"({"axes": {"seed": [1, -1]}})").starts_with(":1:23: \"seed\": \"-1\""));
  CHECK(plan_complaint(R"({"axes": {"seed": {"from": 2, "to": 1}}})").starts_with(":1:19: "));
  CHECK(
      plan_complaint(R"({"axes": {"seed": {"from": 2}}})").starts_with(":1:19: the range has no"));
  CHECK(plan_complaint(R"({"axes": {"seed": {"from": 1, "to": 999999},
                               "steps": {"from": 1, "to": 2}}})")
            .starts_with(": the axes have more than 1000000 combinations"));
  // Before any value is read, which takes time where there are many.
  CHECK(plan_complaint(R"({"axes": {"top-links": ["no number"], "seed": {"from": 1, "to": 600000},
                               "steps": {"from": 1, "to": 600000}}})")
            .starts_with(": the axes have more than 1000000 combinations"));
  CHECK(plan_complaint(R"({"axes": {"seed": {"from": 1, "to": 1000001}}})")
            .ends_with("accepted are 1 to 1000000 numbers"));
}

TEST_CASE("a change is an axis: without it, then with it for each number of its range") {
  ScenarioSettings base;
  base.set("network", {"torus:4"});
  base.set("fail-host", {"h1"});
  const auto texts = [&](const std::vector<std::string>& with,
                         const std::vector<std::string>& without) {
    StudyPlan plan;
    plan.scenarios = combined(base, {change_axis(base, with, without)});
    return scenarios_of(plan);
  };
  CHECK(
      texts({"fail-link=random:1:seed=1..2", "bytes=1KiB"}, {}) ==
      std::vector<std::string>{
          R"({"fail-host":"h1","network":"torus:4"})",
          R"({"bytes":"1KiB","fail-host":"h1","fail-link":"random:1:seed=1","network":"torus:4"})",
          R"({"bytes":"1KiB","fail-host":"h1","fail-link":"random:1:seed=2","network":"torus:4"})"});
  CHECK(texts({}, {"fail-host"}) ==
        std::vector<std::string>{R"({"network":"torus:4"})",
                                 R"({"fail-host":"h1","network":"torus:4"})"});
  CHECK_THROWS_WITH(texts({}, {"fail-link"}), "--without fail-link: it is not given");
  CHECK_THROWS_WITH(texts({}, {"fail-hots"}), Catch::Contains("did you mean \"fail-host\"?"));
  CHECK_THROWS_WITH(texts({"bytes"}, {}), Catch::Contains("accepted is KEY=VALUE"));
  CHECK_THROWS_WITH(texts({"seed=2..1"}, {}), Catch::Contains("range 2..1"));
}
