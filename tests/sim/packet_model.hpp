#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::tests {

/// What the packets of a phase see.
struct PacketOptions {
  double packet_bytes = 4096;
  int buffer_packets = 8;  ///< of each link and number of hops, at its far end
};

/// A second opinion on a phase, by packets: no fluid, no shares. Each message is cut into packets
/// that take its one route. A link sends a packet at a time, whole, at its bandwidth, and only if
/// the buffer at its far end has room (credits); the packet is there a latency later. Packets of
/// one buffer leave in the order of their coming: a packet that cannot go on holds back those
/// behind it. Among buffers, and among messages at their host, a link goes round. Buffers are kept
/// apart by the number of hops already done, so that no circle of waiting packets can close.
/// Links must be shared ones of finite bandwidth, messages between two hosts.
class PacketModel {
 public:
  PacketModel(const CommGraph& traffic, const Network& network, const Embedding& embedding,
              PacketOptions options = {})
      : network_(network), options_(options), links_(index(network.num_links())) {
    traffic.for_each_edge([&](Rank source, const CommEdge& edge) {
      add_message(embedding.host_of(source), embedding.host_of(edge.destination),
                  edge.volume.value);
    });
  }

  /// Seconds from the common start until each message has arrived, in the order of the edges.
  std::vector<double> run() {
    for (std::size_t l = 0; l < links_.size(); ++l) serve(l, 0);
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      if (event.arrives)
        arrive(event);
      else
        serve(event.link, event.time);
    }
    return finish_;
  }

 private:
  struct Message {
    std::vector<std::size_t> route;
    std::vector<std::int64_t> to_send;  ///< packets, by each link of the route
    std::int64_t on_the_way = 0;
    double last_bytes = 0;  ///< of the last packet
  };

  /// Packets in a buffer, or those of a message at its source.
  struct Queue {
    std::deque<std::size_t> packets;  ///< messages of the packets; unused at a source
    std::int32_t source = -1;         ///< message
    int hop = 0;                      ///< place on the route of the next link
    int reserved = 0;                 ///< packets there or on the way
  };

  struct Link {
    std::vector<std::size_t> feeders;  ///< queues whose packets may go on by this link
    std::size_t next_feeder = 0;
    double free_at = 0;
    std::vector<std::size_t> buffers;  ///< queue at its far end, by hops done; `none` until used
  };

  struct Event {
    double time;
    std::size_t link;
    bool arrives;  ///< a packet, at the far end; else the link is free, or may have work
    std::size_t message = 0;
    int hop = 0;
    bool operator>(const Event& other) const { return time > other.time; }
  };

  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  void add_message(HostId from, HostId to, double bytes) {
    std::vector<LinkId> route;
    network_.append_route(from, to, route);
    Message message;
    for (const LinkId link : route) message.route.push_back(index(link));
    message.on_the_way = static_cast<std::int64_t>(std::ceil(bytes / options_.packet_bytes));
    message.to_send.assign(route.size(), message.on_the_way);
    message.last_bytes =
        bytes - options_.packet_bytes * static_cast<double>(message.on_the_way - 1);
    Queue queue;
    queue.source = static_cast<std::int32_t>(messages_.size());
    queues_.push_back(queue);
    links_[message.route.front()].feeders.push_back(queues_.size() - 1);
    for (std::size_t hop = 1; hop < message.route.size(); ++hop)
      feed(links_[message.route[hop]], buffer_of(message.route[hop - 1], static_cast<int>(hop)));
    messages_.push_back(std::move(message));
    finish_.push_back(0);
  }

  static void feed(Link& link, std::size_t queue) {
    if (std::find(link.feeders.begin(), link.feeders.end(), queue) == link.feeders.end())
      link.feeders.push_back(queue);
  }

  std::size_t buffer_of(std::size_t link, int hop) {
    auto& buffers = links_[link].buffers;
    if (buffers.size() <= static_cast<std::size_t>(hop))
      buffers.resize(static_cast<std::size_t>(hop) + 1, none);
    std::size_t& buffer = buffers[static_cast<std::size_t>(hop)];
    if (buffer == none) {
      buffer = queues_.size();
      Queue queue;
      queue.hop = hop;
      queues_.push_back(queue);
    }
    return buffer;
  }

  /// Message of the packet that a queue would send over the link; `none` if it has none for it.
  std::size_t head(const Queue& queue, std::size_t link) const {
    if (queue.source >= 0) {
      const auto message = static_cast<std::size_t>(queue.source);
      return messages_[message].to_send.front() > 0 ? message : none;
    }
    if (queue.packets.empty()) return none;
    const std::size_t message = queue.packets.front();
    return messages_[message].route[static_cast<std::size_t>(queue.hop)] == link ? message : none;
  }

  bool has_room(std::size_t link, std::size_t message, int hop) {
    if (static_cast<std::size_t>(hop) + 1 == messages_[message].route.size()) return true;
    return queues_[buffer_of(link, hop + 1)].reserved < options_.buffer_packets;
  }

  /// Sends the next packet, if the link is free and one may go.
  void serve(std::size_t number, double now) {
    Link& link = links_[number];
    if (link.free_at > now) return;
    for (std::size_t tried = 0; tried < link.feeders.size(); ++tried) {
      const std::size_t place = (link.next_feeder + tried) % link.feeders.size();
      const std::size_t queue = link.feeders[place];
      const std::size_t message = head(queues_[queue], number);
      if (message == none || !has_room(number, message, queues_[queue].hop)) continue;
      link.next_feeder = place + 1;
      send(number, queue, message, now);
      return;
    }
  }

  void send(std::size_t number, std::size_t from, std::size_t message, double now) {
    const int hop = queues_[from].hop;
    const bool is_last = --messages_[message].to_send[static_cast<std::size_t>(hop)] == 0;
    const double bytes = is_last ? messages_[message].last_bytes : options_.packet_bytes;
    if (queues_[from].source < 0) {
      queues_[from].packets.pop_front();
      --queues_[from].reserved;
    }
    if (static_cast<std::size_t>(hop) + 1 < messages_[message].route.size())
      ++queues_[buffer_of(number, hop + 1)].reserved;
    const LinkProperties is = network_.link(LinkId{static_cast<int>(number)});
    links_[number].free_at = now + bytes / is.bandwidth.value;
    events_.push({links_[number].free_at, number, false});
    events_.push({links_[number].free_at + is.latency.value, number, true, message, hop});
    if (hop == 0) return;  // what waited for the room that is there now
    const std::size_t before = messages_[message].route[static_cast<std::size_t>(hop) - 1];
    events_.push({now, before, false});
    if (!queues_[from].packets.empty()) {  // a new head may want another link
      const std::size_t next = queues_[from].packets.front();
      events_.push({now, messages_[next].route[static_cast<std::size_t>(hop)], false});
    }
  }

  void arrive(const Event& event) {
    Message& message = messages_[event.message];
    const auto next = static_cast<std::size_t>(event.hop) + 1;
    if (next == message.route.size()) {
      if (--message.on_the_way == 0) finish_[event.message] = event.time;
      return;
    }
    queues_[buffer_of(event.link, event.hop + 1)].packets.push_back(event.message);
    serve(message.route[next], event.time);
  }

  const Network& network_;
  PacketOptions options_;
  std::vector<Link> links_;
  std::vector<Queue> queues_;
  std::vector<Message> messages_;
  std::vector<double> finish_;
  std::priority_queue<Event, std::vector<Event>, std::greater<Event>> events_;
};

}  // namespace vtopo::tests
