#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace vtopo::detail {

/// One end of a stream of messages between a parent and its child.
class Channel {
 public:
  explicit Channel(int descriptor) : descriptor_(descriptor) {}

  /// False if the other side is gone.
  bool send(const void* data, std::size_t size) const;

  /// Fills `size` bytes; false if the other side is gone.
  bool receive(void* data, std::size_t size) const;

  /// Waits until something can be received or the other side is gone; false after `milliseconds`.
  bool wait_readable(int milliseconds) const;

  template <class T>
  bool send_value(const T& value) const {
    static_assert(std::is_trivially_copyable_v<T>);
    return send(&value, sizeof value);
  }

  template <class T>
  std::optional<T> receive_value() const {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    return receive(&value, sizeof value) ? std::optional<T>(value) : std::nullopt;
  }

  template <class T>
  bool send_vector(const std::vector<T>& values) const {
    static_assert(std::is_trivially_copyable_v<T>);
    return send_value<std::uint64_t>(values.size()) &&
           send(values.data(), values.size() * sizeof(T));
  }

  template <class T>
  std::optional<std::vector<T>> receive_vector() const {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto size = receive_value<std::uint64_t>();
    if (!size) return std::nullopt;
    std::vector<T> values(*size);
    return receive(values.data(), values.size() * sizeof(T)) ? std::optional(std::move(values))
                                                             : std::nullopt;
  }

  bool send_text(const std::string& text) const;
  std::optional<std::string> receive_text() const;

 private:
  int descriptor_;
};

}  // namespace vtopo::detail
