#include "cli/check/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "topology/base/error.hpp"

namespace vtopo::detail::checking {

namespace {

constexpr std::size_t max_slots = 1'000'001;  // of a host
constexpr int max_depth = 16;                 // of lists within lists

std::vector<Link> links_of(const Json& evidence) {
  const Json& kinds = evidence.at("link_kinds");
  std::vector<Link> links;
  for (const Json& entry : evidence.at("links")) {
    const Json& kind = kinds.at(whole(entry.at(3), kinds.size()));
    Link link{entry.at(0),      unknown,          unknown,
              entry.size() < 5, real(kind.at(0)), real(kind.at(1)),
              real(kind.at(2)), kind.at(3) != 0,  kind.at(4) != 0};
    if (!entry.at(1).is_null()) link.from = whole(entry.at(1)), link.to = whole(entry.at(2));
    if (!(link.bandwidth > 0 && link.latency >= 0 && link.hops >= 0))
      throw InputError(
          fmt::format("evidence: link \"{}\" has a bandwidth that is not positive, or "
                      "a latency or hops below 0",
                      link.name));
    links.push_back(std::move(link));
  }
  return links;
}

}  // namespace

std::string_view without_number(std::string_view what) {
  const auto end = what.find("] ");
  return end == std::string_view::npos ? what : what.substr(end + 2);
}

Json parse_report(const std::string& text) {
  return Json::parse(
      text,
      [](int depth, Json::parse_event_t, const Json&) {
        if (depth <= max_depth) return true;
        throw InputError("not a report: lists within lists within lists, more than 16 of them");
      },
      false);
}

double real(const Json& value) {
  if (value.is_null()) return infinity;
  if (value.is_number()) return value.get<double>();
  throw InputError(fmt::format("evidence: {} is not a number", value.dump().substr(0, 40)));
}

std::size_t whole(const Json& value, std::size_t below) {
  if (value.is_number_integer() && value >= 0 && value < below) return value.get<std::size_t>();
  throw InputError(fmt::format("evidence: {} is not a whole number from 0 to {}",
                               value.dump().substr(0, 40), below - 1));
}

Volumes volumes_of(const Json& edges, std::size_t num_ranks) {
  Volumes sent(num_ranks);
  for (const Json& edge : edges) {
    const std::size_t source = whole(edge.at(0), num_ranks), to = whole(edge.at(1), num_ranks);
    const double bytes = real(edge.at(2));
    if (!(bytes >= 0 && std::isfinite(bytes)))
      throw InputError(fmt::format("evidence: a volume of {} bytes", bytes));
    if (source != to && bytes > 0) sent[source][to] += bytes;
  }
  return sent;
}

double Job::sent_to(std::size_t from, std::size_t to) const {
  const auto found = sent[from].find(to);
  return found == sent[from].end() ? 0 : found->second;
}

double beyond(Numbers volumes, std::size_t kept) {
  std::sort(volumes.rbegin(), volumes.rend());
  double sum = 0;
  for (std::size_t k = kept; k < volumes.size(); ++k) sum += volumes[k];
  return sum;
}

OfRanks beyond_partners(const Volumes& volumes, std::size_t kept) {
  OfRanks ranks;
  for (const auto& partners : volumes) {
    Numbers with_each;
    for (const auto& [other, bytes] : partners) with_each.push_back(bytes);
    const double outside = beyond(std::move(with_each), kept);
    ranks.greatest = std::max(ranks.greatest, outside), ranks.sum += outside;
  }
  return ranks;
}

Job job_of(const Json& evidence) {
  Job job{.links = links_of(evidence)};
  for (const Link& link : job.links) {
    job.knows_ends = job.knows_ends && link.knows_ends();
    job.all_up = job.all_up && link.is_up;
  }
  job.splits = evidence.value("splits_flows", false);
  for (const Json& host : evidence.at("allocation")) {
    const std::size_t slots = whole(evidence.at("slots").at(job.hosts.size()), max_slots);
    job.hosts.push_back(whole(host));
    if (slots == 0 || !job.slots.emplace(job.hosts.back(), slots).second)
      throw InputError(
          fmt::format("evidence: host {} is allocated twice or without a slot", job.hosts.back()));
  }
  job.num_ranks = evidence.at("rows").at(0).at("embedding").size();
  if (job.num_ranks == 0) throw InputError("evidence: there are no ranks");
  job.sent = volumes_of(evidence.at("edges"), job.num_ranks), job.both.resize(job.num_ranks);
  for (std::size_t r = 0; r < job.num_ranks; ++r)
    for (const auto& [to, bytes] : job.sent[r]) job.both[r][to] += bytes, job.both[to][r] += bytes;
  return job;
}

}  // namespace vtopo::detail::checking
