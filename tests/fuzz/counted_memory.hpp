#pragma once

#include <cstddef>

namespace vtopo::fuzz {

/// Most bytes that `new` had handed out at once since the last call of `start_counting`, beyond
/// those that it had handed out then.
std::size_t peak_bytes();
void start_counting();

}  // namespace vtopo::fuzz
