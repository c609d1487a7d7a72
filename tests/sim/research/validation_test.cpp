#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "sim/research/validation/calibrate.hpp"
#include "sim/research/validation/job_layout.hpp"
#include "sim/research/validation/ledger_report.hpp"
#include "sim/research/validation/measured_runs.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/message_of.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

constexpr const char* heading =
    "machine,run,nodes,collective,algorithm,library,bytes,iterations,min_s,median_s\n";

/// A folder of measured runs.
std::string write_runs(const std::string& name, const std::string& lines) {
  std::string folder = tests::own_folder() + "/measured-" + name;
  std::filesystem::create_directories(folder + "/allocations");
  std::ofstream(folder + "/runs.csv") << heading << lines;
  return folder;
}

/// Platform file of a machine of 16 hosts.
std::string write_platform(const std::string& folder, const std::string& properties) {
  std::string path = folder + "/mill.xml";
  std::ofstream(path) << "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
                         "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
                         "<zone id=\"mill\" routing=\"None\">\n"
                         "<prop id=\"vtopo-network\" value=\"torus:4x4\"/>\n"
                         "<prop id=\"vtopo-bandwidth\" value=\"10GBps\"/>\n"
                         "<prop id=\"vtopo-latency\" value=\"100ns\"/>\n"
                      << properties
                      << "<host id=\"placeholder\" speed=\"1Gf\"/></zone></platform>\n";
  return path;
}

LedgerRow row(const std::string& run, const std::string& algorithm, double measured,
              std::optional<double> predicted) {
  LedgerRow row{{"mill", run, "4", "bcast", algorithm, "ompi", {65536}, {measured}, 4}, {}};
  if (predicted) row.prediction.time = Seconds{*predicted};
  return row;
}

std::string error_of(const std::string& lines) {
  const std::string folder = write_runs("wrong", lines);
  return tests::message_about(folder + "/runs.csv",
                              [&] { read_measured_points(folder + "/runs.csv"); });
}

}  // namespace

TEST_CASE("Measured points are read by the names of their columns") {
  const auto points =
      read_measured_points(write_runs("good",
                                      "mill,r1,2x2x2,bcast,binomial,ompi,1048576,10,1,0.25\n"
                                      "mill,r2,16,allgather,ring,over,4096,10,1,2e-3\n") +
                           "/runs.csv");
  REQUIRE(points.size() == 2);
  CHECK(points[0].ranks == 8);
  CHECK(points[0].time.value == 0.25);
  CHECK(points[1].ranks == 16);
  CHECK(points[1].bytes.value == 4096);
  CHECK(library_of(points[1].library) == "pico");
}

TEST_CASE("A wrong point is one sentence with its place") {
  CHECK(error_of("mill,r1,2x0,bcast,binomial,ompi,1,10,1,1\n")
            .starts_with(":2:9: nodes \"2x0\"; expected a number or a shape"));
  // 4 of 64 bits.
  CHECK(error_of("mill,r1,4x4611686018427387905,bcast,binomial,ompi,1,10,1,1\n")
            .starts_with(":2:9: nodes \"4x4611686018427387905\"; expected a number or a shape"));
  CHECK(error_of("mill,r1,4,bcast,binomial,ompi,1,10,1\n") ==
        ":2:37: 9 values; expected at least 10");
  CHECK(error_of("mill,r1,4,bcast,binomial,ompi,1,10,1,0\n") ==
        ":2:38: median_s 0; expected a number > 0");
  CHECK(error_of("mill,../r1,4,bcast,binomial,ompi,1,10,1,1\n") ==
        ":2:6: run \"../r1\"; expected a name without '/'");
}

