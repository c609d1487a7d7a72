#pragma once

#include "sim/check/evidence.hpp"

/// What rows say, by the rules of version 0.3 or by those of 0.2, of which reports are left.
namespace vtopo::detail::checking {

struct Judgement {
  bool is_old = false;  ///< no ties, and an order that is kept is not in the sentence
  std::size_t best = 0, base = 0;
  std::vector<std::size_t> ties = {};  ///< other rows that are as good
  std::string by = {};                 ///< `simulated time`, `static time`, an objective
  std::optional<bool> kept = {};       ///< the first row, against the last; nothing: nobody asked
  std::string because = {};            ///< why, where times do not say it
};

/// The sentence of the verdict.
std::string verdict_text(const Evidence& e, const Judgement& judgement);

}  // namespace vtopo::detail::checking
