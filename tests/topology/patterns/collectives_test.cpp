#include "topology/patterns/collectives.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"

// Each algorithm is executed: ranks hold slots, a slot holds contributions as (owner, copies), and
// every round moves what the messages say. So a wrong partner, a wrong slot, a missing or a doubled
// contribution shows.

namespace vtopo {

using namespace vtopo::detail;
namespace {

using Catch::Contains;

/// How often each contribution is in a slot: of rank r in a reduction, of (r, slot) otherwise.
using Content = std::map<int, int>;
using Buffers = std::vector<std::vector<Content>>;

std::vector<int> slots_of(const CommunicationStep& step, std::int64_t round,
                          const StepMessage& message) {
  if (step.slots) return step.slots(round, message);
  std::vector<int> slots(static_cast<std::size_t>(message.slots));
  std::iota(slots.begin(), slots.end(), 0);
  return slots;
}

std::size_t at(int number) {
  return static_cast<std::size_t>(number);
}

/// What a message puts into a slot of its receiver.
struct Arrival {
  Content* own;
  Content sent;
};

/// @param before what is sent; may be the buffers themselves.
void run_round(const CommunicationStep& step, std::int64_t round, const Buffers& before,
               Buffers& buffers) {
  std::vector<Arrival> arrivals;
  for (const StepMessage& message : step.messages) {
    const auto slots = slots_of(step, round, message);
    if (static_cast<std::int64_t>(slots.size()) != message.slots)
      FAIL("slots are not as many as said");
    for (const int slot : slots)
      arrivals.push_back(
          {&buffers[at(message.destination)][at(slot)], before[at(message.source)][at(slot)]});
  }
  for (const auto& [own, sent] : arrivals) {
    if (step.effect == StepEffect::replace) *own = sent;
    if (step.effect == StepEffect::combine)
      for (const auto& [owner, copies] : sent) (*own)[owner] += copies;
  }
}

/// All steps; with a send buffer, which no step changes, or in place.
void run(const CommunicationSteps& steps, bool has_send_buffer, Buffers& buffers) {
  const Buffers first = has_send_buffer ? buffers : Buffers();
  for (const CommunicationStep& step : steps.steps)
    for (std::int64_t round = 0; round < step.rounds; ++round)
      run_round(step, round, has_send_buffer ? first : buffers, buffers);
}

/// Buffers where slot s of rank r holds `content(r, s)`.
template <class MakeContent>
Buffers buffers_of(int ranks, int slots, MakeContent content) {
  Buffers buffers(at(ranks));
  for (int r = 0; r < ranks; ++r)
    for (int s = 0; s < slots; ++s) buffers[at(r)].push_back(content(r, s));
  return buffers;
}

Content everyone(int ranks) {
  Content content;
  for (int r = 0; r < ranks; ++r) content[r] = 1;
  return content;
}

/// What the collective has in its buffers at first and must have in the end; where `after` has no
/// content, anything may be.
struct Expected {
  Buffers before, after;
};

Content own_rank(int rank, int) {
  return {{rank, 1}};
}

Content own_slot(int, int slot) {
  return {{slot, 1}};
}

/// Before: rank s has slot s, or as many parts of it; after: all slots are at all ranks.
Expected expected_allgather(int ranks, int slots) {
  const int parts = slots / ranks;
  const auto only_own = [=](int r, int s) { return r == s / parts ? own_slot(r, s) : Content(); };
  return {buffers_of(ranks, slots, only_own), buffers_of(ranks, slots, own_slot)};
}

Expected expected_bcast(int ranks, int slots, int root) {
  const auto at_root = [=](int r, int s) { return r == root ? own_slot(r, s) : Content(); };
  return {buffers_of(ranks, slots, at_root), buffers_of(ranks, slots, own_slot)};
}

/// Slot d is that of the rank d behind the root.
Expected expected_scatter(int ranks, int root) {
  Expected result = expected_bcast(ranks, ranks, root);
  for (int r = 0; r < ranks; ++r)
    for (int s = 0; s < ranks; ++s)
      if ((root + s) % ranks != r) result.after[at(r)][at(s)].clear();
  return result;
}

Expected expected_gather(int ranks, int root) {
  const auto only_own = [=](int r, int s) {
    return (root + s) % ranks == r ? own_slot(r, s) : Content();
  };
  const auto at_root = [=](int r, int s) { return r == root ? own_slot(r, s) : Content(); };
  return {buffers_of(ranks, ranks, only_own), buffers_of(ranks, ranks, at_root)};
}

/// @param has which (rank, slot) the result is needed in.
template <class Has>
Expected expected_reduction(int ranks, int slots, Has has) {
  return {buffers_of(ranks, slots, own_rank), buffers_of(ranks, slots, [=](int r, int s) {
            return has(r, s) ? everyone(ranks) : Content();
          })};
}

/// (source, distance) as one number; slot d of rank r ends with what r - d had for r.
Expected expected_alltoall(int ranks) {
  return {buffers_of(ranks, ranks,
                     [=](int r, int s) {
                       return Content{{r * ranks + s, 1}};
                     }),
          buffers_of(ranks, ranks, [=](int r, int s) {
            return Content{{(r - s + ranks) % ranks * ranks + s, 1}};
          })};
}

Expected expected(std::string_view collective, int ranks, int slots, int root) {
  if (collective == "allgather") return expected_allgather(ranks, slots);
  if (collective == "bcast") return expected_bcast(ranks, slots, root);
  if (collective == "scatter") return expected_scatter(ranks, root);
  if (collective == "gather") return expected_gather(ranks, root);
  if (collective == "alltoall") return expected_alltoall(ranks);
  return expected_reduction(ranks, slots, [=](int r, int s) {
    if (collective == "reduce") return r == root;
    return collective != "reduce_scatter" || r == s / (slots / ranks);
  });
}

/// Whether every rank has what it must have; of a barrier, word from everyone, however often.
bool has_result(std::string_view collective, const Buffers& buffers, const Buffers& after) {
  for (std::size_t r = 0; r < buffers.size(); ++r)
    for (std::size_t s = 0; s < buffers[r].size(); ++s) {
      if (after[r][s].empty()) continue;
      if (collective == "barrier" ? buffers[r][s].size() != after[r][s].size()
                                  : buffers[r][s] != after[r][s])
        return false;
    }
  return true;
}

const CollectiveAlgorithm& find_algorithm(std::string_view collective, std::string_view name) {
  const auto all = collective_algorithms();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& algorithm) {
    return algorithm.collective == collective && algorithm.name == name;
  });
  REQUIRE(found != all.end());
  return *found;
}

