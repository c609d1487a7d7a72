/* The faults of SMPI that libvtopo_smpi_repairs mends, one per name (the argument). A run is right
 * if it ends with code 0 and "0 failed"; smpi_faults_test.sh says what is right for those that end
 * otherwise. Valid MPI but for the names that say so; expected values follow from ranks. */
#include <stddef.h>
#include <string.h>

#include "check.h"

static int rank, size;
#define world MPI_COMM_WORLD

/* 1000 questions, each of which simulated time passes for: far below a second. */
static void polls(void) {
  int there = 0;
  const double begin = MPI_Wtime();
  for (int i = 0; i < 1000; ++i) MPI_Iprobe(rank, 0, world, &there, MPI_STATUS_IGNORE);
  CHECK(!there);
  CHECK(MPI_Wtime() - begin < 0.5);
}

static void null_test(void) {
  MPI_Request none = MPI_REQUEST_NULL;
  int flag = 7;
  MPI_Test(&none, &flag, MPI_STATUS_IGNORE);
  CHECK(flag == 1);
}

/* Ten seconds of simulated time, in which nothing happens. */
static void wtime_loop(void) {
  const double begin = MPI_Wtime();
  while (MPI_Wtime() - begin < 10) continue;
  CHECK(MPI_Wtime() - begin < 11);
}

static void probe(void) {
  if (rank == 0) MPI_Probe(1, 0, world, MPI_STATUS_IGNORE);
}

static void deadlock(void) {
  int word;
  if (rank < 2) MPI_Recv(&word, 1, MPI_INT, 1 - rank, 0, world, MPI_STATUS_IGNORE);
}

static void abort_code(void) {
  if (rank == 2) MPI_Abort(world, 7);
}

static void call_errhandler(void) {
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  CHECK(MPI_Comm_call_errhandler(world, MPI_ERR_TAG) == MPI_SUCCESS);
}

static int num_handled;
static void count_error(MPI_Comm* comm, int* code, ...) {
  num_handled += *comm != MPI_COMM_NULL && class_of(*code) == MPI_ERR_RANK;
}

/* A wrong call, whose error the handler of the old communicator gets. */
static void inherited_handler(void) {
  MPI_Errhandler handler;
  MPI_Comm copy;
  int word = 0;
  MPI_Comm_create_errhandler(count_error, &handler);
  MPI_Comm_set_errhandler(world, handler);
  MPI_Comm_split(world, 0, rank, &copy);
  CHECK_CLASS(MPI_Send(&word, 1, MPI_INT, size, 0, copy), MPI_ERR_RANK);
  CHECK(num_handled == 1);
}

/* Wrong: simulated ranks have no names of services. */
static void absent(void) {
  char port[MPI_MAX_PORT_NAME];
  if (rank == 2) MPI_Open_port(MPI_INFO_NULL, port);
}

static void empty_lists(void) {
  MPI_Group all, made = MPI_GROUP_NULL;
  int result = -1;
  MPI_Comm_group(world, &all);
  MPI_Group_excl(all, 0, NULL, &made);
  MPI_Group_compare(all, made, &result);
  CHECK(result == MPI_IDENT);
  MPI_Group_range_incl(all, 0, NULL, &made);
  CHECK(made == MPI_GROUP_EMPTY);
  CHECK(MPI_Group_translate_ranks(all, 0, NULL, all, NULL) == MPI_SUCCESS);
}

/* Even and odd ranks: each sends its rank to the other group. */
static void intercommunicator(void) {
  MPI_Comm half, groups = MPI_COMM_NULL;
  MPI_Status status;
  int got = -1, remote = -1, sum = -1;
  MPI_Comm_split(world, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, world, 1 - rank % 2, 4, &groups);
  MPI_Comm_remote_size(groups, &remote);
  CHECK(remote == (rank % 2 ? (size + 1) / 2 : size / 2));
  MPI_Sendrecv(&rank, 1, MPI_INT, rank / 2, 4, &got, 1, MPI_INT, rank / 2, 4, groups, &status);
  CHECK(got == (rank ^ 1) && status.MPI_SOURCE == rank / 2);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, groups);
  CHECK(sum == (rank % 2 ? 2 : 4)); /* 0 + 2, 1 + 3 */
  MPI_Comm_free(&groups);
}

