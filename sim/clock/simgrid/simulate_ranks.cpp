#include "sim/clock/simgrid/simulate_ranks.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "netmodels/simgrid/simgrid_versions.hpp"
#include "sim/clock/simgrid/rank_stage.hpp"
#include "sim/clock/simgrid/simgrid_zone.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

namespace s4u = simgrid::s4u;
using Wait = RankWait::Kind;

/// SimGrid's precision is 1e-9 s whatever the problem: where times are proportional to volumes and
/// latencies (CM02), everything is simulated this much slower.
constexpr double slow_motion = 1024;
/// SimGrid counts whole bytes: volumes and bandwidths are larger by this factor too, so that one
/// byte is missed by less than a millionth.
constexpr double finer_bytes = 1024;
constexpr double max_bytes = 9.2e18;  // just below 2^63

/// Links that any message may use: those on the routes between the hosts where these are few, else
/// all.
std::vector<LinkId> usable_links(const Network& network, const std::vector<HostId>& hosts) {
  constexpr std::size_t few_hosts = 256;
  std::vector<LinkId> links;
  if (hosts.size() > few_hosts ||
      hosts.size() * 4 > static_cast<std::size_t>(network.num_hosts())) {
    for (int l = 0; l < network.num_links(); ++l) links.push_back(LinkId{l});
    return links;
  }
  for (const HostId from : hosts)
    for (const HostId to : hosts)
      if (from != to) network.append_route(from, to, links);
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

/// A message inside a host, which SimGrid would abort on: handed over by hand. It is over a copy
/// after both of its ends have been started.
struct LocalParcel {
  Parcel parcel;
  double end = 0;  ///< on SimGrid's clock, known when it is matched
  s4u::SemaphorePtr matched = s4u::Semaphore::create(0);
};

/// Messages one of whose ends has been started.
struct LocalQueue {
  std::deque<std::shared_ptr<LocalParcel>> parcels;
  bool has_sends = false;  ///< which end it is
};

/// A message that is on its way.
struct StartedMessage {
  MessageEnds ends;
  bool sends = false;
  Bytes volume;                        ///< of a send
  s4u::CommPtr comm;                   ///< between hosts
  std::shared_ptr<LocalParcel> local;  ///< inside a host
  Parcel* parcel = nullptr;            ///< of a receive between hosts
};

/// The ranks of a communicator that have come to its barrier, this time.
struct BarrierState {
  Communicator communicator;
  s4u::BarrierPtr barrier;
  std::vector<bool> come;
  int num_come = 0;
};

class SimgridStage final : public RankStage {
 public:
  SimgridStage(const Channel& channel, const Network& network, const Embedding& embedding,
               const RankOptions& options)
      : channel_(channel),
        network_(network),
        embedding_(embedding),
        options_(options),
        factor_(options.model == NetworkModel::cm02 ? slow_motion : 1),
        byte_factor_(options.model == NetworkModel::cm02 ? slow_motion * finer_bytes : 1),
        waits_(static_cast<std::size_t>(embedding.num_ranks())),
        finish_(waits_.size()),
        sent_(waits_.size()) {}

  Seconds now() const override { return {s4u::Engine::get_clock() / factor_}; }
  double flops_per_second() const override { return options_.flops_per_second; }

  int context_of(const Communicator& communicator) override {
    for (std::size_t c = 0; c < barriers_.size(); ++c)
      if (barriers_[c].communicator.same_context(communicator)) return narrow<int>(c);
    barriers_.push_back({communicator, {}, {}, 0});
    return int_size(barriers_) - 1;
  }

  void pause(Seconds time) override { s4u::this_actor::sleep_for(time.value * factor_); }

  std::size_t start_send(OutgoingParcel send) override {
    const double bytes = send.parcel.volume.value;
    if (!(bytes >= 0) || bytes * byte_factor_ > max_bytes)
      throw UsageError(fmt::format("a message of {} bytes: accepted are 0 to {:.0f}", bytes,
                                   max_bytes / byte_factor_));
    auto& sum = sent_[index(send.ends.source)][send.ends.destination];
    sum.first += bytes;
    ++sum.second;
    const std::size_t number = new_message({send.ends, true, send.parcel.volume, {}, {}});
    if (is_local(send.ends)) {
      start_locally(started_[number], &send.parcel);
    } else {
      const auto simulated =
          static_cast<std::uint64_t>(std::max(1.0, std::round(bytes * byte_factor_)));
      started_[number].comm =
          mailbox(send.ends)->put_async(new Parcel(std::move(send.parcel)), simulated);
    }
    return number;
  }

  std::size_t start_receive(const MessageEnds& ends) override {
    const std::size_t number = new_message({ends, false, {}, {}, {}});
    if (is_local(ends))
      start_locally(started_[number], nullptr);
    else
      started_[number].comm = mailbox(ends)->get_async<Parcel>(&started_[number].parcel);
    return number;
  }

  Parcel finish(Rank self, std::size_t number) override {
    waits_[index(self)] = wait_of(number);
    Parcel parcel = finish_message(number);
    waits_[index(self)] = {};
    return parcel;
  }

  /// Each message has an actor that waits for it.
  void watch(Rank self, const std::vector<std::size_t>& started) override {
    Watched& watched = watched_[self];
    if (!watched.ended) watched.ended = s4u::Semaphore::create(0);
    for (const std::size_t number : started) {
      ++watched.left;
      watched.open.emplace(number, wait_of(number));
      simgrid_versions::add_actor("watch", s4u::this_actor::get_host(), [this, &watched, number] {
        finish_message(number, [&] { watched.open.erase(number); });
        watched.ended->release();
      });
    }
  }

  void finish_next(Rank self) override {
    Watched& watched = watched_[self];
    if (watched.left == 0)
      throw UsageError("wait_next: nothing is watched that it has not waited for");
    --watched.left;
    if (!watched.open.empty()) waits_[index(self)] = watched.open.begin()->second;
    const s4u::SemaphorePtr ended = watched.ended;
    ended->acquire();
    waits_[index(self)] = {};
  }

  void barrier(Rank self, int context) override {
    BarrierState& state = barriers_[static_cast<std::size_t>(context)];
    const auto size = static_cast<std::size_t>(state.communicator.size());
    if (!state.barrier) state.barrier = s4u::Barrier::create(static_cast<unsigned>(size));
    if (state.num_come == 0) state.come.assign(size, false);
    state.come[index(*state.communicator.rank_of(ProcessId{number(self)}))] = true;
    state.num_come = (state.num_come + 1) % narrow<int>(size);
    waits_[index(self)] = {Wait::barrier, {{}, {}, context, 0}};
    const s4u::BarrierPtr barrier = state.barrier;  // the list of states may move meanwhile
    barrier->wait();
    waits_[index(self)] = {};
  }

  void record(Rank self, std::string_view key, std::vector<double> values) override {
    records_.push_back({self, now(), std::string(key), std::move(values)});
  }

  void run_rank(Rank self, const Communicator& world,
                const std::function<void(const SimulatedRank&)>& function) {
    try {
      function(SimulatedRank(*this, world, self));
    } catch (const std::exception& error) {
      fail(self, error.what());
    } catch (...) {
      fail(self, "something that is not a std::exception");
    }
    waits_[index(self)].kind = Wait::finished;
    finish_[index(self)] = now().value;
  }

  [[noreturn]] void report_deadlock() const {
    std::vector<std::vector<Rank>> missing;
    for (const BarrierState& state : barriers_) missing.push_back(missing_at(state));
    end(RankReport::deadlock, describe_deadlock(now(), waits_, missing));
  }

  void report_end() const {
    channel_.send_value(RankReport::finished);
    channel_.send_vector(finish_);
    std::vector<SentTraffic> traffic;
    for (std::size_t r = 0; r < sent_.size(); ++r)
      for (const auto& [destination, sum] : sent_[r])
        traffic.push_back({id_at<Rank>(r), destination, sum.first, sum.second});
    channel_.send_vector(traffic);
    channel_.send_value<std::uint64_t>(records_.size());
    for (const RankRecord& record : records_) {
      channel_.send_value(record.rank);
      channel_.send_value(record.time);
      channel_.send_text(record.key);
      channel_.send_vector(record.values);
    }
  }

 private:
  /// What a rank waits for in the order in which it ends.
  struct Watched {
    s4u::SemaphorePtr ended;  ///< released by each
    int left = 0;             ///< not waited for
    std::map<std::size_t, RankWait> open;
  };

  RankWait wait_of(std::size_t number) const {
    const StartedMessage& started = started_[number];
    return {started.sends ? Wait::send : Wait::receive, started.ends, started.volume};
  }

  /// @param note called before the number is free.
  Parcel finish_message(
      std::size_t number, const std::function<void()>& note = [] {}) {
    StartedMessage& started = started_[number];
    Parcel parcel;
    if (started.sends)
      finish_send(started);
    else
      parcel = finish_receive(started);
    note();
    started = {};
    free_.push_back(number);
    return parcel;
  }

  bool is_local(const MessageEnds& ends) const {
    return embedding_.host_of(ends.source) == embedding_.host_of(ends.destination);
  }

  s4u::Mailbox* mailbox(const MessageEnds& ends) {
    s4u::Mailbox*& mailbox = mailboxes_[ends];
    if (mailbox == nullptr)
      mailbox = s4u::Mailbox::by_name(fmt::format(
          "{} {} {} {}", number(ends.source), number(ends.destination), ends.context, ends.tag));
    return mailbox;
  }

  /// Receives keep a pointer into the message: it never moves.
  std::size_t new_message(StartedMessage message) {
    if (free_.empty()) {
      free_.push_back(started_.size());
      started_.emplace_back();
    }
    const std::size_t number = free_.back();
    free_.pop_back();
    started_[number] = std::move(message);
    return number;
  }

  /// @param sent parcel of a send; null: a receive.
  void start_locally(StartedMessage& started, Parcel* sent) {
    LocalQueue& queue = local_[started.ends];
    const bool sends = sent != nullptr;
    const bool is_second = !queue.parcels.empty() && queue.has_sends != sends;
    if (!is_second) {
      queue.has_sends = sends;
      queue.parcels.push_back(std::make_shared<LocalParcel>());
    }
    started.local = is_second ? queue.parcels.front() : queue.parcels.back();
    LocalParcel& local = *started.local;
    if (sends) local.parcel = std::move(*sent);
    if (!is_second) return;
    queue.parcels.pop_front();
    const Seconds time = local.parcel.volume / options_.loopback_bandwidth;
    local.end = s4u::Engine::get_clock() + time.value * factor_;
    for (int ends = 0; ends < 2; ++ends) local.matched->release();
  }

  static void finish_locally(LocalParcel& local) {
    local.matched->acquire();
    sleep_until(local.end);
  }

  Parcel finish_receive(StartedMessage& started) {
    if (started.local) {
      finish_locally(*started.local);
      return std::move(started.local->parcel);
    }
    started.comm->wait();
    const std::unique_ptr<Parcel> parcel(started.parcel);
    if (options_.model == NetworkModel::cm02)
      sleep_until(started.comm->get_finish_time() + latency(started.ends).value * factor_);
    return std::move(*parcel);
  }

  static void finish_send(const StartedMessage& started) {
    if (started.comm)
      started.comm->wait();
    else
      finish_locally(*started.local);
  }

  static void sleep_until(double clock) {
    if (clock > s4u::Engine::get_clock()) s4u::this_actor::sleep_until(clock);
  }

  /// Sum of the latencies on the route, and of the flow itself.
  Seconds latency(const MessageEnds& ends) {
    const HostId from = embedding_.host_of(ends.source), to = embedding_.host_of(ends.destination);
    route_.clear();
    network_.append_route(from, to, route_);
    Seconds sum = network_.flow_latency(from, to);
    for (const LinkId link : route_) sum += network_.link(link).latency;
    return sum;
  }

  static std::vector<Rank> missing_at(const BarrierState& state) {
    std::vector<Rank> ranks;
    for (std::size_t r = 0; r < state.come.size(); ++r)
      if (!state.come[r]) ranks.push_back(Rank{number(state.communicator.process(id_at<Rank>(r)))});
    return ranks;
  }

  [[noreturn]] void fail(Rank rank, const std::string& words) const {
    end(RankReport::failed,
        fmt::format("rank {} threw at {} s: {}", number(rank), now().value, words));
  }

  /// Notifies the parent and ends this process, whatever else is going on in it.
  [[noreturn]] void end(RankReport report, const std::string& sentence) const {
    channel_.send_value(report);
    channel_.send_text(sentence);
    std::fflush(nullptr);
    _exit(0);
  }

  const Channel& channel_;
  const Network& network_;
  const Embedding& embedding_;
  RankOptions options_;
  double factor_;       ///< of times
  double byte_factor_;  ///< of volumes
  std::vector<RankWait> waits_;
  std::vector<double> finish_;
  std::vector<std::map<Rank, std::pair<double, std::int64_t>>> sent_;
  std::deque<StartedMessage> started_;
  std::vector<std::size_t> free_;  ///< numbers of messages that are over
  std::vector<RankRecord> records_;
  std::deque<BarrierState> barriers_;  ///< one per context
  std::map<MessageEnds, s4u::Mailbox*> mailboxes_;
  std::map<MessageEnds, LocalQueue> local_;
  std::map<Rank, Watched> watched_;
  std::vector<LinkId> route_;
};

}  // namespace

