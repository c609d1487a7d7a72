#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/clock/programs/program.hpp"

namespace vtopo::detail {

/// A line of a schedule that does something.
struct GoalNode {
  Operation operation;                         ///< what it does; a message is started
  int line = 0;                                ///< of the file
  std::vector<std::int32_t> after_end = {};    ///< nodes that require its end
  std::vector<std::int32_t> after_start = {};  ///< nodes that require its start
};

/// The schedule of one rank, on its way into an order: what nothing holds back first, messages
/// before calculations, else in the order of the file.
class GoalSchedule {
 public:
  std::vector<GoalNode> nodes;                           ///< in the order of the file
  std::unordered_map<std::string, std::int32_t> labels;  ///< positions in `nodes`

  /// `node` begins when `earlier` has ended, or begun.
  void require(std::int32_t node, std::int32_t earlier, bool only_start);

  /// Appends the operations and their lines, in an order in which one rank can do them; once.
  /// @return line of a node on a cycle; 0: none.
  int put_into(std::vector<Operation>& operations, std::vector<std::int32_t>& lines);

 private:
  GoalNode& at(std::int32_t node) { return nodes[static_cast<std::size_t>(node)]; }
  void append(const Operation& operation, int line);
  void prepare();
  void sort_in(std::int32_t node);
  void begin(std::int32_t node);
  void requirement_begun(std::int32_t node);
  void end(std::int32_t node);
  void wait_for_requirements(std::int32_t node);

  std::vector<std::int32_t> not_begun_, not_ended_;  ///< requirements of each node
  std::vector<std::vector<std::int32_t>> requirements_;
  std::vector<bool> has_begun_;
  std::set<std::int32_t> ready_messages_, ready_work_, startable_, running_;
  int num_running_ = 0;
  std::vector<Operation>* operations_ = nullptr;
  std::vector<std::int32_t>* lines_ = nullptr;
};

}  // namespace vtopo::detail
