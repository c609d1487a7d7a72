#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>

#include "sim/evaluation/bounds.hpp"
#include "sim/run/experiment.hpp"
#include "topology/base/append_format.hpp"

namespace vtopo::detail {

/// Writes JSON without blanks, number by number: evidence has millions of them.
class JsonLists {
 public:
  /// How many numbers have been written.
  std::size_t numbers() const { return numbers_; }

  const std::string& text() const { return text_; }

  /// Text as it is: brackets, keys, `null`.
  JsonLists& raw(std::string_view text) {
    text_ += text;
    return *this;
  }

  /// A number in the shortest form that reads back equal; null where it is not finite.
  template <class Number>
  JsonLists& number(Number value) {
    ++numbers_;
    if constexpr (std::is_floating_point_v<Number>)
      if (!std::isfinite(value)) return raw("null");
    append_format(text_, "{}", value);
    return *this;
  }

  /// `[1,2,3]` of what `write` writes of each entry.
  template <class Range, class Write>
  JsonLists& list(const Range& range, Write&& write) {
    text_ += '[';
    bool first = true;
    for (const auto& entry : range) {
      if (!first) text_ += ',';
      first = false;
      write(entry);
    }
    text_ += ']';
    return *this;
  }

  template <class Range>
  JsonLists& list(const Range& numbers) {
    return list(numbers, [&](auto value) { number(value); });
  }

 private:
  std::string text_;
  std::size_t numbers_ = 0;
};

/// Whether the bound of the largest congestion hangs on which links routes between hosts of the
/// job take, and these are few enough to list all their routes.
bool needs_all_routes(const Experiment& experiment, const Bounds& bounds);

/// JSON object from which the bounds of all messages together follow: hops from hosts to their
/// nearest slots, prices of the assignment, bandwidth by which hosts send, cells that cuts lie
/// between, links that part hosts, and the least volume between any k ranks and the others.
void write_bound_witnesses(const Experiment& experiment, const Bounds& bounds, JsonLists& json);

}  // namespace vtopo::detail
