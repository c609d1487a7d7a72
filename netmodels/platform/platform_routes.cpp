#include "netmodels/platform/platform_routes.hpp"

#include <sys/mman.h>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <stdexcept>

#include "topology/error.hpp"
#include "topology/narrow.hpp"
#include "topology/text.hpp"

namespace vtopo {

namespace {

namespace s4u = simgrid::s4u;

/// Whether SimGrid made the link for a host of a cluster: `<cluster>_link_<number><suffix>`.
bool is_of_cluster(std::string_view name, std::string_view suffix) {
  if (!name.ends_with(suffix)) return false;
  const auto stem = name.substr(0, name.size() - suffix.size());
  const auto digits = stem.find_last_not_of("0123456789");
  return digits + 1 < stem.size() && stem.substr(0, digits + 1).ends_with("_link_");
}

/// Links of a host to itself: on no route between two hosts.
bool is_loopback(std::string_view name) {
  return name == "__loopback__" || is_of_cluster(name, "_loopback");
}

/// Link as it travels from child to parent, followed by its name.
struct LinkRecord {
  double bandwidth;
  double latency;
  int policy;
};

/// The child's side: SimGrid with the platform loaded.
class Server {
 public:
  Server(Channel& channel, int* progress) : channel_(channel), progress_(progress) {}

  void run(const std::string& path) {
    std::array<char, 6> name{"vtopo"};
    std::array<char*, 2> arguments{name.data(), nullptr};
    int count = 1;
    s4u::Engine engine(&count, arguments.data());
    s4u::Host::on_creation_cb([this](s4u::Host& host) { add(&host); });
    engine.load_platform(path);
    engine.seal_platform();
    send_inventory(engine);
    while (const auto source = channel_.receive_value<int>())
      send_row(hosts_.at(static_cast<std::size_t>(*source)));
  }

 private:
  /// Hosts in the order of the file; SimGrid may announce a host twice.
  void add(s4u::Host* host) {
    if (known_.insert(host).second) hosts_.push_back(host);
  }

  void send_inventory(const s4u::Engine& engine) {
    channel_.send_value(hosts_.size());
    for (const auto* host : hosts_) channel_.send_text(host->get_name());
    const auto links = engine.get_filtered_links(
        [](const s4u::Link* link) { return !is_loopback(link->get_name()); });
    channel_.send_value(links.size());
    for (const auto* link : links) {
      ids_.emplace(link, static_cast<int>(ids_.size()));
      channel_.send_text(link->get_name());
      channel_.send_value(LinkRecord{link->get_bandwidth(), link->get_latency(),
                                     static_cast<int>(link->get_sharing_policy())});
    }
  }

  void send_row(const s4u::Host* source) {
    std::vector<std::uint32_t> offsets{0};
    std::vector<int> row;
    std::vector<s4u::Link*> route;
    for (std::size_t d = 0; d < hosts_.size(); ++d) {
      *progress_ = static_cast<int>(d);
      route.clear();
      if (hosts_[d] != source) source->route_to(hosts_[d], route, nullptr);
      for (const auto* link : route) row.push_back(ids_.at(link));
      offsets.push_back(narrow<std::uint32_t>(row.size()));
    }
    channel_.send_vector(offsets);
    channel_.send_vector(row);
  }

  Channel& channel_;
  int* progress_;
  std::vector<s4u::Host*> hosts_;
  std::set<const s4u::Host*> known_;
  std::map<const s4u::Link*, int> ids_;
};

std::shared_ptr<int> shared_integer() {
  void* page =
      mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw SimulationError("cannot share memory with a child process");
  return {static_cast<int*>(page), [](int* memory) { munmap(memory, sizeof(int)); }};
}

}  // namespace

PlatformRoutes::PlatformRoutes(std::string path)
    : path_(std::move(path)), progress_(shared_integer()) {
  child_ = std::make_unique<ChildProcess>(
      [this](Channel& channel) { Server(channel, progress_.get()).run(path_); });
  receive_inventory();
}

void PlatformRoutes::receive_inventory() {
  const Channel& channel = child_->channel();
  auto next = [this](auto received) {
    if (!received)
      throw input_error({path_},
                        "SimGrid does not accept this platform: it " + child_->end_in_words());
    return *received;
  };
  const auto num_hosts = next(channel.receive_value<std::size_t>());
  for (std::size_t h = 0; h < num_hosts; ++h)
    inventory_.host_names.push_back(next(channel.receive_text()));
  const auto num_links = next(channel.receive_value<std::size_t>());
  for (std::size_t l = 0; l < num_links; ++l) {
    const std::string name = next(channel.receive_text());
    const auto record = next(channel.receive_value<LinkRecord>());
    using Policy = s4u::Link::SharingPolicy;
    const auto policy = static_cast<Policy>(record.policy);
    if (policy == Policy::WIFI || policy == Policy::NONLINEAR)
      throw input_error({path_}, fmt::format("link \"{}\" is wireless or non-linear; accepted are "
                                             "shared, split-duplex and fatpipe links",
                                             name));
    inventory_.links.push_back(
        {{record.bandwidth},
         {record.latency},
         policy == Policy::FATPIPE ? LinkSharing::fatpipe : LinkSharing::shared,
         !is_of_cluster(name, "_limiter")});
    inventory_.link_names.push_back(name);
  }
}

void PlatformRoutes::fail(HostId source) {
  const auto& names = inventory_.host_names;
  throw input_error(
      {path_},
      fmt::format("SimGrid finds no route from \"{}\" to \"{}\": it {}", names[index(source)],
                  names[static_cast<std::size_t>(*progress_)], child_->end_in_words()));
}

RouteRow PlatformRoutes::row(HostId source) {
  const Channel& channel = child_->channel();
  channel.send_value(number(source));
  auto offsets = channel.receive_vector<std::uint32_t>();
  if (!offsets) fail(source);
  auto links = channel.receive_vector<LinkId>();
  if (!links) fail(source);
  return {std::move(*offsets), std::move(*links)};
}

}  // namespace vtopo