/* Wrong: the error is fatal. */
static void fatal_error(void) {
  MPI_Group group;
  if (rank == 1) MPI_Comm_group(MPI_COMM_NULL, &group);
}

static void win_attributes(void) {
  MPI_Win window;
  int word = 0, flag = 0, *flavor = NULL;
  MPI_Win_create(&word, sizeof word, 1, MPI_INFO_NULL, world, &window);
  MPI_Win_get_attr(window, MPI_WIN_CREATE_FLAVOR, &flavor, &flag);
  CHECK(flag && flavor && *flavor == MPI_WIN_FLAVOR_CREATE);
  MPI_Win_free(&window);
}

static void own_status(void) {
  MPI_Status status;
  int word = 0, got = 0;
  MPI_Sendrecv(&word, 1, MPI_INT, rank, 3, &got, 1, MPI_INT, rank, 3, world, &status);
  CHECK(status.MPI_SOURCE == rank && status.MPI_TAG == 3);
}

static void empty_type(void) {
  MPI_Datatype empty;
  int word = 0, got = 5;
  MPI_Type_vector(1, 0, 1, MPI_INT, &empty);
  MPI_Type_commit(&empty);
  MPI_Sendrecv(&word, 1, empty, rank, 3, &got, 1, MPI_INT, rank, 3, world, MPI_STATUS_IGNORE);
  CHECK(got == 5);
  MPI_Type_free(&empty);
}

/* Down a chain: each takes one word less than it has room for, so that its last word stays. */
static void sendrecv_replace(void) {
  enum { most = 64 };
  int words[most];
  const int count = size - rank, above = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  const int below = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  for (int i = 0; i < count; ++i) words[i] = 100 * rank + i;
  MPI_Sendrecv_replace(words, count, MPI_INT, below, 0, above, 0, world, MPI_STATUS_IGNORE);
  for (int i = 0; i < count - 1; ++i) CHECK(words[i] == 100 * (rank + 1) + i);
  CHECK(words[count - 1] == 100 * rank + count - 1);
}

static void split_type(void) {
  MPI_Comm made;
  int wrong = MPI_SUCCESS, new_rank = -1, new_size = 0;
  MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &made);
  MPI_Comm_rank(made, &new_rank);
  MPI_Comm_size(made, &new_size);
  CHECK(new_size == 1 || new_rank == new_size - 1 - rank);
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  wrong = MPI_Comm_split_type(world, 4711, 0, MPI_INFO_NULL, &made);
  CHECK_CLASS(wrong, MPI_ERR_ARG);
}

static void idup(void) {
  MPI_Comm copy = MPI_COMM_NULL, parent = world;
  MPI_Request request;
  int result = -1;
  MPI_Comm_idup(world, &copy, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_compare(world, copy, &result);
  CHECK(result == MPI_CONGRUENT);
  MPI_Comm_get_parent(&parent);
  CHECK(parent == MPI_COMM_NULL);
}

static void mprobe(void) {
  MPI_Message message;
  MPI_Request sent;
  int got = -1;
  MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 5, world, &sent);
  MPI_Mprobe((rank + size - 1) % size, 5, world, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(&got, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
  CHECK(got == (rank + size - 1) % size);
}

static void darray(void) {
  int elements = 8, kind = MPI_DISTRIBUTE_CYCLIC, argument = MPI_DISTRIBUTE_DFLT_DARG, bytes = 0;
  MPI_Datatype type;
  MPI_Type_create_darray(size, rank, 1, &elements, &kind, &argument, &size, MPI_ORDER_C, MPI_INT,
                         &type);
  MPI_Type_size(type, &bytes);
  CHECK(bytes == (int)sizeof(int) * (8 / size + (rank < 8 % size)));
}

static void get_elements(void) {
  MPI_Datatype pair;
  MPI_Status status;
  int words[4] = {0}, got[4], elements = 0;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Sendrecv(words, 3, MPI_INT, rank, 0, got, 2, pair, rank, 0, world, &status);
  MPI_Get_elements(&status, pair, &elements);
  CHECK(elements == 3);
}

static void match_size(void) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int bytes = 0;
  MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type);
  MPI_Type_size(type, &bytes);
  CHECK(bytes == 8);
}

