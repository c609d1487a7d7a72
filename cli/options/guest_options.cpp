#include <fmt/format.h>

#include <limits>

#include "cli/options/scenario_guest.hpp"
#include "topology/patterns/pattern.hpp"

namespace vtopo {

namespace {

std::string pattern_help() {
  std::string names;
  for (const PatternInfo& info : pattern_infos())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", info.name);
  return "who of the topology sends when, NAME[:key=value,...]: " + names +
         "; several, after a comma or repeated, one after the other. Keys: bytes=8KiB, repeat=10, "
         "algorithm=ring, root=0, sub=1-0 (in each communicator of MPI_Cart_sub), offset=1, "
         "dims=0-1, seed=1. Default: every neighbour at once";
}

}  // namespace

void add_guest_options(Verb& verb, ScenarioOptions& options) {
  verb.group("Guest: who communicates with whom");
  verb.add("--topology", &options.topology,
           "virtual topology: cart:8x8x8, cart:8px8p (p: periodic), "
           "hypercube:12, stencil:8x8:moore (neumann, moore, component, "
           "hops), graph:FILE, dist:FILE, rgg:RANKS:DEGREE:SEED, "
           "shuffle:SEED:SPEC")
      .excludes("--traffic")
      .takes({"cart:", "dist:", "graph:", "hypercube:", "rgg:", "shuffle:", "stencil:"});
  verb.add("--bytes", &options.bytes,
           "volume per directed edge, or one per dimension: 1MiB,512KiB,64KiB")
      .excludes("--traffic");
  verb.add("--pattern", &options.patterns, pattern_help())
      .needs("--topology")
      .excludes("--traffic")
      .excludes("--schedule");
  verb.add("--schedule", &options.schedule,
           "JSON file of phases, each a pattern or recorded traffic: {\"phases\": "
           "[{\"pattern\": \"phased\", \"repeat\": 10}, {\"traffic\": \"a.csv\"}]}")
      .excludes("--traffic");
  verb.add("--traffic", &options.traffic,
           "recorded communication matrix: edge-list or dense CSV, a recording "
           "of vtopo record, a folder of Open MPI .prof files, a "
           "time-independent trace of SimGrid, .mat .graph .grf .mtx "
           ".graphml .dot (see vtopo convert)");
  verb.add("--traffic-format", &options.traffic_format,
           "edges, dense, mat, prof, record, smpi, metis, scotch, mtx, "
           "graphml or dot (default: by extension and first line)")
      .needs("--traffic");
  verb.add("--prof-kinds", &options.prof_kinds,
           "line kinds of .prof files to add up: E, E,I or E,C")
      .needs("--traffic");
  verb.add("--record-kinds", &options.record_kinds,
           "of recordings of vtopo record and time-independent "
           "traces: p2p, collective or all")
      .needs("--traffic")
      .takes({"all", "collective", "p2p"});
  verb.add("--ranks", &options.ranks, "number of ranks of the recording")
      .needs("--traffic")
      .whole_number(std::numeric_limits<int>::max());
  verb.add("--per-message", &options.per_message,
           "divide each recorded volume by its number of messages")
      .needs("--traffic");
}

}  // namespace vtopo
