#pragma once

#include <string>

namespace vtopo::detail {

/// File descriptor that is closed when its owner goes.
class OwnedDescriptor {
 public:
  explicit OwnedDescriptor(int descriptor = -1) : descriptor_(descriptor) {}
  OwnedDescriptor(const OwnedDescriptor&) = delete;
  OwnedDescriptor& operator=(const OwnedDescriptor&) = delete;
  ~OwnedDescriptor() { reset(); }

  int get() const { return descriptor_; }
  void reset(int descriptor = -1);

 private:
  int descriptor_;
};

/// File without a name, in memory: for what a process is to read, or for what it writes.
class MemoryFile {
 public:
  /// @throws SimulationError if the system has no memory or descriptor left.
  explicit MemoryFile(const std::string& text = {});

  int descriptor() const { return descriptor_.get(); }

  /// What is in it; the last whole lines if that is more than `max_bytes`.
  std::string text(std::size_t max_bytes = std::string::npos) const;

 private:
  OwnedDescriptor descriptor_;
};

}  // namespace vtopo::detail
