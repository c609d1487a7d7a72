#include "netmodels/platform/platform_routes.hpp"

#include <algorithm>
#include <numeric>

#include "netmodels/process/shared_memory.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// Routes computed between two answers: what is lost if SimGrid ends on one of them.
constexpr std::size_t routes_per_question = 256;

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
      shared_(share_memory()) {
  source_.text.clear();
  start();
  await_inventory(progress);
  inventory_ = receive_inventory();
  loaded_ = true;
}

void PlatformRoutes::start() {
  const std::string path = fmt::format("/proc/self/fd/{}", text_.descriptor());
  child_ = std::make_unique<ChildProcess>(
      [&](Channel& channel) {
        serve_platform(channel, *shared_, path, source_.unplaced, limits_.time);
      },
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

/// One question. Returns how many routes are answered: all, or those before the one on which
/// SimGrid ended.
std::size_t PlatformRoutes::ask(HostId source, std::span<const int> destinations,
                                RouteBatch& batch) {
  const Channel& channel = child_->channel();
  channel.send_value(PlatformRequest{PlatformQuestion::routes, number(source)});
  channel.send_vector(std::vector<int>(destinations.begin(), destinations.end()));
  if (expect(channel.receive_value<PlatformAnswer>()) == PlatformAnswer::ended) {
    const auto place = static_cast<std::size_t>(expect(channel.receive_value<int>()));
    ends_[{number(source), destinations[place]}] = expect(channel.receive_text());
    return place;
  }
  receive_routes(batch);
  return destinations.size();
}

void PlatformRoutes::receive_routes(RouteBatch& batch) {
  const auto lengths = expect(child_->channel().receive_vector<int>());
  const auto links = expect(child_->channel().receive_vector<LinkId>());
  const auto added = expect(child_->channel().receive_vector<double>());
  batch.added.insert(batch.added.end(), added.begin(), added.end());
  for (const int length : lengths)
    batch.offsets.push_back(batch.offsets.back() + static_cast<std::size_t>(length));
  batch.links.insert(batch.links.end(), links.begin(), links.end());
}

void PlatformRoutes::append_routes(HostId source, std::span<const int> destinations,
                                   RouteBatch& batch) {
  while (!destinations.empty()) {
    const std::size_t answered = ask(source, destinations, batch);
    if (answered == destinations.size()) return;
    append_routes(source, destinations.first(answered), batch);
    batch.offsets.push_back(batch.offsets.back());  // no route
    if (inventory_.adds_latency) batch.added.push_back(0);
    destinations = destinations.subspan(answered + 1);
  }
}

RouteBatch PlatformRoutes::routes(HostId source, std::span<const int> destinations) {
  RouteBatch batch{{0}, {}};
  for (std::size_t start = 0; start < destinations.size(); start += routes_per_question)
    append_routes(
        source,
        destinations.subspan(start, std::min(routes_per_question, destinations.size() - start)),
        batch);
  return batch;
}

RouteBatch PlatformRoutes::rows(std::span<const int> sources) {
  const Channel& channel = child_->channel();
  channel.send_value(PlatformRequest{PlatformQuestion::rows, 0});
  channel.send_vector(std::vector<int>(sources.begin(), sources.end()));
  RouteBatch batch{{0}, {}};
  if (expect(channel.receive_value<PlatformAnswer>()) == PlatformAnswer::complete) {
    receive_routes(batch);
    return batch;
  }
  expect(channel.receive_value<int>());
  expect(channel.receive_text());
  std::vector<int> hosts(inventory_.host_names.size());
  std::iota(hosts.begin(), hosts.end(), 0);
  for (const int source : sources) {  // in small steps, which find the routes that end SimGrid
    const RouteBatch row = routes(HostId{source}, hosts);
    for (std::size_t i = 1; i < row.offsets.size(); ++i)
      batch.offsets.push_back(batch.links.size() + row.offsets[i]);
    batch.links.insert(batch.links.end(), row.links.begin(), row.links.end());
    batch.added.insert(batch.added.end(), row.added.begin(), row.added.end());
  }
  return batch;
}

std::string PlatformRoutes::end_on(HostId source, HostId destination) const {
  const auto found = ends_.find({number(source), number(destination)});
  return found == ends_.end() ? std::string() : found->second;
}

std::vector<Chain> PlatformRoutes::chains() {
  const Channel& channel = child_->channel();
  channel.send_value(PlatformRequest{PlatformQuestion::chains, 0});
  if (expect(channel.receive_value<PlatformAnswer>()) == PlatformAnswer::ended) {
    expect(channel.receive_value<int>());
    expect(channel.receive_text());
    return {};
  }
  const auto flat = expect(channel.receive_vector<int>());
  std::vector<Chain> chains;
  for (std::size_t i = 0; i < flat.size();) {
    Chain chain{flat[i], flat[i + 1], {}};
    const auto length = static_cast<std::size_t>(flat[i + 2]);
    for (std::size_t k = 0; k < length; ++k) chain.links.push_back(LinkId{flat[i + 3 + k]});
    chains.push_back(std::move(chain));
    i += 3 + length;
  }
  return chains;
}

}  // namespace vtopo::detail
