#include "netmodels/platform/platform_routes.hpp"

#include <unistd.h>

#include <algorithm>
#include <mutex>

#include "netmodels/platform/lint/lint.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// Memory for routes; those beyond it are fetched again when they are needed.
constexpr std::size_t max_kept_bytes = std::size_t{2} << 30;
/// Above this number of hosts, nobody asks for all pairs (`lower_bounds`): no more than asked for.
constexpr std::size_t max_hosts_for_rows = 4096;
/// A source with fewer routes than this may need no more of them.
constexpr int routes_before_row = 5;

std::shared_ptr<PlatformShared> share_memory() {
  auto shared = make_shared_memory<PlatformShared>();
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&shared->conversation, &attributes);
  pthread_mutexattr_destroy(&attributes);
  return shared;
}

}  // namespace

PlatformRoutes::PlatformRoutes(PlatformText source, const Progress& progress, const Limits& limits)
    : source_(std::move(source)),
      limits_(or_usual(limits, usual_loading_time)),
      text_(source_.text),
      shared_(share_memory()),
      owner_(getpid()) {
  source_.text.clear();
  start();
  await_inventory(progress);
  inventory_ = receive_inventory();
  rows_ = std::vector<std::atomic<const Range*>>(inventory_.host_names.size());
  loaded_ = true;
}

void PlatformRoutes::start() {
  const std::string file = fmt::format("/proc/self/fd/{}", text_.descriptor());
  child_ = std::make_unique<ChildProcess>(
      [&](Channel& channel) { serve_platform(channel, *shared_, file, source_, limits_.time); },
      limits_);
}

void PlatformRoutes::await_inventory(const Progress& progress) {
  if (!progress) return;
  while (!child_->channel().wait_readable(1000))
    progress(std::min(1.0, shared_->num_built / std::max(1.0, 1.0 * source_.num_to_build)));
}

std::string PlatformRoutes::exit_description() {
  std::string words = child_->exit_description();
  const std::string name = fmt::format("/proc/self/fd/{}", text_.descriptor());
  for (auto place = words.find(name); place != words.npos; place = words.find(name))
    words.replace(place, name.size(), source_.path);
  return words;
}

template <class T>
T PlatformRoutes::expect(std::optional<T> received) {
  if (received) return std::move(*received);
  const std::string description = exit_description();
  if (loaded_ || child_->limit_hit() != LimitHit::none)
    throw LoggedSimulationError(
        fmt::format("{}: the process in which SimGrid {} {}", source_.path,
                    loaded_ ? "computes routes" : "loads this platform", description),
        child_->log());
  for (const LintFinding& found : lint_platform(source_.path).findings)
    if (found.severity == LintSeverity::error && found.position.line > 0)
      throw input_error(found.position,
                        fmt::format("SimGrid does not accept this platform: {}; instead: {}",
                                    found.sentence, found.instead));
  throw input_error({source_.path},
                    fmt::format("SimGrid does not accept this platform: it {}; run vtopo platform "
                                "lint {}",
                                description, source_.path));
}

LinkProperties PlatformRoutes::receive_properties(const std::string& name) {
  enum Policy { fatpipe = 0, wifi = 3, nonlinear = 4 };  // as SimGrid numbers them
  const auto record = expect(child_->channel().receive_value<LinkRecord>());
  const auto wireless = source_.wireless.find(name);
  if (record.policy == nonlinear || (record.policy == wifi && wireless == source_.wireless.end()))
    throw input_error({source_.path},
                      fmt::format("link \"{}\" is non-linear; accepted are shared, split-duplex, "
                                  "fatpipe and wireless links",
                                  name));
  if (record.policy == wifi) return {wireless->second, {record.latency}};
  return {{record.bandwidth},
          {record.latency},
          record.policy == fatpipe ? LinkSharing::fatpipe : LinkSharing::shared};
}

PlatformInventory PlatformRoutes::receive_inventory() {
  PlatformInventory inventory;
  const Channel& channel = child_->channel();
  const auto num_hosts = expect(channel.receive_value<std::size_t>());
  for (std::size_t h = 0; h < num_hosts; ++h)
    inventory.host_names.push_back(expect(channel.receive_text()));
  const auto num_links = expect(channel.receive_value<std::size_t>());
  for (std::size_t l = 0; l < num_links; ++l) {
    inventory.link_names.push_back(expect(channel.receive_text()));
    inventory.links.push_back(receive_properties(inventory.link_names.back()));
  }
  inventory.routes_are_ready = expect(channel.receive_value<bool>());
  inventory.adds_latency = expect(channel.receive_value<bool>());
  return inventory;
}

void PlatformRoutes::lock() {
  if (pthread_mutex_lock(&shared_->conversation) != EOWNERDEAD) return;
  pthread_mutex_consistent(&shared_->conversation);
  start();  // a process was ended in the middle of a conversation: begin another
  receive_inventory();
}

void PlatformRoutes::unlock() {
  pthread_mutex_unlock(&shared_->conversation);
}

