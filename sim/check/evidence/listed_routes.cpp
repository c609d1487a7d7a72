#include "sim/check/evidence/listed_routes.hpp"

#include <algorithm>

namespace vtopo::detail {

void append_pairs(const CommGraph& guest, const Embedding& embedding,
                  std::vector<std::uint64_t>& pairs) {
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    const HostId from = embedding.host_of(source), to = embedding.host_of(edge.destination);
    if (from != to) pairs.push_back(std::uint64_t{index(from)} << 32U | index(to));
  });
}

void append_all_pairs(const Allocation& allocation, std::vector<std::uint64_t>& pairs) {
  for (const HostId from : allocation.hosts)
    for (const HostId to : allocation.hosts)
      if (from != to) pairs.push_back(std::uint64_t{index(from)} << 32U | index(to));
  keep_each_once(pairs);
}

void keep_each_once(std::vector<std::uint64_t>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

bool write_routes(const Network& network, const std::vector<std::uint64_t>& pairs, std::size_t most,
                  JsonLists& json) {
  const std::size_t end = json.numbers() + most;
  std::vector<LinkShare> shares;
  json.raw("[");
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (json.numbers() > end) return false;
    const auto from = id_at<HostId>(pairs[p] >> 32U), to = id_at<HostId>(pairs[p] & 0xffffffffU);
    shares.clear();
    network.append_shares(from, to, shares);
    json.raw(p == 0 ? "[" : ",\n[").number(number(from)).raw(",").number(number(to));
    json.raw(",").number(network.hops(from, to)).raw(",");
    json.list(shares, [&](const LinkShare& part) { json.number(number(part.link)); });
    const bool splits = std::any_of(shares.begin(), shares.end(),
                                    [](const LinkShare& part) { return part.share != 1; });
    const double latency = network.flow_latency(from, to).value;
    if (splits)
      json.raw(",").list(shares, [&](const LinkShare& part) { json.number(part.share); });
    else if (latency != 0)
      json.raw(",null");
    if (latency != 0) json.raw(",").number(latency);
    json.raw("]");
  }
  json.raw("]");
  return true;
}

}  // namespace vtopo::detail
