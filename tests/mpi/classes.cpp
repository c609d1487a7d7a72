// A C++ program with objects of its own whose names are those of the overlay's insides.

#include <mpi.h>

#include <cstdio>
#include <vector>

namespace vtopo {
class Communicator {  // must not meet the class of the same name
 public:
  int value = 17;
};
}  // namespace vtopo

int table = 0;  // one per process

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  table = rank;
  const int periodic = 1;
  MPI_Comm ring = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 1, &ring);
  int place = 0;
  MPI_Comm_rank(ring, &place);
  std::vector<int> received(2, -1);
  MPI_Neighbor_allgather(&place, 1, MPI_INT, received.data(), 1, MPI_INT, ring);
  const vtopo::Communicator own;
  int failed = received[0] != (place + size - 1) % size || received[1] != (place + 1) % size ||
               own.value != 17 || table != rank;
  int all = 0;
  MPI_Reduce(&failed, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Comm_free(&ring);
  if (rank == 0) std::printf("%d failed\n", all);
  MPI_Finalize();
  return 0;
}
