#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/experiment.hpp"
#include "sim/run/report.hpp"

namespace vtopo::detail {

/// Gathers, while the rows of a report are made, what its figures can be recomputed from without
/// any of this library: guest edges, links, the route of each used pair of hosts, embeddings,
/// witnesses of bounds, rates of flows and the links that limit them. `README.md` describes the
/// JSON object.
class EvidenceSource {
 public:
  /// Lists up to this many numbers; a report on more has the reason in place of evidence.
  static constexpr std::size_t max_numbers = 5'000'000;

  /// The next row of the report.
  void add(const Experiment& experiment, const Embedding& embedding, const Row& row);

  /// After the last row.
  void finish(const Experiment& experiment, const Report& report);

  /// The JSON object, of one line per member; for finished ones.
  const std::string& text() const { return text_; }

 private:
  bool is_too_large(std::size_t more);

  std::vector<std::string> rows_;     ///< JSON objects
  std::vector<std::uint64_t> pairs_;  ///< of hosts, source first
  std::size_t numbers_ = 0;
  bool too_large_ = false;
  std::string text_;
};

}  // namespace vtopo::detail
