#include "sim/clock/programs/matched_prefix.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <utility>

#include "sim/clock/program_times.hpp"
#include "sim/clock/programs/program.hpp"
#include "tests/sim/clock/programs/random_program.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using Kind = Operation::Kind;

namespace {

using Written = std::vector<std::vector<Operation>>;

/// The operations of a rank from `begin` to `end` with their loops written out.
void write_out(const std::vector<Operation>& operations, std::size_t begin, std::size_t end,
               std::vector<Operation>& out) {
  for (std::size_t i = begin; i < end; ++i) {
    if (operations[i].kind != Kind::repeat) {
      out.push_back(operations[i]);
      continue;
    }
    std::size_t close = i;
    for (int depth = 0; close == i || depth > 0; ++close) {
      if (operations[close].kind == Kind::repeat) ++depth;
      if (operations[close].kind == Kind::end_repeat) --depth;
    }
    for (double round = 0; round < operations[i].amount; ++round)
      write_out(operations, i + 1, close - 1, out);
    i = close - 1;
  }
}

Written written_out(const Program& program) {
  Written out(index(program.num_ranks()));
  for (int r = 0; r < program.num_ranks(); ++r)
    write_out(program.ranks[Rank{r}], 0, program.ranks[Rank{r}].size(), out[index(r)]);
  return out;
}

/// Slow oracle without loops: one rank after the other drops what is behind the first message end
/// that nobody meets, until nothing changes.
Written slow_prefix(Written ranks) {
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    std::map<std::pair<MessageChannel, bool>, int> ends;
    for (std::size_t r = 0; r < ranks.size(); ++r)
      for (const Operation& operation : ranks[r])
        if (is_send(operation.kind) || is_receive(operation.kind))
          ++ends[{channel_of(id_at<Rank>(r), operation), is_send(operation.kind)}];
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      std::map<std::pair<MessageChannel, bool>, int> own;
      const auto unmet = std::find_if(ranks[r].begin(), ranks[r].end(), [&](const auto& operation) {
        if (!is_send(operation.kind) && !is_receive(operation.kind)) return false;
        const MessageChannel channel = channel_of(id_at<Rank>(r), operation);
        const bool sends = is_send(operation.kind);
        return ++own[{channel, sends}] > ends[{channel, !sends}];
      });
      is_changed = is_changed || unmet != ranks[r].end();
      ranks[r].erase(unmet, ranks[r].end());
    }
  }
  for (auto& operations : ranks) name_waits_outside_groups(operations);
  return ranks;
}

bool is_same(const Operation& a, const Operation& b) {
  return a.kind == b.kind && a.peer == b.peer && a.tag == b.tag && a.request == b.request &&
         a.communicator == b.communicator && a.amount == b.amount;
}

/// Without barriers, and on some ranks only up to a random place outside of loops.
Program cut_anywhere(Program program, Random& random) {
  for (auto& operations : program.ranks) {
    std::erase_if(operations, [](const Operation& one) { return one.kind == Kind::barrier; });
    if (random.below(3) > 0) continue;
    std::vector<std::size_t> places;
    int depth = 0;
    for (std::size_t i = 0; i < operations.size(); ++i) {
      if (depth == 0) places.push_back(i);
      if (operations[i].kind == Kind::repeat) ++depth;
      if (operations[i].kind == Kind::end_repeat) --depth;
    }
    if (!places.empty()) operations.resize(places[random.below(places.size())]);
  }
  return program;
}

}  // namespace

TEST_CASE("What all ranks have reached is what dropping one operation after the other leaves") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    const tests::RandomProgram made(seed, 12);
    Random random(seed);
    const Program cut = cut_anywhere(made.program(), random);
    const auto prefixes = matched_prefix(cut);
    Program program{IdVector<Rank, std::vector<Operation>>(cut.num_ranks())};
    for (int r = 0; r < cut.num_ranks(); ++r) {
      const RankPrefix& prefix = prefixes[Rank{r}];
      program.ranks[Rank{r}] = prefix.operations;
      REQUIRE(prefix.positions.size() == prefix.operations.size());
    }
    REQUIRE_FALSE(why_not_run(program));
    // The beginning of what runs to its end runs to its end.
    CHECK_NOTHROW(simulate_program(program, made.network(), made.embedding()));
    const Written fast = written_out(program), slow = slow_prefix(written_out(cut));
    for (std::size_t r = 0; r < slow.size(); ++r) {
      REQUIRE(fast[r].size() >= slow[r].size());  // more by the waits at the end
      const auto end = fast[r].begin() + std::ssize(slow[r]);
      CHECK(std::equal(slow[r].begin(), slow[r].end(), fast[r].begin(), is_same));
      CHECK(std::all_of(end, fast[r].end(),
                        [](const Operation& one) { return one.kind == Kind::wait; }));
    }
  }
}
