#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

namespace vtopo {

/// A long piece of work that is going on, until it is destroyed.
class Work {
 public:
  virtual ~Work() = default;

  /// The share of the work that is done, 0 to 1.
  virtual void update(double /*done*/) {}
  /// Another label for what is going on.
  virtual void rename(const std::string& /*label*/) {}

  /// `update` for code that knows nothing of work; valid as long as it.
  std::function<void(double)> callback() {
    return [this](double done) { update(done); };
  }
};

/// While it lives, the user may ask that what is going on ends with its best result so far.
class StopRequest {
 public:
  virtual ~StopRequest() = default;

  /// Set once the user asks; null: nobody can.
  virtual const std::atomic<bool>* flag() const { return nullptr; }
  /// Whether the user has asked.
  bool is_set() const { return flag() != nullptr && *flag(); }
};

/// Who watches an experiment. This one is silent and never asks for anything.
class Observer {
 public:
  virtual ~Observer() = default;

  /// A sentence for a human reader.
  virtual void remark(const std::string& /*sentence*/) {}
  /// A piece of work begins, with a label.
  virtual std::unique_ptr<Work> begin(const std::string&) { return std::make_unique<Work>(); }
  /// From now on the user may ask for an early end.
  virtual std::unique_ptr<StopRequest> listen() { return std::make_unique<StopRequest>(); }
};

}  // namespace vtopo
