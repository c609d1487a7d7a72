#pragma once

#include <optional>
#include <string>

#include "topology/mpi/mpi_error.hpp"

/// Class of the MpiError that `call` throws, as C names it; "no error" if it throws none.
template <class Call>
std::string class_of(Call&& call) {
  try {
    call();
  } catch (const vtopo::MpiError& error) {
    return std::string(name(error.error_class()));
  }
  return "no error";
}

/// Condition of the MpiError that `call` throws; absent if it throws none.
template <class Call>
std::optional<vtopo::TopologyCondition> condition_of(Call&& call) {
  try {
    call();
  } catch (const vtopo::MpiError& error) {
    return error.condition();
  }
  return std::nullopt;
}
