#include "netmodels/edits/network_edits.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "netmodels/edits/edited_network.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/random.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

using namespace detail;

namespace {

/// Names of all links or all hosts, made once.
class Names {
 public:
  Names(std::string_view what, std::vector<std::string> names)
      : what_(what), names_(std::move(names)) {}

  /// Positions of the name, or else of all that the pattern fits, ascending.
  std::vector<std::size_t> find(const std::string& text) const {
    const auto exact = std::find(names_.begin(), names_.end(), text);
    if (exact != names_.end()) return {static_cast<std::size_t>(exact - names_.begin())};
    std::vector<std::size_t> found;
    if (text.find_first_of("*?[") != std::string::npos)
      for (std::size_t i = 0; i < names_.size(); ++i)
        if (fnmatch(text.c_str(), names_[i].c_str(), 0) == 0) found.push_back(i);
    if (found.empty()) fail(text);
    return found;
  }

 private:
  [[noreturn]] void fail(const std::string& text) const {
    constexpr std::size_t max_names_for_a_suggestion = 200'000;
    if (names_.empty()) throw UsageError(fmt::format("{} \"{}\": there are none", what_, text));
    if (parse_integer(text))
      throw UsageError(
          fmt::format("{0} \"{1}\": none of the network has this name; random:{1} takes {1} at "
                      "random{2}",
                      what_, text,
                      what_ == "link" ? ", and where a job is known --fail-link takes a number of "
                                        "the links that it uses"
                                      : ""));
    throw UsageError(fmt::format(
        "{} \"{}\": no {} of the network has this name; accepted are the {} names \"{}\" to \"{}\" "
        "and patterns with * that fit one of them{}",
        what_, text, what_, names_.size(), names_.front(), names_.back(),
        names_.size() <= max_names_for_a_suggestion ? suggestion(text, names_) : ""));
  }

