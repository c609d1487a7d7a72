/* Files of MPI-IO: what one process writes another reads, through views and without. */
#include <stdio.h>

#include "check.h"

static char path[100];

/* Everyone writes a block at an offset of its own and reads that of the next process. */
static void check_offsets(int rank, int size) {
  MPI_File file;
  MPI_Status status;
  MPI_Offset bytes;
  int sent[3] = {100 * rank, 100 * rank + 1, 100 * rank + 2}, got[3] = {-1, -1, -1}, count;
  const int next = (rank + 1) % size;
  CHECK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                      &file) == MPI_SUCCESS);
  CHECK(MPI_File_write_at_all(file, 12 * rank, sent, 3, MPI_INT, &status) == MPI_SUCCESS);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(count == 3);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(MPI_File_read_at(file, 12 * next, got, 3, MPI_INT, &status) == MPI_SUCCESS);
  CHECK(got[0] == 100 * next && got[1] == 100 * next + 1 && got[2] == 100 * next + 2);
  MPI_File_get_size(file, &bytes);
  CHECK(bytes == 12 * size);
  /* At the end of the file there is less. */
  CHECK(MPI_File_read_at(file, 12 * size - 4, got, 3, MPI_INT, &status) == MPI_SUCCESS);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(count == 1 && got[0] == 100 * (size - 1) + 2);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_close(&file);
  CHECK(file == MPI_FILE_NULL);
}

