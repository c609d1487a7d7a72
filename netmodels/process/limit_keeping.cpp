#include "netmodels/process/limit_keeping.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <new>

#include "topology/base/error.hpp"

namespace vtopo {

using namespace detail;

namespace {

constexpr double max_rlim = 9e18;  ///< rlim_t holds a bit more

/// An abort with less than this left, in bytes, is for want of memory; SimGrid asks for stacks of
/// 8 MiB.
constexpr std::size_t hardly_any = std::size_t{64} << 20;

/// Where this process reports; null unless it keeps limits.
SharedLimitHit* reported_hit = nullptr;

[[noreturn]] void end_at(LimitHit limit) {
  if (reported_hit) reported_hit->store(limit);
  _exit(EXIT_FAILURE);
}

/// SimGrid would describe the failure at length, if it had the memory.
void end_without_memory() {
  end_at(LimitHit::memory);
}

/// A signal that nothing else uses: whatever runs in a child may have alarms of its own, and block
/// or handle SIGALRM.
int time_signal() {
  return SIGRTMAX - 1;
}

void end_without_time(int /*signal*/, siginfo_t* info, void* /*context*/) {
  if (info->si_code == SI_TIMER) end_at(LimitHit::time);
}

/// SimGrid aborts if malloc or mmap fail, and a stack that cannot grow ends by SIGSEGV.
void end_by_signal(int number) {
  void* some =
      mmap(nullptr, hardly_any, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (some == MAP_FAILED) end_at(LimitHit::memory);
  munmap(some, hardly_any);
  std::signal(number, SIG_DFL);
  raise(number);
}

void handle_crashes() {
  static std::array<char, std::size_t{1} << 16> place;  // where no stack is left
  stack_t stack{};
  stack.ss_sp = place.data();
  stack.ss_size = place.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = end_by_signal;
  action.sa_flags = SA_ONSTACK;
  for (const int number : {SIGABRT, SIGBUS, SIGSEGV}) sigaction(number, &action, nullptr);
}

/// The timer of this process: those of a parent are not inherited.
timer_t own_timer() {
  static pid_t owner = 0;
  static timer_t timer{};
  if (owner == getpid()) return timer;
  struct sigaction action {};
  action.sa_sigaction = end_without_time;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(time_signal(), &action, nullptr);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, time_signal());
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);  // a blocked one may be inherited
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = time_signal();
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
    throw SimulationError("cannot limit the time of a process");
  owner = getpid();
  return timer;
}

}  // namespace

Limits detail::or_usual(Limits limits, Seconds time, Bytes stacks) {
  if (!limits.time) limits.time = time;
  if (limits.memory) return limits;
  const double pages = static_cast<double>(sysconf(_SC_PHYS_PAGES));
  limits.memory = Bytes{pages * static_cast<double>(sysconf(_SC_PAGESIZE))} + stacks;
  limits.memory_is_usual = true;
  return limits;
}

Bytes detail::own_addresses() {
  double pages = 0;
  std::ifstream("/proc/self/statm") >> pages;  // proc(5): size in pages
  return Bytes{pages * static_cast<double>(sysconf(_SC_PAGESIZE))};
}

void detail::limit_addresses(Bytes max) {
  if (!(max.value < max_rlim)) return;
  const auto bytes = static_cast<rlim_t>(max.value);
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
}

Limits detail::within_own(Limits limits) {
  rlimit own{};
  if (!limits.memory || getrlimit(RLIMIT_AS, &own) != 0 || own.rlim_cur == RLIM_INFINITY)
    return limits;
  const double left = std::max(static_cast<double>(own.rlim_cur) - own_addresses().value, 0.0);
  if (left >= limits.memory->value) return limits;
  limits.memory = Bytes{left};
  limits.memory_is_usual = false;
  return limits;
}

void detail::keep_limits(const Limits& limits, SharedLimitHit& hit) {
  reported_hit = &hit;
  if (limits.time) limit_time_from_now(limits.time);
  if (!limits.memory) return;
  handle_crashes();
  std::set_new_handler(end_without_memory);
  limit_addresses(own_addresses() + *limits.memory);
}

void detail::limit_time_from_now(const std::optional<Seconds>& time) {
  itimerspec left{};
  if (time && time->value < 1e9) {
    const double whole = std::floor(time->value);
    left.it_value = {static_cast<time_t>(whole),
                     static_cast<long>(std::max((time->value - whole) * 1e9, 1.0))};
  }
  timer_settime(own_timer(), 0, &left, nullptr);
}

bool detail::limit_was_hit() {
  return reported_hit && reported_hit->load() != LimitHit::none;
}

}  // namespace vtopo
