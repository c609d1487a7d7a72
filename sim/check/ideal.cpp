#include "sim/check/evidence.hpp"

// The busiest link under the best routing, from both sides: prices of links that rise with what
// they carry (Garg and Koenemann, SIAM J. Comput. 37, 2007; Fleischer, SIAM J. Discrete Math. 13,
// 2000). Any prices bound it from below; the routes that they lead to, mixed, from above.
namespace vtopo::detail::checking {
namespace {

using Demands = std::map<std::pair<std::size_t, std::size_t>, double>;  ///< bytes by hosts

constexpr int max_rounds = 300;
constexpr double max_steps = 2e7;
constexpr double steepness = 20;  // of prices, over the load of the busiest link
constexpr double close_enough = 0.02;

struct Arc {
  std::size_t from, to, link;
};

struct Interval {
  double low = 0, high = infinity;
};

/// Paths by the fewest links, one or two behind each other, over vertices numbered anew.
class Paths {
 public:
  explicit Paths(const Evidence& e) {
    for (std::size_t l = 0; l < e.links.size(); ++l) {
      const Link& link = e.links[l];
      if (!link.is_up) continue;
      add(link.from, link.to, l);
      if (!link.is_directed) add(link.to, link.from, l);
    }
    out_.resize(vertices_.size());
    for (std::size_t a = 0; a < arcs_.size(); ++a) out_[arcs_[a].from].push_back(a);
    for (std::size_t v = 0; v < size(); ++v) search(v);
  }

  std::size_t size() const { return vertices_.size(); }
  double work() const { return count(arcs_) * count(vertices_); }
  std::optional<std::size_t> vertex(std::size_t name) const {
    const auto found = vertices_.find(name);
    return found == vertices_.end() ? std::nullopt : std::optional(found->second);
  }

  void set_prices(const Numbers& prices) {
    price_.assign(size(), Numbers(size(), infinity)), last_.assign(size(), {});
    for (std::size_t s = 0; s < size(); ++s) {
      price_[s][s] = 0, last_[s].assign(size(), arcs_.size());
      for (const std::size_t v : order_[s])
        for (const std::size_t a : out_[v]) {
          const auto& [from, to, link] = arcs_[a];
          if (links_to_[s][to] != links_to_[s][from] + 1) continue;
          if (price_[s][from] + prices[link] < price_[s][to])
            price_[s][to] = price_[s][from] + prices[link], last_[s][to] = a;
        }
    }
  }

  /// The cheapest of them: its price, and its links.
  double cheapest(std::size_t from, std::size_t to, std::vector<std::size_t>& links) const {
    std::size_t by = from;
    for (std::size_t v = 0; v < size(); ++v)
      if (price_[from][v] + price_[v][to] < price_[from][by] + price_[by][to]) by = v;
    links.clear();
    for (const auto& [start, end] : {std::pair(from, by), std::pair(by, to)})
      for (std::size_t v = end; v != start && last_[start][v] < arcs_.size();
           v = arcs_[last_[start][v]].from)
        links.push_back(arcs_[last_[start][v]].link);
    return price_[from][by] + price_[by][to];
  }

 private:
  void add(std::size_t from, std::size_t to, std::size_t link) {
    const std::size_t a = vertices_.emplace(from, size()).first->second;
    arcs_.push_back({a, vertices_.emplace(to, size()).first->second, link});
  }

  void search(std::size_t source) {
    std::vector<std::size_t> links(size(), unknown), order{source};
    links[source] = 0;
    for (std::size_t i = 0; i < order.size(); ++i)
      for (const std::size_t a : out_[order[i]])
        if (links[arcs_[a].to] == unknown)
          links[arcs_[a].to] = links[order[i]] + 1, order.push_back(arcs_[a].to);
    links_to_.push_back(std::move(links)), order_.push_back(std::move(order));
  }

