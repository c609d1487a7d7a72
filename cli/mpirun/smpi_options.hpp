#pragma once

#include <string>
#include <vector>

#include "cli/command/verb.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/placement/allocation.hpp"
#include "sim/placement/embedding.hpp"
#include "sim/run/load_network.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

/// Options of the verbs that run MPI programs on simulated ranks. The mapper, empty for the default
/// of the library, is that of constructors with reorder; an embedding says where the launcher puts
/// the ranks.
struct SmpiOptions : Scenario {
  SmpiOptions();

  int np = 0;
  std::string launcher_mapper = mapper_of(MapperRole::baseline).name;
  std::string launcher_traffic;  ///< empty: none
  bool no_reorder = false;
  bool force_reorder = false;  ///< constructors with reorder=0 too
  bool charge_mapping = false;
  std::string message_bytes;  ///< of the mean message to a neighbour; empty: not known

  std::string loopback_latency = "10ns";
  bool charge_computation = false;
  std::vector<std::string> smpi_options;
  std::vector<std::string> program;  ///< and its arguments
};

/// Adds the options, with help, in groups; what follows them is the program.
void add_smpi_options(Verb& verb, SmpiOptions& options);

/// Takes the words behind the options of a verb as the program.
/// @throws UsageError for an unknown option, and where there is no program.
void take_program(const std::string& verb, const Invocation& invocation, SmpiOptions& options);

/// `-np` is what people type, but short options have one letter: the first one becomes `--np`.
std::vector<std::string> with_long_np(std::vector<std::string> words);

/// Option and value of everything that reproduces the run.
std::vector<std::pair<std::string, std::string>> described(const SmpiOptions& options);

/// Hosts of the job and the host on which the launcher puts each rank of MPI_COMM_WORLD.
struct LaunchPlacement {
  Allocation allocation;
  Embedding embedding;
};

/// @throws UsageError, InputError and FitError as allocations, mappers and readers of embeddings.
LaunchPlacement place_ranks(const SmpiOptions& options, const Network& network);

}  // namespace vtopo::detail
