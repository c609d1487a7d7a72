#include "sim/study/fnv_hash.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace vtopo::detail {

namespace {

__extension__ typedef unsigned __int128 Wide;

constexpr Wide wide(std::uint64_t high, std::uint64_t low) {
  return (Wide{high} << 64) | low;
}

}  // namespace

std::string fnv1a_128(std::string_view text) {
  constexpr Wide prime = wide(0x0000000001000000, 0x000000000000013b);
  Wide hash = wide(0x6c62272e07bb0142, 0x62b821756295c58d);
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * prime;
  return fmt::format("{:016x}{:016x}", static_cast<std::uint64_t>(hash >> 64),
                     static_cast<std::uint64_t>(hash));
}

}  // namespace vtopo::detail
