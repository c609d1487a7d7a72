#include "tests/conformance/stage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "topology/mpi/mpi_error.hpp"

namespace vtopo::conformance {

using namespace vtopo::detail;

namespace {

std::string error_answer(const MpiError& error) {
  return fmt::format("error {}", name(error.error_class()));
}

/// What a constructor gave on each of the old communicators of a slot.
struct Made {
  Communicator parent;
  std::vector<std::optional<Communicator>> by_rank;
  std::string error;
};

Made made_from(const Communicator& parent, const Stage::Constructor& make) {
  try {
    return {parent, make(parent), {}};
  } catch (const MpiError& error) {
    return {parent, {}, error_answer(error)};
  }
}

const Made& made_once(std::vector<Made>& made, const Communicator& parent,
                      const Stage::Constructor& make) {
  for (const Made& other : made)
    if (other.parent.same_context(parent)) return other;
  return made.emplace_back(made_from(parent, make));
}

std::string place_in(const std::optional<Communicator>& communicator, ProcessId process) {
  if (!communicator) return "null";
  return fmt::format("{} of {}", number(*communicator->rank_of(process)), communicator->size());
}

}  // namespace

Stage::Stage(int num_processes, std::uint64_t seed)
    : random_(seed),
      slots_(1, Slot(static_cast<std::size_t>(num_processes), world(num_processes))),
      answers_(static_cast<std::size_t>(num_processes)) {}

int Stage::draw(int first, int last) {
  return first + static_cast<int>(random_.below(static_cast<std::uint64_t>(last - first) + 1));
}

int Stage::construct(std::string_view call, int parent, const Words& words,
                     const Constructor& make) {
  const int slot = static_cast<int>(slots_.size());
  write_call(call, std::vector{slot, parent}, words);
  slots_.emplace_back(answers_.size());
  std::vector<Made> made;
  made.reserve(answers_.size());
  for (std::size_t p = 0; p < answers_.size(); ++p) {
    const auto& old = slots_[static_cast<std::size_t>(parent)][p];
    if (!old) continue;
    const Made& result = made_once(made, *old, make);
    const ProcessId process = id_at<ProcessId>(p);
    if (result.error.empty()) slots_.back()[p] = result.by_rank[index(*old->rank_of(process))];
    note(p, call, result.error.empty() ? place_in(slots_.back()[p], process) : result.error);
  }
  return slot;
}

void Stage::ask(std::string_view call, int slot, const Words& words, const Inquiry& answer) {
  write_call(call, std::vector{slot}, words);
  for (std::size_t p = 0; p < answers_.size(); ++p) {
    const auto& communicator = slots_[static_cast<std::size_t>(slot)][p];
    if (!communicator) continue;
    const ProcessId process = id_at<ProcessId>(p);
    try {
      note(p, call, answer({*communicator, *communicator->rank_of(process), process}));
    } catch (const MpiError& error) {
      note(p, call, error_answer(error));
    }
  }
}

void Stage::end_case() {
  write_call("end_case", {}, {});
  slots_.resize(1);
}

std::optional<Communicator> Stage::any_of(int slot) const {
  for (const auto& communicator : this->slot(slot))
    if (communicator) return communicator;
  return std::nullopt;
}

std::string Stage::answers() const {
  return fmt::format("{}", fmt::join(answers_, ""));
}

void Stage::write_call(std::string_view call, std::span<const int> slots, const Words& words) {
  ++line_;
  script_ += call;
  for (const int slot : slots) script_ += fmt::format(" {}", slot);
  for (const int word : words) script_ += fmt::format(" {}", word);
  script_ += '\n';
}

void Stage::note(std::size_t process, std::string_view call, std::string_view answer) {
  answers_[process] += fmt::format("{} {} {} -> {}\n", line_, process, call, answer);
}

std::string listed(std::span<const int> numbers) {
  return fmt::format("{}", fmt::join(numbers, " "));
}

std::string listed(std::span<const std::optional<Rank>> ranks) {
  std::vector<std::string> words;
  for (const auto& rank : ranks) words.push_back(rank ? std::to_string(number(*rank)) : "-");
  return fmt::format("{}", fmt::join(words, " "));
}

std::string listed(std::span<const Rank> ranks) {
  return listed(std::vector<std::optional<Rank>>(ranks.begin(), ranks.end()));
}

}  // namespace vtopo::conformance