void simulate_ranks(const Channel& channel, const Network& network, const Embedding& embedding,
                    const RankOptions& options,
                    const std::function<void(const SimulatedRank&)>& function) {
  std::array<char, 6> name{"vtopo"};
  std::array<char, 32> quiet{"--log=xbt_cfg.thres:warning"};
  std::array<char*, 3> arguments{name.data(), quiet.data(), nullptr};
  int count = 2;
  s4u::Engine engine(&count, arguments.data());
  configure_simgrid(options.model, embedding.num_ranks(),
                    stack_kib(options, embedding.num_ranks()));
  const auto used = used_hosts(embedding);
  const auto links = usable_links(network, used);
  const bool fluid = options.model == NetworkModel::cm02;
  const auto hosted =
      host_on_simgrid(network, used, links, fluid ? ZoneLatency::zero : ZoneLatency::as_modelled,
                      fluid ? finer_bytes : 1);
  const Communicator job = world(embedding.num_ranks());
  SimgridStage stage(channel, network, embedding, options);
  s4u::Engine::on_deadlock_cb([&] { stage.report_deadlock(); });
  for (int r = 0; r < embedding.num_ranks(); ++r) {
    const auto place =
        std::lower_bound(used.begin(), used.end(), embedding.host_of(Rank{r})) - used.begin();
    simgrid_versions::add_actor(std::to_string(r), hosted.hosts[static_cast<std::size_t>(place)],
                                [&, r] { stage.run_rank(Rank{r}, job, function); });
  }
  engine.run();
  stage.report_end();
}

}  // namespace vtopo::detail
