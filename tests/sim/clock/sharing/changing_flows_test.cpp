#include "sim/clock/sharing/changing_flows.hpp"

#include <catch2/catch.hpp>

#include <map>

#include "tests/sim/max_min_oracle.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Flows that run, beside the engine, solved anew from the definition whenever one starts or ends.
class Oracle {
 public:
  explicit Oracle(std::vector<double> capacity) : capacity_(std::move(capacity)) {}

  void start(int flow, double volume, std::vector<FlowLink> links) {
    running_[flow] = {volume, std::move(links), 0};
    solve();
  }

  void advance(double seconds) {
    for (auto& [flow, state] : running_) state.left -= seconds * state.rate;
  }

  void end(int flow) {
    running_.erase(flow);
    solve();
  }

  double rate(int flow) const { return running_.at(flow).rate; }
  double left(int flow) const { return running_.at(flow).left; }
  bool runs(int flow) const { return running_.contains(flow); }
  const auto& running() const { return running_; }

 private:
  struct State {
    double left = 0;
    std::vector<FlowLink> links;
    double rate = 0;
  };

  void solve() {
    SharedFlows flows;
    flows.capacity = capacity_;
    flows.first.push_back(0);
    for (const auto& [flow, state] : running_) {
      flows.volume.push_back(1);
      for (const FlowLink& used : state.links) {
        flows.links.push_back(used.link);
        flows.shares.push_back(used.share);
      }
      flows.first.push_back(flows.links.size());
    }
    const auto rates = oracle_rates(flows, std::vector<bool>(flows.num_flows(), true));
    std::size_t next = 0;
    for (auto& [flow, state] : running_) state.rate = rates[next++];
  }

  std::vector<double> capacity_;
  std::map<int, State> running_;
};

struct RandomFlows {
  explicit RandomFlows(std::uint64_t seed) : random(seed) {
    num_links = 1 + below(seed % 5 == 0 ? 400 : 20);  // many and few links at a time
    shared = below(2) == 0;
    equal = below(2) == 0;
  }

  int below(int bound) { return static_cast<int>(random.below(static_cast<std::uint64_t>(bound))); }

  std::vector<double> capacities() {
    std::vector<double> capacity;
    for (int l = 0; l < num_links; ++l) capacity.push_back(equal ? 10 : 1 + below(100));
    return capacity;
  }

  std::vector<FlowLink> links() {
    std::vector<FlowLink> links;
    const int some = num_links > 20 ? 15 : 3;
    for (int l = 0; l < num_links; ++l)
      if (below(num_links) < some) links.push_back({l, shared ? 1.0 / (1 + below(5)) : 1.0});
    if (links.empty()) links.push_back({below(num_links), 1});
    return links;
  }

  double volume() { return equal ? 100 : 1 + below(1000); }

  Random random;
  int num_links = 1;
  bool shared = false, equal = false;
};

}  // namespace

TEST_CASE("Rates are those of the definition while flows start and end at any time") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    RandomFlows random(seed);
    const auto capacity = random.capacities();
    ChangingFlows flows(capacity);
    Oracle oracle(capacity);
    for (int step = 0; step < 60; ++step) {
      for (int starts = random.below(4); starts > 0 && flows.num_flows() < 30; --starts) {
        const auto links = random.links();
        const double volume = random.volume();
        oracle.start(flows.start(volume, links), volume, links);
      }
      const double end = flows.next_end();
      for (const auto& [flow, state] : oracle.running())
        REQUIRE(flows.rate(flow) == Approx(state.rate).epsilon(1e-7));
      if (flows.num_flows() == 0) continue;
      // To the next end, or half the way to it.
      const double before = flows.time();
      const double now = random.below(2) == 0 ? end : before + (end - before) / 2;
      const auto ended = flows.advance(now);
      oracle.advance(now - before);
      REQUIRE(ended.empty() == (now != end));
      for (const auto flow : ended) {
        REQUIRE(oracle.left(flow) == Approx(0).margin(1e-6 * 1000));
        oracle.end(flow);
      }
      for (const auto& [flow, state] : oracle.running()) REQUIRE(state.left > -1e-6 * 1000);
    }
  }
}

TEST_CASE("A flow that starts halves the rate of the one on its link") {
  // By hand: link of 10 B/s, flow a of 100 B at 0 s, flow b of 10 B at 2 s. From then on 5 B/s
  // each: b ends at 4 s, when a has 100 - 20 - 10 = 70 B left, and ends 7 s later.
  ChangingFlows flows({10});
  const FlowLink link[] = {{0, 1}};
  const auto a = flows.start(100, link);
  CHECK(flows.next_end() == Approx(10));
  CHECK(flows.advance(2).empty());
  const auto b = flows.start(10, link);
  CHECK(flows.next_end() == Approx(4));
  const auto ended = flows.advance(4);
  REQUIRE(ended.size() == 1);
  CHECK(ended[0] == b);
  CHECK(flows.next_end() == Approx(11));
  CHECK(flows.rate(a) == Approx(10));
}

TEST_CASE("A flow without links ends at once") {
  ChangingFlows flows({10});
  const auto flow = flows.start(100, {});
  CHECK(flows.next_end() == 0);
  const auto ended = flows.advance(0);
  REQUIRE(ended.size() == 1);
  CHECK(ended[0] == flow);
}
