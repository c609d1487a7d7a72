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

Bytes CommunicationSteps::copied(Bytes volume) const {
  // Memory of a call up to this is kept for the next one, in the heap and in the caches; more of
  // it is given back to the system after each call and comes as fresh pages: bytes
  // (`DEFAULT_MMAP_THRESHOLD_MAX` of glibc, mallopt(3)).
  constexpr double kept_memory = 32 << 20;
  const Bytes buffer = volume * slot_share * num_slots;
  return buffer * (packings + (buffer.value > kept_memory ? copies : 0));
}

}  // namespace vtopo
