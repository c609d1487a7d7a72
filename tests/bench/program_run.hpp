#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topology/base/units.hpp"

/// Runs a program, its standard output dropped; its processor time, or nothing if `limit` of it was
/// too little.
/// @param words the program, found on the PATH, and its arguments.
/// @throws vtopo::InputError with `hint` if it fails.
std::optional<vtopo::Seconds> cpu_time_of(const std::vector<std::string>& words,
                                          vtopo::Seconds limit, const std::string& hint);

/// Whether the PATH has a program of that name.
bool is_on_path(const std::string& name);
