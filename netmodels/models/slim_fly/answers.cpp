#include "netmodels/models/slim_fly/answers.hpp"

#include <fmt/format.h>

#include <utility>

#include "netmodels/link_rates.hpp"

namespace vtopo::detail {

std::string slim_fly_description(const SlimFlySpec& spec, const SlimFlyGraph& graph) {
  std::string text = fmt::format("slim-fly:q={}", spec.q);
  if (graph.per_router() != (graph.degree() + 1) / 2)
    text += fmt::format(",per_router={}", graph.per_router());
  const std::vector<LinkRates> rates{spec.host_rates, spec.router_rates};
  return text + rate_keys(rates, spec.defaults);
}

std::vector<HostGroups> slim_fly_groups(const SlimFlyGraph& graph) {
  const std::int64_t router = graph.per_router();
  return {{router, 2}, {router * graph.q(), 3}, {graph.num_hosts(), 4}};
}

std::vector<HostParts> slim_fly_parts(const SlimFlyGraph& graph) {
  const int hosts = graph.num_hosts(), router = graph.per_router(), group = router * graph.q();
  return {{"group", "groups", {equal_parts(hosts, group, 2 * graph.q())}},
          {"router", "routers", {equal_parts(hosts, router, graph.num_routers())}}};
}

std::vector<VertexCells> slim_fly_cuts(const SlimFlyGraph& graph) {
  const int hosts = graph.num_hosts(), routers = graph.num_routers(), q = graph.q();
  VertexCells single{"hosts", hosts, {}, AxisKind::complete, 1};
  VertexCells around{"routers", routers, {}, AxisKind::complete, 0.5};
  VertexCells groups{"groups", 2 * q, {}, AxisKind::complete, 0};
  for (int h = 0; h < hosts; ++h) {
    single.cell_of.push_back(h);
    around.cell_of.push_back(graph.router(HostId{h}));
  }
  for (int r = 0; r < routers; ++r) around.cell_of.push_back(r);
  for (const int router : around.cell_of) groups.cell_of.push_back(router / q);
  std::vector<VertexCells> families;
  for (VertexCells* family : {&single, &around, &groups}) families.push_back(std::move(*family));
  return families;
}

std::vector<std::int64_t> slim_fly_distance_profile(const SlimFlyGraph& graph) {
  const std::int64_t per_router = graph.per_router(), joined = graph.degree();
  return {1, 0, per_router - 1, per_router * joined,
          per_router * (graph.num_routers() - 1 - joined)};
}

GroupLayout slim_fly_picture(const SlimFlyGraph& graph) {
  const int q = graph.q();
  int columns = 1;
  while (columns * columns < q) ++columns;
  GroupLayout layout{{"group", 2 * q, " "},
                     "groups",
                     (q + columns - 1) / columns,
                     columns,
                     graph.num_hosts(),
                     fmt::format("{} at each router", graph.per_router()),
                     "a router's cables to about half of the others"};
  for (int group = 0; group <= 2 * q; ++group) layout.starts.push_back(group * q);
  return layout;
}

}  // namespace vtopo::detail