CommunicationSteps steps_of(std::string_view collective, std::string_view name, int ranks,
                            const CollectiveOptions& options = {}) {
  return make_steps(find_algorithm(collective, name), ranks, options);
}

/// Slots that each rank sends in all rounds.
std::vector<std::int64_t> slots_sent(const CommunicationSteps& steps, int ranks) {
  std::vector<std::int64_t> sent(at(ranks), 0);
  for (const CommunicationStep& step : steps.steps)
    for (const StepMessage& message : step.messages)
      sent[at(message.source)] += message.slots * step.rounds;
  return sent;
}

std::int64_t num_rounds(const CommunicationSteps& steps) {
  std::int64_t rounds = 0;
  for (const CommunicationStep& step : steps.steps) rounds += step.rounds;
  return rounds;
}

bool exists(RankNumbers numbers, int ranks) {
  if (numbers == RankNumbers::even) return ranks % 2 == 0;
  return numbers == RankNumbers::any || (ranks & (ranks - 1)) == 0;
}

bool has_key(const CollectiveAlgorithm& algorithm, std::string_view key) {
  return std::count(algorithm.keys.begin(), algorithm.keys.end(), key) > 0;
}

/// Options in which an algorithm differs, among so many ranks.
std::vector<CollectiveOptions> variants(const CollectiveAlgorithm& algorithm, int ranks) {
  std::vector<CollectiveOptions> result(1);
  for (const PartnerOrder& order : algorithm.orders)
    if (exists(order.ranks, ranks)) {
      result.push_back({});
      result.back().order = order.name;
    }
  const auto add = [&](std::string_view key, auto change) {
    if (!has_key(algorithm, key)) return;
    const auto before = result;
    for (CollectiveOptions options : before) {
      change(options);
      result.push_back(options);
    }
  };
  add("segments", [](CollectiveOptions& options) { options.segments = 3; });
  add("segments", [](CollectiveOptions& options) { options.segments = 19; });
  add("radix", [](CollectiveOptions& options) { options.radix = 3; });
  add("radix", [](CollectiveOptions& options) { options.radix = 8; });
  add("window", [](CollectiveOptions& options) { options.window = 3; });
  add("ports", [](CollectiveOptions& options) { options.ports = 5; });
  add("shape", [ranks](CollectiveOptions& options) { options.shape = {2, ranks / 2}; });
  const int per_node = ranks % 4 == 0 ? 4 : ranks % 3 == 0 ? 3 : ranks % 2 == 0 ? 2 : ranks;
  add("ranks_per_node", [=](CollectiveOptions& options) { options.ranks_per_node = per_node; });
  add("channels", [](CollectiveOptions& options) {
    options.channels = options.radix > 1 ? 1 : options.ranks_per_node;
  });
  add("children", [](CollectiveOptions& options) {
    options.together = options.segments > 1 || options.radix == 3;
  });
  return result;
}

