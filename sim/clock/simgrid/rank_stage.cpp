#include "sim/clock/simgrid/rank_stage.hpp"

#include <utility>

namespace vtopo::detail {

std::vector<Parcel> RankStage::exchange(Rank self, std::vector<OutgoingParcel> sends,
                                        const std::vector<MessageEnds>& receives) {
  std::vector<std::size_t> started;
  started.reserve(receives.size());
  for (const MessageEnds& receive : receives) started.push_back(start_receive(receive));
  for (OutgoingParcel& send : sends) started.push_back(start_send(std::move(send)));
  std::vector<Parcel> parcels;
  parcels.reserve(started.size());
  for (const std::size_t number : started) parcels.push_back(finish(self, number));
  parcels.resize(receives.size());
  return parcels;
}

}  // namespace vtopo::detail
