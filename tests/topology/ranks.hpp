#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "topology/base/ids.hpp"

/// Ranks of plain numbers.
inline std::vector<vtopo::Rank> ranks(std::initializer_list<int> numbers) {
  std::vector<vtopo::Rank> result;
  for (const int number : numbers) result.push_back(vtopo::Rank{number});
  return result;
}

/// Processes of plain numbers.
inline std::vector<vtopo::ProcessId> processes(std::initializer_list<int> numbers) {
  std::vector<vtopo::ProcessId> result;
  for (const int number : numbers) result.push_back(vtopo::ProcessId{number});
  return result;
}

/// Ranks where present, -1 where MPI_PROC_NULL or MPI_UNDEFINED is due: short to compare with.
inline std::vector<int> with_nulls(const std::vector<std::optional<vtopo::Rank>>& list) {
  std::vector<int> result;
  for (const auto& rank : list) result.push_back(rank ? number(*rank) : -1);
  return result;
}
