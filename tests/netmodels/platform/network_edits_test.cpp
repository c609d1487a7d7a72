#include "netmodels/edits/network_edits.hpp"

#include <catch2/catch.hpp>

#include <numeric>

#include "netmodels/network_spec.hpp"
#include "netmodels/platform/platform.hpp"
#include "tests/netmodels/walks.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/routes.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using Catch::Contains;

namespace {

std::vector<LinkId> names_to_ids(const Network& network, const std::string& pattern) {
  return resolve_edits(network, {{pattern}, {}, {}}).failed_links;
}

/// All pairs of working hosts: flows off the failed links keep their routes, the others take walks
/// over working links with the fewest links there are, or say that there is none.
void check_routes(const std::string& spec, const NetworkEdits& edits, bool hosts_pass_on) {
  INFO(spec);
  const auto base = make_network(spec, {});
  const auto edited = apply_edits(base, edits);
  const auto failed = failed_link_flags(*base, resolve_edits(*base, edits));
  const AllDistances expected(*base, failed, hosts_pass_on);
  int wrong = 0, led_around = 0, refused = 0, longest = 0;
  for (int a = 0; a < base->num_hosts(); ++a)
    for (int b = 0; b < base->num_hosts(); ++b) {
      if (!edited->is_up(HostId{a}) || !edited->is_up(HostId{b})) continue;
      const auto before = tests::route_of(*base, a, b);
      const bool touched = std::any_of(before.begin(), before.end(),
                                       [&](LinkId link) { return failed[index(link)]; });
      if (touched && expected.between(a, b) == AllDistances::far) {
        CHECK_THROWS_AS(tests::route_of(*edited, a, b), InputError);
        ++refused;
        continue;
      }
      const auto after = tests::route_of(*edited, a, b);
      led_around += touched;
      wrong += touched ? !is_walk(*base, after, HostId{a}, HostId{b}, failed) ||
                             static_cast<int>(after.size()) != expected.between(a, b)
                       : after != before;
      wrong += edited->hops(HostId{a}, HostId{b}) != static_cast<int>(after.size());
      longest = std::max(longest, static_cast<int>(after.size()));
    }
  CHECK(wrong == 0);
  CHECK(led_around + refused > 0);
  CHECK(edited->diameter() == longest);
}

}  // namespace

TEST_CASE("Flows are led around failed links and hosts by the fewest links, the others stay") {
  // Two cables whole, one direction, a host; on fat trees and dragonflies links between switches.
  check_routes("torus:4x4", {{"d0?:0->1", "d0-:1->0", "d1+:5->9"}, {}, {}}, true);
  check_routes("torus:3x3x3", {{"d2+:*"}, {"host-13"}, {}}, true);
  check_routes("mesh:4x3", {{}, {"host-5"}, {}}, true);
  check_routes("mesh:5", {{"d0+:1->2"}, {}, {}}, true);
  check_routes("fat-tree:2;4,4;1,2;1,2", {{"s1.0->s2.0*"}, {"host-7"}, {}}, false);
  check_routes("fat-tree:2;4,4;1,2;1,2", {{"s1.1->s2.0#0", "s2.1->s1.2#1"}, {}, {}}, false);
  check_routes("dragonfly:4,1;2,1;2,1;2", {{"r0.0.1->r1.*", "r2.0.0->r2.0.1"}, {}, {}}, false);
}

TEST_CASE("A failed host of a torus is led around and has neither routes nor injection") {
  const auto base = make_network("torus:5", {});
  const auto edited = apply_edits(base, NetworkEdits{{}, {"host-1"}, {}});
  CHECK_FALSE(edited->is_up(HostId{1}));
  CHECK(edited->is_up(HostId{0}));
  // Ring of 5 without host 1: 0 to 2 the long way, 0-4-3-2.
  CHECK(edited->hops(HostId{0}, HostId{2}) == 3);
  CHECK(edited->diameter() == 3);
  CHECK(edited->injection_bandwidth(HostId{1}).value == 0);
  CHECK(edited->injection_bandwidth(HostId{0}).value == 10e9);  // one of two links works
  CHECK(edited->injection_bandwidth(HostId{3}).value == 20e9);
  CHECK_THROWS_WITH(tests::route_of(*edited, 0, 1),
                    "there is no route from \"host-0\" to \"host-1\": host \"host-1\" failed");
}

