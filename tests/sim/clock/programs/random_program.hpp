#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "sim/clock/programs/schedule_program.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/base/id_vector.hpp"
#include "topology/base/random.hpp"
#include "topology/patterns/collectives.hpp"

namespace vtopo::tests {

using namespace vtopo::detail;

/// A random program without deadlocks, its network and its places: whoever takes part in a step
/// starts its messages of this step before it waits for any. Shifts in loops, single messages that
/// are waited for at once or much later, several that are taken as they come, local work, barriers
/// of all and of some ranks, collective operations of some ranks. Volumes, of shares too, are whole
/// bytes as in SimGrid, and large enough that its precision does not count: long exchanges over
/// full links make differences grow with every step.
class RandomProgram {
 public:
  /// @param max_ranks >= 2.
  RandomProgram(std::uint64_t seed, int max_ranks)
      : random_(seed), ranks_(2 + below(max_ranks - 1)) {
    const char* const specs[] = {"torus:4x4x4", "fat-tree:2;8,8;1,4;1,2", "dragonfly:8,2;1,1;8,1;1",
                                 "mesh:8x8"};
    network_ = make_network(specs[seed % std::size(specs)], {});
    for (int step = 4 + below(40); step > 0; --step) add_step();
    for (auto& operations : program_.ranks) operations.push_back(wait_all());
    place();
  }

  const Program& program() const { return program_; }
  const Network& network() const { return *network_; }
  const Embedding& embedding() const { return *embedding_; }

 private:
  int below(int bound) {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound)));
  }

  Bytes volume() { return {1e6 * (1 + below(100))}; }

  std::vector<Operation>& of(int rank) { return program_.ranks[Rank{rank}]; }

  void add_step() {
    switch (below(11)) {
      case 0:
        for (auto& operations : program_.ranks) operations.push_back(barrier());
        break;
      case 1:
      case 2:
        of(below(ranks_)).push_back(compute({1e-4 * below(100)}));
        break;
      case 3:
        add_shift(1 + below(3));
        break;
      case 4:
        add_shift(1);
        break;
      case 5:
        add_blocking_message();
        break;
      case 6:
        add_group_barrier();
        break;
      case 7:
        add_collective();
        break;
      case 8:
        add_group();
        break;
      default:
        add_message();
        break;
    }
  }

  /// Everyone sends to the rank `shift` further on, `times` times.
  void add_shift(int times) {
    const int shift = 1 + below(ranks_ - 1);
    const Bytes bytes = volume();
    const bool computes = below(2) == 0, waits_in_turn = below(2) == 0;
    for (int r = 0; r < ranks_; ++r) {
      of(r).push_back(wait_all());
      of(r).push_back(repeat(times));
      of(r).push_back(start_send(Rank{(r + shift) % ranks_}, bytes, 1, {.tag = 7}));
      of(r).push_back(start_receive(Rank{(r - shift + ranks_) % ranks_}, bytes, 2, {.tag = 7}));
      if (computes) of(r).push_back(compute({1e-4 * (r % 3)}));
      if (waits_in_turn) {
        of(r).push_back(wait(2));
        of(r).push_back(wait(1));
      } else {
        of(r).push_back(wait_all());
      }
      of(r).push_back(end_repeat());
    }
  }

  std::pair<int, int> random_pair() {
    const int from = below(ranks_);
    return {from, (from + 1 + below(ranks_ - 1)) % ranks_};
  }

  void add_blocking_message() {
    const auto [from, to] = random_pair();
    const Bytes bytes = volume();
    of(from).push_back(send(Rank{to}, bytes, {.communicator = below(2)}));
    of(to).push_back(receive(Rank{from}, bytes, {.communicator = of(from).back().communicator}));
  }

  /// Waited for much later, at the next shift or at the end; some have no bytes.
  void add_message() {
    const auto [from, to] = random_pair();
    const Bytes bytes = below(10) == 0 ? Bytes{0} : volume();
    of(from).push_back(start_send(Rank{to}, bytes, ++last_request_, {.tag = 3}));
    of(to).push_back(start_receive(Rank{from}, bytes, ++last_request_, {.tag = 3}));
  }

  /// A rank takes messages of others as they come, with work after some of them.
  void add_group() {
    const std::vector<Rank> all = members();
    auto& taker = program_.ranks[all[0]];
    std::vector<std::int32_t> requests;
    for (std::size_t i = 1; i < all.size(); ++i) {
      const Bytes bytes = volume();
      if (below(2) == 0) program_.ranks[all[i]].push_back(compute({1e-4 * below(100)}));
      program_.ranks[all[i]].push_back(start_send(all[0], bytes, ++last_request_, {.tag = 4}));
      taker.push_back(start_receive(all[i], bytes, ++last_request_, {.tag = 4}));
      requests.insert(requests.begin() + below(static_cast<int>(i)), last_request_);
    }
    for (std::size_t i = 0; i < requests.size(); ++i) {
      taker.push_back(wait_any(requests[i], static_cast<int>(requests.size() - i) - 1));
      if (below(2) == 0) taker.push_back(compute({1e-5 * below(100)}));
    }
  }

  /// Some ranks, in random order.
  std::vector<Rank> members() {
    std::vector<Rank> all = all_ranks(ranks_);
    for (std::size_t i = all.size(); i > 1; --i)
      std::swap(all[i - 1], all[index(below(static_cast<int>(i)))]);
    all.resize(index(2 + below(ranks_ - 1)));
    return all;
  }

  void add_group_barrier() {
    ++last_group_;
    for (const Rank rank : members()) program_.ranks[rank].push_back(barrier(last_group_));
  }

  /// In a loop of its own request numbers: what was started before is over.
  void add_collective() {
    const auto algorithms = collective_algorithms();
    const CollectiveAlgorithm& algorithm =
        algorithms[index(below(static_cast<int>(algorithms.size())))];
    std::vector<Rank> ranks = members();
    if (algorithm.ranks == RankNumbers::even) ranks.resize(ranks.size() / 2 * 2);
    if (algorithm.ranks == RankNumbers::powers_of_two)
      while ((ranks.size() & (ranks.size() - 1)) != 0) ranks.pop_back();
    for (const Rank rank : ranks) program_.ranks[rank].push_back(wait_all());
    const CommunicationSteps steps = make_steps(algorithm, static_cast<int>(ranks.size()), {});
    const Bytes bytes{1e5 * (1 + below(40)) * static_cast<double>(ranks.size())};
    append(program_, steps, bytes, ranks, ++last_communicator_);
  }

  /// Up to three ranks on a host.
  void place() {
    Allocation allocation;
    std::vector<HostId> hosts;
    for (int h = 0; h < network_->num_hosts(); ++h) {
      allocation.hosts.push_back(HostId{h});
      allocation.slots.push_back(3);
    }
    const int per_host = 1 + below(3), stride = 1 + 2 * below(16);
    for (int r = 0; r < ranks_; ++r)
      hosts.push_back(HostId{r / per_host * stride % network_->num_hosts()});
    embedding_ = std::make_unique<Embedding>(hosts, allocation);
  }

  Random random_;
  int ranks_;
  Program program_{IdVector<Rank, std::vector<Operation>>(ranks_)};
  std::shared_ptr<const Network> network_;
  std::unique_ptr<Embedding> embedding_;
  std::int32_t last_request_ = 1000;
  std::int32_t last_group_ = 0;
  std::int32_t last_communicator_ = 2;
};

}  // namespace vtopo::tests