TEST_CASE("Agreement counts errors, winners and pairs in the same order") {
  // By hand: ratios 2, 1, 1/2 in r1, none in r2; ln 2 is 0.693. In r1 the fastest, a, is predicted
  // to be it; of the pairs a-b, a-c, b-c only b-c is in the other order.
  const std::vector<LedgerRow> rows{row("r1", "a", 1, 2), row("r1", "b", 2, 2.5),
                                    row("r1", "c", 4, 2.25), row("r2", "a", 1, std::nullopt)};
  std::vector<const LedgerRow*> all;
  for (const LedgerRow& each : rows) all.push_back(&each);
  const Agreement result = agreement(all);
  CHECK(result.points == 3);
  CHECK(result.median_error == Approx(std::log(4 / 2.25)));  // of ln 2, ln 1.25, ln(4/2.25)
  CHECK(result.p90_error == Approx(std::log(2.0)));
  CHECK(result.winner_cases == 1);
  CHECK(result.winner_right == 1);
  CHECK(result.kendall_tau == Approx((2 - 1) / 3.0));  // a-b and a-c agree, b-c does not
}

/// A machine with a run r1 of eight ranks that are not in order.
MeasuredMachine machine_of_eight(const std::string& folder) {
  const std::string platform = write_platform(folder, "");
  std::ofstream(folder + "/allocations/mill-r1.csv")
      << "rank,host\n0,host-0\n1,host-5\n2,host-2\n3,host-7\n4,host-9\n5,host-11\n6,host-12\n"
         "7,host-14\n";
  return {folder, platform};
}

/// Points of r1 that take exactly the time which the machine predicts under its parameters.
std::vector<MeasuredPoint> predicted_points(
    MeasuredMachine& machine, const std::vector<std::pair<std::string, std::string>>& algorithms) {
  std::vector<MeasuredPoint> points;
  for (const auto& [collective, algorithm] : algorithms)
    for (const double bytes : {65536.0, 1048576.0, 67108864.0}) {
      MeasuredPoint point{"mill", "r1", "8", collective, algorithm, "ompi", {bytes}, {1}, 8};
      point.time = *machine.predict(point).time;
      points.push_back(point);
    }
  return points;
}

TEST_CASE("Calibration finds the numbers that made the points") {
  const std::string folder = write_runs("made", "");
  MachineParameters truth;
  truth.overhead = Seconds{1.1e-6};
  truth.latency = Seconds{2.3e-6};
  truth.injection = {7e9};
  truth.reduction_bandwidth = {3e9};
  truth.memory_bandwidth = {8e9};
  MeasuredMachine machine = machine_of_eight(folder);
  machine.set_parameters(truth);
  const auto points = predicted_points(machine, {{"allreduce", "ring"},
                                                 {"allreduce", "recursive_doubling"},
                                                 {"allgather", "ring"},
                                                 {"alltoall", "linear"},
                                                 {"alltoall", "modified_bruck"},
                                                 {"bcast", "binomial"}});
  machine.set_parameters(MachineParameters());
  const Calibration fit = calibrate(machine, points);
  CHECK(fit.run == "r1");
  CHECK(fit.error < 0.02);
  CHECK(fit.undetermined.empty());
  // Points tell these two apart but little; their sum on the way of a message they do.
  CHECK(fit.parameters.overhead.value == Approx(truth.overhead.value).epsilon(0.25));
  CHECK(fit.parameters.latency.value == Approx(truth.latency.value).epsilon(0.25));
  CHECK(2 * fit.parameters.overhead.value + fit.parameters.latency.value ==
        Approx(2 * truth.overhead.value + truth.latency.value).epsilon(0.05));
  CHECK(fit.parameters.injection.value == Approx(truth.injection.value).epsilon(0.1));
  CHECK(fit.parameters.reduction_bandwidth.value ==
        Approx(truth.reduction_bandwidth.value).epsilon(0.1));
  CHECK(fit.parameters.memory_bandwidth.value == Approx(truth.memory_bandwidth.value).epsilon(0.1));
}

