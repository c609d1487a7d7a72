#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/clock/simulate.hpp"
#include "sim/evaluation/bounds.hpp"
#include "sim/evaluation/metrics.hpp"

namespace vtopo {

/// A directed link as the report lists it.
struct ReportedLink {
  std::string name;       ///< `Network::link_name`
  LinkLoad load;          ///< traffic, flows and congestion
  std::string kind = {};  ///< of `Network::link_classes`; empty where all links are of one kind
  std::optional<Bytes> background = {};  ///< part of other jobs; absent where there are none
};

/// A phase of a schedule under the embedding of a row: figures of one step of it.
struct PhaseRow {
  std::string name;                            ///< `SchedulePhase::name`
  std::int64_t repeat = 1;                     ///< steps
  Metrics metrics;                             ///< of one step
  std::optional<SimulationResult> simulation;  ///< absent when not simulated
  Seconds start{0};                            ///< of the first rank that sends, when simulated
  Seconds end{0};                              ///< of its last rank, when simulated

  Seconds static_bound() const;             ///< of all its steps
  std::optional<Seconds> makespan() const;  ///< of all its steps; absent when not simulated
};

/// One embedding: a row of the table, of the CSV and of the JSON document.
struct Row {
  std::string mapper;                          ///< as given, with options
  std::uint64_t seed = 1;                      ///< of everything random in the mapper
  int ranks = 0;                               ///< of the application
  int hosts = 0;                               ///< hosts of the allocation
  Routing routing = Routing::simgrid;          ///< the same in all rows of a report
  Metrics metrics;                             ///< of all traffic; see `phases`
  Bounds bounds;                               ///< of every embedding of the scenario
  std::vector<ReportedLink> top_links;         ///< heaviest first
  std::optional<Seconds> mapping_time;         ///< measured; absent with `--timing off`
  std::optional<SimulationResult> simulation;  ///< absent when not simulated
  std::string solver;                          ///< `simgrid`, `fast`, or empty when not simulated
  std::string network_model;                   ///< `CM02`, ... or empty when not simulated
  bool timing = true;                          ///< whether measured times are printed
  /// Of a schedule, in order; empty where all messages start at once. With phases, `metrics` are
  /// those of everything sent together, but `max_congestion`, the sum of the static bounds of all
  /// steps (of lanes that run at the same time the longest, and no less than everything together),
  /// and `max_flows_per_link`, the most of a phase; `simulation` is that of the schedule.
  std::vector<PhaseRow> phases = {};
  /// What the best routing could make of the busiest link: a routing that was found, and a
  /// certified bound that none is below. Absent where nobody asked for it.
  std::optional<Seconds> ideal_congestion = {};
  std::optional<Seconds> ideal_congestion_bound = {};  ///< see `ideal_congestion`
  /// How steps follow each other: `burst`, `phases`, `program`, or empty when not simulated.
  std::string clock = {};
};

/// What becomes of a verdict when one property of the machine is another.
struct VerdictVariation {
  std::string what;             ///< `bandwidth of dimension 0`, `overhead`, `routing`
  std::string change;           ///< `+20 %`, `-20 %`, or the routing rule
  std::array<double, 2> times;  ///< seconds of the best row and of its rival
  std::string link = {};        ///< that causes a changed order; empty: none does
  /// Who sends most over the link, heaviest first; empty where the order is as before.
  std::vector<std::pair<Rank, Rank>> ranks = {};

  bool rival_wins() const;  ///< whether the order has changed
  double lead() const;      ///< of the best row, as a share of the rival's time
};

/// Whether the best row stays ahead when the machine is a little different: see `sensitivity.hpp`.
struct Sensitivity {
  double share = 0;                          ///< by which properties rise and fall
  std::string best;                          ///< mapper of the best row
  std::string rival;                         ///< mapper of the row that it is compared with
  std::array<double, 2> times{};             ///< seconds, of both, as the machine is
  std::vector<VerdictVariation> variations;  ///< in the order tried
};

/// What the rows of a report say: `decide` computes it once, after the last row. Whatever names a
/// row as the best (star, order, sentence, JSON, page, pictures, the embedding that is written)
/// reads it here and compares nothing again.
struct Verdict {
  std::size_t baseline = 0;  ///< row that the others are compared with
  std::size_t best = 0;      ///< row with the star; where an order may be kept, the one written
  std::vector<std::size_t> ties = {};  ///< other rows that are as good, ascending
  std::string by = {};  ///< what decides: `simulated time`, `static time`, or an objective
  /// Whether the embedding of the first row, the order given, is kept because that of the last one
  /// gains too little; absent where nobody asked.
  std::optional<bool> kept_order = {};
  std::string because = {};  ///< clause on why, where `by` and ties do not say it; empty: they do
};

/// Whole answer of `compare`, or with one row of `evaluate`.
struct Report {
  std::vector<std::pair<std::string, std::string>> scenario;  ///< option and value, in order
  std::string guest;       ///< human-readable: `cart:8x8x8, 512 ranks, 2688 edges`
  std::string network;     ///< human-readable: description, hosts, links
  std::string background;  ///< human-readable: other jobs; empty: none
  std::vector<std::string> assumptions = {};  ///< that the machine's file states, a sentence each
  std::string makespan_name = "makespan";     ///< what the simulated time is called
  std::string not_simulated;                  ///< why nothing was; empty: nobody asked for it
  bool by_hop_bytes = false;                  ///< they decide, not times: links are not known
  std::vector<Row> rows;                      ///< at least one
  Verdict verdict = {};                       ///< on the rows
  /// Measured on this machine: |ln| of a ratio of predicted times up to which they tie; 0 where no
  /// machine was measured.
  double noise = 0;
  /// Launchers, and the commands by which they start a program as the file of the embedding says.
  std::vector<std::pair<std::string, std::string>> launch = {};
  std::optional<Sensitivity> sensitivity = {};  ///< absent where nobody asked
};

}  // namespace vtopo
