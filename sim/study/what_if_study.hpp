#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/study/sweep_study.hpp"
#include "cli/command/what_if.hpp"

namespace vtopo::detail {

/// Options of a verb that takes several values of one option, each a scenario.
struct StudiedOptions : WhatIfOptions {
  std::map<std::string, std::vector<std::string>, std::less<>> several;  ///< values by option
  std::vector<std::string> with, without;  ///< see `add_study_options`
  StudyOptions view;                       ///< but for format and output
};

/// Lets the options of the application, the interconnect and the allocation be given several times,
/// and adds `--with KEY=VALUE`, `--without KEY` and how the rows are summed up. Behind the options
/// of `add_what_if_options`.
void add_study_options(Verb& verb, StudiedOptions& options);

/// Runs the one scenario of the options, or each of several in turn; returns the exit code.
int run_studied(StudiedOptions options);

}  // namespace vtopo::detail
