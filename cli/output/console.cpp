#include "cli/output/console.hpp"

#include "cli/output/interrupt.hpp"
#include "cli/output/output.hpp"
#include "cli/output/progress.hpp"

namespace vtopo::detail {

namespace {

class ShownWork : public Work {
 public:
  ShownWork(const std::string& label, bool timed) : bar_(label) {
    if (timed) bar_.show_time();
  }
  void update(double done) override { bar_.update(done); }
  void rename(const std::string& label) override { bar_.rename(label); }

 private:
  ProgressBar bar_;
};

class KeyboardStop : public StopRequest {
 public:
  const std::atomic<bool>* flag() const override { return &interrupt_.flag(); }

 private:
  Interrupt interrupt_;
};

}  // namespace

void Console::remark(const std::string& sentence) {
  say(sentence);
}

std::unique_ptr<Work> Console::begin(const std::string& label, bool timed) {
  return std::make_unique<ShownWork>(label, timed);
}

std::unique_ptr<StopRequest> Console::listen() {
  return std::make_unique<KeyboardStop>();
}

Console& console() {
  static Console one;
  return one;
}

}  // namespace vtopo::detail
