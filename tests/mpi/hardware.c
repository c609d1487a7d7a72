/* Types of hardware on two nodes of 2 x 2 places, 8 ranks in their order: from all to nodes, to
 * pairs, to places, to nothing. */
#include <string.h>

#include "check.h"

int main(int argc, char** argv) {
  const int sizes[] = {4, 2, 1};
  int rank, size, level, length;
  char name[MPI_MAX_PROCESSOR_NAME + 1], other[MPI_MAX_PROCESSOR_NAME + 1];
  MPI_Comm all = MPI_COMM_WORLD, part;
  MPI_Info info;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (level = 0; level < 3; ++level) {
    MPI_Comm_split_type(all, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &part);
    CHECK(part != MPI_COMM_NULL);
    MPI_Comm_size(part, &size);
    CHECK(size == sizes[level]);
    int first = rank;
    MPI_Bcast(&first, 1, MPI_INT, 0, part);
    CHECK(first == rank / size * size);
    all = part;
  }
  MPI_Comm_split_type(all, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &part);
  CHECK(part == MPI_COMM_NULL);
  /* What is shared is said: a node, which can be asked for by that name. */
  char value[64] = "";
  int flag = 0;
  MPI_Info_create(&info);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_UNGUIDED, 0, info, &part);
  MPI_Info_get(info, "mpi_hw_resource_type", 63, value, &flag);
  CHECK(flag && strcmp(value, "mpi_shared_memory") == 0);
  MPI_Comm_split_type(part, MPI_COMM_TYPE_HW_UNGUIDED, 0, info, &part);
  MPI_Info_get(info, "mpi_hw_resource_type", 63, value, &flag);
  CHECK(flag && strcmp(value, "part_of_node") == 0);
  MPI_Info_free(&info);
  MPI_Info_create(&info);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, info, &part);
  CHECK(part == MPI_COMM_NULL);
  MPI_Info_set(info, "mpi_hw_resource_type", "mpi_shared_memory");
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, info, &part);
  MPI_Comm_size(part, &size);
  CHECK(size == 4);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &part);
  MPI_Comm_size(part, &size);
  CHECK(size == 4);
  /* The processes of a node have one name, which the others do not have. */
  memset(name, 0, sizeof name);
  MPI_Get_processor_name(name, &length);
  memcpy(other, name, sizeof other);
  MPI_Bcast(other, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, 0, part);
  CHECK(strcmp(name, other) == 0);
  MPI_Bcast(other, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  CHECK((strcmp(name, other) == 0) == (rank < 4));
  return finish_checks();
}
