/* Interface between vtopo and mappers in shared libraries (`--plugin FILE.so`), in C99.
 *
 * A plugin exports one function, vtopo_mapper_plugins. Ranks, hosts, links and their numbers count from
 * 0; a host is its position in the allocation of the job. Functions of the table may be called from one
 * thread at a time and only while `map` runs; pointers that they return live as long. */
#ifndef VTOPO_PLUGIN_H
#define VTOPO_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this interface. vtopo loads plugins of its own version only. */
#define VTOPO_PLUGIN_ABI 1u

/* What is to be mapped; known to vtopo alone. */
typedef struct vtopo_problem vtopo_problem;

/* One directed edge of the guest. Parallel edges and self loops occur. */
typedef struct vtopo_edge {
  double bytes;         /* >= 0 */
  int32_t destination;  /* rank */
  int32_t messages;     /* >= 0 */
} vtopo_edge;

/* What a mapper may ask. Arguments out of range give -1, NULL or 0 and change nothing. */
typedef struct vtopo_api {
  uint32_t abi_version; /* VTOPO_PLUGIN_ABI of vtopo */
  uint32_t size;        /* sizeof(vtopo_api) of vtopo */

  int32_t (*num_ranks)(vtopo_problem* problem);
  /* Edges that leave a rank, in the order given by the program; returns their number. */
  int64_t (*out_edges)(vtopo_problem* problem, int32_t rank, const vtopo_edge** edges);
  /* Number of dimensions of the Cartesian grid that the ranks are, last dimension fastest, and the
   * sizes and periodicity (0 or 1) of the first `capacity` ones; 0 if the ranks are not a grid. */
  int32_t (*grid)(vtopo_problem* problem, int32_t capacity, int32_t* sizes, int32_t* periodic);

  int32_t (*num_hosts)(vtopo_problem* problem); /* of the allocation */
  int32_t (*slots)(vtopo_problem* problem, int32_t host); /* the most ranks that it takes, >= 1 */
  int32_t (*host_number)(vtopo_problem* problem, int32_t host); /* in the whole network */
  const char* (*network)(vtopo_problem* problem); /* such as "torus:8x8x8" */
  int32_t (*hops)(vtopo_problem* problem, int32_t from, int32_t to); /* 0 within a host */
  /* Number of the directed links between two hosts, in the order of travel, and the first `capacity`
   * of them. */
  int64_t (*route)(vtopo_problem* problem, int32_t from, int32_t to, int64_t capacity,
                   int32_t* links);
  int32_t (*num_links)(vtopo_problem* problem); /* of the whole network */
  double (*link_bandwidth)(vtopo_problem* problem, int32_t link); /* bytes per second */

  uint64_t (*seed)(vtopo_problem* problem);        /* all randomness should come from it */
  int64_t (*steps)(vtopo_problem* problem);        /* deterministic budget (--steps); -1: none */
  double (*seconds_left)(vtopo_problem* problem);  /* until the deadline (--time-limit), or infinite */
  int32_t (*should_stop)(vtopo_problem* problem);  /* 1: deadline or Ctrl-C; return the best so far */
  /* Value of one of the mapper's options: as given, else its default; NULL if it has no such option. */
  const char* (*option)(vtopo_problem* problem, const char* name);

  void (*report_progress)(vtopo_problem* problem, double share); /* 0..1, shown to the user */
  /* Sentence for the user, for a `map` that fails; the text is copied. */
  void (*set_error)(vtopo_problem* problem, const char* sentence);
  /* The value of the best placement so far (of what is minimised: hop-bytes unless --objective says
   * otherwise) and the steps made until then, for --trace-search and curves. Since 0.3: only where
   * `size` is at least offsetof(vtopo_api, report_value) + sizeof(api->report_value). */
  void (*report_value)(vtopo_problem* problem, double value, int64_t steps);
} vtopo_api;

/* An option as in --mapper NAME:option=value. */
typedef struct vtopo_mapper_option {
  const char* name;
  const char* summary;
  const char* default_value; /* NULL: none */
} vtopo_mapper_option;

/* `flags`: the mapper honours should_stop and then returns the best so far. */
#define VTOPO_MAPPER_ANYTIME 1u

/* One mapper. All texts are UTF-8 and live as long as the program. */
typedef struct vtopo_mapper_plugin {
  uint32_t abi_version; /* VTOPO_PLUGIN_ABI of the plugin */
  uint32_t flags;
  const char* name;      /* letters, digits and _, not one that vtopo has */
  const char* summary;   /* one line */
  const char* reference; /* paper or other source */
  const vtopo_mapper_option* options;
  size_t num_options;
  /* Fills one host per rank, no host with more ranks than slots; vtopo has checked that they fit. Returns
   * 0, or another number after set_error. Equal problems should give equal embeddings. */
  int32_t (*map)(vtopo_problem* problem, const vtopo_api* api, int32_t* host_of_rank);
} vtopo_mapper_plugin;

/* The function that a plugin exports: its mappers and their number.
 * `abi_version` is vtopo's; return NULL for one that the plugin does not know. */
const vtopo_mapper_plugin* vtopo_mapper_plugins(uint32_t abi_version, size_t* count);

#ifdef __cplusplus
}
#endif

#endif
