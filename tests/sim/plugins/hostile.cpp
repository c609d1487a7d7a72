// Plugins that do something wrong, one library per KIND; those of kind 0 load and their mappers
// err.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "sim/mapping/plugin/vtopo_plugin.h"

namespace {

using Problem = vtopo_problem*;

/// One rank after another on hosts 0, 1, ...: right where every host has a slot.
[[maybe_unused]] std::int32_t map_in_order(Problem problem, const vtopo_api* api,
                                           std::int32_t* hosts) {
  for (std::int32_t r = 0; r < api->num_ranks(problem); ++r) hosts[r] = r;
  return 0;
}

#if KIND == 0
std::int32_t map_outside(Problem problem, const vtopo_api* api, std::int32_t* hosts) {
  map_in_order(problem, api, hosts);
  hosts[2] = api->num_hosts(problem);
  return 0;
}

std::int32_t map_crowded(Problem problem, const vtopo_api* api, std::int32_t* hosts) {
  for (std::int32_t r = 0; r < api->num_ranks(problem); ++r) hosts[r] = 1;
  return 0;
}

std::int32_t map_nothing(Problem, const vtopo_api*, std::int32_t*) {
  return 0;
}

std::int32_t map_failing(Problem problem, const vtopo_api* api, std::int32_t*) {
  api->set_error(problem, "the moon is full");
  return 7;
}

std::int32_t map_silent_failure(Problem, const vtopo_api*, std::int32_t*) {
  return -1;
}

std::int32_t map_throwing(Problem, const vtopo_api*, std::int32_t*) {
  throw std::runtime_error("thrown over the border");
}

std::int32_t map_aborting(Problem, const vtopo_api*, std::int32_t*) {
  std::abort();
}

std::int32_t map_exiting(Problem problem, const vtopo_api* api, std::int32_t* hosts) {
  map_in_order(problem, api, hosts);
  std::exit(0);
}

std::int32_t map_printing(Problem problem, const vtopo_api* api, std::int32_t* hosts) {
  std::puts("{\"rows\": 1}");
  return map_in_order(problem, api, hosts);
}

std::int32_t map_reporting(Problem problem, const vtopo_api* api, std::int32_t* hosts) {
  api->report_value(problem, 12.5, 3);
  api->report_value(problem, __builtin_nan(""), 4);
  api->report_value(problem, 11, -1);
  api->report_value(problem, 10, 5);
  return map_in_order(problem, api, hosts);
}

/// Fails with the number of the first answer that is not what the header promises.
std::int32_t map_wrong_questions(Problem problem, const vtopo_api* api, std::int32_t* hosts) {
  const vtopo_edge* edges = nullptr;
  const bool answers[] = {
      api->abi_version == VTOPO_PLUGIN_ABI && api->size == sizeof(vtopo_api),
      api->out_edges(problem, -1, &edges) == -1 && api->out_edges(problem, 99, &edges) == -1,
      api->out_edges(problem, 0, nullptr) == -1 && edges == nullptr,
      api->slots(problem, -1) == -1 && api->slots(problem, 99) == -1,
      api->hops(problem, 0, 99) == -1 && api->hops(problem, -5, 0) == -1,
      api->route(problem, 99, 0, 0, nullptr) == -1,
      api->host_number(problem, 99) == -1,
      api->link_bandwidth(problem, -1) == -1 && api->link_bandwidth(problem, 1 << 30) == -1,
      api->option(problem, "nobody") == nullptr && api->option(problem, nullptr) == nullptr,
  };
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(sizeof answers); ++i)
    if (!answers[i]) return i + 1;
  api->report_progress(problem, -3);
  api->set_error(problem, nullptr);
  return map_in_order(problem, api, hosts);
}