/* Columns of a matrix whose rows lie together in the file; the position of the process. */
static void check_view(int rank, int size) {
  enum { rows = 5 };
  MPI_File file;
  MPI_Datatype column;
  MPI_Offset position;
  const int sizes[2] = {rows, size}, parts[2] = {rows, 1}, starts[2] = {0, rank};
  int mine[rows], got[2] = {-1, -1}, all[rows];
  for (int i = 0; i < rows; ++i) mine[i] = 10 * i + 1000 * rank;
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &column);
  MPI_Type_commit(&column);
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_set_size(file, 0);
  MPI_File_set_view(file, 8, MPI_INT, column, "native", MPI_INFO_NULL);
  CHECK(MPI_File_write(file, mine, 2, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(MPI_File_write_all(file, mine + 2, rows - 2, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  /* Open MPI 4.1's own MPI-IO leaves a collective write before the process that writes for the
   * others has done so; MPI-4.0 (14.6.1) wants a later read through the same handle to see it. */
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_get_position(file, &position);
  CHECK(position == rows);
  MPI_File_get_byte_offset(file, rows + 2, &position); /* row 2 of the next matrix */
  CHECK(position == 8 + 4 * (rows * size + 2 * size + rank));
  MPI_File_seek(file, 3, MPI_SEEK_SET);
  CHECK(MPI_File_read(file, got, 2, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(got[0] == mine[3] && got[1] == mine[4]);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  for (int i = 0; i < rows; ++i) {
    MPI_File_read_at(file, 2 + i * size + size - 1, &all[i], 1, MPI_INT, MPI_STATUS_IGNORE);
    CHECK(all[i] == 10 * i + 1000 * (size - 1));
  }
  MPI_Type_free(&column);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_close(&file);
}

/* Integers with gaps between them: the file ends with the last one. By MPICH's test io/resized. */
static void check_gaps(void) {
  MPI_File file;
  MPI_Datatype with_gap;
  MPI_Offset bytes;
  int numbers[] = {10, 20}, got[4] = {-1, -1, -1, -1};
  MPI_Type_create_resized(MPI_INT, sizeof(int), 3 * sizeof(int), &with_gap);
  MPI_Type_commit(&with_gap);
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_set_size(file, 0);
  MPI_File_set_view(file, 0, MPI_INT, with_gap, "native", MPI_INFO_NULL);
  CHECK(MPI_File_write(file, numbers, 2, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  MPI_File_get_size(file, &bytes);
  CHECK(bytes == 16);
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  MPI_File_read_at(file, 0, got, 4, MPI_INT, MPI_STATUS_IGNORE);
  CHECK(got[0] == 10 && got[3] == 20);
  MPI_Type_free(&with_gap);
  MPI_File_close(&file);
}

/* Transfers that do not block, in two steps, and by the shared pointer. */
static void check_requests(int rank, int size) {
  MPI_File file;
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Offset place;
  int sent[2] = {10 * rank, 10 * rank + 1}, got[2] = {-1, -1}, count, sum = 0, all = 0;
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_set_size(file, 0);
  CHECK(MPI_File_iwrite_at(file, 8 * rank, sent, 1, MPI_INT, requests) == MPI_SUCCESS);
  CHECK(MPI_File_iwrite_at(file, 8 * rank + 4, sent + 1, 1, MPI_INT, requests + 1) == MPI_SUCCESS);
  MPI_Waitall(2, requests, statuses);
  MPI_Get_count(statuses + 1, MPI_INT, &count);
  CHECK(count == 1 && requests[0] == MPI_REQUEST_NULL);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_seek(file, 8 * ((rank + 1) % size), MPI_SEEK_SET);
  CHECK(MPI_File_iread(file, got, 2, MPI_INT, requests) == MPI_SUCCESS);
  MPI_Wait(requests, statuses);
  MPI_Get_count(statuses, MPI_INT, &count);
  CHECK(count == 2 && got[0] == 10 * ((rank + 1) % size) && got[1] == got[0] + 1);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(MPI_File_write_at_all_begin(file, 4 * rank, sent + 1, 1, MPI_INT) == MPI_SUCCESS);
  CHECK(MPI_File_write_at_all_end(file, sent + 1, statuses) == MPI_SUCCESS);
  MPI_Get_count(statuses, MPI_INT, &count);
  CHECK(count == 1);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  /* Each of all gets another one's. */
  CHECK(MPI_File_read_shared(file, got, 1, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  MPI_Allreduce(got, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(sent + 1, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == all);
  MPI_File_get_position_shared(file, &place);
  CHECK(place == 4 * size);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_seek_shared(file, 8, MPI_SEEK_SET);
  /* Rank r writes r % 2 + 1 elements behind those of the ranks before. */
  CHECK(MPI_File_write_ordered(file, sent, rank % 2 + 1, MPI_INT, MPI_STATUS_IGNORE) ==
        MPI_SUCCESS);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_read_at(file, 8 + 4 * (rank + rank / 2), got, 1, MPI_INT, MPI_STATUS_IGNORE);
  CHECK(got[0] == sent[0]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_close(&file);
  /* The view begins where the shared pointer is: behind the first two elements. */
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL, &file);
  if (rank == 0) MPI_File_read_shared(file, got, 2, MPI_INT, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native",
                          MPI_INFO_NULL) == MPI_SUCCESS);
  CHECK(MPI_File_read_ordered(file, got, 1, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  MPI_File_close(&file);
}

static int errors_handled;

static void handle_error(MPI_File* file, int* code, ...) {
  (void)file;
  errors_handled += *code != MPI_SUCCESS;
}

/* A handler of the program, of files that are not open and of one that is. */
static void check_handlers(void) {
  MPI_File file;
  MPI_Errhandler handler, before;
  int value = 0;
  MPI_File_create_errhandler(handle_error, &handler);
  MPI_File_get_errhandler(MPI_FILE_NULL, &before);
  MPI_File_set_errhandler(MPI_FILE_NULL, handler);
  MPI_File_open(MPI_COMM_SELF, "/absent/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  CHECK(errors_handled == 1);
  MPI_File_set_errhandler(MPI_FILE_NULL, before);
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  CHECK(MPI_File_write(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE) != MPI_SUCCESS &&
        errors_handled == 1);
  MPI_File_set_errhandler(file, handler);
  CHECK(MPI_File_write(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE) != MPI_SUCCESS &&
        errors_handled == 2);
  MPI_Errhandler_free(&handler);
  MPI_File_close(&file);
}

/* Files that are not there, or are to be deleted. */
static void check_errors(void) {
  MPI_File file;
  int class;
  int code = MPI_File_open(MPI_COMM_SELF, "/absent/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_Error_class(code, &class);
  CHECK(class == MPI_ERR_NO_SUCH_FILE);
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                &file);
  CHECK(MPI_File_write(file, &class, 1, MPI_INT, MPI_STATUS_IGNORE) != MPI_SUCCESS);
  MPI_File_close(&file);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS);
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  snprintf(path, sizeof path, "%s.data", argv[0]);
  if (rank == 0) remove(path);
  MPI_Barrier(MPI_COMM_WORLD);
  check_offsets(rank, size);
  check_view(rank, size);
  if (rank == 0) check_gaps();
  MPI_Barrier(MPI_COMM_WORLD);
  check_requests(rank, size);
  check_handlers();
  MPI_Barrier(MPI_COMM_WORLD);
  check_errors();
  return finish_checks();
}