  std::string_view what_;
  std::vector<std::string> names_;
};

Names link_names(const Network& network) {
  std::vector<std::string> names;
  names.reserve(index(network.num_links()));
  for (int l = 0; l < network.num_links(); ++l) names.push_back(network.link_name(LinkId{l}));
  return {"link", std::move(names)};
}

Names host_names(const Network& network) {
  std::vector<std::string> names;
  names.reserve(index(network.num_hosts()));
  for (int h = 0; h < network.num_hosts(); ++h) names.push_back(network.host_name(HostId{h}));
  return {"host", std::move(names)};
}

constexpr std::string_view random_word = "random:";

/// As many different ones of `candidates` as `random:3` or `random:3:seed=7` says, each set equally
/// likely.
std::vector<std::size_t> sample(std::string_view what, const std::string& text,
                                std::vector<std::size_t> candidates) {
  constexpr std::string_view seed_word = "seed=";
  const auto pieces = split(std::string_view(text).substr(random_word.size()), ':');
  const auto count = parse_integer(pieces[0]);
  const bool seeded = pieces.size() == 2 && pieces[1].starts_with(seed_word);
  const auto seed = seeded ? parse_integer(pieces[1].substr(seed_word.size())) : 1;
  if (!count || *count < 1 || !seed || *seed < 0 || (pieces.size() != 1 && !seeded))
    throw UsageError(fmt::format(
        "failed {} \"{}\": accepted is random:N or random:N:seed=S, such as \"random:3:seed=7\"",
        what, text));
  if (*count > std::ssize(candidates))
    throw UsageError(
        fmt::format("failed {} \"{}\": only {} can fail", what, text, candidates.size()));
  Random random(static_cast<std::uint64_t>(*seed));
  const auto size = static_cast<std::size_t>(*count);
  for (std::size_t i = 0; i < size; ++i)
    std::swap(candidates[i], candidates[i + random.below(candidates.size() - i)]);
  candidates.resize(size);
  return candidates;
}

template <class Id, class Candidates>
std::vector<Id> ids_of(std::string_view what, const std::vector<std::string>& texts,
                       const Names& names, const Candidates& candidates) {
  std::vector<Id> ids;
  for (const std::string& text : texts)
    for (const std::size_t position :
         text.starts_with(random_word) ? sample(what, text, candidates()) : names.find(text))
      ids.push_back(id_at<Id>(position));
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

/// Infinite, or the most that `parse_bandwidth` accepts: what links without a limit have.
bool is_unlimited(const Network& network, LinkId link) {
  return network.link(link).bandwidth.value >= 1e18;
}

/// As `parse_bandwidth` accepts them.
void check_bandwidth(const Network& network, LinkId link, double factor) {
  const double after = network.link(link).bandwidth.value * factor;
  if (after >= 0.001 && after <= 1e18) return;
  throw UsageError(
      fmt::format("scaled bandwidth of link \"{}\" would be {:.3g} bytes per second: accepted are "
                  "0.001 to 1e18",
                  network.link_name(link), after));
}

/// One entry per link; empty if none changes.
std::vector<double> factors_of(const Network& network, const std::vector<ScaledLinks>& scaled,
                               const Names& names) {
  std::vector<double> factors(index(network.num_links()), 1.0);
  for (const auto& [pattern, factor] : scaled) {
    if (!std::isfinite(factor) || factor <= 0)
      throw UsageError(
          fmt::format("factor {} of the bandwidth of \"{}\": accepted are finite numbers > 0",
                      factor, pattern));
    for (const std::size_t position : names.find(pattern)) factors[position] *= factor;
  }
  for (std::size_t l = 0; l < factors.size(); ++l) {
    if (factors[l] != 1 && is_unlimited(network, id_at<LinkId>(l))) factors[l] = 1;
    if (factors[l] != 1) check_bandwidth(network, id_at<LinkId>(l), factors[l]);
  }
  const bool changes = std::any_of(factors.begin(), factors.end(), [](double f) { return f != 1; });
  return changes ? factors : std::vector<double>();
}

ResolvedEdits ids_of_edits(const Network& network, const NetworkEdits& edits) {
  ResolvedEdits resolved;
  if (!edits.failed_links.empty() || !edits.scaled.empty()) {
    const Names names = link_names(network);
    resolved.failed_links = ids_of<LinkId>("link", edits.failed_links, names,
                                           [&] { return links_that_may_fail(network); });
    if (!edits.scaled.empty()) resolved.factors = factors_of(network, edits.scaled, names);
  }
  if (!edits.failed_hosts.empty())
    resolved.failed_hosts = ids_of<HostId>("host", edits.failed_hosts, host_names(network), [&] {
      std::vector<std::size_t> hosts(index(network.num_hosts()));
      std::iota(hosts.begin(), hosts.end(), std::size_t{0});
      return hosts;
    });
  return resolved;
}

}  // namespace

ScaledLinks parse_scaled_links(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  const bool of_all = equals == std::string_view::npos;
  const auto factor = parse_number(of_all ? text : text.substr(equals + 1));
  if (equals == 0 || !factor || !std::isfinite(*factor) || *factor <= 0)
    throw UsageError(fmt::format(
        "scaled bandwidth \"{}\": accepted is a finite factor > 0 of all links, such as "
        "0.5, or PATTERN=FACTOR, such as \"d0?:*=0.5\"",
        text));
  return {of_all ? "*" : std::string(text.substr(0, equals)), *factor};
}

ResolvedEdits resolve_edits(const Network& network, const NetworkEdits& edits) {
  try {
    return ids_of_edits(network, edits);
  } catch (const UsageError& error) {
    throw WrongEdit(error.what());
  }
}

bool detail::has_link_named(const Network& network, const std::string& name) {
  for (int l = 0; l < network.num_links(); ++l)
    if (network.link_name(LinkId{l}) == name) return true;
  return false;
}

std::vector<std::size_t> detail::links_that_may_fail(const Network& network) {
  std::vector<std::size_t> hops, between_routers;
  for (int l = 0; l < network.num_links(); ++l) {
    if (network.link(LinkId{l}).hops == 0) continue;
    hops.push_back(index(l));
    const auto ends = network.link_ends(LinkId{l});
    if (ends && std::min(ends->from, ends->to) >= network.num_hosts())
      between_routers.push_back(index(l));
  }
  return between_routers.empty() ? hops : between_routers;
}

std::string in_words(const ResolvedEdits& edits) {
  std::vector<std::string> words;
  const auto scaled = static_cast<std::size_t>(std::count_if(
      edits.factors.begin(), edits.factors.end(), [](double factor) { return factor != 1; }));
  if (!edits.failed_links.empty())
    words.push_back(counted(edits.failed_links.size(), "link") + " failed");
  if (!edits.failed_hosts.empty())
    words.push_back(counted(edits.failed_hosts.size(), "host") + " failed");
  if (scaled > 0) words.push_back("bandwidth of " + counted(scaled, "link") + " scaled");
  return join(words, ", ");
}

std::string names_of_failed(const Network& network, const ResolvedEdits& edits) {
  constexpr std::size_t most = 40;
  std::vector<std::string> names;
  for (const LinkId link : edits.failed_links) names.push_back(network.link_name(link));
  for (const HostId host : edits.failed_hosts) names.push_back(network.host_name(host));
  const std::size_t others = names.size() - std::min(names.size(), most);
  names.resize(names.size() - others);
  return join(names, ", ") + (others > 0 ? fmt::format(" and {} more", others) : "");
}

std::shared_ptr<const Network> apply_edits(std::shared_ptr<const Network> network,
                                           const NetworkEdits& edits) {
  const ResolvedEdits resolved = resolve_edits(*network, edits);
  return apply_edits(std::move(network), resolved);
}

std::shared_ptr<const Network> apply_edits(std::shared_ptr<const Network> network,
                                           const ResolvedEdits& edits) {
  if (edits.empty()) return network;
  if (depends_on_traffic(network->routing()))
    throw UsageError(
        fmt::format("edits come before routing {}: accepted is to edit the network "
                    "under static rules and to route it then",
                    to_string(network->routing())));
  return make_edited_network(std::move(network), edits);
}

}  // namespace vtopo
