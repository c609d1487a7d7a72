#include "netmodels/process/channel.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

namespace vtopo::detail {

bool Channel::send(const void* data, std::size_t size) const {
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t count = ::send(descriptor_, next, size, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    next += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

bool Channel::receive(void* data, std::size_t size) const {
  char* next = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t count = ::recv(descriptor_, next, size, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    next += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

bool Channel::wait_readable(int milliseconds) const {
  pollfd channel{descriptor_, POLLIN, 0};
  return poll(&channel, 1, milliseconds) > 0;
}

bool Channel::send_text(const std::string& text) const {
  return send_value<std::uint64_t>(text.size()) && send(text.data(), text.size());
}

std::optional<std::string> Channel::receive_text() const {
  const auto letters = receive_vector<char>();
  if (!letters) return std::nullopt;
  return std::string(letters->begin(), letters->end());
}

}  // namespace vtopo::detail
