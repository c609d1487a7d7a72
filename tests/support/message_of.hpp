#pragma once

#include <string>
#include <utility>

#include "topology/base/error.hpp"

namespace vtopo::tests {

/// Message of the error of type `Expected` that `call` throws; "no error" if it throws none.
template <class Expected, class Call>
std::string message_of(Call&& call) {
  try {
    std::forward<Call>(call)();
  } catch (const Expected& error) {
    return error.what();
  }
  return "no error";
}

/// Message of the InputError that `call` throws about the file `path`, without the path in front.
template <class Call>
std::string message_about(const std::string& path, Call&& call) {
  const std::string message = message_of<InputError>(std::forward<Call>(call));
  return message.starts_with(path) ? message.substr(path.size()) : message;
}

}  // namespace vtopo::tests