static void added_errors(void) {
  int code = -1;
  MPI_Add_error_class(&code);
  CHECK(code > MPI_ERR_LASTCODE);
}

static void subarray(void) {
  const int sizes[2] = {3, 5}, parts[2] = {2, 2}, starts[2] = {1, 1};
  MPI_Datatype type;
  MPI_Aint lower = -1, extent = 0;
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &type);
  MPI_Type_get_extent(type, &lower, &extent);
  CHECK(lower == 0 && extent == 15 * (MPI_Aint)sizeof(int));
}

/* A block without elements is nowhere. */
static void empty_block(void) {
  const int lengths[3] = {1, 0, 2};
  const MPI_Aint places[3] = {8, 100, 0};
  const MPI_Datatype types[3] = {MPI_DOUBLE, MPI_INT, MPI_CHAR};
  MPI_Datatype type;
  MPI_Aint lower = -1, extent = 0;
  MPI_Type_create_struct(3, lengths, places, types, &type);
  MPI_Type_get_extent(type, &lower, &extent);
  CHECK(lower == 0 && extent == 16);
  MPI_Type_indexed(2, (int[]){0, 2}, (int[]){50, 0}, MPI_INT, &type);
  MPI_Type_get_extent(type, &lower, &extent);
  CHECK(lower == 0 && extent == 2 * (MPI_Aint)sizeof(int));
}

/* An array of structures as the compiler has it, also of such ones inside others. */
static void aligned(void) {
  struct Particle {
    double x;
    int kind;
  };
  struct Named {
    struct Particle particle;
    char name;
  };
  struct Named sent[3] = {{{1.5, 1}, 'a'}, {{2.5, 2}, 'b'}, {{3.5, 3}, 'c'}}, got[3];
  MPI_Datatype particle, named;
  MPI_Aint lower = -1, extent = 0;
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8},
                         (MPI_Datatype[]){MPI_DOUBLE, MPI_INT}, &particle);
  MPI_Type_get_extent(particle, &lower, &extent);
  CHECK(lower == 0 && extent == (MPI_Aint)sizeof(struct Particle));
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 16},
                         (MPI_Datatype[]){particle, MPI_CHAR}, &named);
  MPI_Type_commit(&named);
  memset(got, 0, sizeof got);
  MPI_Sendrecv(sent, 3, named, (rank + 1) % size, 0, got, 3, named, (rank + size - 1) % size, 0,
               world, MPI_STATUS_IGNORE);
  for (int i = 0; i < 3; ++i)
    CHECK(got[i].particle.x == 1.5 + i && got[i].particle.kind == i + 1 && got[i].name == 'a' + i);
}

/* Lower bound, extent and those of the data, in integers (MPI-4.0, 5.1.7 and 5.1.8). */
static int reaches(MPI_Datatype type, int lower, int extent, int true_lower, int true_extent) {
  MPI_Aint found[4];
  const int expected[4] = {lower, extent, true_lower, true_extent};
  int same = 1;
  MPI_Type_get_extent(type, found, found + 1);
  MPI_Type_get_true_extent(type, found + 2, found + 3);
  for (int i = 0; i < 4; ++i) same &= found[i] == expected[i] * (MPI_Aint)sizeof(int);
  return same;
}

/* Integers at -4 -2 0; at 2 7; one with a gap on both sides, and three of those; at 6 7 8, 11 12 13
 * of 20. A bound that the program sets hides that of data. */
