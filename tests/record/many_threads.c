/* Each of 4 processes has 4 threads; each thread sends 500 messages of 3 bytes to the next rank on
   a communicator that all threads use for the first time at once: 25 before it receives as many, since threads that
   wait poll. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { threads = 4, messages = 500, at_once = 25 };
static MPI_Comm comm;
static int rank, size;

static void *run(void *argument) {
  const int tag = (int)(long)argument, next = (rank + 1) % size, last = (rank + size - 1) % size;
  char out[3] = "", in[3];
  for (int i = 0; i < messages; i += at_once) {
    for (int k = 0; k < at_once; ++k) MPI_Send(out, 3, MPI_BYTE, next, tag, comm);
    for (int k = 0; k < at_once; ++k) MPI_Recv(in, 3, MPI_BYTE, last, tag, comm, MPI_STATUS_IGNORE);
  }
  return NULL;
}

int main(int argc, char **argv) {
  int provided;
  pthread_t thread[threads];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) {
    puts("no MPI_THREAD_MULTIPLE");
    MPI_Finalize();
    return 0;
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (long t = 0; t < threads; ++t) pthread_create(&thread[t], NULL, run, (void *)t);
  for (int t = 0; t < threads; ++t) pthread_join(thread[t], NULL);
  MPI_Finalize();
}
