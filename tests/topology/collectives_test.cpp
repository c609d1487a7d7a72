#include "topology/patterns/collectives.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

// Each algorithm is executed: ranks hold slots, a slot holds contributions as (owner, copies), and
// every round moves what the messages say. So a wrong partner, a wrong slot, a missing or a doubled
// contribution shows.

namespace vtopo {
namespace {

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

/// @param before what is sent.
void run_round(const CommunicationStep& step, std::int64_t round, const Buffers& before,
               Buffers& buffers) {
  for (const StepMessage& message : step.messages) {
    const auto slots = slots_of(step, round, message);
    REQUIRE(static_cast<std::int64_t>(slots.size()) == message.slots);
    for (const int slot : slots) {
      const Content& sent = before[at(message.source)][at(slot)];
      Content& own = buffers[at(message.destination)][at(slot)];
      if (step.effect == StepEffect::replace) own = sent;
      if (step.effect == StepEffect::combine)
        for (const auto& [owner, copies] : sent) own[owner] += copies;
    }
  }
}

/// All steps; with a send buffer, which no step changes, or in place.
void run(const CommunicationSteps& steps, bool has_send_buffer, Buffers& buffers) {
  const Buffers first = buffers;
  for (const CommunicationStep& step : steps.steps)
    for (std::int64_t round = 0; round < step.rounds; ++round)
      run_round(step, round, has_send_buffer ? first : Buffers(buffers), buffers);
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

/// What the collective has in its buffers at first and must have in the end.
struct Expected {
  Buffers before, after;
};

Expected expected(const std::string& collective, int ranks, int slots, int root) {
  const auto own = [](int r, int) { return Content{{r, 1}}; };
  const auto all = [=](int, int) { return everyone(ranks); };
  if (collective == "allreduce" || collective == "reduce")
    return {buffers_of(ranks, slots, own), buffers_of(ranks, slots, all)};
  if (collective == "broadcast")
    return {buffers_of(ranks, slots,
                       [=](int r, int s) {
                         return r == root ? Content{{s, 1}} : Content();
                       }),
            buffers_of(ranks, slots, [](int, int s) {
              return Content{{s, 1}};
            })};
  if (collective == "allgather")
    return {buffers_of(ranks, slots,
                       [](int r, int s) {
                         return r == s ? Content{{r, 1}} : Content();
                       }),
            buffers_of(ranks, slots, [](int, int s) {
              return Content{{s, 1}};
            })};
  // alltoall: (source, distance) as one number; slot d of rank r ends with what r - d had for r
  return {buffers_of(ranks, slots,
                     [=](int r, int s) {
                       return Content{{r * ranks + s, 1}};
                     }),
          buffers_of(ranks, slots, [=](int r, int s) {
            return Content{{(r - s + ranks) % ranks * ranks + s, 1}};
          })};
}

const CollectiveAlgorithm& find_algorithm(std::string_view collective, std::string_view name) {
  const auto all = collective_algorithms();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& algorithm) {
    return algorithm.collective == collective && algorithm.name == name;
  });
  REQUIRE(found != all.end());
  return *found;
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

TEST_CASE("every collective algorithm leaves every rank with what MPI promises") {
  for (const CollectiveAlgorithm& algorithm : collective_algorithms())
    for (int ranks = 2; ranks <= 17; ++ranks)
      for (const int root : {0, 1, ranks - 1}) {
        if (algorithm.powers_of_two_only && (ranks & (ranks - 1)) != 0) continue;
        CAPTURE(algorithm.collective, algorithm.name, ranks, root);
        const CommunicationSteps steps = algorithm.steps(ranks, root);
        auto [buffers, after] =
            expected(std::string(algorithm.collective), ranks, steps.num_slots, root);
        // Bruck's is in place; what others send has never moved before.
        const bool direct = algorithm.collective == "alltoall" && algorithm.name != "bruck";
        run(steps, direct, buffers);
        if (algorithm.collective == "reduce")
          CHECK((buffers[at(root)] == after[at(root)]));
        else
          CHECK((buffers == after));
      }
}

TEST_CASE("no rank sends two messages to one rank, or one to itself, in a step") {
  for (const CollectiveAlgorithm& algorithm : collective_algorithms())
    for (const int ranks : {2, 6, 8, 13}) {
      if (algorithm.powers_of_two_only && ranks != 2 && ranks != 8) continue;
      for (const CommunicationStep& step : algorithm.steps(ranks, 1).steps) {
        CAPTURE(algorithm.collective, algorithm.name, ranks, step.name);
        std::set<std::pair<int, int>> pairs;
        for (const StepMessage& message : step.messages) {
          CHECK(message.source != message.destination);
          CHECK(pairs.emplace(message.source, message.destination).second);
        }
      }
    }
}

// Patarasuk and Yuan 2009: every rank sends (P-1)/P of the vector in each half.
TEST_CASE("ring all-reduce sends 2(P-1)/P of the vector per rank, in 2(P-1) steps") {
  for (const int ranks : {2, 3, 8, 12}) {
    const CommunicationSteps steps = find_algorithm("allreduce", "ring").steps(ranks, 0);
    CHECK(steps.steps.size() == 2);
    CHECK(num_rounds(steps) == 2 * (ranks - 1));
    for (const std::int64_t slots : slots_sent(steps, ranks))
      CHECK(static_cast<double>(slots) * steps.slot_share == Approx(2.0 * (ranks - 1) / ranks));
  }
}

// Thakur, Rabenseifner, Gropp 2005: 2 lg P steps, 2 (P-1)/P of the vector for powers of two.
TEST_CASE("Rabenseifner's all-reduce sends as little as a ring in 2 lg P steps") {
  const CommunicationSteps steps = find_algorithm("allreduce", "rabenseifner").steps(16, 0);
  CHECK(num_rounds(steps) == 8);
  for (const std::int64_t slots : slots_sent(steps, 16))
    CHECK(static_cast<double>(slots) * steps.slot_share == 2.0 * 15 / 16);
  CHECK(steps.steps[0].messages[0] == StepMessage{0, 1, 8});  // the largest message goes next door
}

// Hand calculation, 6 ranks: 0 and 2 give way to 1 and 3, which with 4 and 5 are a power of two.
TEST_CASE("all-reduce of a number of ranks that is no power of two is folded to one") {
  const auto steps = find_algorithm("allreduce", "recursive_doubling").steps(6, 0).steps;
  REQUIRE(steps.size() == 4);
  CHECK(steps[0].messages == std::vector<StepMessage>{{0, 1, 1}, {2, 3, 1}});
  CHECK(steps[1].messages == std::vector<StepMessage>{{1, 3, 1}, {3, 1, 1}, {4, 5, 1}, {5, 4, 1}});
  CHECK(steps[2].messages == std::vector<StepMessage>{{1, 4, 1}, {3, 5, 1}, {4, 1, 1}, {5, 3, 1}});
  CHECK(steps[3].messages == std::vector<StepMessage>{{1, 0, 1}, {3, 2, 1}});
}

TEST_CASE("pairwise all-to-all makes every rank meet every other one exactly once") {
  for (int ranks = 2; ranks <= 20; ++ranks) {
    const auto steps = find_algorithm("alltoall", "pairwise").steps(ranks, 0).steps;
    CHECK(steps.size() == at(ranks) - 1);
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
  const CommunicationSteps steps = find_algorithm("alltoall", "bruck").steps(16, 0);
  CHECK(num_rounds(steps) == 4);
  CHECK(slots_sent(steps, 16) == std::vector<std::int64_t>(16, 8 * 4));
}

// Thakur et al.: the root sends to the rank P/2 away first; ceil(lg P) steps, P-1 messages.
TEST_CASE("a binomial broadcast takes ceil(lg P) steps and P-1 messages") {
  const auto steps = find_algorithm("broadcast", "binomial").steps(6, 0).steps;
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].messages == std::vector<StepMessage>{{0, 4, 1}});
  CHECK(steps[1].messages == std::vector<StepMessage>{{0, 2, 1}});
  CHECK(steps[2].messages == std::vector<StepMessage>{{0, 1, 1}, {2, 3, 1}, {4, 5, 1}});
}

}  // namespace
}  // namespace vtopo