std::set<int> roots_of(std::string_view collective, int ranks) {
  const std::set<std::string_view> rooted{"bcast", "reduce", "gather", "scatter"};
  if (!rooted.contains(collective)) return {0};
  return {0, 1, ranks / 2, ranks - 1};
}

/// Calls `check(algorithm, ranks, options)` of all that exist.
template <class Check>
void for_all_algorithms(const std::vector<int>& numbers, Check check) {
  for (const CollectiveAlgorithm& algorithm : collective_algorithms())
    for (const int ranks : numbers) {
      if (!exists(algorithm.ranks, ranks)) continue;
      for (const CollectiveOptions& options : variants(algorithm, ranks))
        for (const int root : roots_of(algorithm.collective, ranks)) {
          CollectiveOptions rooted = options;
          rooted.root = root;
          CAPTURE(algorithm.collective, algorithm.name, ranks, root, options.order);
          CAPTURE(options.segments, options.radix, options.window);
          check(algorithm, ranks, rooted);
        }
    }
}

/// Whether the result is right after an execution of all steps.
bool gives_result(const CollectiveAlgorithm& algorithm, int ranks,
                  const CollectiveOptions& options) {
  const CommunicationSteps steps = make_steps(algorithm, ranks, options);
  auto [buffers, after] = expected(algorithm.collective, ranks, steps.num_slots, options.root);
  // Bruck's and the hierarchical one are in place; what others send has never moved before.
  const bool direct = algorithm.collective == "alltoall" && algorithm.name != "bruck" &&
                      algorithm.name != "hierarchical";
  run(steps, direct, buffers);
  return has_result(algorithm.collective, buffers, after);
}

std::vector<int> two_to_seventeen() {
  std::vector<int> numbers(16);
  std::iota(numbers.begin(), numbers.end(), 2);
  return numbers;
}

TEST_CASE("every collective algorithm leaves every rank with what MPI promises") {
  for_all_algorithms(two_to_seventeen(),
                     [](const auto& algorithm, int ranks, const CollectiveOptions& options) {
                       CHECK(gives_result(algorithm, ranks, options));
                     });
}

TEST_CASE("every collective algorithm is right among 32 and 33 ranks") {
  for (const CollectiveAlgorithm& algorithm : collective_algorithms())
    for (const int ranks : {32, 33})
      for (const int root : roots_of(algorithm.collective, ranks)) {
        if (!exists(algorithm.ranks, ranks)) continue;
        CAPTURE(algorithm.collective, algorithm.name, ranks, root);
        CollectiveOptions options;
        options.root = root;
        CHECK(gives_result(algorithm, ranks, options));
      }
}

TEST_CASE("no rank sends two messages to one rank, or one to itself, in a step") {
  for_all_algorithms(
      {2, 6, 8, 13}, [](const auto& algorithm, int ranks, const CollectiveOptions& options) {
        for (const CommunicationStep& step : make_steps(algorithm, ranks, options).steps) {
          std::set<std::pair<int, int>> pairs;
          bool valid = !step.messages.empty() && step.rounds > 0;
          for (const StepMessage& message : step.messages) {
            // None is empty but the requests of the root to one rank after the other.
            const bool asks = algorithm.name == "linear_sync" && message.source == options.root;
            valid = valid && message.source != message.destination &&
                    (asks ? message.slots == 0 : message.slots > 0) &&
                    pairs.emplace(message.source, message.destination).second;
          }
          CAPTURE(step.name);
          CHECK(valid);
        }
      });
}

