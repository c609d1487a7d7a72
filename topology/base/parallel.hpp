#pragma once

#include <cstddef>
#include <functional>

namespace vtopo::detail {

/// Threads that the hardware runs at once, at least 1.
int hardware_threads();

/// Calls `task(i)` for every i of [0, count), on up to `threads` threads, the caller's among them;
/// they take the next i as they get free. All have ended when it returns, so that the process may
/// fork afterwards. Results do not depend on the number of threads if tasks share nothing that they
/// write and `count` depends on the problem alone.
/// @throws what the task of the lowest i that throws has thrown; higher ones may be left out.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& task);

}  // namespace vtopo::detail