TEST_CASE("Calibration leaves a number as it is that no point depends on") {
  const std::string folder = write_runs("no-reduction", "");
  MeasuredMachine machine = machine_of_eight(folder);
  MachineParameters truth;
  truth.overhead = Seconds{0.2e-6};
  truth.latency = Seconds{3.1e-6};
  truth.injection = {9e9};
  truth.memory_bandwidth = {21e9};
  machine.set_parameters(truth);
  const auto points = predicted_points(machine, {{"allgather", "ring"},
                                                 {"alltoall", "modified_bruck"},
                                                 {"bcast", "binomial"}});  // none reduces
  MachineParameters start;
  start.reduction_bandwidth = {6e9};
  machine.set_parameters(start);
  const Calibration fit = calibrate(machine, points);
  CHECK(std::count(fit.undetermined.begin(), fit.undetermined.end(), "reduction_Bps") == 1);
  CHECK(fit.parameters.reduction_bandwidth.value == 6e9);
  CHECK(machine.parameters().reduction_bandwidth.value == 6e9);
}

TEST_CASE("The eager limit is the one that the platform file states, else 16 KiB") {
  PlatformProperties properties;
  CHECK(costs_of(parameters_of(properties)).eager_limit == Bytes{16384});
  properties.endpoint.eager_limit = Bytes{8192};
  CHECK(costs_of(parameters_of(properties)).eager_limit == Bytes{8192});
}

TEST_CASE("The handshake is the one that the platform file states, else twice the overhead") {
  PlatformProperties properties;
  properties.endpoint.overhead = Seconds{1e-6};
  CHECK(costs_of(parameters_of(properties)).handshake.value == 2e-6);
  properties.endpoint.handshake = Seconds{5e-6};
  CHECK(costs_of(parameters_of(properties)).handshake.value == 5e-6);
}

TEST_CASE("What calibration prints is what a platform file says") {
  MachineParameters parameters;
  parameters.overhead = Seconds{1.25e-6};
  parameters.injection = {7.5e9};
  parameters.limits_extraction = false;
  const std::string folder = write_runs("printed", "");
  const std::string platform = write_platform(folder, property_lines(parameters));
  const MachineParameters read = parameters_of(read_platform_properties(platform));
  CHECK(read.overhead.value == Approx(1.25e-6));
  CHECK(read.latency.value == Approx(parameters.latency.value));
  CHECK(read.injection.value == 7.5e9);
  CHECK(!read.limits_extraction);
  CHECK(read.memory_bandwidth.value == parameters.memory_bandwidth.value);
}

TEST_CASE("A shape needs a job network, an allocation as many hosts as ranks") {
  const std::string folder = write_runs("places",
                                        "mill,r1,2x2,bcast,binomial,ompi,65536,10,1,1\n"
                                        "mill,r2,3,bcast,binomial,ompi,65536,10,1,1\n"
                                        "mill,r3,4,bcast,nothing,ompi,65536,10,1,1\n");
  std::ofstream(folder + "/allocations/mill-r2.csv") << "rank,host\n0,host-0\n1,host-5\n";
  CHECK_THROWS_AS(machine_files(folder, {"", "", folder}), InputError);
  CHECK_THROWS_AS(machine_files(folder, {"hill", "", folder}), InputError);
  write_platform(folder, "");
  const auto found = machine_files(folder, {"mill", "", folder});
  REQUIRE(found.size() == 1);
  CHECK(found[0].platform == folder + "/mill.xml");
  CHECK_THROWS_AS(MeasuredMachine(folder, tests::source_path("platforms/teaching-torus-4x4.xml")),
                  InputError);
  MeasuredMachine machine(folder, found[0].platform);
  CHECK(tests::message_of<UsageError>([&] {
          machine.predict(found[0].points[0]);
        }).find("vtopo-job-network") != std::string::npos);
  CHECK(tests::message_of<InputError>([&] { machine.predict(found[0].points[1]); })
            .ends_with("2 ranks on 2 nodes for the run \"r2\" of mill, which has 3 ranks on 3 "
                       "nodes; expected a line per rank"));
  CHECK(machine.predict(found[0].points[2]).reason ==
        "no algorithm \"nothing\" of openmpi is known");
  MeasuredMachine shaped(
      folder, write_platform(folder, "<prop id=\"vtopo-job-network\" value=\"torus:{}\"/>\n"));
  CHECK(shaped.predict(found[0].points[0]).time);
}