  std::map<std::size_t, std::size_t> vertices_ = {};
  std::vector<Arc> arcs_ = {};
  std::vector<std::vector<std::size_t>> out_ = {}, links_to_ = {}, order_ = {}, last_ = {};
  std::vector<Numbers> price_ = {};
};

/// @returns nothing where it would take too long, or a host is in no link.
std::optional<Interval> best_routing(const Evidence& e, const Demands& demands) {
  Paths paths(e);
  const double work = paths.work() + count(demands) * count(e.links);
  const int rounds = static_cast<int>(std::min<double>(max_rounds, max_steps / (work + 1)));
  if (rounds < 20) return std::nullopt;
  Numbers load(e.links.size()), prices(load);
  Interval best;
  std::vector<std::size_t> links;
  for (int round = 0; round <= rounds; ++round) {
    const double busiest = greatest(load);
    double all = 0, paid = 0;
    for (std::size_t l = 0; l < prices.size(); ++l) {
      const double capacity = capacity_of(e.links[l]);
      prices[l] = (busiest > 0 ? std::exp(steepness * (load[l] / busiest - 1)) : 1) / capacity;
      all += std::isfinite(capacity) && e.links[l].is_up ? prices[l] * capacity : 0;
    }
    paths.set_prices(prices);
    const double share = 2.0 / (round + 2);  // of this round in the mixture
    for (double& of_link : load) of_link *= 1 - share;
    for (const auto& [ends, bytes] : demands) {
      const auto from = paths.vertex(ends.first), to = paths.vertex(ends.second);
      if (!from || !to) return std::nullopt;
      const double price = paths.cheapest(*from, *to, links);
      if (!std::isfinite(price)) return std::nullopt;
      paid += price * bytes;
      for (const std::size_t l : links) load[l] += share * bytes / capacity_of(e.links[l]);
    }
    best.low = std::max(best.low, paid / all);
    best.high = std::min(best.high, greatest(load));
  }
  return best;
}

/// Adds what hosts send each other. @param embedding null: edges are between hosts.
void add_demands(const Json& embedding, const Json& edges, Demands& demands) {
  for (const Json& edge : edges) {
    const auto host = [&](std::size_t end) {
      return embedding.is_null() ? whole(edge[end]) : whole(embedding[whole(edge[end])][0]);
    };
    if (host(0) != host(1) && real(edge[2]) > 0) demands[{host(0), host(1)}] += real(edge[2]);
  }
}

}  // namespace

void check_ideal(Evidence& e, const Json& row, const Json& of_row) {
  const bool is_asked = (e.option("ideal") != "" || row.at("routing") == "ideal") &&
                        !e.json.contains("background");  // it would be that of all jobs
  for (const char* name : {"ideal_congestion", "ideal_congestion_bound"}) {
    e.require(is_asked || !row.contains(name), std::string(name) + ": nobody asked for it");
    if (is_asked && e.knows_ends)
      e.require(e.member(row, name).is_number() && row.at(name) >= 0,
                std::string(name) + " is not a number of seconds");
  }
  if (!row.contains("ideal_congestion") || !row.contains("ideal_congestion_bound")) return;
  const double found = real(row.at("ideal_congestion")),
               bound = real(row.at("ideal_congestion_bound"));
  e.require(bound <= found * (1 + rounding), "ideal_congestion is below its bound");
  const bool has_phases = row.contains("phases");
  if (!e.knows_ends || (has_phases && !e.json.contains("phases"))) return;
  std::vector<std::pair<Demands, double>> steps;
  const Json& embedding = of_row.at("embedding");
  for (const Json& phase : has_phases ? e.json.at("phases") : Json::array({nullptr})) {
    steps.emplace_back(Demands(), has_phases ? real(phase.at("repeat")) : 1);
    add_demands(embedding, has_phases ? phase.at("edges") : e.json.at("edges"), steps.back().first);
  }
  if (!has_phases) add_demands({}, e.json.value("background", Json::array()), steps[0].first);
  Interval sum{0, 0};
  for (const auto& [demands, repeat] : steps) {
    const auto is = demands.empty() ? Interval{0, 0} : best_routing(e, demands);
    if (!is) return;
    sum.low += is->low * repeat, sum.high += is->high * repeat;
  }
  e.require(found >= sum.low * (1 - rounding) && found <= sum.high * (1 + close_enough),
            fmt::format("ideal_congestion is {} to {}, the report says {}", sum.low, sum.high,
                        row.at("ideal_congestion").dump()));
  e.require(bound <= sum.high * (1 + rounding) && bound >= sum.low * (1 - close_enough),
            fmt::format("ideal_congestion_bound is {} to {}, the report says {}", sum.low, sum.high,
                        row.at("ideal_congestion_bound").dump()));
}

}  // namespace vtopo::detail::checking
