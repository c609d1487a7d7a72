/* What SMPI lacks or has wrong: attributes of windows, levels of threads, a communicator duplicated
 * meanwhile, types of hardware, distributed arrays, elements of a part of a message, errors of the
 * program's own. */
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "check.h"

static void* ask_from_thread(void* is_main) {
  MPI_Is_thread_main(is_main);
  return NULL;
}

static void check_threads(int provided) {
  int level = -1, is_main = 0, is_main_elsewhere = 1;
  pthread_t thread;
  CHECK(provided >= MPI_THREAD_FUNNELED);
  MPI_Query_thread(&level);
  CHECK(level == provided);
  MPI_Is_thread_main(&is_main);
  CHECK(is_main);
  pthread_create(&thread, NULL, ask_from_thread, &is_main_elsewhere);
  pthread_join(thread, NULL);
  CHECK(!is_main_elsewhere);
}

static void check_window(MPI_Win* window, int expected_flavor) {
  int *flavor = NULL, *model = NULL, has_flavor = 0, has_model = 0;
  MPI_Win_get_attr(*window, MPI_WIN_CREATE_FLAVOR, &flavor, &has_flavor);
  MPI_Win_get_attr(*window, MPI_WIN_MODEL, &model, &has_model);
  CHECK(has_flavor && *flavor == expected_flavor);
  CHECK(has_model && (*model == MPI_WIN_UNIFIED || *model == MPI_WIN_SEPARATE));
  MPI_Win_free(window);
}

static void check_windows(void) {
  double memory[2], *allocated;
  MPI_Win window;
  MPI_Comm node;
  MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  check_window(&window, MPI_WIN_FLAVOR_CREATE);
  MPI_Win_allocate(sizeof *allocated, sizeof *allocated, MPI_INFO_NULL, MPI_COMM_WORLD, &allocated,
                   &window);
  check_window(&window, MPI_WIN_FLAVOR_ALLOCATE);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  check_window(&window, MPI_WIN_FLAVOR_DYNAMIC);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Win_allocate_shared(sizeof *allocated, sizeof *allocated, MPI_INFO_NULL, node, &allocated,
                          &window);
  check_window(&window, MPI_WIN_FLAVOR_SHARED);
  MPI_Comm_free(&node);
}

/* Two duplications at once; one process sends before it waits, the next one receives before it
 * duplicates. */
static void check_duplicates(int rank, int size) {
  int dims[1] = {0}, periods[1] = {1}, kind = MPI_UNDEFINED, token = 0, result, sum = 0, one = 1,
      copied;
  MPI_Comm grid, copies[2], parent = MPI_COMM_WORLD;
  MPI_Request requests[2];
  dims[0] = size;
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
  MPI_Comm_set_errhandler(grid, MPI_ERRORS_RETURN);
  if (rank > 0) MPI_Recv(&token, 1, MPI_INT, rank - 1, 3, grid, MPI_STATUS_IGNORE);
  MPI_Comm_idup(grid, &copies[0], &requests[0]);
  MPI_Comm_idup(grid, &copies[1], &requests[1]);
  if (rank + 1 < size) MPI_Send(&token, 1, MPI_INT, rank + 1, 3, grid);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (copied = 0; copied < 2; ++copied) {
    MPI_Errhandler handler;
    MPI_Topo_test(copies[copied], &kind);
    CHECK(kind == MPI_CART);
    MPI_Comm_compare(grid, copies[copied], &result);
    CHECK(result == MPI_CONGRUENT);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, copies[copied]);
    CHECK(sum == size);
    MPI_Comm_get_errhandler(copies[copied], &handler);
    CHECK(handler == MPI_ERRORS_RETURN);
    MPI_Comm_free(&copies[copied]);
  }
  MPI_Comm_free(&grid);
  MPI_Comm_get_parent(&parent);
  CHECK(parent == MPI_COMM_NULL);
}

/* Cyclic over two processes and in blocks over three, of a 5 x 7 matrix: which elements each has,
 * by MPI-3.1 (4.1.4). */