KnownRoute PlatformRoutes::Range::route(HostId destination) const {
  const std::size_t place = index(destination) - static_cast<std::size_t>(first);
  return {std::span(links).subspan(offsets[place], offsets[place + 1] - offsets[place]),
          {added.empty() ? 0 : added[place]},
          ends[place]};
}

std::size_t PlatformRoutes::Range::bytes() const {
  return sizeof *this + offsets.size() * sizeof offsets[0] + links.size() * sizeof(LinkId) +
         added.size() * sizeof(double) + ends.size() * sizeof ends[0];
}

const PlatformRoutes::Range* PlatformRoutes::published(HostId source, HostId destination) const {
  const Range* range = rows_[index(source)].load(std::memory_order_acquire);
  while (range != nullptr && !range->contains(destination)) range = range->next;
  return range;
}

KnownRoute PlatformRoutes::route(HostId source, HostId destination) {
  if (const Range* range = published(source, destination)) return range->route(destination);
  static thread_local Range unkept;
  const std::scoped_lock lock(*this);
  if (const Range* range = published(source, destination)) return range->route(destination);
  if (getpid() != owner_ || kept_bytes_ >= max_kept_bytes) {
    unkept = fetch(source, destination, false);
    return unkept.route(destination);
  }
  auto& row = rows_[index(source)];
  auto range = std::make_unique<Range>(fetch(source, destination, true));
  range->next = row.load(std::memory_order_relaxed);
  kept_bytes_ += range->bytes();
  kept_.push_back(std::move(range));
  row.store(kept_.back().get(), std::memory_order_release);
  return kept_.back()->route(destination);
}

/// Four times as many routes as are there; where a route costs little, the third time all.
int PlatformRoutes::num_to_fetch(HostId source) const {
  int num_there = 0;
  for (const Range* range = rows_[index(source)].load(std::memory_order_relaxed); range != nullptr;
       range = range->next)
    num_there += range->num_routes();
  const bool takes_row = (inventory_.routes_are_ready || source_.searches_are_cached) &&
                         rows_.size() <= max_hosts_for_rows && num_there >= routes_before_row;
  const int num_hosts = int_size(rows_);
  return takes_row ? num_hosts : std::clamp(4 * num_there, 1, num_hosts);
}

/// One question for a route, and for those to other hosts about the destination.
PlatformRoutes::Range PlatformRoutes::fetch(HostId source, HostId destination, bool with_others) {
  const int count = with_others ? num_to_fetch(source) : 1;
  Range range;
  range.first = std::min(number(destination), int_size(rows_) - count);
  child_->channel().send_value(RouteRequest{number(source), range.first, range.first + count});
  while (range.num_routes() < count) receive_piece(range);
  return range;
}

void PlatformRoutes::receive_piece(Range& range) {
  const Channel& channel = child_->channel();
  const auto lengths = expect(channel.receive_vector<int>());
  const auto links = expect(channel.receive_vector<LinkId>());
  const auto added = expect(channel.receive_vector<double>());
  const auto num_ends = expect(channel.receive_value<std::size_t>());
  std::vector<short> ends;
  for (std::size_t e = 0; e < num_ends; ++e) {
    const std::string text = expect(channel.receive_text());
    const auto known = std::find(ends_.begin(), ends_.end(), text);
    ends.push_back(narrow<short>(known - ends_.begin()));
    if (known == ends_.end()) ends_.push_back(text);
  }
  for (const int length : lengths) {
    range.ends.push_back(length < 0 ? ends[static_cast<std::size_t>(-1 - length)] : short{-1});
    range.offsets.push_back(narrow<std::uint32_t>(range.offsets.back() +
                                                  static_cast<std::size_t>(std::max(length, 0))));
  }
  range.links.insert(range.links.end(), links.begin(), links.end());
  range.added.insert(range.added.end(), added.begin(), added.end());
}

std::string PlatformRoutes::end_description(const KnownRoute& route) {
  if (route.end < 0) return {};
  const std::scoped_lock lock(*this);
  return ends_[static_cast<std::size_t>(route.end)];
}

DeclaredRoutes PlatformRoutes::declared_routes() {
  const std::scoped_lock lock(*this);
  const Channel& channel = child_->channel();
  channel.send_value(RouteRequest{RouteRequest::chains, 0, 0});
  const auto flat = expect(channel.receive_vector<int>());
  const std::string names = expect(channel.receive_text());
  std::vector<Chain> chains;
  int last = -1;
  for (std::size_t i = 0; i < flat.size();) {
    Chain chain{flat[i], flat[i + 1], {}};
    const auto length = static_cast<std::size_t>(flat[i + 2]);
    for (std::size_t k = 0; k < length; ++k) chain.links.push_back(LinkId{flat[i + 3 + k]});
    last = std::max({last, chain.from, chain.to});
    chains.push_back(std::move(chain));
    i += 3 + length;
  }
  DeclaredRoutes declared{std::move(chains), {}};
  int vertex = int_size(inventory_.host_names);
  for (const auto name : split(names, '\n'))
    if (vertex++ <= last) declared.routers.emplace_back(name);
  return declared;
}

}  // namespace vtopo::detail