namespace {

/// What is wrong with the allocation of a run of ranks on nodes of the machine.
std::string allocation_error(const std::string& name, const std::string& nodes, int ranks,
                             int tasks, const std::string& lines) {
  const std::string folder = write_runs(name, "");
  MeasuredMachine machine(folder, write_platform(folder, ""));
  std::ofstream(folder + "/allocations/mill-r1.csv") << "rank,host\n" << lines;
  const MeasuredPoint point{"mill", "r1",    nodes, "bcast", "binomial",
                            "ompi", {65536}, {1},   ranks,   tasks};
  const std::string sentence =
      tests::message_of<InputError>([&] { machine.check(std::vector{point}); });
  const std::string prefix = folder + "/allocations/mill-r1.csv: ";
  REQUIRE(sentence.starts_with(prefix));
  CHECK(tests::message_of<InputError>([&] { machine.predict(point); }) == sentence);
  return sentence.substr(prefix.size());
}

}  // namespace

TEST_CASE("Some rounds and steps stand for all of a collective of thousands of ranks") {
  // A ring of ranks on a ring of hosts: every round takes as long as the first one. All to all at
  // once: routes of a mesh go along their row first, so its middle link carries what 17 hosts send
  // to 17 x 34, of 1 MB each.
  const std::string folder = write_runs("many",
                                        "mill,r1,64x1,allgather,ring,ompi,131072,10,1,1\n"
                                        "mill,r2,2048x1,allgather,ring,ompi,4194304,10,1,1\n"
                                        "mill,r3,34x34,alltoall,linear,ompi,1156000000,10,1,1\n");
  const auto points = read_measured_points(folder + "/runs.csv");
  MeasuredMachine ring(
      folder, write_platform(folder, "<prop id=\"vtopo-job-network\" value=\"torus:{}\"/>\n"));
  const Prediction few = ring.predict(points[0]), many = ring.predict(points[1]);
  REQUIRE(few.time);
  REQUIRE(many.time);
  CHECK(few.reason.empty());
  CHECK(many.reason == "one in 2 of its steps was timed");
  CHECK(many.time->value / 2047 == Approx(few.time->value / 63).epsilon(1e-9));

  MeasuredMachine mesh(
      folder, write_platform(folder, "<prop id=\"vtopo-job-network\" value=\"mesh:{}\"/>\n"));
  const Prediction all = mesh.predict(points[2]);
  REQUIRE(all.time);
  CHECK(all.reason == "one in 1.27 of its steps was timed");
  CHECK(all.time->value == Approx(17.0 * 17 * 34 * 1e6 / 10e9).epsilon(0.03));
}

TEST_CASE("An allocation of more or fewer lines than ranks is refused") {
  CHECK(allocation_error("short", "3", 3, 1, "0,host-0\n1,host-5\n") ==
        "2 ranks on 2 nodes for the run \"r1\" of mill, which has 3 ranks on 3 nodes; expected a "
        "line per rank");
  CHECK(allocation_error("long", "1", 1, 1, "0,host-0\n1,host-5\n")
            .starts_with("2 ranks on 2 nodes for the run \"r1\" of mill, which has 1 rank on 1 "
                         "node;"));
  // A host that repeats has several ranks: not as many nodes, and not as many ranks each.
  CHECK(allocation_error("twice", "3", 3, 1, "0,host-0\n1,host-5\n2,host-5\n")
            .starts_with("3 ranks on 2 nodes for"));
  CHECK(allocation_error("single", "2", 4, 2, "0,host-0\n1,host-5\n")
            .starts_with("2 ranks on 2 nodes for the run \"r1\" of mill, which has 4 ranks on 2"));
  CHECK(allocation_error("spread", "2", 4, 2, "0,host-0\n1,host-5\n2,host-6\n3,host-7\n")
            .starts_with("4 ranks on 4 nodes for"));
  CHECK(allocation_error("gap", "2", 2, 1, "0,host-0\n2,host-5\n") ==
        "2 ranks up to 2: each from 0 on must have a line");
}