TEST_CASE("Hosts that are cut off say which link failed and that nothing else joins them") {
  const auto edited = apply_edits(make_network("mesh:3", {}), NetworkEdits{{"d0+:1->2"}, {}, {}});
  CHECK(edited->hops(HostId{2}, HostId{0}) == 2);
  CHECK_THROWS_WITH(edited->hops(HostId{0}, HostId{2}),
                    "there is no route from \"host-0\" to \"host-2\": it used the failed link "
                    "\"d0+:1->2\", and the links that work do not join the two hosts");
}

TEST_CASE("Where only routes are declared a failed link of a route is an error that says so") {
  const auto base = load_platform(tests::source_path("platforms/two-rooms.xml"), {});
  const auto first = tests::route_of(*base, 0, base->num_hosts() - 1);
  REQUIRE_FALSE(first.empty());
  if (base->link_ends(first.front())) return;  // a reader that knows where links lead
  const auto edited = apply_edits(base, NetworkEdits{{base->link_name(first.front())}, {}, {}});
  CHECK_THROWS_WITH(
      tests::route_of(*edited, 0, base->num_hosts() - 1),
      Contains(base->link_name(first.front())) && Contains("only the declared routes are known"));
}

TEST_CASE("Scaled links keep their routes and multiply their bandwidth, by all their factors") {
  const auto base = make_network("torus:4x4", {});
  const auto edited = apply_edits(base, NetworkEdits{{}, {}, {{"d0?:*", 0.5}, {"d0+:0->1", 0.5}}});
  const LinkId both = names_to_ids(*base, "d0+:0->1").front();
  const LinkId one = names_to_ids(*base, "d0-:1->0").front();
  const LinkId none = names_to_ids(*base, "d1+:0->4").front();
  CHECK(edited->link(both).bandwidth.value == 2.5e9);
  CHECK(edited->link(one).bandwidth.value == 5e9);
  CHECK(edited->link(none).bandwidth.value == 10e9);
  CHECK(edited->injection_bandwidth(HostId{0}).value == 27.5e9);  // 2.5 + 5 + 10 + 10
  for (int b = 0; b < 16; ++b)
    CHECK(tests::route_of(*edited, 3, b) == tests::route_of(*base, 3, b));
  CHECK(edited->diameter() == base->diameter());
  CHECK(edited->description() == "torus:4x4, bandwidth of 32 links scaled");
}

TEST_CASE("Links without a limit have none when they are scaled, and factors of 1 change nothing") {
  // Levels of node= without a bandwidth have no limit; the 8 links of the ring have 10 GB/s.
  const auto base = make_network("torus:4,node=2", {});
  const LinkId inside = names_to_ids(*base, "host-0:level1.0-up").front();
  for (const double factor : {0.5, 2.0}) {
    const auto edited = apply_edits(base, NetworkEdits{{}, {}, {{"*", factor}}});
    CHECK(edited->link(inside).bandwidth == base->link(inside).bandwidth);
    CHECK(edited->description() == base->description() + ", bandwidth of 8 links scaled");
  }
  for (const ScaledLinks& scaled : {ScaledLinks{"host-0:level1.*", 2}, ScaledLinks{"*", 1}})
    CHECK(apply_edits(base, NetworkEdits{{}, {}, {scaled}})->description() == base->description());
}

TEST_CASE("Kinds of links tell scaled and failed links apart") {
  const auto base = make_network("torus:4x4", {});
  const auto edited = apply_edits(base, NetworkEdits{{"d1+:0->4"}, {}, {{"d0+:*", 0.5}}});
  std::int64_t sum = 0, failed = 0, scaled = 0;
  for (const LinkClass& kind : edited->link_classes()) {
    sum += kind.links;
    if (kind.name.ends_with(", failed")) failed += kind.links;
    if (kind.bandwidth.value == 5e9) scaled += kind.links;
  }
  CHECK(sum == 64);
  CHECK(failed == 1);
  CHECK(scaled == 16);
  const auto kinds = edited->link_classes();
  for (int l = 0; l < 64; ++l)
    CHECK(kinds[static_cast<std::size_t>(edited->link_class(LinkId{l}))].bandwidth.value ==
          edited->link(LinkId{l}).bandwidth.value);
}

TEST_CASE("Edits count what was named, in words") {
  const auto base = make_network("torus:8x8", {});
  const auto words = [&](const NetworkEdits& edits) {
    return in_words(resolve_edits(*base, edits));
  };
  CHECK(words({}).empty());
  CHECK(words({{"d0+:0->1", "d0+:0->*"}, {}, {}}) == "1 link failed");
  CHECK(words({{"d0+:0->1"}, {"host-3", "host-4"}, {{"d1+:*", 0.5}}}) ==
        "1 link failed, 2 hosts failed, bandwidth of 64 links scaled");
  CHECK(apply_edits(base, NetworkEdits{}) == base);
}

