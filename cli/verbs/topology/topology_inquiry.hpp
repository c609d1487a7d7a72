#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "topology/mpi/communicator.hpp"

namespace vtopo::detail {

/// What the verb `topology` is asked, as typed; each list has one entry per use of its option.
struct TopologyQuestions {
  std::string specification;
  std::vector<std::string> coords;     ///< a rank
  std::vector<std::string> rank;       ///< coordinates
  std::vector<std::string> shift;      ///< dimension and displacement
  std::vector<std::string> neighbors;  ///< a rank
  std::vector<std::string> sub;        ///< 1 or 0 per dimension
  std::vector<std::string> of;         ///< ranks that --shift and --sub answer for; empty: all
};

struct CoordsAnswer {
  Rank rank{};
  std::vector<int> coords;
};

struct RankAnswer {
  std::vector<int> coords;  ///< as asked, before they wrap
  Rank rank{};
};

struct ShiftAnswer {
  int direction = 0;
  int disp = 0;
  std::vector<std::pair<Rank, ShiftRanks>> ranks;  ///< callers ascending, or as `--of` names them
};

struct NeighborsAnswer {
  Rank rank{};
  Neighbourhood neighbourhood;
  Weights source_weights;       ///< absent unless it is a weighted distributed graph
  Weights destination_weights;  ///< likewise
};

struct SubAnswer {
  std::vector<bool> remain_dims;
  std::vector<Dimension> dimensions;             ///< of every subgrid
  std::vector<std::vector<Rank>> communicators;  ///< old ranks in the order of the new ones
};

/// What the inquiry functions return.
struct TopologyAnswers {
  std::string specification;
  TopologyKind kind{};
  int num_ranks = 0;
  std::vector<Dimension> dimensions;   ///< of a Cartesian grid
  std::optional<GraphDims> graphdims;  ///< of a graph
  std::vector<CoordsAnswer> coords;
  std::vector<RankAnswer> rank;
  std::vector<ShiftAnswer> shift;
  std::vector<NeighborsAnswer> neighbors;
  std::vector<SubAnswer> sub;
};

/// Asks a communicator with the virtual topology of the specification.
/// @throws UsageError for words that are none or a listing of too many ranks, MpiError for what MPI
/// calls erroneous, InputError for a malformed file.
TopologyAnswers answer(const TopologyQuestions& questions);

/// What MPI_Topo_test returns, as C names it: `MPI_CART`.
std::string_view mpi_name(TopologyKind kind);

}  // namespace vtopo::detail
