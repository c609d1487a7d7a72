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
  /// What `parse` returns.
  using Value = std::decay_t<decltype(parse(std::string()))>;

  /// @throws what `parse` throws.
  Parsed(std::string text) : text_(std::move(text)), value_(parse(text_)) {}
  /// The same, so that defaults can be literals.
  Parsed(const char* text) : Parsed(std::string(text)) {}

  /// As it was written.
  const std::string& text() const { return text_; }
  /// The value.
  const Value& operator*() const { return value_; }
  /// Members of the value.
  const Value* operator->() const { return &value_; }

  /// Whether both were written in the same way.
  friend bool operator==(const Parsed& a, const Parsed& b) { return a.text_ == b.text_; }

 private:
  std::string text_;
  Value value_;
};

}  // namespace vtopo