TEST_CASE("Names that do not exist are refused with the nearest") {
  const auto base = make_network("torus:4x4", {});
  const auto resolve = [&](const NetworkEdits& edits) { return resolve_edits(*base, edits); };
  CHECK_THROWS_WITH(resolve({{"d0+:0->11"}, {}, {}}),
                    Contains("link \"d0+:0->11\": no link") && Contains("did you mean"));
  CHECK_THROWS_WITH(
      resolve({{}, {"host-16"}, {}}),
      Contains("host \"host-16\"") && Contains("the 16 names \"host-0\" to \"host-15\""));
  CHECK_THROWS_AS(resolve({{"d7*"}, {}, {}}), UsageError);
  CHECK_THROWS_AS(resolve({{}, {}, {{"x*", 2}}}), UsageError);
  CHECK_THROWS_AS(resolve({{}, {}, {{"d0*", 0}}}), UsageError);
  CHECK_THROWS_WITH(resolve({{}, {}, {{"d0*", 1e300}}}), Contains("accepted are 0.001 to 1e18"));
}

TEST_CASE("Scale options are a pattern and a finite factor above 0") {
  const auto scaled = parse_scaled_links("a=b*=0.25");
  CHECK(scaled.pattern == "a=b*");
  CHECK(scaled.factor == 0.25);
  CHECK(parse_scaled_links("0.5").pattern == "*");  // of all links
  for (const char* text : {"", "d0", "=2", "d0=", "d0=0", "d0=-1", "d0=inf", "d0=nan", "d0=2x"})
    CHECK_THROWS_WITH(parse_scaled_links(text), Contains("PATTERN=FACTOR"));
}

namespace {

/// Square 0-1-3-2-0 whose model splits every flow between opposite corners.
class SplittingSquare final : public Network {
 public:
  explicit SplittingSquare(Routing rule) : rule_(rule), square_(make_network("torus:2x2", {})) {}
  LinkProperties link(LinkId link) const override { return square_->link(link); }
  std::string link_name(LinkId link) const override { return square_->link_name(link); }
  std::optional<LinkEnds> link_ends(LinkId link) const override { return square_->link_ends(link); }
  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    square_->append_route(source, destination, links);
  }
  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override {
    std::vector<LinkId> forth, back;
    square_->append_route(source, destination, forth);
    square_->append_route(destination, source, back);
    for (const LinkId link : forth) shares.push_back({link, 0.5});
    if (forth.size() == 1) shares.back().share = 1;
    if (forth.size() == 2)
      for (const LinkId link : back) shares.push_back({LinkId{number(link) ^ 1}, 0.5});
  }
  int hops(HostId source, HostId destination) const override {
    return square_->hops(source, destination);
  }

 private:
  NetworkFacts make_facts() const override {
    NetworkFacts facts;
    facts.num_hosts = 4;
    facts.num_links = square_->num_links();
    facts.description = "square";
    facts.routing = rule_;
    facts.splits_flows = true;
    facts.diameter = square_->facts().diameter;
    facts.injection_bandwidth = square_->facts().injection_bandwidth;
    return facts;
  }

  Routing rule_;
  std::shared_ptr<const Network> square_;
};

}  // namespace

TEST_CASE("A split flow with a share on a failed link splits evenly over what is left") {
  const auto base = std::make_shared<SplittingSquare>(Routing::split);
  std::vector<LinkShare> shares;
  base->append_shares(HostId{0}, HostId{3}, shares);
  REQUIRE(shares.size() == 4);
  const auto broken = shares.front().link;
  const auto edited = apply_edits(base, NetworkEdits{{base->link_name(broken)}, {}, {}});
  // A dimension of size 2 has two cables: 0 to 3 over the other one of the pair, and over host 2.
  shares.clear();
  edited->append_shares(HostId{0}, HostId{3}, shares);
  double leaving = 0;
  for (const auto& [link, share] : shares) {
    CHECK(link != broken);
    if (edited->link_ends(link)->from == 0) leaving += share;
  }
  CHECK(leaving == Approx(1));
  CHECK(edited->mean_hops(HostId{0}, HostId{3}) == Approx(2));
  const auto one = tests::route_of(*edited, 0, 3);
  CHECK(std::find(one.begin(), one.end(), broken) == one.end());
  CHECK(one.size() == 2);
}

TEST_CASE("Failed links under valiant are refused") {
  const auto base = std::make_shared<SplittingSquare>(Routing::valiant);
  CHECK_THROWS_WITH(apply_edits(base, NetworkEdits{{"d0+:0->1"}, {}, {}}),
                    Contains("under --routing valiant"));
}
