#include <algorithm>
#include <array>

#include "tests/conformance/cases.hpp"
#include "topology/mpi/communicator.hpp"

namespace vtopo::conformance {

using namespace vtopo::detail;

namespace {

/// Splits the communicators of `parent` with up to `colours` colours and random keys.
int random_split(Stage& stage, int parent, int colours) {
  std::vector<SplitChoice> choices(static_cast<std::size_t>(stage.any_of(parent)->size()));
  Words words;
  for (SplitChoice& choice : choices) {
    const int colour = stage.draw(-1, colours - 1);
    if (colour >= 0) choice.colour = colour;
    choice.key = stage.draw(-5, 5);
    words.insert(words.end(), {colour, choice.key});
  }
  return stage.construct("comm_split", parent, words, [&](const Communicator& old) {
    const Partition partition = split(old, choices);
    std::vector<std::optional<Communicator>> by_rank;
    for (int r = 0; r < old.size(); ++r) by_rank.push_back(partition.of(Rank{r}));
    return by_rank;
  });
}

}  // namespace

int duplicated(Stage& stage, int slot) {
  return stage.construct("comm_dup", slot, {}, [](const Communicator& old) {
    return std::vector<std::optional<Communicator>>(static_cast<std::size_t>(old.size()),
                                                    old.dup());
  });
}

int random_parent(Stage& stage) {
  switch (stage.draw(0, 3)) {
    case 0:
      return duplicated(stage, 0);
    case 1: {
      const int slot = random_split(stage, 0, 1);
      return stage.any_of(slot) ? slot : 0;
    }
    default:
      return 0;
  }
}

void ask_topo_test(Stage& stage, int slot) {
  stage.ask("topo_test", slot, {}, [](const Caller& caller) -> std::string {
    static constexpr std::array names{"cart", "graph", "dist_graph"};
    const auto kind = topo_test(caller.communicator);
    return kind ? names[static_cast<std::size_t>(*kind)] : "undefined";
  });
}

void ask_comm_compare(Stage& stage, int slot, int other) {
  stage.ask("comm_compare", slot, {other}, [&](const Caller& caller) -> std::string {
    static constexpr std::array names{"identical", "congruent", "similar", "unequal"};
    const auto& second = stage.slot(other)[index(caller.process)];
    if (!second) return "null";
    return names[static_cast<std::size_t>(compare(caller.communicator, *second))];
  });
}

void communicator_case(Stage& stage) {
  const int parent = random_parent(stage);
  const int divided = random_split(stage, parent, stage.draw(1, 3));
  const int copy = duplicated(stage, divided);
  const int reordered = random_split(stage, parent, 1);
  for (const int slot : {parent, divided, copy, reordered}) ask_topo_test(stage, slot);
  for (const int slot : {parent, divided, copy, reordered})
    for (const int other : {0, parent, divided, copy, reordered})
      ask_comm_compare(stage, slot, other);
}

}  // namespace vtopo::conformance
