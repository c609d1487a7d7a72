#pragma once

#include <functional>
#include <limits>

#include "netmodels/network.hpp"
#include "sim/embedding/embedding.hpp"
#include "sim/programs/program.hpp"
#include "topology/base/id_vector.hpp"
#include "topology/base/progress.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

/// What a message costs at its ends, beside the network (after the LogGPS model of F. Ino, N.
/// Fujimoto, K. Hagihara, PPoPP 2001). The defaults cost nothing.
struct EndpointCosts {
  Seconds overhead{0};  ///< of the processor for each message, at its sender and at its receiver
  /// Up to this volume a message leaves without waiting for its receiver; larger ones start when
  /// both sides have posted them. Negative: none leaves before.
  Bytes eager_limit{-1};
  Seconds handshake{0};  ///< before a message above the eager limit starts, from the later post on
  /// Of messages between ranks of one host, > 0.
  BytesPerSecond memory_bandwidth{std::numeric_limits<double>::infinity()};
  /// Bytes reduced in a second by a rank, > 0.
  BytesPerSecond reduction_bandwidth{std::numeric_limits<double>::infinity()};
};

/// How a program is simulated.
struct ProgramOptions {
  EndpointCosts endpoint = {};      ///< what messages cost beside the network
  Progress progress = {};           ///< share of messages that have arrived
  std::function<bool()> stop = {};  ///< asked now and then; empty: never
};

/// Where the time of a rank went.
struct RankTimes {
  Seconds finish;     ///< of its last operation
  Seconds computing;  ///< in `compute`, `reduce` and overheads of messages
  Seconds waiting;    ///< for messages and barriers
};

/// What the clock said of a program.
struct ProgramTimes {
  Seconds makespan;                 ///< the last finish
  IdVector<Rank, RankTimes> ranks;  ///< one entry per rank
};

/// @throws InputError for a program that `why_not_run` refuses, with its sentence; FitError if the
/// embedding has not as many ranks; UsageError for a routing that follows from a whole traffic.
void check_program(const Program& program, const Network& network, const Embedding& embedding);

/// Simulates a program under an embedding: messages are flows that share links max-min fairly from
/// the moment when they start until their last byte has left; it arrives the latency of its route
/// later. A sender waits for the last byte to leave, but not within the eager limit. Flows that the
/// routing splits load links by their shares, as in `simulate`. A message without bytes takes its
/// latency.
/// @throws what `check_program` throws; InputError for a deadlock, with the ranks that wait for
/// each other; SimulationError if it is told to stop.
ProgramTimes simulate_program(const Program& program, const Network& network,
                              const Embedding& embedding, const ProgramOptions& options = {});

}  // namespace vtopo
