/* Calls a function of MPI wrongly, as the argument says. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static const char* what;
static int value, other, world_size;

static int is(const char* name) {
  return strcmp(what, name) == 0;
}

static void call_on_one_process(void) {
  const MPI_Comm world = MPI_COMM_WORLD;
  MPI_Comm made;
  if (is("rank")) MPI_Send(&value, 1, MPI_INT, world_size, 0, world);
  if (is("count")) MPI_Send(&value, -1, MPI_INT, 0, 0, world);
  if (is("tag")) MPI_Ssend(&value, 1, MPI_INT, 0, -7, world);
  if (is("type")) MPI_Recv(&value, 1, MPI_DATATYPE_NULL, 0, 0, world, MPI_STATUS_IGNORE);
  if (is("null")) MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_NULL, MPI_STATUS_IGNORE);
  if (is("sendrecv"))
    MPI_Sendrecv(&value, 1, MPI_INT, 0, 0, &other, 1, MPI_INT, 99, 0, world, NULL);
  if (is("replace")) MPI_Sendrecv_replace(&value, 1, MPI_INT, 99, 0, 0, 0, world, NULL);
  if (is("probe")) MPI_Probe(99, 0, world, MPI_STATUS_IGNORE);
  if (is("wait")) MPI_Wait(NULL, MPI_STATUS_IGNORE);
  if (is("waitall")) MPI_Waitall(-1, NULL, MPI_STATUSES_IGNORE);
  if (is("test")) MPI_Test(NULL, NULL, MPI_STATUS_IGNORE);
  if (is("barrier")) MPI_Barrier(MPI_COMM_NULL);
  if (is("dup")) MPI_Comm_dup(MPI_COMM_NULL, &made);
  if (is("called")) MPI_Comm_call_errhandler(world, MPI_ERR_TAG);
  if (is("unknown")) MPI_Comm_call_errhandler(world, 12345);
  if (is("commit")) MPI_Type_commit(&(MPI_Datatype){MPI_DATATYPE_NULL});
  if (is("group")) MPI_Comm_group(MPI_COMM_NULL, &(MPI_Group){MPI_GROUP_NULL});
  if (is("incl")) MPI_Group_incl(MPI_GROUP_NULL, 1, &other, &(MPI_Group){MPI_GROUP_NULL});
  if (is("info")) MPI_Info_set(MPI_INFO_NULL, "a", "b");
  if (is("pack")) MPI_Pack(&value, -1, MPI_INT, &other, 4, &world_size, world);
  if (is("keyval")) MPI_Comm_get_attr(world, 4711, &made, &other);
  if (is("isend")) MPI_Isend(&value, 1, MPI_INT, 99, 0, world, &(MPI_Request){MPI_REQUEST_NULL});
}

static void call_on_all(int* argc, char*** argv) {
  MPI_Comm made;
  MPI_Win window;
  if (is("op")) MPI_Allreduce(&value, &other, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD);
  if (is("root")) MPI_Bcast(&value, 1, MPI_INT, world_size, MPI_COMM_WORLD);
  if (is("colour")) MPI_Comm_split(MPI_COMM_WORLD, -5, 0, &made);
  if (is("window")) MPI_Win_create(&value, -4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  if (is("init")) MPI_Init(argc, argv);
  if (is("init_thread")) MPI_Init_thread(argc, argv, MPI_THREAD_SINGLE, &value);
}

/* Errors that the program treats: a new communicator has the handler of the old one. */
static void call_with_handler(void) {
  MPI_Comm parts[2];
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &parts[0]);
  MPI_Comm_dup(parts[0], &parts[1]);
  for (int i = 0; i < 2; ++i)
    if (MPI_Send(&value, 1, MPI_INT, world_size, 0, parts[i]) == MPI_ERR_RANK) ++other;
  if (MPI_Allreduce(&value, &value, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD) == MPI_ERR_OP) ++other;
  if (MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_TAG) == MPI_SUCCESS) ++other;
  printf("%d of 4 errors returned\n", other);
}

int main(int argc, char** argv) {
  int rank;
  what = argc > 1 ? argv[1] : "";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  if (rank == 1) call_on_one_process();
  call_on_all(&argc, &argv);
  if (is("handler")) call_with_handler();
  MPI_Finalize();
  if (is("after_send")) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (is("after_barrier")) MPI_Barrier(MPI_COMM_WORLD);
  if (is("after_init")) MPI_Init(&argc, &argv);
  return 0;
}