static void reach(void) {
  MPI_Datatype back, apart, wide, wides, part, pair, twin;
  const MPI_Aint word = sizeof(int);
  MPI_Type_vector(3, 1, -2, MPI_INT, &back);
  CHECK(reaches(back, -4, 5, -4, 5));
  MPI_Type_create_hvector(3, 2, -3 * word, MPI_INT, &twin);
  CHECK(reaches(twin, -6, 8, -6, 8));
  MPI_Type_indexed(2, (int[]){1, 1}, (int[]){2, 7}, MPI_INT, &apart);
  CHECK(reaches(apart, 2, 6, 2, 6));
  MPI_Type_create_resized(MPI_INT, -word, 3 * word, &wide);
  CHECK(reaches(wide, -1, 3, 0, 1));
  MPI_Type_contiguous(3, wide, &wides);
  CHECK(reaches(wides, -1, 9, 0, 7));
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8 * word},
                         (MPI_Datatype[]){wide, MPI_INT}, &pair);
  CHECK(reaches(pair, -1, 3, 0, 9));
  MPI_Type_dup(pair, &twin);
  CHECK(reaches(twin, -1, 3, 0, 9));
  MPI_Type_create_subarray(2, (int[]){4, 5}, (int[]){2, 3}, (int[]){1, 1}, MPI_ORDER_C, MPI_INT,
                           &part);
  CHECK(reaches(part, 0, 20, 6, 8));
  MPI_Type_create_resized(MPI_INT, 0, -2 * word, &twin);
  MPI_Type_contiguous(3, twin, &twin);
  CHECK(reaches(twin, -4, 2, -4, 5));
}

/* What two elements of a type have in a buffer of 0, 1, 2, ..., and what the type is. */
static void check_elements(MPI_Datatype type, const int* expected, int count) {
  int words[64], got[64], back[64];
  for (int i = 0; i < 64; ++i) words[i] = i, got[i] = back[i] = -1;
  MPI_Type_commit(&type);
  MPI_Sendrecv(words + 32, 2, type, rank, 0, got, 64, MPI_INT, rank, 0, world, MPI_STATUS_IGNORE);
  for (int i = 0; i < count; ++i) CHECK(got[i] == expected[i]);
  CHECK(got[count] == -1);
  MPI_Sendrecv(got, count, MPI_INT, rank, 0, back + 32, 2, type, rank, 0, world, MPI_STATUS_IGNORE);
  for (int i = 0; i < count; ++i) CHECK(back[expected[i]] == expected[i]);
  MPI_Type_free(&type);
}

/* The second element is an extent behind the first (MPI-4.0, 5.1.11). */
static void next_element(void) {
  MPI_Datatype type, wide;
  MPI_Type_vector(3, 1, -2, MPI_INT, &type);
  check_elements(type, (int[]){32, 30, 28, 37, 35, 33}, 6);
  MPI_Type_indexed(2, (int[]){1, 1}, (int[]){2, 7}, MPI_INT, &type);
  check_elements(type, (int[]){34, 39, 40, 45}, 4);
  MPI_Type_create_hindexed(3, (int[]){1, 2, 1}, (MPI_Aint[]){16, -12, 4}, MPI_INT, &type);
  check_elements(type, (int[]){36, 29, 30, 33, 44, 37, 38, 41}, 8);
  MPI_Type_create_indexed_block(2, 2, (int[]){3, -1}, MPI_INT, &type);
  check_elements(type, (int[]){35, 36, 31, 32, 41, 42, 37, 38}, 8);
  MPI_Type_create_resized(MPI_INT, -4, 12, &wide);
  MPI_Type_contiguous(2, wide, &type);
  check_elements(type, (int[]){32, 35, 38, 41}, 4);
  MPI_Type_create_struct(2, (int[]){1, 2}, (MPI_Aint[]){8, -8}, (MPI_Datatype[]){MPI_INT, MPI_INT},
                         &type);
  check_elements(type, (int[]){34, 30, 31, 39, 35, 36}, 6);
}

/* A structure is one, with gaps or without, with the types that it was made of. */
static void envelope(void) {
  for (int gap = 0; gap < 2; ++gap) {
    int integers = 0, addresses = 0, types = 0, combiner = -1, lengths[3] = {0};
    MPI_Aint places[2] = {0};
    MPI_Datatype type, parts[2] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
    MPI_Type_create_struct(2, (int[]){1, 3}, (MPI_Aint[]){8 * gap, 4 + 16 * gap},
                           (MPI_Datatype[]){MPI_INT, MPI_FLOAT}, &type);
    MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    CHECK(integers == 3 && addresses == 2 && types == 2 && combiner == MPI_COMBINER_STRUCT);
    if (combiner != MPI_COMBINER_STRUCT) continue;
    MPI_Type_get_contents(type, 3, 2, 2, lengths, places, parts);
    CHECK(lengths[0] == 2 && lengths[1] == 1 && lengths[2] == 3);
    CHECK(places[0] == 8 * gap && places[1] == 4 + 16 * gap);
    CHECK(parts[0] == MPI_INT && parts[1] == MPI_FLOAT);
  }
}

