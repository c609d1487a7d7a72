#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "cli/check/claims.hpp"
#include "cli/check/evidence.hpp"

namespace vtopo::detail::checking {

/// Links that routes between the hosts of a job take, and what follows from them.
class UsedLinks {
 public:
  /// @throws WrongFigure if a listed route takes another link or leaves its host by another door.
  UsedLinks(const Job& job, const Routes& routes, const Json& witness, const Claims& claims);

  bool takes(std::size_t link) const { return used_.contains(link); }

  /// Whether nothing hangs on routes that are not listed: all are, or no link is said to be free.
  bool is_certain() const { return is_certain_; }

  /// Seconds on the links that count as hops; 0 if one of them is a fatpipe, which carries
  /// anything.
  double time_of_hops(double hop_bytes) const;

  /// What a rank with more flows than doors sends through one of them, in bytes: flows do not
  /// split, and `kept` of them stay inside its host.
  double flows_of_one_rank(std::size_t kept) const;

  /// Seconds that ranks take to leave their hosts through the doors.
  /// @param kept partners that a host has room for beside a rank.
  /// @param all what leaves all hosts.
  double time_of_hosts(std::size_t kept, double all) const;

 private:
  /// Links by which a host sends or receives: how many, and how fast together.
  struct Door {
    double links = 0, bandwidth = 0;
  };
  struct Host {
    Door out, in;
  };

  Door door_of(const std::set<std::size_t>& links) const;
  void read_doors(const std::vector<std::set<std::size_t>>& out,
                  const std::vector<std::set<std::size_t>>& in, bool all_listed,
                  const Claims& claims);

  const Job& job_;
  const Json& witness_;
  std::set<std::size_t> used_;
  std::vector<Host> doors_;  // by position in the allocation; empty if they are not known
  bool is_certain_ = false;
};

}  // namespace vtopo::detail::checking
