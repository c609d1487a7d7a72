#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cli/scenario.hpp"

namespace vtopo {

/// Options of the verbs that put embeddings into rows.
struct WhatIfOptions {
  ScenarioOptions scenario;
  std::string mappers;
  std::optional<std::int64_t> steps;
  std::optional<std::string> objective;  ///< absent: hop-bytes
  std::string time_limit;                ///< empty: none
  bool simulate = true;
  bool simulate_given = false;  ///< not given: simulated if SimGrid can
  std::string network_model = "CM02";
  std::string loopback_bandwidth = "inf";
  std::string rank_times;  ///< CSV file; empty: none
  int top_links = 0;
  std::optional<std::string> format;  ///< absent: by the extension of `output`
  std::string output = "-";
  std::string timing = "on";
  std::string fail_if;  ///< empty: never
};

/// @param mapper_help of `--mapper`, which each verb words in its own way.
void add_what_if_options(CLI::App& verb, WhatIfOptions& options, const std::string& mapper_help);

/// Whether rows on `network` are simulated: as told, else if SimGrid can.
/// @throws UsageError if the options ask for what only the simulation gives and SimGrid cannot.
bool will_simulate(const WhatIfOptions& options, const Network& network);

/// Maps, evaluates and simulates every mapper, writes the report; returns the exit code.
int run_what_if(const WhatIfOptions& options);

}  // namespace vtopo