TEST_CASE("a step that is said to have the messages of one before has them") {
  for_all_algorithms({2, 8, 14},
                     [](const auto& algorithm, int ranks, const CollectiveOptions& options) {
                       const CommunicationSteps steps = make_steps(algorithm, ranks, options);
                       for (std::int64_t k = 0; k < steps.steps.size(); ++k)
                         if (const std::int64_t back = steps.steps[k].same_flows_back; back > 0)
                           CHECK(steps.steps[k].messages == steps.steps[k - back].messages);
                     });
}

// Patarasuk and Yuan 2009: every rank sends (P-1)/P of the vector in each half.
TEST_CASE("ring all-reduce sends 2(P-1)/P of the vector per rank, in 2(P-1) steps") {
  for (const int ranks : {2, 3, 8, 12}) {
    const CommunicationSteps steps = steps_of("allreduce", "ring", ranks);
    CHECK(steps.steps.size() == 2);
    CHECK(num_rounds(steps) == 2 * (ranks - 1));
    for (const std::int64_t slots : slots_sent(steps, ranks))
      CHECK(static_cast<double>(slots) * steps.slot_share == Approx(2.0 * (ranks - 1) / ranks));
  }
}

// Thakur, Rabenseifner, Gropp 2005: 2 lg P steps, 2 (P-1)/P of the vector for powers of two.
TEST_CASE("Rabenseifner's all-reduce sends as little as a ring in 2 lg P steps") {
  const CommunicationSteps steps = steps_of("allreduce", "rabenseifner", 16);
  CHECK(num_rounds(steps) == 8);
  for (const std::int64_t slots : slots_sent(steps, 16))
    CHECK(static_cast<double>(slots) * steps.slot_share == 2.0 * 15 / 16);
  CHECK(steps.steps[0].messages.at(0) ==
        StepMessage{0, 1, 8});  // the largest message goes next door
}

// Hand calculation, 6 ranks: 0 and 2 give way to 1 and 3, which with 4 and 5 are a power of two.
TEST_CASE("all-reduce of a number of ranks that is no power of two is folded to one") {
  const StepSequence steps = steps_of("allreduce", "recursive_doubling", 6).steps;
  REQUIRE(steps.size() == 4);
  CHECK(steps[0].messages == std::vector<StepMessage>{{0, 1, 1}, {2, 3, 1}});
  CHECK(steps[1].messages == std::vector<StepMessage>{{1, 3, 1}, {3, 1, 1}, {4, 5, 1}, {5, 4, 1}});
  CHECK(steps[2].messages == std::vector<StepMessage>{{1, 4, 1}, {3, 5, 1}, {4, 1, 1}, {5, 3, 1}});
  CHECK(steps[3].messages == std::vector<StepMessage>{{1, 0, 1}, {3, 2, 1}});
}

TEST_CASE("pairwise all-to-all makes every rank meet every other one exactly once") {
  for (int ranks = 2; ranks <= 20; ++ranks) {
    const StepSequence steps = steps_of("alltoall", "pairwise", ranks).steps;
    CHECK(steps.size() == ranks - 1);
    std::set<std::pair<int, int>> met;
    for (const CommunicationStep& step : steps) {
      std::vector<int> received(at(ranks), 0);
      for (const StepMessage& message : step.messages) {
        CHECK(met.emplace(message.source, message.destination).second);
        ++received[at(message.destination)];
      }
      CHECK(received == std::vector<int>(at(ranks), 1));
    }
    CHECK(met.size() == at(ranks) * (at(ranks) - 1));
  }
}

// Bruck et al. 1997: each of lg P steps carries half of the slots where P is a power of two.
TEST_CASE("Bruck's all-to-all sends P/2 lg P blocks per rank in lg P steps") {
  const CommunicationSteps steps = steps_of("alltoall", "bruck", 16);
  CHECK(num_rounds(steps) == 4);
  CHECK(slots_sent(steps, 16) == std::vector<std::int64_t>(16, 8 * 4));
}