TEST_CASE("Points of one run with other numbers of ranks have allocations of their own") {
  // Two ranks on neighbours and four a node: by name, the second finds its own file.
  const std::string folder = write_runs("sizes", "");
  std::ofstream(folder + "/runs.csv")
      << "machine,run,nodes,tasks_per_node,collective,algorithm,library,bytes,median_s\n"
         "mill,r1,2,1,bcast,binomial,ompi,65536,1\n"
         "mill,r1,2,2,bcast,binomial,ompi,65536,1\n";
  const std::vector<MeasuredPoint> points = read_measured_points(folder + "/runs.csv");
  REQUIRE(points.size() == 2);
  CHECK(points[1].ranks == 4);
  CHECK(points[1].num_nodes() == 2);
  std::ofstream(folder + "/allocations/mill-r1.csv") << "rank,host\n0,host-0\n1,host-1\n";
  MeasuredMachine machine(folder, write_platform(folder, ""));
  CHECK(tests::message_of<InputError>([&] {
          machine.check(points);
        }).find("mill-r1.csv: 2 ranks") != std::string::npos);
  std::ofstream(folder + "/allocations/mill-r1-4.csv")
      << "rank,host\n0,host-0\n1,host-0\n2,host-1\n3,host-1\n";
  CHECK_NOTHROW(machine.check(points));
  const auto places = machine.places(points[1]);
  CHECK(places.hosts == std::vector<HostId>{HostId{0}, HostId{0}, HostId{1}, HostId{1}});
  CHECK(machine.predict(points[0]).time);
  CHECK(machine.predict(points[1]).time);
}

TEST_CASE("Reports of a ledger hold each point once") {
  MachineLedger ledger{"mill", "mill.xml", {}, {row("r1", "a", 1, 2), row("r1", "b", 2, {})}};
  ledger.rows[1].prediction.reason = "no <such> algorithm";
  const Ledgers ledgers{ledger};
  CHECK(
      ledger_csv(ledgers).ends_with("mill,r1,4,bcast,a,ompi,65536,1,2,,2,,1\n"
                                    "mill,r1,4,bcast,b,ompi,65536,2,,,,no <such> algorithm,1\n"));
  CHECK(ledger_json(ledgers).find("\"predicted_s\": null") != std::string::npos);
  CHECK(ledger_page(ledgers).find("no &lt;such&gt; algorithm") != std::string::npos);
  CHECK(ledger_markdown(ledgers).find("| mill | 1 | no <such> algorithm |") != std::string::npos);
}

namespace {

constexpr const char* pair_heading =
    "machine,run,nodes,tasks_per_node,collective,bytes,library,segments,ports,algorithm_a,"
    "algorithm_b,median_a_s,p10_a_s,p90_a_s,median_b_s,p10_b_s,p90_b_s,ratio_a_over_b\n";

std::string write_pairs(const std::string& name, const std::string& lines) {
  std::string folder = tests::own_folder() + "/pairs-" + name;
  std::filesystem::create_directories(folder + "/allocations");
  std::ofstream(folder + "/pairs.csv") << pair_heading << lines;
  return folder;
}

std::string pair_error(const std::string& lines) {
  const std::string folder = write_pairs("wrong", lines);
  return tests::message_about(folder + "/pairs.csv",
                              [&] { read_measured_pairs(folder + "/pairs.csv"); });
}

PairRow pair_row(double measured, double predicted, double bytes = 65536) {
  PairRow row;
  row.pair.a.bytes = row.pair.b.bytes = Bytes{bytes};
  row.pair.a.time = Seconds{measured};
  row.pair.b.time = Seconds{1};
  row.a.time = Seconds{predicted};
  row.b.time = Seconds{1};
  return row;
}

}  // namespace

