/* The recording from MPI_Init to MPI_Finalize, where rank 0 collects the parts of all ranks, one
   after the other in chunks, and writes one file. */
#include "session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { words_per_line = 5, lines_per_chunk = 4096, max_path = 4096 };

struct output {
  FILE *file;
  char path[max_path];
  char temporary[max_path + 16];
  uint64_t lines;
};

static void complain(const struct output *output, const char *what) {
  fprintf(stderr, "vtopo_record: cannot %s %s: %s\n", what, output->path, strerror(errno));
}

static bool open_output(struct output *output, int num_ranks) {
  const char *path = getenv("VTOPO_RECORD");
  if (path == NULL || path[0] == '\0') path = "vtopo-record.csv";
  if (strlen(path) >= sizeof output->path) {
    fprintf(stderr, "vtopo_record: the path in VTOPO_RECORD is longer than %d bytes\n", max_path);
    return false;
  }
  strcpy(output->path, path);
  /* A device or a pipe is written itself: a renamed file would replace it. */
  struct stat found;
  const bool is_file = stat(path, &found) != 0 || S_ISREG(found.st_mode);
  snprintf(output->temporary, sizeof output->temporary, is_file ? "%s.part" : "%s", path);
  output->file = fopen(output->temporary, "w");
  if (output->file == NULL) {
    complain(output, "write");
    return false;
  }
  fprintf(output->file,
          "# vtopo-record 1\n# ranks %d\n"
          "source,destination,bytes,messages,collective_bytes,collective_messages\n",
          num_ranks);
  return true;
}

static void close_output(struct output *output) {
  fprintf(output->file, "# end %" PRIu64 "\n", output->lines);
  const bool failed = ferror(output->file) != 0;
  const bool is_file = strcmp(output->temporary, output->path) != 0;
  if (fclose(output->file) != 0 || failed) {
    complain(output, "write");
    if (is_file) remove(output->temporary);
  } else if (is_file && rename(output->temporary, output->path) != 0) {
    complain(output, "rename the finished recording to");
  }
}

static void write_lines(struct output *output, int source, const uint64_t *words, uint64_t lines) {
  for (uint64_t i = 0; i < lines; ++i, words += words_per_line)
    fprintf(output->file,
            "%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", source, words[0],
            words[1], words[2], words[3], words[4]);
  output->lines += lines;
}

static void pack(const struct record_cell *cell, uint64_t *words) {
  words[0] = (uint64_t)cell->destination;
  for (int kind = 0; kind < 2; ++kind) {
    words[1 + 2 * kind] = cell->bytes[kind];
    words[2 + 2 * kind] = cell->messages[kind];
  }
}

static uint64_t chunk_of(uint64_t lines) {
  return lines < lines_per_chunk ? lines : lines_per_chunk;
}

/* The part of one other rank, when rank 0 is ready for it. */
static void hand_over(MPI_Comm comm, const struct record_cell *cells, uint64_t count,
                      uint64_t *words) {
  PMPI_Recv(NULL, 0, MPI_BYTE, 0, 0, comm, MPI_STATUS_IGNORE);
  PMPI_Send(&count, 1, MPI_UINT64_T, 0, 0, comm);
  for (uint64_t lines; count > 0; count -= lines, cells += lines) {
    lines = chunk_of(count);
    for (uint64_t i = 0; i < lines; ++i) pack(&cells[i], words + i * words_per_line);
    PMPI_Send(words, (int)lines * words_per_line, MPI_UINT64_T, 0, 0, comm);
  }
}

static void take_over(MPI_Comm comm, int source, struct output *output, uint64_t *words) {
  uint64_t count = 0;
  PMPI_Send(NULL, 0, MPI_BYTE, source, 0, comm);
  PMPI_Recv(&count, 1, MPI_UINT64_T, source, 0, comm, MPI_STATUS_IGNORE);
  for (uint64_t lines; count > 0; count -= lines) {
    lines = chunk_of(count);
    PMPI_Recv(words, (int)lines * words_per_line, MPI_UINT64_T, source, 0, comm,
              MPI_STATUS_IGNORE);
    write_lines(output, source, words, lines);
  }
}

static void write_all(MPI_Comm comm, int num_ranks, const struct record_cell *cells, uint64_t count,
                      uint64_t *words, struct output *output) {
  for (uint64_t i = 0; i < count; ++i) {
    pack(&cells[i], words);
    write_lines(output, 0, words, 1);
  }
  for (int rank = 1; rank < num_ranks; ++rank) take_over(comm, rank, output, words);
  close_output(output);
}

/* Collective. */
static void write_file(void) {
  static struct output output;
  MPI_Comm comm; /* of our own: no message of the program can meet ours */
  int rank = 0, num_ranks = 0, opened = 0;
  size_t count = 0;
  PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &num_ranks);
  if (rank == 0) opened = open_output(&output, num_ranks);
  PMPI_Bcast(&opened, 1, MPI_INT, 0, comm);
  struct record_cell *cells = record_sorted_cells(&count);
  uint64_t *words = malloc(sizeof *words * words_per_line * lines_per_chunk);
  if (words == NULL || cells == NULL) PMPI_Abort(MPI_COMM_WORLD, 1);
  if (opened && rank == 0)
    write_all(comm, num_ranks, cells, count, words, &output);
  else if (opened)
    hand_over(comm, cells, count, words);
  free(words);
  free(cells);
  PMPI_Comm_free(&comm);
}

static bool begun;

void record_begin(void) {
  if (begun) return;
  begun = true;
  record_find_state();
  record_peers_begin(trace_number_communicator);
  record_switch(true);
  trace_begin();
}

void record_pause(bool pause) {
  if (begun) record_switch(!pause);
}

void record_end(void) {
  if (!begun) return;
  trace_end();
  record_switch(false);
  record_report_one_sided();
  record_peers_end();
  if (record_wants_counts()) write_file();
  begun = false;
}

int MPI_Init(int *argc, char ***argv) {
  const int result = PMPI_Init(argc, argv);
  if (result == MPI_SUCCESS) record_begin();
  return result;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  const int result = PMPI_Init_thread(argc, argv, required, provided);
  if (result == MPI_SUCCESS) record_begin();
  return result;
}

/* MPI_Pcontrol(0) pauses the recording, any other level resumes it. */
int MPI_Pcontrol(const int level, ...) {
  record_pause(level == 0);
  return MPI_SUCCESS;
}

int MPI_Finalize(void) {
  trace_enter();
  record_end();
  return PMPI_Finalize();
}