static void check_distributed(int order) {
  enum { rows = 5, columns = 7, processes = 6 };
  const int sizes[2] = {rows, columns}, kinds[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK};
  const int arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}, grid[2] = {2, 3};
  int matrix[rows * columns], seen[rows * columns] = {0}, i, rank;
  for (i = 0; i < rows * columns; ++i) matrix[i] = i;
  for (rank = 0; rank < processes; ++rank) {
    int packed[rows * columns], expected[rows * columns], count = 0, position = 0, bytes, outer,
                                                          inner;
    MPI_Aint lower, extent;
    MPI_Datatype part;
    MPI_Type_create_darray(processes, rank, 2, (int*)sizes, (int*)kinds, (int*)arguments,
                           (int*)grid, order, MPI_INT, &part);
    MPI_Type_commit(&part);
    MPI_Type_get_extent(part, &lower, &extent);
    CHECK(lower == 0 && extent == (MPI_Aint)sizeof matrix);
    MPI_Pack_size(1, part, MPI_COMM_SELF, &bytes);
    MPI_Pack(matrix, 1, part, packed, sizeof packed, &position, MPI_COMM_SELF);
    for (outer = 0; outer < (order == MPI_ORDER_C ? rows : columns); ++outer)
      for (inner = 0; inner < (order == MPI_ORDER_C ? columns : rows); ++inner) {
        const int row = order == MPI_ORDER_C ? outer : inner,
                  column = order == MPI_ORDER_C ? inner : outer;
        if (row % 2 != rank / 3 || column / 3 != rank % 3) continue;
        expected[count++] = order == MPI_ORDER_C ? row * columns + column : column * rows + row;
      }
    CHECK(position == count * (int)sizeof(int));
    CHECK(memcmp(packed, expected, (size_t)position) == 0);
    for (i = 0; i < count; ++i) ++seen[packed[i]];
    MPI_Type_free(&part);
  }
  for (i = 0; i < rows * columns; ++i) CHECK(seen[i] == 1);
}

static void check_elements_of(MPI_Datatype type, int ints, int bytes, int expected) {
  char buffer[64], sent[64] = {0};
  int count = -7;
  MPI_Count long_count = -7;
  MPI_Status status;
  MPI_Request request;
  MPI_Irecv(buffer, 64 / (ints * (int)sizeof(int)), type, 0, 0, MPI_COMM_SELF, &request);
  MPI_Send(sent, bytes, MPI_BYTE, 0, 0, MPI_COMM_SELF);
  MPI_Wait(&request, &status);
  MPI_Get_elements(&status, type, &count);
  CHECK(count == expected);
  MPI_Get_elements_x(&status, type, &long_count);
  CHECK(long_count == expected);
}

static void check_elements(void) {
  struct pair {
    char letters[4];
    double number;
  };
  const int lengths[2] = {4, 1};
  const MPI_Aint places[2] = {offsetof(struct pair, letters), offsetof(struct pair, number)};
  const MPI_Datatype parts[2] = {MPI_CHAR, MPI_DOUBLE};
  MPI_Datatype three, pair;
  MPI_Type_contiguous(3, MPI_INT, &three);
  MPI_Type_commit(&three);
  check_elements_of(three, 3, 12, 3);
  check_elements_of(three, 3, 20, 5);
  check_elements_of(three, 3, 0, 0);
  MPI_Type_create_struct(2, lengths, places, parts, &pair);
  MPI_Type_commit(&pair);
  check_elements_of(pair, 4, 12, 5);
  check_elements_of(pair, 4, 15, 8);
  MPI_Type_free(&three);
  MPI_Type_free(&pair);
}

static void check_own_errors(void) {
  int own_class = -1, own_code = -1, length = 0, error_class = -1;
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  MPI_Add_error_class(&own_class);
  MPI_Add_error_code(own_class, &own_code);
  MPI_Add_error_string(own_code, (char*)"the mesh is empty");
  CHECK(own_class > MPI_ERR_LASTCODE && own_code > own_class);
  MPI_Error_class(own_code, &error_class);
  CHECK(error_class == own_class);
  MPI_Error_string(own_code, text, &length);
  CHECK(strcmp(text, "the mesh is empty") == 0 && length == (int)strlen(text));
}

static void check_types(void) {
  MPI_Datatype type;
  int bytes = 0;
  MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type);
  MPI_Type_size(type, &bytes);
  CHECK(bytes == 8);
  MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 4, &type);
  MPI_Type_size(type, &bytes);
  CHECK(bytes == 4);
  MPI_Type_create_f90_real(15, MPI_UNDEFINED, &type);
  MPI_Type_size(type, &bytes);
  CHECK(bytes == 8);
  MPI_Type_create_f90_integer(9, &type);
  MPI_Type_size(type, &bytes);
  CHECK(bytes == 4);
  MPI_Type_create_f90_complex(6, 30, &type);
  MPI_Type_size(type, &bytes);
  CHECK(bytes == 8);
}

int main(int argc, char** argv) {
  int rank, size, provided = -1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  share_processors();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check_threads(provided);
  check_windows();
  check_duplicates(rank, size);
  check_distributed(MPI_ORDER_C);
  check_distributed(MPI_ORDER_FORTRAN);
  check_elements();
  check_own_errors();
  check_types();
  return finish_checks();
}
