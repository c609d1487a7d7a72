#include "sim/mapping/partition/vertex_moves.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <utility>

namespace vtopo::detail {

namespace {

/// Visits per vertex, at most: gains are finite, but may be tiny.
constexpr std::size_t max_visits = 8;

/// What a vertex exchanges with the ranks of a host.
struct Pull {
  Place place;
  double volume;
};

class VertexMoves {
 public:
  VertexMoves(const WeightedGraph& graph, const HopTable& table, const Allocation& allocation,
              std::vector<Place>& places)
      : graph_(graph),
        table_(table),
        places_(places),
        room_(allocation.slots.begin(), allocation.slots.end()),
        slot_of_(room_.size(), none) {
    for (std::size_t v = 0; v < places.size(); ++v) room_[index(places[v])] -= graph.weights[v];
  }

  void relieve_overfull() {
    std::vector<std::vector<int>> members(room_.size());
    for (std::size_t v = 0; v < places_.size(); ++v)
      if (const std::size_t p = index(places_[v]); room_[p] < 0)
        members[p].push_back(static_cast<int>(v));
    for (std::size_t p = 0; p < room_.size(); ++p)
      if (room_[p] < 0) relieve(id_at<Place>(p), members[p]);
  }

  void lower_hops(const std::function<bool()>& must_stop) {
    constexpr std::size_t between_looks = 1024;
    std::vector<char> waits(places_.size(), 0);
    std::deque<int> queue;
    const auto wait = [&](int vertex) {
      if (std::exchange(waits[static_cast<std::size_t>(vertex)], 1) == 0) queue.push_back(vertex);
    };
    for (int v = 0; v < graph_.num_vertices(); ++v)
      if (is_at_cut(v)) wait(v);
    for (std::size_t i = 0; !queue.empty() && i < max_visits * places_.size(); ++i) {
      if (i % between_looks == 0 && must_stop && must_stop()) return;
      const int vertex = queue.front();
      queue.pop_front();
      waits[static_cast<std::size_t>(vertex)] = 0;
      const auto [gain, to] = best_move(vertex);
      if (!(gain > 0)) continue;
      move(vertex, to);
      for (const WeightedArc& arc : graph_.of(vertex)) wait(arc.target);
    }
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  struct Move {
    double gain;
    Place to;
  };
  struct Leaving {
    double gain;
    int vertex;
    bool operator<(const Leaving& other) const {  // at a tie the first vertex leaves first
      return gain < other.gain || (gain == other.gain && vertex > other.vertex);
    }
  };

  Place place_of(int vertex) const { return places_[static_cast<std::size_t>(vertex)]; }

  bool is_at_cut(int vertex) const {
    const auto arcs = graph_.of(vertex);
    return std::any_of(arcs.begin(), arcs.end(), [&](const WeightedArc& arc) {
      return place_of(arc.target) != place_of(vertex);
    });
  }

  double hops(Place a, Place b) const { return table_.hops(a, b) + table_.hops_back(a, b); }

  bool has_room(Place place, int vertex) const {
    return room_[index(place)] >= graph_.weights[static_cast<std::size_t>(vertex)];
  }

  void move(int vertex, Place to) {
    const auto v = static_cast<std::size_t>(vertex);
    room_[index(places_[v])] += graph_.weights[v];
    room_[index(to)] -= graph_.weights[v];
    places_[v] = to;
  }

  /// Fills `pulls_`.
  void find_pulls(int vertex) {
    pulls_.clear();
    for (const WeightedArc& arc : graph_.of(vertex)) {
      const Place place = place_of(arc.target);
      std::size_t& slot = slot_of_[index(place)];
      if (slot == none) {
        slot = pulls_.size();
        pulls_.push_back({place, 0});
      }
      pulls_[slot].volume += arc.weight;
    }
    for (const Pull& pull : pulls_) slot_of_[index(pull.place)] = none;
  }

  double cost_at(Place place) const {
    double cost = 0;
    for (const Pull& pull : pulls_) cost += pull.volume * hops(place, pull.place);
    return cost;
  }

  /// To the best host of its neighbours that has room; a gain of minus infinity if there is none.
  Move best_move(int vertex) {
    constexpr double rounding = 1e-9;
    Move best{-std::numeric_limits<double>::infinity(), place_of(vertex)};
    find_pulls(vertex);
    const double cost = cost_at(place_of(vertex));
    for (const Pull& pull : pulls_) {
      if (pull.place == place_of(vertex) || !has_room(pull.place, vertex)) continue;
      const double gain = cost - cost_at(pull.place);
      if (gain > best.gain) best = {std::abs(gain) <= rounding * cost ? 0 : gain, pull.place};
    }
    return best;
  }

  /// The same, or to the nearest host with room.
  Move way_out(int vertex, const std::vector<Place>& by_distance) {
    Move best = best_move(vertex);
    const double cost = cost_at(place_of(vertex));
    for (const Place place : by_distance) {
      if (!has_room(place, vertex)) continue;
      if (const double gain = cost - cost_at(place); gain > best.gain) best = {gain, place};
      break;
    }
    return best;
  }

  void relieve(Place place, const std::vector<int>& members) {
    std::vector<Place> by_distance;
    for (std::size_t p = 0; p < room_.size(); ++p)
      if (id_at<Place>(p) != place && room_[p] > 0) by_distance.push_back(id_at<Place>(p));
    std::stable_sort(by_distance.begin(), by_distance.end(),
                     [&](Place a, Place b) { return hops(place, a) < hops(place, b); });
    std::vector<Leaving> heap;
    for (const int vertex : members) heap.push_back({way_out(vertex, by_distance).gain, vertex});
    std::make_heap(heap.begin(), heap.end());
    while (room_[index(place)] < 0 && !heap.empty()) {
      std::pop_heap(heap.begin(), heap.end());
      const int vertex = heap.back().vertex;
      heap.pop_back();
      const Move out = way_out(vertex, by_distance);
      if (out.to == place) continue;  // it fits nowhere
      if (heap.empty() || out.gain >= heap.front().gain) {
        move(vertex, out.to);
        continue;
      }
      heap.push_back({out.gain, vertex});
      std::push_heap(heap.begin(), heap.end());
    }
  }

  const WeightedGraph& graph_;
  const HopTable& table_;
  std::vector<Place>& places_;
  std::vector<std::int64_t> room_;    ///< free slots of each place; negative: it is overfull
  std::vector<Pull> pulls_;           ///< of the vertex looked at
  std::vector<std::size_t> slot_of_;  ///< scratch: of each place in `pulls_`, none
};

}  // namespace

void move_vertices(const WeightedGraph& graph, const HopTable& table, const Allocation& allocation,
                   std::vector<Place>& places, const std::function<bool()>& must_stop) {
  VertexMoves moves(graph, table, allocation, places);
  moves.relieve_overfull();
  moves.lower_hops(must_stop);
}

}  // namespace vtopo::detail
