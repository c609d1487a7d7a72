#include "topology/patterns/communication_steps.hpp"

#include <algorithm>
#include <utility>

namespace vtopo {

void StepSequence::push_back(CommunicationStep step) {
  append(1, [step = std::move(step)](std::int64_t) { return step; });
}

void StepSequence::append(std::int64_t count, Make make) {
  if (count <= 0) return;
  size_ += count;
  parts_.push_back({size_, std::move(make)});
}

void StepSequence::append(const StepSequence& other) {
  for (const Part& part : other.parts_) {
    parts_.push_back({size_ + part.end, part.make});
  }
  size_ += other.size_;
}

CommunicationStep StepSequence::operator[](std::int64_t k) const {
  const auto part = std::upper_bound(parts_.begin(), parts_.end(), k,
                                     [](std::int64_t at, const Part& p) { return at < p.end; });
  const std::int64_t first = part == parts_.begin() ? 0 : std::prev(part)->end;
  return part->make(k - first);
}

}  // namespace vtopo