// Thakur et al.: the root sends to the rank P/2 away first; ceil(lg P) steps, P-1 messages.
TEST_CASE("a binomial broadcast takes ceil(lg P) steps and P-1 messages") {
  const StepSequence steps = steps_of("bcast", "binomial", 6).steps;
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].messages == std::vector<StepMessage>{{0, 4, 1}});
  CHECK(steps[1].messages == std::vector<StepMessage>{{0, 2, 1}});
  CHECK(steps[2].messages == std::vector<StepMessage>{{0, 1, 1}, {2, 3, 1}, {4, 5, 1}});
}

/// Volume that all ranks send together, in units of what the caller names.
double volume_of(const CommunicationSteps& steps) {
  double slots = 0;
  for (const CommunicationStep& step : steps.steps)
    for (const StepMessage& message : step.messages)
      slots += static_cast<double>(message.slots * step.rounds);
  return slots * steps.slot_share;
}

// Everyone must get P-1 blocks of others: no algorithm of allgather can send less, and none of
// these sends more (the linear one goes over a root: P-1 blocks there, P-1 times P back).
TEST_CASE("an allgather sends P(P-1) blocks, whatever the algorithm") {
  for_all_algorithms({2, 3, 8, 12, 13, 33, 64},
                     [](const auto& algorithm, int ranks, const CollectiveOptions& options) {
                       if (algorithm.collective != "allgather") return;
                       const double all = ranks * (ranks - 1.0);
                       CHECK(volume_of(make_steps(algorithm, ranks, options)) ==
                             (algorithm.name == "linear" ? all + ranks - 1 : all));
                     });
}

// Every rank but the root gets the whole message once, whatever the tree and the segments. Scatter
// and allgather: P-1 blocks are missing at P-1 ranks, and a scatter of P=2^k moves P/2 blocks in
// each of k steps: those that pass through count again, (P/2 lg P - (P-1)) of them.
TEST_CASE("a broadcast over a tree sends the message P-1 times") {
  for_all_algorithms({2, 3, 7, 8, 13, 32, 33}, [](const auto& algorithm, int ranks,
                                                  const CollectiveOptions& options) {
    if (algorithm.collective != "bcast" && algorithm.collective != "reduce") return;
    if (algorithm.name.starts_with("scatter") || algorithm.name == "rabenseifner") return;
    const bool in_order = options.order == "in_order" && options.root != ranks - 1;
    CHECK(volume_of(make_steps(algorithm, ranks, options)) ==
          Approx(ranks - 1 + (in_order ? 1 : 0)));
  });
  // 32 ranks: (16 x 5 + 32 x 31) / 32
  CHECK(volume_of(steps_of("bcast", "scatter_allgather", 32)) == 33.5);
  CHECK(volume_of(steps_of("bcast", "scatter_allgather_ring", 32)) == 33.5);
  CHECK(volume_of(steps_of("reduce", "rabenseifner", 32)) == 33.5);
  CHECK(volume_of(steps_of("scatter", "binomial", 32)) == 16 * 5);
  CHECK(volume_of(steps_of("gather", "linear", 32)) == 31);
  CHECK(volume_of(steps_of("gather", "linear_sync", 32)) == 31);    // requests are empty
  CHECK(steps_of("gather", "linear_sync", 32).steps.size() == 62);  // a request and a block each
}

// A block that r must not keep goes once to its owner or to a partial sum: P(P-1) for all but
// recursive doubling, where step i sends P - 2^i of P blocks: P (P lg P - (P-1)). The butterfly's
// last step moves all blocks but those of mirror images of themselves: 4 of 16 stay.
TEST_CASE("a reduce-scatter sends P(P-1) blocks") {
  for (const char* name : {"ring", "pairwise", "recursive_halving"})
    CHECK(volume_of(steps_of("reduce_scatter", name, 16)) == 16 * 15);
  for (const char* name : {"ring", "pairwise"})
    CHECK(volume_of(steps_of("reduce_scatter", name, 13)) == 13 * 12);
  CHECK(volume_of(steps_of("reduce_scatter", "recursive_doubling", 16)) == 16 * (16 * 4 - 15));
  CHECK(volume_of(steps_of("reduce_scatter", "butterfly", 16)) == 16 * 15 + 12);
}

