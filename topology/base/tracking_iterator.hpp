#pragma once

#include <cstddef>
#include <iterator>

namespace vtopo::detail {

/// Reads a text for a parser and keeps `end` behind the last character read.
class TrackingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  TrackingIterator(const char* at, const char** end) : at_(at), end_(end) {}
  reference operator*() const { return *at_; }
  TrackingIterator& operator++() {
    *end_ = ++at_;
    return *this;
  }
  TrackingIterator operator++(int) {
    const TrackingIterator old = *this;
    ++*this;
    return old;
  }
  friend bool operator==(const TrackingIterator& a, const TrackingIterator& b) {
    return a.at_ == b.at_;
  }

 private:
  const char* at_;
  const char** end_;
};

}  // namespace vtopo::detail