/* external32 is big-endian, a long has 4 bytes and a long double 16 (MPI-4.0, 14.5.2). */
static void external(void) {
  struct Mixed {
    int number;
    float real;
    double more[2];
    long whole;
    char letter;
    long double most;
  } sent = {-2, 1.0f, {1.0, -2.0}, -3, 'x', 1.5L}, got;
  const unsigned char expected[45] = {0xff, 0xff, 0xff, 0xfe, 0x3f, 0x80, 0,   0,    0x3f, 0xf0, 0,
                                      0,    0,    0,    0,    0,    0xc0, 0,   0,    0,    0,    0,
                                      0,    0,    0xff, 0xff, 0xff, 0xfd, 'x', 0x3f, 0xff, 0x80};
  unsigned char packed[100] = {0};
  char external32[] = "external32";
  MPI_Datatype type;
  MPI_Aint bytes = 0, position = 0;
  memset(&got, 0, sizeof got);
  MPI_Type_create_struct(
      6, (int[]){1, 1, 2, 1, 1, 1},
      (MPI_Aint[]){offsetof(struct Mixed, number), offsetof(struct Mixed, real),
                   offsetof(struct Mixed, more), offsetof(struct Mixed, whole),
                   offsetof(struct Mixed, letter), offsetof(struct Mixed, most)},
      (MPI_Datatype[]){MPI_INT, MPI_FLOAT, MPI_DOUBLE, MPI_LONG, MPI_CHAR, MPI_LONG_DOUBLE}, &type);
  MPI_Type_commit(&type);
  MPI_Pack_external_size(external32, 2, type, &bytes);
  CHECK(bytes == 90);
  MPI_Pack_external(external32, &sent, 1, type, packed, sizeof packed, &position);
  CHECK(position == 45 && !memcmp(packed, expected, sizeof expected));
  position = 0;
  MPI_Unpack_external(external32, packed, sizeof packed, &position, &got, 1, type);
  CHECK(position == 45 && got.number == -2 && got.real == 1 && got.more[0] == 1);
  CHECK(got.more[1] == -2 && got.whole == -3 && got.letter == 'x' && got.most == 1.5L);
  /* A structure without gaps, a pair: an index is a number of its own. */
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 4}, (MPI_Datatype[]){MPI_INT, MPI_INT},
                         &type);
  MPI_Type_commit(&type);
  position = 0;
  MPI_Pack_external(external32, (int[]){1, 2}, 1, type, packed, sizeof packed, &position);
  CHECK(position == 8 && packed[3] == 1 && packed[7] == 2 && packed[0] == 0);
  MPI_Pack_external_size(external32, 1, MPI_DOUBLE_INT, &bytes);
  CHECK(bytes == 12);
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  position = 0;
  CHECK_CLASS(MPI_Pack_external(external32, &sent, 1, MPI_INT, packed, 3, &position),
              MPI_ERR_TRUNCATE);
  CHECK_CLASS(MPI_Pack_external(external32, (long[]){1L << 40}, 1, MPI_LONG, packed, sizeof packed,
                                &position),
              MPI_ERR_CONVERSION);
  CHECK(position == 0);
}

static void empty_names(void) {
  MPI_Datatype pair;
  char name[MPI_MAX_OBJECT_NAME] = "old";
  int length = -1;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_get_name(pair, name, &length);
  CHECK(length == 0 && name[0] == '\0');
}

static void cut_info(void) {
  MPI_Info info;
  char value[] = "......";
  int there = 0;
  MPI_Info_create(&info);
  MPI_Info_set(info, "key", "value");
  MPI_Info_get(info, "key", 2, value, &there);
  CHECK(there && strcmp(value, "va") == 0);
  MPI_Info_free(&info);
}

