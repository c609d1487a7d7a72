#pragma once

#include <string>
#include <string_view>

#include "topology/base/error.hpp"
#include "topology/mpi/topology_conditions.hpp"

namespace vtopo {

/// An erroneous call on communicators or process topologies, with the class that a C binding
/// returns.
class MpiError : public UsageError {
 public:
  /// @param sentence what is wrong, with its values filled in; see `mpi_error`.
  MpiError(TopologyCondition condition, const std::string& sentence)
      : UsageError(sentence), condition_(condition) {}

  TopologyCondition condition() const { return condition_; }  ///< what is wrong
  /// Error class that MPI returns.
  MpiErrorClass error_class() const { return row_of(condition_).error_class; }

 private:
  TopologyCondition condition_;
};

/// Error for `condition`, its sentence filled with `values`: `throw mpi_error<...>(rank, last)`.
template <TopologyCondition condition, class... Values>
MpiError mpi_error(const Values&... values) {
  constexpr std::string_view sentence = row_of(condition).sentence;
  return MpiError(condition, fmt::format(sentence, values...));
}

}  // namespace vtopo
