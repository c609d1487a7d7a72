#include "sim/mapping/api/objective.hpp"

#include <catch2/catch.hpp>

#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using tests::message_of;

namespace {

std::string objective_error(const std::string& text) {
  return message_of<UsageError>([&] { parse_objective(text); });
}

Metrics some_metrics() {
  Metrics metrics;
  metrics.hop_bytes = {100};
  metrics.max_congestion = {0.25};
  metrics.mean_congestion = {0.125};
  metrics.max_dilation = 3;
  metrics.jsum = 7;
  metrics.jmax = 2;
  return metrics;
}

}  // namespace

TEST_CASE("Objectives are read back as they are written") {
  for (const auto* text : {"hop-bytes", "max-congestion,hop-bytes", "2*jsum+jmax,max-dilation",
                           "1e+20*max-congestion+hop-bytes"})
    CHECK(to_string(parse_objective(text)) == text);
  for (const auto* text : {"time", "time,jmax", "simulated-time", "simulated-time,hop-bytes"})
    CHECK(to_string(parse_objective(text)) == text);
  CHECK(to_string(Objective{}) == "hop-bytes");
  CHECK(to_string(parse_objective("1e+3*jsum+jmax")) == "1000*jsum+jmax");
  CHECK(to_string(parse_objective(" 2 * jsum + jmax , hop-bytes")) == "2*jsum+jmax,hop-bytes");
}

TEST_CASE("Costs are weighted sums in the order of the objective") {
  // By hand: 4 * 0.25 + 100 = 101.
  CHECK(cost_of(parse_objective("4*max-congestion+hop-bytes,jmax"), some_metrics()) ==
        Cost{101, 2});
  CHECK(cost_of(parse_objective("jsum,max-dilation"), some_metrics()) == Cost{7, 3});
  CHECK(cost_of(parse_objective("8*mean-congestion"), some_metrics()) == Cost{1});
  CHECK(cost_of({}, some_metrics()) == Cost{100});
  CHECK(parse_objective("jsum,hop-bytes").sums.size() == 2);
  CHECK(is_hop_bytes({}));
  CHECK(is_hop_bytes(parse_objective("3*hop-bytes")));
  CHECK_FALSE(is_hop_bytes(parse_objective("hop-bytes,jmax")));
}

TEST_CASE("Static figures stand in for the simulated time") {
  const Objective objective = parse_objective("simulated-time");
  CHECK(objective.time == TimeFirst::simulated);
  CHECK(parse_objective("time") == default_objective());
  CHECK(cost_of(default_objective(), some_metrics()) == Cost{0.25, 100});
  CHECK(cost_of(objective, some_metrics()) == Cost{0.25, 100});  // congestion, hop-bytes
  CHECK_FALSE(is_hop_bytes(objective));
  CHECK(
      objective_error("jsum,simulated-time") ==
      "simulated-time in objective \"jsum,simulated-time\": it stands first and without a weight");
  CHECK(objective_error("2*simulated-time").starts_with("simulated-time in objective"));
}

TEST_CASE("Objectives that make no sense get a sentence") {
  CHECK(
      objective_error("hopbytes") ==
      "measure \"hopbytes\" in objective \"hopbytes\"; accepted: time, hop-bytes, max-congestion, "
      "mean-congestion, max-dilation, jsum, jmax, simulated-time; did you mean \"hop-bytes\"?");
  CHECK(objective_error("0*jmax") ==
        "weight \"0\" in objective \"0*jmax\": accepted is a finite number > 0");
  CHECK(objective_error("x*jmax").starts_with("weight \"x\""));
  CHECK(objective_error("jmax,").starts_with("measure \"\" in objective"));
  CHECK(objective_error("jmax++jsum").starts_with("measure \"\" in objective"));
}

TEST_CASE("An objective takes the names that reports have") {
  CHECK(parse_objective("max_congestion,hop_bytes") == max_congestion_first());
  CHECK(parse_objective("makespan") == parse_objective("time"));
  CHECK(parse_objective("2*mean_congestion") == parse_objective("2*mean-congestion"));
}
