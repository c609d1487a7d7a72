#include "netmodels/process/temporary_files.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

/// A path and the process whose it is.
struct Slot {
  std::atomic<const char*> path = nullptr;
  std::atomic<pid_t> owner = 0;
};

constexpr std::size_t max_paths = 64;
std::array<Slot, max_paths> slots;  // read by signal handlers
static_assert(std::atomic<const char*>::is_always_lock_free, "read by signal handlers");

/// Entry of a folder as the kernel gives it, getdents64(2); readdir(3) is not for signal handlers.
struct KernelEntry {
  std::uint64_t number;
  std::int64_t offset;
  unsigned short length;
  unsigned char type;
  char name[1];
};

void remove_files_in(int folder) noexcept {
  alignas(KernelEntry) std::array<char, 4096> buffer{};
  for (;;) {
    const long size = syscall(SYS_getdents64, folder, buffer.data(), buffer.size());
    if (size <= 0) return;
    for (long at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const KernelEntry*>(buffer.data() + at);
      unlinkat(folder, entry->name, 0);  // refuses "." and ".."
      at += entry->length;
    }
  }
}

void remove(const char* path) noexcept {
  if (unlink(path) == 0 || errno != EISDIR) return;
  const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (folder == -1) return;
  remove_files_in(folder);
  close(folder);
  rmdir(path);
}

}  // namespace

TemporaryPath::TemporaryPath(std::string path) : path_(std::move(path)) {
  for (Slot& slot : slots) {
    const char* free = nullptr;
    if (!slot.path.compare_exchange_strong(free, path_.c_str())) continue;
    slot.owner = getpid();
    return;
  }
}

TemporaryPath::~TemporaryPath() {
  for (Slot& slot : slots) {
    const char* own = path_.c_str();
    if (slot.path.compare_exchange_strong(own, nullptr)) return;
  }
}

void remove_temporary_files() noexcept {
  const pid_t self = getpid();
  for (Slot& slot : slots)
    if (const char* path = slot.path; path != nullptr && slot.owner == self) remove(path);
}

SignalPause::SignalPause() {
  sigset_t ending;
  sigemptyset(&ending);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ending, number);
  pthread_sigmask(SIG_BLOCK, &ending, &before_);
}

SignalPause::~SignalPause() {
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  const auto parent = std::filesystem::temp_directory_path(error);
  if (error)
    throw InputError(fmt::format("there is no folder for temporary files: {}", error.message()));
  path_ = (parent / "vtopo-XXXXXX").string();
  const SignalPause pause;
  if (mkdtemp(path_.data()) == nullptr)
    throw InputError(fmt::format("cannot make a temporary folder in \"{}\": {}", parent.string(),
                                 std::strerror(errno)));
  removed_at_end_.emplace(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace vtopo::detail
