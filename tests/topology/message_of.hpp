#pragma once

#include <string>

/// Sentence of the error of type `Expected` that `call` throws; "no error" if it throws none.
template <class Expected, class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Expected& error) {
    return error.what();
  }
  return "no error";
}

/// Path of a test input.
inline std::string data(const std::string& name) {
  return VTOPO_SOURCE_DIR "/tests/topology/data/" + name;
}
