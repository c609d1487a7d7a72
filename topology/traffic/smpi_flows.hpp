#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "topology/base/line_file.hpp"
#include "topology/traffic/formats.hpp"

namespace vtopo::detail {

class SmpiAction;

/// Volume and messages of an ordered pair of ranks, summed over actions.
struct SmpiFlow {
  double bytes = 0;
  std::int64_t messages = 0;

  void add(double volume) {
    bytes += volume;
    ++messages;
  }
};

/// Sums up the actions of a time-independent trace, as SMPI 3.32 writes and replays them.
class SmpiFlows {
 public:
  SmpiFlows(int num_ranks, RecordKinds kinds);

  int num_ranks() const { return static_cast<int>(flows_.size()); }

  /// Adds what the current line of the file says: `rank action argument...`.
  /// @throws InputError for an action of another rank than `owner`, an unknown action, arguments
  /// that are missing or wrong, and a send whose size the trace does not give.
  void add_action(LineFile& file, Rank owner);

  /// One edge per ordered pair, by source, then destination.
  /// @throws InputError if collectives reach too many pairs, or messages of a pair exceed 2^31-1.
  Recording recording(const std::string& path) const;

 private:
  bool add_point_to_point(const SmpiAction& action);
  void add_start(const SmpiAction& action);
  void add_send_receive(const SmpiAction& action);
  bool add_collective(const SmpiAction& action);
  bool add_rooted(const SmpiAction& action);
  bool add_for_each(const SmpiAction& action);
  void add(Rank source, Rank destination, double volume);

  RecordKinds kinds_;
  double default_size_ = 1;                      ///< bytes of a datatype that is not named
  std::vector<std::map<Rank, SmpiFlow>> flows_;  ///< one entry per source
  std::vector<SmpiFlow> to_all_;  ///< what each source sends to every other rank; per source
};

}  // namespace vtopo::detail
