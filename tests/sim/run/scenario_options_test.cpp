#include "sim/scenario/scenario_options.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

using Names = std::vector<std::string>;

/// A value that the option takes.
std::string value_of(const ScenarioOption& option) {
  if (option.kind == ScenarioOption::Kind::flag) return "true";
  if (option.most) return "7";
  const auto defaults = option.texts(Scenario());
  if (!defaults.empty()) return defaults.front();
  for (const char* text : {"halo", "64x64", "hop-bytes", "10s", "8KiB", "10GBps", "slurm", "edges",
                           "d0*=0.5", "20%"}) {
    Scenario scratch;
    try {
      option.set(scratch, text);
      return text;
    } catch (const UsageError&) {
    }
  }
  return "x";
}

}  // namespace

TEST_CASE("what an option sets is what it reports as written") {
  for (const ScenarioOption& option : scenario_options()) {
    CAPTURE(option.name);
    Scenario scenario;
    const std::string value = value_of(option);
    option.set(scenario, value);
    CHECK(option.texts(scenario) == Names{value});
  }
}

TEST_CASE("options that others replace, need or exclude exist, and names are used once") {
  Names names;
  for (const ScenarioOption& option : scenario_options()) names.emplace_back(option.name);
  for (const ScenarioOption& option : scenario_options()) {
    CAPTURE(option.name);
    CHECK(std::count(names.begin(), names.end(), option.name) == 1);
    CHECK_FALSE(option.help.empty());
    for (const auto& others : {option.replaces, option.needs, option.excludes})
      for (const auto other : others) CHECK_NOTHROW(scenario_option(other));
  }
}

TEST_CASE("a scenario by default reports what always counts and nothing else") {
  Names names;
  for (const auto& [name, value] : described(Scenario())) names.push_back(name);
  CHECK(names == Names{"prof-kinds", "routing", "hosts", "slots", "seed", "mapper", "network-model",
                       "loopback-bandwidth"});
}

TEST_CASE("a wrong key is answered by the nearest one") {
  CHECK(unknown_scenario_key("toplogy") == "unknown key \"toplogy\"; did you mean \"topology\"?");
  CHECK(find_scenario_key("threads") == nullptr);  // of the machine
}
