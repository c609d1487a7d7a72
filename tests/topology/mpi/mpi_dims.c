/* Answers of MPI_Dims_create: mpi_dims CALLS ANSWERS. Each line of CALLS is the number of ranks, the
 * number of dimensions and the sizes (0: free), each line of ANSWERS the sizes. Prints the version of
 * the library. */
#include <mpi.h>
#include <stdio.h>

#define MOST_DIMS 64

int main(int argc, char** argv) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0, num_ranks = 0, ndims = 0, dims[MOST_DIMS];
  MPI_Init(&argc, &argv);
  MPI_Get_library_version(version, &length);
  puts(version);
  FILE* calls = argc == 3 ? fopen(argv[1], "r") : NULL;
  FILE* answers = calls ? fopen(argv[2], "w") : NULL;
  if (!answers) return 1;
  while (fscanf(calls, "%d %d", &num_ranks, &ndims) == 2 && ndims <= MOST_DIMS) {
    for (int i = 0; i < ndims; ++i)
      if (fscanf(calls, "%d", &dims[i]) != 1) return 1;
    MPI_Dims_create(num_ranks, ndims, dims);
    for (int i = 0; i < ndims; ++i) fprintf(answers, i + 1 < ndims ? "%d " : "%d\n", dims[i]);
  }
  fclose(answers);
  fclose(calls);
  MPI_Finalize();
  return 0;
}