/* Attributes of MPI_COMM_SELF are deleted before anything else, in reverse. */
static int num_deleted;
static int delete_own(MPI_Comm comm, int keyval, void* value, void* extra) {
  int finalized = 1;
  (void)keyval, (void)extra;
  MPI_Finalized(&finalized);
  const int right = comm == MPI_COMM_SELF && !finalized && *(int*)value == 2 - num_deleted++;
  if (!right) printf("1 failed: an attribute of MPI_COMM_SELF\n"), fflush(stdout), abort();
  return MPI_SUCCESS;
}
static void own_attributes(void) {
  static int values[3] = {0, 1, 2};
  for (int i = 0; i < 3; ++i) {
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_own, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &values[i]);
    if (i == 1) MPI_Comm_free_keyval(&key); /* the attribute stays */
  }
}

/* x -> a x + b modulo 9973, one after the other: associative, and does not commute. */
enum { prime = 9973 };
static void compose(void* in, void* inout, int* count, MPI_Datatype* type) {
  const int* first = in;
  int* then = inout;
  (void)type;
  for (int i = 0; i < *count; ++i, first += 2, then += 2) {
    then[1] = (then[0] * first[1] + then[1]) % prime;
    then[0] = then[0] * first[0] % prime;
  }
}

static MPI_Datatype map_type;
static MPI_Op composition;
static void make_composition(void) {
  MPI_Type_contiguous(2, MPI_INT, &map_type);
  MPI_Type_commit(&map_type);
  MPI_Op_create(compose, 0, &composition);
}

/* That of the first `count` ranks. */
static int is_composition(const int* map, int count) {
  int expected[2] = {1, 0};
  for (int r = 0; r < count; ++r) {
    int next[2] = {r + 2, 3 * r + 1}, one = 1;
    compose(expected, next, &one, &map_type);
    memcpy(expected, next, sizeof next);
  }
  return map[0] == expected[0] && map[1] == expected[1];
}

/* The last rank comes first. */
static void wait_in_reverse(void) {
  const double end = MPI_Wtime() + 1e-3 * (size - rank);
  while (MPI_Wtime() < end) continue;
}

static void ireduce(void) {
  const int own[2] = {rank + 2, 3 * rank + 1};
  int result[2] = {0, 0};
  MPI_Request request;
  make_composition();
  wait_in_reverse();
  MPI_Iallreduce(own, result, 1, map_type, composition, world, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(is_composition(result, size));
}

static void iexscan(void) {
  const int own = rank + 5;
  int result = -1;
  MPI_Request request;
  MPI_Iexscan(&own, &result, 1, MPI_INT, MPI_MIN, world, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(rank == 0 || result == 5);
}

static void scan(void) {
  const int own[2] = {rank + 2, 3 * rank + 1};
  int result[2] = {0, 0};
  make_composition();
  wait_in_reverse();
  MPI_Scan(own, result, 1, map_type, composition, world);
  CHECK(is_composition(result, rank + 1));
}

static void chosen_algorithm(void) {
  const int own[2] = {rank + 2, 3 * rank + 1};
  int result[2] = {0, 0};
  make_composition();
  MPI_Allreduce(own, result, 1, map_type, composition, world);
  CHECK(is_composition(result, size));
}

static void shared_window(void) {
  MPI_Comm node;
  MPI_Win window;
  MPI_Aint bytes = 0;
  int *mine, *first = NULL, unit = 0, node_rank;
  MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &node_rank);
  MPI_Win_allocate_shared((node_rank + 1) * (MPI_Aint)sizeof(int), sizeof(int), MPI_INFO_NULL, node,
                          &mine, &window);
  *mine = rank;
  MPI_Barrier(node);
  CHECK(*mine == rank);
  MPI_Win_shared_query(window, node_rank, &bytes, &unit, &first);
  CHECK(first == mine && bytes == (node_rank + 1) * (MPI_Aint)sizeof(int));
  MPI_Barrier(node);
  MPI_Win_free(&window);
}

static void exclusive_lock(void) {
  MPI_Win window;
  int counter = 0, value;
  MPI_Win_create(&counter, sizeof counter, sizeof counter, MPI_INFO_NULL, world, &window);
  MPI_Barrier(world);
  for (int i = 0; i < 5; ++i) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_flush(0, window);
    ++value;
    MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
  }
  MPI_Barrier(world);
  CHECK(rank != 0 || counter == 5 * size);
  MPI_Win_free(&window);
}