// Segments change who sends when, not how much.
TEST_CASE("a segmented ring sends what a ring sends, in more and smaller messages") {
  CollectiveOptions options;
  options.segments = 4;
  const CommunicationSteps steps = steps_of("allreduce", "segmented_ring", 8, options);
  REQUIRE(steps.steps.size() == 2);
  CHECK(steps.steps[0].rounds == 4 * 7);
  CHECK(steps.steps[1].rounds == 7);
  CHECK(volume_of(steps) == volume_of(steps_of("allreduce", "ring", 8)));
}

// A chain of P ranks with S segments takes S + P - 2 steps, of which S - P + 2 have all P - 1
// links busy.
TEST_CASE("the full part of a pipeline is one step with many rounds") {
  CollectiveOptions options;
  options.segments = 1000;
  const CommunicationSteps steps = steps_of("bcast", "chain", 8, options);
  CHECK(num_rounds(steps) == 1000 + 8 - 2);
  CHECK(steps.steps.size() == 6 + 1 + 6);
  CHECK(steps.steps[6].rounds == 1000 - 8 + 2);
  CHECK(steps.steps[6].messages.size() == 7);
}

TEST_CASE("long algorithms are not listed: thousands of steps of thousands of ranks") {
  const CommunicationSteps ring = steps_of("allreduce", "ring", 8192);
  CHECK(num_rounds(ring) == 2 * 8191);
  const CommunicationSteps pairwise = steps_of("alltoall", "pairwise", 8192);
  CHECK(pairwise.steps.size() == 8191);
  CHECK(pairwise.steps[8190].messages[1] == StepMessage{1, 8190, 1});
  CHECK(steps_of("allgather", "neighbor", 8192).steps[4000].same_flows_back == 2);
}

// Open MPI 4.1.4, ompi/mca/coll/base/coll_base_topo.c, by hand for root 0.
TEST_CASE("trees are those of the libraries") {
  const auto edges = [](const CommunicationSteps& steps) {
    std::set<std::pair<int, int>> result;
    for (const CommunicationStep& step : steps.steps)
      for (const StepMessage& message : step.messages)
        result.emplace(message.source, message.destination);
    return result;
  };
  using Edges = std::set<std::pair<int, int>>;
  CHECK(edges(steps_of("bcast", "binary", 8)) ==
        Edges{{0, 1}, {0, 2}, {1, 3}, {1, 5}, {2, 4}, {2, 6}, {3, 7}});
  CollectiveOptions options;
  options.radix = 3;
  CHECK(edges(steps_of("bcast", "chain", 8, options)) ==
        Edges{{0, 1}, {1, 2}, {2, 3}, {0, 4}, {4, 5}, {0, 6}, {6, 7}});
  CHECK(edges(steps_of("bcast", "knomial", 8, options)) ==
        Edges{{0, 3}, {0, 6}, {0, 1}, {0, 2}, {3, 4}, {3, 5}, {6, 7}});
  options = {};
  options.order = "distance_doubling";
  CHECK(edges(steps_of("bcast", "binomial", 8, options)) ==
        Edges{{0, 1}, {0, 2}, {0, 4}, {1, 3}, {1, 5}, {2, 6}, {3, 7}});
  options.order = "in_order";
  options.root = 6;  // the drawing in the source: 7 ranks, 6 has 5 and 2
  CHECK(edges(steps_of("reduce", "binary", 7, options)) ==
        Edges{{0, 2}, {1, 2}, {2, 6}, {3, 5}, {4, 5}, {5, 6}});
}

// All sends of a rank at once, as Open MPI's broadcasts do; then 3 of 8 ranks send in step 1.
TEST_CASE("a binomial broadcast can serve all children at once") {
  CollectiveOptions options;
  options.together = true;
  const StepSequence steps = steps_of("bcast", "binomial", 8, options).steps;
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].messages.size() == 3);
  CHECK(steps[1].messages.size() == 3);
  CHECK(steps[2].messages.size() == 1);
}

