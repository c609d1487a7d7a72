#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the checker of reports reads: the lists of evidence, as values.
namespace vtopo::detail::checking {

using Json = nlohmann::json;
using Numbers = std::vector<double>;
using Parts = std::vector<std::pair<std::size_t, double>>;   ///< links and shares of a flow
using Volumes = std::vector<std::map<std::size_t, double>>;  ///< by rank: bytes by other rank

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double rounding = 1e-9;  ///< relative, of sums in another order
inline constexpr std::size_t unknown = std::size_t{1} << 24;

inline double count(const auto& list) {
  return static_cast<double>(list.size());
}

/// A link of the evidence; vertices are hosts, then routers.
struct Link {
  std::string name;
  std::size_t from = unknown, to = unknown;
  bool is_directed = true;
  double bandwidth = 0, latency = 0, hops = 0;
  bool is_fatpipe = false, is_up = true;

  bool knows_ends() const { return from != unknown; }
};

/// Links of a pair of hosts; shares where its flow splits.
struct Route {
  double distance = 0, mean_hops = 0, latency = 0;
  Parts parts = {};
};

/// By source and destination.
using Routes = std::map<std::pair<std::size_t, std::size_t>, Route>;

/// What one rank sends another; ranks of other jobs have numbers of their own.
struct Flow {
  std::size_t from = 0, to = 0;  ///< ranks
  std::size_t host = 0;          ///< of the sender
  const Route* route = nullptr;  ///< none inside a host
  double bytes = 0;
  bool is_sent = true, is_of_job = true;
};

/// Network, allocation and guest of a report.
struct Job {
  std::vector<Link> links = {};
  bool knows_ends = true, all_up = true, splits = false;  ///< of all links; of a flow, maybe
  std::vector<std::size_t> hosts = {};
  std::map<std::size_t, std::size_t> slots = {};  ///< by host
  std::size_t num_ranks = 0;
  Volumes sent = {}, both = {};  ///< both: in either direction, of both ranks

  double sent_to(std::size_t from, std::size_t to) const;
};

/// The sum of all but the `kept` largest.
double beyond(Numbers volumes, std::size_t kept);

/// What ranks have with partners but the `kept` with which each has most.
struct OfRanks {
  double greatest = 0, sum = 0;
};
OfRanks beyond_partners(const Volumes& volumes, std::size_t kept);

/// What the JSON library says is wrong, behind its number of the error.
std::string_view without_number(std::string_view what);

/// Discarded for what is not JSON. @throws InputError for what is too deep to be looked at.
Json parse_report(const std::string& text);

/// null is infinite. @throws InputError for what is not a number.
double real(const Json& value);

/// @throws InputError unless it is a whole number below `below`.
std::size_t whole(const Json& value, std::size_t below = unknown);

/// What ranks send each other, parallel edges summed, of edges `[source, destination, bytes]`.
/// @throws InputError for ranks and volumes that there are not.
Volumes volumes_of(const Json& edges, std::size_t num_ranks);

/// @throws InputError for links, hosts or volumes that there are not.
Job job_of(const Json& evidence);

}  // namespace vtopo::detail::checking
