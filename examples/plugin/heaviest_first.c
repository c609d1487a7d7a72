/* A mapper as a plugin: rank after rank, those that send most first, each goes to the free slot that
 * costs the fewest hop-bytes to the partners that have one already. */
#include <stdint.h>
#include <stdlib.h>

#include "vtopo_plugin.h"

/* A rank and the bytes that it sends; or the other way around with order=lightest. */
typedef struct {
  double bytes;
  int32_t rank;
} turn;

static int by_bytes(const void* left, const void* right) {
  const turn *a = left, *b = right;
  if (a->bytes != b->bytes) return a->bytes < b->bytes ? 1 : -1;
  return (a->rank > b->rank) - (a->rank < b->rank);
}

static void list_turns(vtopo_problem* problem, const vtopo_api* api, double sign, turn* turns) {
  const int32_t num_ranks = api->num_ranks(problem);
  for (int32_t r = 0; r < num_ranks; ++r) {
    const vtopo_edge* edges = NULL;
    const int64_t count = api->out_edges(problem, r, &edges);
    turns[r].rank = r;
    turns[r].bytes = 0;
    for (int64_t i = 0; i < count; ++i) turns[r].bytes += sign * edges[i].bytes;
  }
  qsort(turns, (size_t)num_ranks, sizeof *turns, by_bytes);
}

/* Hop-bytes that a rank sends if it sits on `host`. */
static double hop_bytes(vtopo_problem* problem, const vtopo_api* api, int32_t rank, int32_t host,
                        const int32_t* host_of_rank) {
  const vtopo_edge* edges = NULL;
  const int64_t count = api->out_edges(problem, rank, &edges);
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int32_t other = host_of_rank[edges[i].destination];
    if (other >= 0) sum += edges[i].bytes * api->hops(problem, host, other);
  }
  return sum;
}

static int32_t best_host(vtopo_problem* problem, const vtopo_api* api, int32_t rank,
                         const int32_t* used, const int32_t* host_of_rank) {
  const int32_t num_hosts = api->num_hosts(problem);
  int32_t best = -1;
  double least = 0;
  for (int32_t h = 0; h < num_hosts; ++h) {
    if (used[h] == api->slots(problem, h)) continue;
    const double sum = hop_bytes(problem, api, rank, h, host_of_rank);
    if (best >= 0 && sum >= least) continue;
    best = h;
    least = sum;
  }
  return best;
}

static int32_t map(vtopo_problem* problem, const vtopo_api* api, int32_t* host_of_rank) {
  const int32_t num_ranks = api->num_ranks(problem);
  const char* const order = api->option(problem, "order");
  const double sign = order[0] == 'l' ? -1 : 1;
  turn* const turns = calloc((size_t)num_ranks + 1, sizeof *turns);
  int32_t* const used = calloc((size_t)api->num_hosts(problem) + 1, sizeof *used);
  if (turns == NULL || used == NULL) {
    free(turns);
    free(used);
    api->set_error(problem, "there is not enough memory");
    return 1;
  }
  list_turns(problem, api, sign, turns);
  for (int32_t r = 0; r < num_ranks; ++r) host_of_rank[r] = -1;
  for (int32_t i = 0; i < num_ranks; ++i) {
    const int32_t host = best_host(problem, api, turns[i].rank, used, host_of_rank);
    host_of_rank[turns[i].rank] = host;
    ++used[host];
    api->report_progress(problem, (double)i / num_ranks);
  }
  free(turns);
  free(used);
  return 0;
}

static const vtopo_mapper_option options[] = {
    {"order", "whose turn is first: heaviest or lightest", "heaviest"},
};

static const vtopo_mapper_plugin mappers[] = {
    {VTOPO_PLUGIN_ABI, 0, "heaviest_first", "places the ranks that send most first",
     "example of a plugin", options, 1, map},
};

const vtopo_mapper_plugin* vtopo_mapper_plugins(uint32_t abi_version, size_t* count) {
  if (abi_version != VTOPO_PLUGIN_ABI) return NULL;
  *count = sizeof mappers / sizeof *mappers;
  return mappers;
}