// P. Sanders, J. Speck, J. Traeff (2009): leaves of one tree are inner nodes of the other, so that
// up and down every rank receives and sends the vector twice at most, as in a ring. By hand for 8
// nodes of one rank; the trees as drawn in NCCL's src/graph/trees.cc, the second one mirrored.
TEST_CASE("two trees share the ranks so that none is inside of both") {
  const CommunicationSteps steps = steps_of("allreduce", "double_tree", 8);
  std::map<int, double> received;
  std::set<std::pair<int, int>> down;
  for (const CommunicationStep& step : steps.steps)
    for (const StepMessage& message : step.messages) {
      received[message.destination] += static_cast<double>(message.slots) * steps.slot_share;
      if (step.effect == StepEffect::replace) down.emplace(message.source, message.destination);
    }
  CHECK(down == std::set<std::pair<int, int>>{{0, 4},
                                              {4, 2},
                                              {4, 6},
                                              {2, 1},
                                              {2, 3},
                                              {6, 5},
                                              {6, 7},
                                              {7, 3},
                                              {3, 5},
                                              {3, 1},
                                              {5, 6},
                                              {5, 4},
                                              {1, 2},
                                              {1, 0}});
  for (int r = 0; r < 8; ++r) CHECK(received[r] <= 2);
  CHECK(received[4] == 2);  // from 2 and 6 up and 0 down in the first, from 5 in the second
}

// Each rank of a node sends to other nodes in one channel, an eighth of what one rank would send.
TEST_CASE("channels spread what leaves a node over its ranks") {
  CollectiveOptions options;
  options.ranks_per_node = 4;
  const auto leaving = [&](std::string_view collective, std::string_view name) {
    std::map<int, double> sent;
    const CommunicationSteps steps = steps_of(collective, name, 12, options);
    for (const CommunicationStep& step : steps.steps)
      for (const StepMessage& message : step.messages)
        if (message.source / 4 != message.destination / 4)
          sent[message.source] +=
              static_cast<double>(message.slots * step.rounds) * steps.slot_share;
    return sent;
  };
  // 2 x 11 blocks of a twelfth, all from the last rank of a node.
  CHECK(leaving("allreduce", "ring").size() == 3);
  CHECK(leaving("allreduce", "ring")[3] == Approx(22.0 / 12));
  // Along rails: a quarter of the vector, of which 2 x 2/3 go on.
  CHECK(leaving("allreduce", "hierarchical").size() == 12);
  CHECK(leaving("allreduce", "hierarchical")[3] == Approx(2.0 / 3 * 2 / 4));
  CHECK(leaving("alltoall", "hierarchical")[3] == 8);  // its own node's four, for two ranks
  options.channels = 4;
  for (const std::string_view collective : {"allreduce", "allgather", "reduce_scatter"}) {
    const double all = collective == "allreduce" ? 22.0 / 12 : 11;
    CHECK(leaving(collective, "ring").size() == 12);
    for (const auto& [rank, sent] : leaving(collective, "ring")) CHECK(sent == Approx(all / 4));
  }
  CHECK(leaving("allreduce", "double_tree").size() == 12);
}

TEST_CASE("channels and nodes that cannot be are refused") {
  CollectiveOptions options;
  options.ranks_per_node = 8;
  const auto refusal = [&](std::string_view collective, std::string_view name) {
    return tests::message_of<UsageError>([&] { steps_of(collective, name, 16, options); });
  };
  options.channels = 9;
  CHECK_THAT(refusal("allreduce", "ring"), Contains("at most 8"));
  options.channels = 2;
  options.radix = 3;
  CHECK_THAT(refusal("bcast", "chain"), Contains("channels=2 with radix=3"));
  options.ranks_per_node = 6;
  CHECK_THAT(refusal("allreduce", "hierarchical"),
             Contains("16 ranks are not full nodes of ranks_per_node=6"));
}

/// Whom a rank sends to, step after step, and how many slots.
std::vector<std::pair<int, std::int64_t>> sent_by(int rank, const CommunicationSteps& steps) {
  std::vector<std::pair<int, std::int64_t>> sent;
  for (const CommunicationStep& step : steps.steps)
    for (const StepMessage& message : step.messages)
      if (message.source == rank) sent.emplace_back(message.destination, message.slots);
  return sent;
}

CommunicationSteps torus_steps(const std::string& options, int ranks) {
  const auto spec = parse_patterns("allreduce:algorithm=torus_" + options).front();
  return collective_steps(spec, ranks, Bytes{1024});
}

