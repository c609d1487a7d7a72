#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>

#include "cli/check/evidence.hpp"

namespace vtopo::detail::checking {

/// Ends a check: what is wrong and where.
struct WrongFigure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What claims are compared with, and what became of them.
struct Claims {
  std::string where = {};           ///< `row 3 (greedy): `
  std::set<std::string> open = {};  ///< what could not be verified

  /// @throws WrongFigure with the sentence unless it holds.
  void require(bool holds, const std::string& sentence) const {
    if (!holds) throw WrongFigure(where + sentence);
  }

  /// @throws WrongFigure if what was recomputed is not what is claimed.
  void same(const std::string& name, const Json& claimed, double value,
            double tolerance = rounding) const {
    const double number = claimed.is_null() || claimed.is_number() ? real(claimed) : -infinity;
    const double most = std::max(std::abs(number), std::abs(value));
    require(number == value || std::abs(number - value) <= tolerance * most,
            fmt::format("{} is {}, the report says {}", name, value, claimed.dump()));
  }
};

}  // namespace vtopo::detail::checking
