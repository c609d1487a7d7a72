#pragma once

#include <cstddef>
#include <iterator>

namespace vtopo::detail {

/// Reads a text for a parser and tells how far it is: `told` points behind the last character read.
class TellingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  TellingIterator(const char* at, const char** told) : at_(at), told_(told) {}
  reference operator*() const { return *at_; }
  TellingIterator& operator++() {
    *told_ = ++at_;
    return *this;
  }
  TellingIterator operator++(int) {
    const TellingIterator old = *this;
    ++*this;
    return old;
  }
  friend bool operator==(const TellingIterator& a, const TellingIterator& b) {
    return a.at_ == b.at_;
  }

 private:
  const char* at_;
  const char** told_;
};

}  // namespace vtopo::detail
