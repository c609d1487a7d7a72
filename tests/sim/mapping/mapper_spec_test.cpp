#include <catch2/catch.hpp>

#include "netmodels/models/torus/torus.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "tests/sim/guests.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

std::vector<std::string> parsed(std::string_view list) {
  std::vector<std::string> texts;
  for (const MapperSpec& spec : parse_mappers(list)) texts.push_back(to_string(spec));
  return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("The table of mappers is sorted, without repetition and documented") {
  const auto& mappers = all_mappers();
  for (std::size_t i = 1; i < mappers.size(); ++i) CHECK(mappers[i - 1].name < mappers[i].name);
  for (const MapperInfo& info : mappers) {
    CHECK(find_mapper(info.name).name == info.name);
    CHECK_FALSE(info.summary.empty());
    CHECK_FALSE(info.reference.empty());
    for (const MapperOption& option : info.options) CHECK_FALSE(option.summary.empty());
  }
  for (const auto name :
       {"annealing", "block", "congestion", "exchange", "greedy", "random", "round_robin", "tabu"})
    CHECK(find_mapper(name).name == name);
}

TEST_CASE("A list of mappers keeps its order and its options") {
  CHECK(parsed("greedy,block") == Texts{"greedy", "block"});
  CHECK(parsed("exchange:start=block,random") == Texts{"exchange:start=block", "random"});
  CHECK(parsed("block,exchange:start=random,greedy,exchange") ==
        Texts{"block", "exchange:start=random", "greedy", "exchange"});
  CHECK(parsed("exchange,start=block") == Texts{"exchange:start=block"});
  CHECK(parsed("random,random") == Texts{"random", "random"});
}

TEST_CASE("All means every mapper of the table") {
  Texts names;
  for (const MapperInfo& info : all_mappers()) names.push_back(info.name);
  CHECK(parsed("all") == names);
}

TEST_CASE("Options print in a form that reads back") {
  CHECK(to_string({"some", {{"b", "2"}, {"a", "1"}}}) == "some:a=1,b=2");
}

TEST_CASE("A wrong list of mappers is an error that names the nearest choice") {
  CHECK_THROWS_WITH(parse_mappers("gredy"),
                    Catch::Contains("mapper \"gredy\" is unknown (see vtopo mappers)") &&
                        Catch::Contains("did you mean \"greedy\"?"));
  CHECK_THROWS_WITH(parse_mappers("exchange:strat=block"),
                    "mapper exchange: unknown option \"strat\"; accepted: start; did you mean "
                    "\"start\"?");
  CHECK_THROWS_WITH(parse_mappers("block:x=1"),
                    "option \"x\" of mapper block: the mapper has no options");
  CHECK_THROWS_WITH(parse_mappers("exchange:start"),
                    "option \"start\" of mapper exchange has no value: accepted is option=value");
  CHECK_THROWS_WITH(parse_mappers("exchange:start=block,start=random"),
                    "option \"start\" of mapper exchange is given twice");
  const auto wrong =
      GENERATE(as<std::string>(), "", "block,", ",block", "block,,greedy", "start=block", "all:x=1",
               "block:", "Block", "exchange:start=block,all,start=greedy:x");
  CHECK_THROWS_AS(parse_mappers(wrong), UsageError);
}

TEST_CASE("The options of a run are checked and reach the mapper") {
  const auto torus = make_torus({{{4}}, {}});
  const auto allocation = make_allocation(*torus, "all", std::vector{1}, 1);
  const auto guest = unit_grid({4});
  MappingProblem problem{guest, *torus, allocation};
  CHECK_THROWS_AS(run_mapper({"block", {{"x", "1"}}}, problem), UsageError);
  CHECK_THROWS_AS(run_mapper({"exchange", {{"start", "nobody"}}}, problem), UsageError);
  CHECK(run_mapper({"exchange", {{"start", "random"}}}, problem, {.steps = 0}) ==
        run_mapper({"random", {}}, problem));
  const MapperInfo& exchange = find_mapper("exchange");
  CHECK(option_value(exchange, problem, "start") == "greedy");
  problem.options["start"] = "block";
  CHECK(option_value(exchange, problem, "start") == "block");
}

TEST_CASE("A label is what rows of a mapper are called") {
  const MapperSpec spec = parse_mappers("exchange:start=rcm,label=mine").at(0);
  CHECK(row_label(spec) == "mine");
  CHECK(to_string(spec) == "exchange:start=rcm,label=mine");
  CHECK(row_label(parse_mappers("block").at(0)) == "block");
  CHECK(to_string(parse_mappers("block:label=b").at(0)) == "block:label=b");
  CHECK_THROWS_AS(parse_mappers("block:label="), UsageError);
  CHECK_THROWS_AS(parse_mappers("block:label=a,label=b"), UsageError);
}
