#include "topology/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace vtopo::detail {

namespace {

/// Hands out the numbers of tasks, ascending, and keeps the exception of the lowest that threw: all
/// lower ones are run, whatever the number of threads.
class TaskQueue {
 public:
  TaskQueue(std::size_t count, const std::function<void(std::size_t)>& task)
      : end_(count), task_(task) {}

  void work() {
    for (std::size_t i = next_++; i < end_; i = next_++) {
      try {
        task_(i);
      } catch (...) {
        note_failure(i);
      }
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void note_failure(std::size_t i) {
    const std::lock_guard lock(mutex_);
    if (i >= end_) return;
    end_ = i;
    error_ = std::current_exception();
  }

  std::atomic<std::size_t> end_;  ///< tasks from here on need not be run
  const std::function<void(std::size_t)>& task_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace

int hardware_threads() {
  // The standard library opens a file of the system at each call.
  static const int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return threads;
}

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& task) {
  TaskQueue queue(count, task);
  {
    const auto wanted = std::min(count, static_cast<std::size_t>(std::max(threads, 1)));
    std::vector<std::jthread> helpers;
    helpers.reserve(wanted);
    try {
      while (helpers.size() + 1 < wanted) helpers.emplace_back([&queue] { queue.work(); });
    } catch (const std::system_error&) {
      // The system gives no more threads: those that there are do the work.
    }
    queue.work();
  }
  queue.rethrow();
}

}  // namespace vtopo::detail
