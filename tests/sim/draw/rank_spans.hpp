#pragma once

#include <catch2/catch.hpp>

#include <array>
#include <cstddef>
#include <vector>

#include "sim/clock/program_times.hpp"

namespace vtopo::tests {

inline detail::RankSpan rank_span(int rank, detail::RankSpan::Kind kind, double begin, double end) {
  return {Rank{rank}, kind, Seconds{begin}, Seconds{end}};
}

template <std::size_t count>
void check_same_spans(const std::vector<detail::RankSpan>& spans,
                      const std::array<detail::RankSpan, count>& expected) {
  REQUIRE(spans.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO(i);
    CHECK(spans[i].rank == expected[i].rank);
    CHECK(spans[i].kind == expected[i].kind);
    CHECK(spans[i].begin.value == Approx(expected[i].begin.value).margin(1e-15));
    CHECK(spans[i].end.value == Approx(expected[i].end.value));
  }
}

}  // namespace vtopo::tests
