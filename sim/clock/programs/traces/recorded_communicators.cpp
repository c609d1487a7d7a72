#include "sim/clock/programs/traces/recorded_communicators.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

RankCommunicators::RankCommunicators(Communicators& all, Rank rank) : all_(all) {
  own_.emplace(0, OwnCommunicator{all.world(), number(rank)});
}

const OwnCommunicator& RankCommunicators::at(const RecordedLine& line, std::size_t word) const {
  const auto found = own_.find(line.integer(word, -1));
  if (found == own_.end())
    line.fail(word, fmt::format("communicator {} has no line \"comm\" before", line.word(word)));
  return found->second;
}

void RankCommunicators::read(const RecordedLine& line) {
  Communicators::Members members;
  for (std::size_t i = 3; i < line.words.size(); ++i) {
    const auto ends = split(line.word(i), '-');
    const auto first = parse_integer(ends.front()), last = parse_integer(ends.back());
    const auto world = line.num_ranks();
    if (ends.size() > 2 || !first || !last || *first < 0 || *last < *first || *last >= world ||
        std::ssize(members) + *last - *first >= world)
      line.fail(i, fmt::format("members \"{}\"; expected ranks from 0 to {}, each once",
                               line.word(i), world - 1));
    for (auto r = *first; r <= *last; ++r) members.push_back(Rank{narrow<std::int32_t>(r)});
  }
  const Communicators::Communicator shared = all_.add(std::move(members), line.integer(2, 1));
  const auto self = std::find(shared.members->begin(), shared.members->end(), line.rank());
  if (self == shared.members->end()) line.fail(0, "a communicator without this rank");
  own_.insert_or_assign(line.integer(1),
                        OwnCommunicator{shared, static_cast<int>(self - shared.members->begin())});
}

}  // namespace vtopo::detail
