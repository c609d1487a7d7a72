#include "netmodels/platform/route_cache.hpp"

#include <unistd.h>

#include <algorithm>
#include <limits>
#include <mutex>

#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

/// Memory for routes; those beyond it are fetched again when they are needed.
constexpr std::size_t max_kept_bytes = std::size_t{2} << 30;

/// Above this number of hosts, nobody asks for all pairs (`lower_bounds`): no more than asked for.
constexpr std::size_t max_hosts_for_rows = 4096;
/// A source with fewer routes than this may need no more of them.
constexpr int routes_before_rows = 5;
constexpr std::size_t max_routes_per_answer = std::size_t{1} << 16;

std::optional<KnownRoute> find(const RouteRow& row, HostId destination) {
  std::size_t place = index(destination);
  if (!row.destinations.empty()) {
    const auto found =
        std::lower_bound(row.destinations.begin(), row.destinations.end(), number(destination));
    if (found == row.destinations.end() || *found != number(destination)) return std::nullopt;
    place = static_cast<std::size_t>(found - row.destinations.begin());
  }
  const std::size_t first = row.offsets[place];
  return KnownRoute{std::span(row.links).subspan(first, row.offsets[place + 1] - first),
                    {row.added.empty() ? 0 : row.added[place]}};
}

/// The i-th route of a batch.
KnownRoute route_of(const RouteBatch& batch, std::size_t i) {
  return {std::span(batch.links).subspan(batch.offsets[i], batch.offsets[i + 1] - batch.offsets[i]),
          {batch.added.empty() ? 0 : batch.added[i]}};
}

/// The next destinations after `first`, around the end, that `row` does not hold.
std::vector<int> next_missing(const RouteRow& row, int first, std::size_t count, int num_hosts) {
  std::vector<int> missing;
  for (int i = 0; i < num_hosts && missing.size() < count; ++i) {
    const int host = first < num_hosts - i ? first + i : first + i - num_hosts;
    if (!std::binary_search(row.destinations.begin(), row.destinations.end(), host))
      missing.push_back(host);
  }
  std::sort(missing.begin(), missing.end());
  return missing;
}

void append(RouteRow& row, int destination, const KnownRoute& route, bool adds_latency) {
  row.destinations.push_back(destination);
  row.links.insert(row.links.end(), route.links.begin(), route.links.end());
  if (adds_latency) row.added.push_back(route.added.value);
  row.offsets.push_back(narrow<std::uint32_t>(row.links.size()));
}

/// Both together, in ascending order of destinations.
std::unique_ptr<RouteRow> merge(const RouteRow& old, const std::vector<int>& fetched,
                                const RouteBatch& batch, int num_hosts) {
  auto row = std::make_unique<RouteRow>(RouteRow{{}, {0}, {}});
  row->links.reserve(old.links.size() + batch.links.size());
  const bool adds_latency = !batch.added.empty();
  std::size_t next = 0;
  for (const int host : old.destinations) {
    for (; next < fetched.size() && fetched[next] < host; ++next)
      append(*row, fetched[next], route_of(batch, next), adds_latency);
    append(*row, host, *find(old, HostId{host}), adds_latency);
  }
  for (; next < fetched.size(); ++next)
    append(*row, fetched[next], route_of(batch, next), adds_latency);
  if (row->num_routes() == num_hosts) row->destinations = {};
  return row;
}

/// Row `place` of a batch of whole rows.
std::unique_ptr<RouteRow> whole_row(const RouteBatch& batch, std::size_t place,
                                    std::size_t num_hosts) {
  const auto offsets = std::span(batch.offsets).subspan(place * num_hosts, num_hosts + 1);
  const auto links =
      std::span(batch.links).subspan(offsets.front(), offsets.back() - offsets.front());
  auto row = std::make_unique<RouteRow>(RouteRow{{}, {}, {links.begin(), links.end()}});
  if (!batch.added.empty()) {
    const auto added = std::span(batch.added).subspan(place * num_hosts, num_hosts);
    row->added.assign(added.begin(), added.end());
  }
  row->offsets.reserve(offsets.size());
  for (const std::size_t offset : offsets)
    row->offsets.push_back(narrow<std::uint32_t>(offset - offsets.front()));
  return row;
}

std::size_t bytes_of(const RouteRow& row) {
  return sizeof row + (row.destinations.size() + row.offsets.size()) * sizeof(int) +
         row.links.size() * sizeof(LinkId) + row.added.size() * sizeof(double);
}

}  // namespace

RouteCache::RouteCache(PlatformRoutes& routes)
    : routes_(routes), owner_(getpid()), rows_(routes.inventory().host_names.size()) {}

const RouteRow* RouteCache::published(HostId source) const {
  return rows_[index(source)].load(std::memory_order_acquire);
}

KnownRoute RouteCache::route(HostId source, HostId destination) {
  if (const RouteRow* row = published(source))
    if (const auto route = find(*row, destination)) return *route;
  return fetch(source, destination);
}

KnownRoute RouteCache::fetch(HostId source, HostId destination) {
  static thread_local RouteBatch batch;  // what is returned if it is not kept
  const std::scoped_lock lock(routes_);
  const RouteRow none{{}, {0}, {}};
  const RouteRow* const row = published(source);
  if (row != nullptr)
    if (const auto route = find(*row, destination)) return *route;
  const bool keeps = getpid() == owner_ && kept_bytes_ < max_kept_bytes;
  if (!keeps) {
    const int only = number(destination);
    batch = routes_.routes(source, std::span(&only, 1));
    return route_of(batch, 0);
  }
  const RouteRow& old = row == nullptr ? none : *row;
  if (fetches_rows(old)) return fetch_rows(source, destination);
  const int num_hosts = narrow<int>(rows_.size());
  const auto wanted = static_cast<std::size_t>(std::max(1, 4 * old.num_routes()));
  const auto missing = next_missing(old, number(destination), wanted, num_hosts);
  batch = routes_.routes(source, missing);
  auto merged = merge(old, missing, batch, num_hosts);
  batch = {};
  const KnownRoute route = *find(*merged, destination);
  publish(source, std::move(merged));
  return route;
}

bool RouteCache::fetches_rows(const RouteRow& row) const {
  return routes_.inventory().routes_are_ready && rows_.size() <= max_hosts_for_rows &&
         row.num_routes() >= routes_before_rows;
}

/// `source`, and sources behind it that do not have all routes.
std::vector<int> RouteCache::next_rows(HostId source) const {
  const std::size_t most = std::clamp(max_routes_per_answer / rows_.size(), std::size_t{1},
                                      std::max(std::size_t{1}, num_whole_rows_));
  std::vector<int> sources{number(source)};
  for (std::size_t s = index(source) + 1; s < rows_.size() && sources.size() < most; ++s) {
    const RouteRow* const row = published(id_at<HostId>(s));
    if (row == nullptr || !row->destinations.empty()) sources.push_back(narrow<int>(s));
  }
  return sources;
}

KnownRoute RouteCache::fetch_rows(HostId source, HostId destination) {
  const auto sources = next_rows(source);
  const RouteBatch batch = routes_.rows(sources);
  for (std::size_t place = 0; place < sources.size(); ++place)
    publish(HostId{sources[place]}, whole_row(batch, place, rows_.size()));
  num_whole_rows_ += sources.size();
  return *find(*published(source), destination);
}

void RouteCache::publish(HostId source, std::unique_ptr<const RouteRow> row) {
  kept_bytes_ += bytes_of(*row);
  rows_[index(source)].store(row.get(), std::memory_order_release);
  kept_.push_back(std::move(row));
}

}  // namespace vtopo::detail
