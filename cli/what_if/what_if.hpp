#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/scenario.hpp"
#include "cli/options/verb.hpp"
#include "sim/embedding/embedding.hpp"
#include "sim/report/report.hpp"

namespace vtopo {

/// Options of the verbs that put embeddings into rows.
struct WhatIfOptions {
  ScenarioOptions scenario;
  std::string mappers;
  std::vector<std::string> plugins;  ///< files, in the order given
  std::string embedding;  ///< file of the only embedding, instead of mappers; empty: none
  std::optional<std::string> embedding_format;  ///< absent: by its extension
  std::optional<std::int64_t> steps;
  std::optional<std::string> objective;  ///< absent: hop-bytes
  std::string time_limit;                ///< empty: none
  int threads = 0;                       ///< 0: as many as the hardware runs
  bool simulate = true;
  bool simulate_given = false;  ///< not given: simulated if SimGrid can
  std::string solver = "auto";
  std::string network_model = "CM02";
  std::string loopback_bandwidth = "inf";
  std::string rank_times;  ///< CSV file; empty: none
  int top_links = 0;
  bool top_links_given = false;       ///< not given: as the verb likes
  std::optional<std::string> format;  ///< absent: by the extension of `output`
  std::string output = "-";
  std::string timing = "on";
  std::string fail_if;  ///< empty: never
};

/// Options of a verb that reports on embeddings and writes nothing else.
/// @param mapper_help of `--mapper`, which each verb words in its own way.
void add_what_if_options(Verb& verb, WhatIfOptions& options, const std::string& mapper_help);

/// Adds `--embedding`, which stands instead of `--mapper`; behind the options above.
void add_embedding_options(Verb& verb, WhatIfOptions& options);

/// Options for everything but what is written.
void add_mapping_options(Verb& verb, WhatIfOptions& options, const std::string& mapper_help);

/// Options of every report but its file.
void add_report_options(Verb& verb, WhatIfOptions& options);

/// Adds the mappers of plugins to the table: before anything looks up a mapper.
void load_plugins(const std::vector<std::string>& plugins);

/// Adds `--plugin`.
void add_plugin_option(Verb& verb, std::vector<std::string>& plugins);

/// Whether rows on `network` are simulated: as told, else if SimGrid can.
/// @throws UsageError if the options ask for what only the simulation gives and SimGrid cannot.
bool will_simulate(const WhatIfOptions& options, const Network& network);

/// What a verb does besides the report.
struct WhatIfHooks {
  std::function<void(const Scenario&)> built;  ///< before work starts
  /// After each mapper. The report has the scenario and the rows before.
  std::function<void(const Scenario&, const Report&, const Embedding&)> mapped;
  /// How the table is written, in colour or not; empty: as `render_table` does.
  std::function<std::string(const Report&, bool)> table = {};
};

/// Maps, evaluates and simulates every mapper, writes the report; returns the exit code.
/// @param hooks each may be empty.
int run_what_if(const WhatIfOptions& options, const WhatIfHooks& hooks = {});

}  // namespace vtopo