/* Each adds one and gets what was there before: all numbers, once. */
static void atomic(void) {
  MPI_Win window;
  int counter = 0, before = -1, sum = 0;
  const int one = 1;
  MPI_Request untouched = (MPI_Request)(void*)&counter, request = untouched;
  MPI_Win_create(&counter, sizeof counter, sizeof counter, MPI_INFO_NULL, world, &window);
  MPI_Win_lock_all(0, window);
  MPI_Rget_accumulate(&one, 1, MPI_INT, &before, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window,
                      &request);
  CHECK(request != untouched);
  if (request == untouched) return;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_unlock_all(window);
  MPI_Allreduce(&before, &sum, 1, MPI_INT, MPI_SUM, world);
  CHECK(sum == size * (size - 1) / 2);
  MPI_Win_free(&window);
}

static void window_wait(void) {
  MPI_Win window;
  volatile int word = 0;
  const int one = 1;
  MPI_Win_create((void*)&word, sizeof word, sizeof word, MPI_INFO_NULL, world, &window);
  MPI_Win_lock_all(0, window);
  if (rank == 1) MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
  MPI_Win_flush_all(window);
  while (rank == 0 && word == 0) MPI_Win_sync(window);
  MPI_Win_unlock_all(window);
  CHECK(rank != 0 || word == 1);
  MPI_Win_free(&window);
}

static void files(void) {
  MPI_File file;
  int got = -1;
  const char* name = "smpi_faults.data";
  MPI_File_open(world, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_write_at(file, (MPI_Offset)sizeof rank * rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  MPI_Barrier(world);
  MPI_File_read_at(file, (MPI_Offset)sizeof rank * ((rank + 1) % size), &got, 1, MPI_INT,
                   MPI_STATUS_IGNORE);
  CHECK(got == (rank + 1) % size);
  MPI_File_close(&file);
}

static void finish_late(void) {
  int done = 0;
  MPI_Finalized(&done);
  if (!done) MPI_Finalize();
}

static const struct {
  const char* name;
  void (*show)(void);
} faults[] = {{"polls", polls},
              {"null_test", null_test},
              {"wtime_loop", wtime_loop},
              {"probe", probe},
              {"deadlock", deadlock},
              {"abort", abort_code},
              {"call_errhandler", call_errhandler},
              {"inherited_handler", inherited_handler},
              {"absent", absent},
              {"intercommunicator", intercommunicator},
              {"empty_lists", empty_lists},
              {"fatal_error", fatal_error},
              {"win_attributes", win_attributes},
              {"own_status", own_status},
              {"empty_type", empty_type},
              {"sendrecv_replace", sendrecv_replace},
              {"split_type", split_type},
              {"idup", idup},
              {"mprobe", mprobe},
              {"darray", darray},
              {"get_elements", get_elements},
              {"match_size", match_size},
              {"added_errors", added_errors},
              {"subarray", subarray},
              {"empty_block", empty_block},
              {"aligned", aligned},
              {"reach", reach},
              {"next_element", next_element},
              {"envelope", envelope},
              {"external", external},
              {"empty_names", empty_names},
              {"cut_info", cut_info},
              {"own_attributes", own_attributes},
              {"ireduce", ireduce},
              {"iexscan", iexscan},
              {"scan", scan},
              {"chosen_algorithm", chosen_algorithm},
              {"shared_window", shared_window},
              {"exclusive_lock", exclusive_lock},
              {"atomic", atomic},
              {"window_wait", window_wait},
              {"files", files}};

int main(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "";
  if (!strcmp(name, "after_main")) atexit(finish_late);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  MPI_Barrier(world);
  if (!strcmp(name, "after_main")) {
    if (rank == 0) printf("0 failed\n");
    return 0;
  }
  if (!strcmp(name, "unfinished") && rank == 1) return 0;
  for (unsigned i = 0; i < sizeof faults / sizeof *faults; ++i)
    if (!strcmp(name, faults[i].name)) faults[i].show();
  if (strcmp(name, "unfinished")) return finish_checks();
  MPI_Finalize();
  return 0;
}
