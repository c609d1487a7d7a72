#include "sim/evaluation/background.hpp"

#include <catch2/catch.hpp>
#include <fstream>

#include "netmodels/models/torus/torus.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/placement/allocation.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Mesh 0 - 1 - 2 - 3 with links of 10 B/s.
const auto mesh_of_four = make_torus({{{4, false}}, {{10}, {0}}});

std::string flows_complaint(const std::string& text) {
  const std::string path = tests::write_file("background_test_wrong.csv", text);
  return tests::message_about(path, [&] { read_host_flows(path, *mesh_of_four); });
}

}  // namespace

TEST_CASE("Flows of other jobs name hosts by name or number") {
  const auto flows = read_host_flows(
      tests::write_file("background_test_flows.csv",
                        "# another job\nsrc_host,dst_host,bytes\nhost-1,3,20\n0,host-2,1e3\n"),
      *mesh_of_four);
  REQUIRE(flows.size() == 2);
  CHECK(flows[0].source == HostId{1});
  CHECK(flows[0].destination == HostId{3});
  CHECK(flows[0].volume.value == 20);
  CHECK(flows[1].source == HostId{0});
  CHECK(flows[1].volume.value == 1000);
  const auto turned =
      read_host_flows(tests::write_file("background_test_turned.csv",
                                        "bytes;job;\"dst_host\";src_host\n20;7;host-1;\"3\"\n"),
                      *mesh_of_four);
  const auto nodes = read_host_flows(
      tests::write_file("background_test_nodes.csv", "to_node,total_bytes,from_node\n1,20,3\n"),
      *mesh_of_four);
  CHECK(nodes.at(0).source == HostId{3});
  REQUIRE(turned.size() == 1);
  CHECK(turned[0].source == HostId{3});
  CHECK(turned[0].destination == HostId{1});
  CHECK(turned[0].volume.value == 20);
}

TEST_CASE("A wrong file of other jobs is told with its place") {
  const std::string header = "src_host,dst_host,bytes\n";
  CHECK(flows_complaint("") == ": no header; accepted is src_host,dst_host,bytes");
  CHECK(flows_complaint("src,dst,bytes\n") ==
        ":1:1: header \"src,dst,bytes\"; accepted is src_host,dst_host,bytes, in any order");
  CHECK(flows_complaint(header + "0,1\n") == ":2:4: 2 fields where the header has 3");
  CHECK(flows_complaint(header + "0,1,2,3\n") == ":2:7: 4 fields where the header has 3");
  CHECK(flows_complaint(header + "0,hots-1,2\n") ==
        ":2:3: unknown host \"hots-1\": accepted are the 4 hosts \"host-0\" to \"host-3\" "
        "and numbers from 0; did you mean \"host-1\"?");
  CHECK(flows_complaint(header + "4,1,2\n").starts_with(":2:1: unknown host \"4\""));
  CHECK(flows_complaint(header + "1,host-1,2\n") ==
        ":2:3: a flow from host \"host-1\" to itself takes no link");
  CHECK(flows_complaint(header + "0,1,-2\n").starts_with(":2:5: "));
}

TEST_CASE("Links carry the job and the others, hops are the job's alone") {
  // By hand. Job: rank 0 on host 0, rank 1 on host 2, 30 B from 0 to 1: links 0->1 and 1->2.
  // Others: 1->3 with 50 B: links 1->2 and 2->3; 3->2 with 5 B.
  const std::vector<DirectedEdge> edges{{Rank{0}, Rank{1}, {30}}};
  const CommGraph job(2, edges);
  const Embedding embedding({HostId{0}, HostId{2}}, {{HostId{0}, HostId{2}}, {1, 1}});
  const std::vector<HostFlow> flows{{HostId{1}, HostId{3}, {50}}, {HostId{3}, HostId{2}, {5}}};
  const PlacedTraffic others = placed_traffic(flows);
  const PlacedTraffic all = beside(job, embedding, others);
  CHECK(all.guest.num_ranks() == 5);  // others on hosts 1, 3 and 2
  CHECK(all.embedding.host_of(Rank{1}) == HostId{2});

  const Metrics alone = evaluate(job, *mesh_of_four, embedding);
  const Metrics metrics = beside_others(alone, evaluate(all.guest, *mesh_of_four, all.embedding));
  CHECK(metrics.hop_bytes == alone.hop_bytes);
  CHECK(metrics.hop_bytes.value == 60);
  CHECK(metrics.edges == 1);
  CHECK(metrics.max_link_load.value == 80);
  CHECK(metrics.max_flows_per_link == 2);
  CHECK(metrics.max_congestion.value == 8);

  // Every link of the job: what it puts there and what the others do. Of the others' links nothing.
  const Metrics theirs = evaluate(others.guest, *mesh_of_four, others.embedding);
  for (std::size_t l = 0; l < metrics.links.size(); ++l)
    CHECK(metrics.links[l].traffic == (alone.links[l].traffic.value > 0
                                           ? alone.links[l].traffic + theirs.links[l].traffic
                                           : Bytes{0}));
}