TEST_CASE("Pairs are read with their segments, ports and noise") {
  const std::string folder =
      write_pairs("good",
                  "mill,r1,4x4,1,allreduce,65536,utofu,1024,4,BINE-B_CONT-UTOFU-1024-4,"
                  "RECDOUB-B_CONT-UTOFU-1024-4,2,1,4,4,4,4,0.5\n"
                  "mill,r1,2,3,reduce_scatter,65536,over,,,halves_over,ring_over,1,1,1,1,1,1,1\n");
  const auto pairs = read_measured_pairs(folder + "/pairs.csv");
  REQUIRE(pairs.size() == 2);
  CHECK(pairs[0].ratio() == 0.5);
  CHECK(pairs[0].segments == 1024);
  CHECK(pairs[0].ports == 4);
  CHECK(pairs[0].noise == Approx(std::log(2)));  // half of ln 4, and none of b
  CHECK(pairs[1].a.algorithm == "halves");
  CHECK(pairs[1].algorithm_a == "halves_over");
  CHECK(!pairs[1].segments);
  CHECK(pairs[1].a.ranks == 6);
}

TEST_CASE("A wrong pair is one sentence with its place") {
  const std::string start = "mill,r1,4x4,1,allreduce,65536,utofu,0,1,a,b,";
  CHECK(pair_error(start + "2,1,4,4,4,4,0.6\n") ==
        ":2:57: ratio_a_over_b 0.6, but the medians have 0.5");
  CHECK(pair_error(start + "2,4,1,4,4,4,0.5\n") == ":2:49: p90_a_s 1 is less than p10_a_s 4");
  CHECK(pair_error(start + "0,1,4,4,4,4,0.5\n").find("median_a_s 0; expected a number > 0") !=
        std::string::npos);
  CHECK(pair_error(start + "2,1\n").find("values; expected at least") != std::string::npos);
}

TEST_CASE("Pairs count those beyond 5 %, and stand beside the best constant") {
  // By hand, of ratios 0.5, 0.8, 0.98, 1.25 and predictions of them.
  MachineLedger ledger;
  ledger.pairs = {pair_row(0.5, 0.6), pair_row(0.8, 0.8), pair_row(0.98, 1.1), pair_row(1.25, 0.9),
                  pair_row(9, 1, 1024)};
  const PairAgreement of = pair_agreement(ledger);
  CHECK(of.pairs == 4);  // one is below 64 KiB
  CHECK(of.cases == 3);
  CHECK(of.sign_right == 2);
  // Errors: ln 1.2, 0, ln(1.1 / 0.98), ln(1.25 / 0.9).
  CHECK(of.median_error == Approx(std::log(1.2)));
  // Of three next to each other: 0.8 to 1.25 is narrower than 0.5 to 0.98.
  CHECK(of.median_error_of_constant == Approx(std::log(1.25 / 0.8) / 2));
  // 0.5 < 0.8 < 0.98 < 1.25 predicted as 0.6, 0.8, 1.1, 0.9: one of six is in the other order.
  CHECK(of.tau == Approx((5 - 1) / 6.0));
}

TEST_CASE("The noise of a machine is what 68 % of its pairs stay below") {
  MachineLedger ledger;
  CHECK(!noise_of(ledger));
  // Pairs of algorithms of one run: 1 against 2 and 4, 2 against 4. Predicted 1, 1, 4: off by ln 2,
  // 0 and ln 2.
  ledger.rows = {row("r1", "a", 1, 1), row("r1", "b", 2, 1), row("r1", "c", 4, 4)};
  CHECK(*noise_of(ledger) == Approx(std::log(2)));
  for (LedgerRow& each : ledger.rows) each.point.noise = 0.9;
  CHECK(*noise_of(ledger) == Approx(0.9));
}

