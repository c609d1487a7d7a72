#pragma once

#include <string>
#include <type_traits>
#include <utility>

namespace vtopo {

/// A value with the text that it was written as, which reports repeat. Valid by construction.
/// @tparam parse reads the text and throws what it is about.
template <auto parse>
class Parsed {
 public:
  using Value = std::decay_t<decltype(parse(std::string()))>;

  Parsed(std::string text) : text_(std::move(text)), value_(parse(text_)) {}
  Parsed(const char* text) : Parsed(std::string(text)) {}

  const std::string& text() const { return text_; }
  const Value& operator*() const { return value_; }
  const Value* operator->() const { return &value_; }

  friend bool operator==(const Parsed& a, const Parsed& b) { return a.text_ == b.text_; }

 private:
  std::string text_;
  Value value_;
};

}  // namespace vtopo