/// Fails with the number of the first answer that is not that of 4 ranks in an open line on a ring
/// of 5 hosts, option size=given, seed 9, 12 steps.
std::int32_t map_right_questions(Problem problem, const vtopo_api* api, std::int32_t* hosts) {
  const vtopo_edge* edges = nullptr;
  std::int32_t sizes[2] = {}, periodic[2] = {7, 7}, links[1] = {-1};
  const auto text_is = [](const char* a, const char* b) { return __builtin_strcmp(a, b) == 0; };
  const bool answers[] = {
      api->num_ranks(problem) == 4 && api->num_hosts(problem) == 5,
      api->out_edges(problem, 1, &edges) == 2 && edges[1].destination == 2 && edges[1].bytes == 1,
      api->out_edges(problem, 3, &edges) == 1 && edges[0].messages == 1,
      api->grid(problem, 2, sizes, periodic) == 1 && sizes[0] == 4 && periodic[0] == 0 &&
          periodic[1] == 7,
      api->slots(problem, 4) == 1 && api->host_number(problem, 4) == 4,
      text_is(api->network(problem), "torus:5"),
      api->hops(problem, 0, 2) == 2 && api->hops(problem, 0, 4) == 1 &&
          api->hops(problem, 3, 3) == 0,
      api->route(problem, 0, 2, 1, links) == 2 && links[0] >= 0,
      api->num_links(problem) == 10 && api->link_bandwidth(problem, 0) == 10e9,
      api->seed(problem) == 9 && api->steps(problem) == 12,
      api->seconds_left(problem) > 1e300 && api->should_stop(problem) == 0,
      text_is(api->option(problem, "size"), "given"),
      text_is(api->option(problem, "colour"), "red"),
  };
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(sizeof answers); ++i)
    if (!answers[i]) return i + 1;
  return map_in_order(problem, api, hosts);
}

const vtopo_mapper_option options[] = {{"size", "any", nullptr}, {"colour", "any", "red"}};

constexpr vtopo_mapper_plugin mapper(const char* name, decltype(&map_in_order) map) {
  return {VTOPO_PLUGIN_ABI, VTOPO_MAPPER_ANYTIME, name, "errs", "none", options, 2, map};
}

const vtopo_mapper_plugin mappers[] = {
    mapper("outside", map_outside),
    mapper("crowded", map_crowded),
    mapper("nothing", map_nothing),
    mapper("failing", map_failing),
    mapper("silent_failure", map_silent_failure),
    mapper("throwing", map_throwing),
    mapper("wrong_questions", map_wrong_questions),
    mapper("right_questions", map_right_questions),
    mapper("in_order", map_in_order),
    mapper("aborting", map_aborting),
    mapper("exiting", map_exiting),
    mapper("printing", map_printing),
    mapper("reporting", map_reporting),
};
#elif KIND == 1  // of another version
const vtopo_mapper_plugin mappers[] = {
    {VTOPO_PLUGIN_ABI + 1, 0, "newer", "errs", "none", nullptr, 0, map_in_order}};
#elif KIND == 3  // a name that is taken
const vtopo_mapper_plugin mappers[] = {
    {VTOPO_PLUGIN_ABI, 0, "greedy", "errs", "none", nullptr, 0, map_in_order}};
#elif KIND == 4  // no name that could be typed
const vtopo_mapper_plugin mappers[] = {
    {VTOPO_PLUGIN_ABI, 0, "a:b", "errs", "none", nullptr, 0, map_in_order}};
#elif KIND == 5  // no function
const vtopo_mapper_plugin mappers[] = {
    {VTOPO_PLUGIN_ABI, 0, "empty", "errs", "none", nullptr, 0, nullptr}};
#elif KIND == 8  // aborts when it is loaded
const vtopo_mapper_plugin mappers[] = {
    {VTOPO_PLUGIN_ABI, 0, "loud", "errs", "none", nullptr, 0, map_in_order}};
[[gnu::constructor]] void abort_at_once() {
  std::abort();
}
#else            // knows only another version (2), no mappers (6), no entry point (7)
const vtopo_mapper_plugin mappers[] = {
    {VTOPO_PLUGIN_ABI, 0, "unseen", "errs", "none", nullptr, 0, map_in_order}};
#endif

}  // namespace

#if KIND == 7  // no entry point
extern "C" const vtopo_mapper_plugin* vtopo_something_else() {
  return mappers;
}
#else
extern "C" const vtopo_mapper_plugin* vtopo_mapper_plugins(std::uint32_t, std::size_t* count) {
  *count = KIND == 6 ? 0 : sizeof mappers / sizeof *mappers;
  return KIND == 2 ? nullptr : mappers;
}
#endif