TEST_CASE("A folded ring goes along one dimension and comes back through the others") {
  // By hand: 8 nodes over a = 0, 1 and X = 0..3: up at a = 0, ... of torus:2mx4m, a fastest. With a
  // first, the ring takes (0,0), (1,0), then (1,1), (1,2), (1,3), and back (0,3), (0,2), (0,1).
  const JobLayout line = lay_out_job("folded:a=2m,X<=24;aX", "8");
  CHECK(line.network == "torus:2mx4m");
  std::vector<int> hosts;
  for (const HostId host : line.hosts) hosts.push_back(number(host));
  CHECK(hosts == std::vector<int>{0, 1, 3, 5, 7, 6, 4, 2});
  // Two rings of 64 fit into a, Y, b and c, X, Z: 2 x 11 x 3 (66 nodes) and 2 x 8 x 4.
  const std::string fugaku = "folded:a=2m,b=3,c=2m,X<=24,Y<=23,Z<=24;Xa/Yb/Zc;aYb/cXZ";
  const JobLayout square = lay_out_job(fugaku, "64x64");
  CHECK(square.network == "torus:2mx11mx3x2mx8mx4m");
  CHECK(square.hosts.size() == 4096);
  CHECK(std::set<HostId>(square.hosts.begin(), square.hosts.end()).size() == 4096);
  CHECK(lay_out_job(fugaku, "8x8x8").network == "torus:4mx2mx3mx3x4mx2m");
  CHECK(lay_out_job("hyperx:{}", "4x4").network == "hyperx:4x4");
  CHECK_THROWS_AS(lay_out_job(fugaku, "8"), UsageError);
  CHECK_THROWS_AS(lay_out_job(fugaku, "8x8x512"), UsageError);
  CHECK_THROWS_AS(lay_out_job("folded:a=2m;ab", "8"), UsageError);
  CHECK_THROWS_AS(lay_out_job("torus", "8"), UsageError);
}

TEST_CASE("A folder of pairs alone is a ledger, in the shape of the job") {
  const std::string folder =
      write_pairs("alone",
                  "mill,r1,4x4,1,allreduce,1048576,utofu,0,1,BINE-L-UTOFU-0-1,RECDOUB-L-UTOFU-0-1,"
                  "2,1,4,4,4,4,0.5\n"
                  "mill,r1,4x4,1,allreduce,1048576,utofu,0,1,OTHER-L-UTOFU-0-1,RECDOUB-L-UTOFU-0-1,"
                  "2,1,4,4,4,4,0.5\n");
  write_platform(folder, "<prop id=\"vtopo-job-network\" value=\"torus:{}\"/>\n");
  const auto files = machine_files(folder, {"mill", "", folder});
  REQUIRE(files.size() == 1);
  MeasuredMachine machine(folder, files[0].platform);
  const MachineLedger ledger = make_ledger(machine, files[0], {});
  REQUIRE(ledger.pairs.size() == 2);
  // By hand: distances 1 and 2 of rings of 4 without and with a link shared, so Bine is faster.
  REQUIRE(ledger.pairs[0].ratio());
  CHECK(*ledger.pairs[0].ratio() < 1);
  CHECK(!ledger.pairs[1].ratio());
  const std::string json = ledger_json({ledger});
  CHECK(json.find("\"predicted_ratio\": null") != std::string::npos);
  CHECK(json.find("no algorithm \\\"OTHER-L-UTOFU-0-1\\\" of utofu is known") != std::string::npos);
  CHECK(json.find("\"pairs_median_abs_log_of_best_constant\"") != std::string::npos);
  CHECK(ledger_text({ledger}).find("Measured pairs") != std::string::npos);
}
