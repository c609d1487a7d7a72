#include "topology/mpi/virtual_topology.hpp"

#include <array>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/guests/graph_files.hpp"
#include "topology/guests/guest_topology.hpp"

namespace vtopo {

using namespace detail;

namespace {

constexpr std::int64_t max_hypercube_dimensions = 30;
/// The two sides of `kind:arguments` and the whole, which every error message quotes.
struct Specification {
  std::string_view kind;
  std::string_view arguments;
  std::string_view whole;
};

VirtualTopology parse_cartesian(const Specification& spec) {
  return parse_grid(spec.arguments, spec.whole);
}

VirtualTopology parse_hypercube(const Specification& spec) {
  const auto count = parse_integer(spec.arguments);
  if (!count || *count < 0 || *count > max_hypercube_dimensions)
    throw UsageError(fmt::format("number of dimensions \"{}\" in \"{}\" is not an integer in 0..{}",
                                 spec.arguments, spec.whole, max_hypercube_dimensions));
  return Cartesian(std::vector(index(*count), Dimension{2, Periodicity::open}));
}

std::string parse_path(const Specification& spec) {
  if (spec.arguments.empty())
    throw UsageError(fmt::format("no file in \"{}\"; accepted is {}:FILE", spec.whole, spec.kind));
  return std::string(spec.arguments);
}

VirtualTopology parse_graph(const Specification& spec) {
  return read_graph_file(parse_path(spec));
}

VirtualTopology parse_dist_graph(const Specification& spec) {
  return read_dist_graph_file(parse_path(spec));
}

/// @throws UsageError for a kind alone, which no reader of the whole specification takes for its
/// own.
void check_colon(const Specification& spec, std::string_view form) {
  if (spec.kind.size() == spec.whole.size())
    throw UsageError(fmt::format("nothing follows \"{}\"; accepted is {}", spec.whole, form));
}

/// The edges of a stencil are a distributed graph; nearest neighbours alone are a grid.
VirtualTopology parse_stencil_topology(const Specification& spec) {
  check_colon(spec, "stencil:8x8p:moore");
  Stencil stencil = *parse_stencil(spec.whole);
  if (stencil.is_grid) return std::move(stencil.grid);
  return make_dist_graph(stencil);
}

/// Random and shuffled topologies as distributed graphs, with weights.
VirtualTopology parse_drawn_topology(const Specification& spec) {
  check_colon(spec, spec.kind == "rgg" ? "rgg:4096:8:SEED" : "shuffle:SEED:cart:8x8");
  return make_dist_graph(parse_guest_topology(spec.whole));
}

/// The grid of a parallel program, without what it exchanges.
VirtualTopology parse_program_grid(const Specification& spec) {
  check_colon(spec, "parallel:tp=8,dp=4");
  return parse_parallel_program(spec.whole)->grid;
}

/// Kind of virtual topology: its name, how it is written and its parser.
struct Kind {
  std::string_view name;
  std::string_view form;
  VirtualTopology (*parse)(const Specification&);
};

constexpr std::array<Kind, 8> kinds{{{"cart", "cart:8x8p", parse_cartesian},
                                     {"hypercube", "hypercube:12", parse_hypercube},
                                     {"graph", "graph:FILE", parse_graph},
                                     {"dist", "dist:FILE", parse_dist_graph},
                                     {"stencil", "stencil:8x8p:moore", parse_stencil_topology},
                                     {"rgg", "rgg:4096:8:SEED", parse_drawn_topology},
                                     {"parallel", "parallel:tp=8,dp=4", parse_program_grid},
                                     {"shuffle", "shuffle:SEED:cart:8x8", parse_drawn_topology}}};

[[noreturn]] void fail_unknown_kind(const Specification& spec) {
  std::vector<std::string> names;
  std::vector<std::string> forms;
  for (const auto& kind : kinds) {
    names.emplace_back(kind.name);
    forms.emplace_back(kind.form);
  }
  throw UsageError(
      fmt::format("kind \"{}\" of virtual topology \"{}\" is unknown; accepted are {}{}", spec.kind,
                  spec.whole, join(forms, ", "), suggestion(spec.kind, names)));
}

}  // namespace

VirtualTopology parse_virtual_topology(std::string_view spec) {
  const auto colon = spec.find(':');
  const bool found = colon != std::string_view::npos;
  const Specification parts{spec.substr(0, colon), found ? spec.substr(colon + 1) : "", spec};
  for (const auto& kind : kinds)
    if (kind.name == parts.kind) return kind.parse(parts);
  fail_unknown_kind(parts);
}

int num_ranks(const VirtualTopology& topology) {
  return std::visit([](const auto& kind) { return kind.num_ranks(); }, topology);
}

Neighbourhood neighbourhood(const VirtualTopology& topology, Rank rank) {
  return std::visit([&](const auto& kind) { return neighbourhood(kind, rank); }, topology);
}

CommGraph make_comm_graph(const VirtualTopology& topology, std::span<const Bytes> volume) {
  if (const auto* grid = std::get_if<Cartesian>(&topology)) return make_comm_graph(*grid, volume);
  if (volume.size() != 1)
    throw UsageError(fmt::format(
        "{} volumes for a virtual topology without dimensions: accepted is 1", volume.size()));
  if (const auto* graph = std::get_if<Graph>(&topology)) return make_comm_graph(*graph, volume[0]);
  return make_comm_graph(std::get<DistGraph>(topology), volume[0]);
}

}  // namespace vtopo