TEST_CASE("exchanges along a torus take the dimensions in turn") {
  using Sent = std::vector<std::pair<int, std::int64_t>>;
  // By hand on 4 x 4, the first coordinate fastest: rank 5 is (1, 1). Bit 0 of the first coordinate
  // is (0, 1), rank 4; of the second (1, 0), rank 1; bit 1 (3, 1), rank 7, and (1, 3), rank 13.
  CHECK(sent_by(5, torus_steps("doubling,shape=4x4", 16)) == Sent{{4, 1}, {1, 1}, {7, 1}, {13, 1}});
  // The second part begins with the second dimension; the third is mirrored, 1 to 2 and not to 0.
  CHECK(sent_by(5, torus_steps("doubling,shape=4x4,ports=3", 16)) ==
        Sent{{4, 1}, {1, 1}, {6, 1}, {1, 1}, {4, 1}, {9, 1}, {7, 2}, {13, 1}, {13, 2}, {7, 1}});
  // Bine on a ring of 8: 1, -1 and 3 further for even ranks, back for odd ones.
  CHECK(sent_by(0, torus_steps("doubling,order=bine", 8)) == Sent{{1, 1}, {7, 1}, {3, 1}});
  CHECK(sent_by(1, torus_steps("doubling,order=bine", 8)) == Sent{{0, 1}, {2, 1}, {6, 1}});
  // Of 2 x 8, the first dimension has one exchange, the second three.
  CHECK(sent_by(0, torus_steps("doubling,shape=2x8", 16)) == Sent{{1, 1}, {2, 1}, {4, 1}, {8, 1}});
  // Halves, and the same way back.
  CHECK(sent_by(0, torus_steps("halving,order=bine", 8)) ==
        Sent{{1, 4}, {7, 2}, {3, 1}, {3, 1}, {7, 2}, {1, 4}});
}

TEST_CASE("a segment of an exchange along a torus is so many bytes of its messages") {
  // 1,024 bytes among 8 ranks, a block has 128: messages of 512, 256 and 128 bytes in pieces of at
  // most 200, whole blocks: 4 rounds of 128, 2 and 1.
  std::vector<std::int64_t> rounds;
  for (const CommunicationStep& step : torus_steps("halving,segment=200", 8).steps)
    rounds.push_back(step.rounds);
  CHECK(rounds == std::vector<std::int64_t>{4, 2, 1, 1, 2, 4});
}

TEST_CASE("a torus has as many ranks as its sizes say, powers of two") {
  for (const std::string shape : {"4x2", "3x4", "16x2"})
    CHECK(tests::message_of<UsageError>([&] {
            torus_steps("doubling,shape=" + shape, 16);
          }).find("shape=" + shape + ": sizes must be powers of two") != std::string::npos);
  CHECK_THROWS_AS(torus_steps("doubling,ports=65", 8), UsageError);
  CHECK_THROWS_AS(torus_steps("doubling,segments=2", 8), UsageError);
}

TEST_CASE("windows send so many messages of a rank at once") {
  CollectiveOptions options;
  options.window = 3;
  const StepSequence steps = steps_of("alltoall", "linear", 9, options).steps;
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].messages.size() == 27);
  CHECK(steps[2].messages.size() == 18);
}

TEST_CASE("algorithms that do not exist for a number of ranks say why and what does") {
  const auto refusal = [](std::string_view collective, std::string_view name, int ranks,
                          const CollectiveOptions& options = {}) {
    return tests::message_of<UsageError>([&] { steps_of(collective, name, ranks, options); });
  };
  CHECK_THAT(refusal("allgather", "neighbor", 7),
             Contains("7 ranks are not an even number") && Contains("bruck"));
  CollectiveOptions options;
  options.order = "distance_halving";
  CHECK_THAT(refusal("allgather", "recursive_doubling", 6, options),
             Contains("recursive_doubling with order=distance_halving"));
  CHECK_THAT(refusal("allreduce", "ring", 6, options), Contains("there is only one"));
  options.order = "distance_halfing";
  CHECK_THAT(refusal("allgather", "recursive_doubling", 8, options),
             Contains("did you mean \"distance_halving\""));
  options = {};
  options.radix = 1;
  CHECK_THAT(refusal("bcast", "knomial", 8, options), Contains("radix 1"));
  options = {};
  options.segments = 2;
  options.together = false;
  CHECK_THAT(refusal("bcast", "binomial", 8, options), Contains("children=together"));
  options = {};
  options.root = 8;
  CHECK_THAT(refusal("bcast", "binomial", 8, options), Contains("accepted are 0 to 7"));
}

}  // namespace
}  // namespace vtopo
