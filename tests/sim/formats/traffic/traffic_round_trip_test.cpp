#include <rapidcheck.h>
#include <rapidcheck/catch.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/formats/traffic/foreign_traffic.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using tests::TemporaryFile;

namespace {

using Edge = std::tuple<int, int, double, int>;  // source, destination, bytes, messages
using Pair = std::pair<int, int>;

/// Edges of a graph, sources ascending, those of a source in their order.
std::vector<Edge> counted_edges_of(const CommGraph& graph) {
  std::vector<Edge> edges;
  graph.for_each_edge([&](Rank source, const CommEdge& edge) {
    edges.emplace_back(number(source), number(edge.destination), edge.volume.value, edge.messages);
  });
  return edges;
}

/// Guest with parallel edges, loops, silent ranks, fractions, volumes without a byte and up to the
/// largest that formats of 32 bits hold, twenty of them summed.
CommGraph any_guest() {
  const int ranks = *rc::gen::inRange(1, 12);
  std::vector<DirectedEdge> edges;
  const int count = *rc::gen::inRange(0, 20);
  for (int i = 0; i < count; ++i) {
    const int whole = *rc::gen::oneOf(rc::gen::inRange(0, 10), rc::gen::inRange(0, 100000000));
    const double volume = *rc::gen::element(0.0, 0.25, 1.0 / 3.0) + whole;
    edges.push_back({Rank{*rc::gen::inRange(0, ranks)}, Rank{*rc::gen::inRange(0, ranks)},
                     Bytes{volume}, *rc::gen::inRange(1, 1000)});
  }
  return CommGraph(ranks, edges);
}

/// What is left of a guest in a format, the slow way: sums in maps.
std::vector<Edge> expected_in(const TrafficFormatInfo& format, const CommGraph& guest) {
  const TrafficAbilities& holds = format.holds;
  if (holds.parallel_edges) return counted_edges_of(guest);
  std::map<Pair, double> volumes;
  for (const auto& [source, destination, bytes, messages] : counted_edges_of(guest)) {
    if (bytes == 0 || (!holds.self_loops && source == destination)) continue;
    volumes[{source, destination}] += bytes;
    if (!holds.directions) volumes[{destination, source}] += bytes;
  }
  std::vector<Edge> edges;
  for (const auto& [pair, bytes] : volumes) {
    double kept = holds.largest_integer > 0 ? std::max(1.0, std::round(bytes)) : bytes;
    if (!holds.directions) kept /= 2;
    edges.emplace_back(pair.first, pair.second, kept, 1);
  }
  return edges;
}

/// The same edges, but volumes may differ by the rounding of sums taken in another order.
bool agree(const std::vector<Edge>& a, const std::vector<Edge>& b, double tolerance) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto& [source, destination, bytes, messages] = a[i];
    const auto& [other_source, other_destination, other_bytes, other_messages] = b[i];
    if (source != other_source || destination != other_destination || messages != other_messages ||
        std::abs(bytes - other_bytes) > tolerance)
      return false;
  }
  return true;
}

CommGraph read_back(const TrafficFormatInfo& format, const CommGraph& guest) {
  const TemporaryFile file("round-trip", write_traffic(guest, format.format).text);
  TrafficOptions options;
  options.format = format.format;
  return read_traffic(file.path(), options);
}

}  // namespace

TEST_CASE("Every written format reads back as what it can hold") {
  int written = 0;
  for (const TrafficFormatInfo& format : traffic_formats()) {
    if (format.write == nullptr) continue;
    ++written;
    rc::prop(format.name, [&] {
      const CommGraph guest = any_guest();
      const FittedTraffic fitted = fit_traffic(guest, format);
      // Sums of up to 20 volumes of up to 2^30 differ by less than 1e-5; rounded ones by 1 where a
      // sum such as 2.5 falls on the other side.
      RC_ASSERT(agree(counted_edges_of(fitted.graph), expected_in(format, guest),
                      format.holds.largest_integer > 0 ? 1 : 1e-5));
      const CommGraph back = read_back(format, guest);
      RC_ASSERT(back.num_ranks() == guest.num_ranks());
      RC_ASSERT(counted_edges_of(back) == counted_edges_of(fitted.graph));
      if (counted_edges_of(fitted.graph) == counted_edges_of(guest))
        RC_ASSERT(fitted.losses.empty());
      // What was written once is written again without a further loss, and the same.
      const TrafficText again = write_traffic(back, format.format);
      RC_ASSERT(again.losses.empty());
      RC_ASSERT(again.text == write_traffic(guest, format.format).text);
    });
  }
  CHECK(written == 9);
}

TEST_CASE("A file cut off or changed in one byte is read or refused, never worse") {
  for (const TrafficFormatInfo& format : traffic_formats()) {
    if (format.write == nullptr) continue;
    rc::prop(format.name, [&] {
      std::string text = write_traffic(any_guest(), format.format).text;
      if (*rc::gen::arbitrary<bool>()) {
        text.resize(*rc::gen::inRange<std::size_t>(0, text.size() + 1));
      } else if (!text.empty()) {
        text[*rc::gen::inRange<std::size_t>(0, text.size())] =
            *rc::gen::oneOf(rc::gen::arbitrary<char>(), rc::gen::element('0', '9', '-', 'e', '\n'));
      }
      const TemporaryFile file("damaged", text);
      TrafficOptions options;
      options.format = format.format;
      try {
        const CommGraph graph = read_traffic(file.path(), options);
        RC_ASSERT(graph.num_ranks() >= 1);
      } catch (const InputError& error) {
        RC_ASSERT(std::string(error.what()).starts_with(file.path()));
      }
    });
  }
}
