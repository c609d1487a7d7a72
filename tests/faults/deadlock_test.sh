#!/usr/bin/env bash
# Deadlocks of MPI programs are reported as who waits for whom; the sentences follow from the calls of
# deadlocks.c. Arguments: the command, the overlay library.
set -euo pipefail
vtopo=$1
export VTOPO_SMPI_LIBRARY=$2
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../mpi/platform.sh
. "$folder/../mpi/platform.sh"
needs smpirun smpicc
[ -e "$VTOPO_SMPI_LIBRARY" ] || skip "libvtopo_smpi is not built"
# shellcheck source=common.sh
. "$folder/common.sh"
smpicc -O1 -o deadlocks "$folder/deadlocks.c"

deadlock() { # kind, sentence behind "deadlock: "
  expect 1 "vtopo: deadlock: $2" "$vtopo" mpirun -np 4 --network torus:2x2 ./deadlocks "$1"
}
pair="rank 0 is in MPI_Recv for a message with tag 7 from rank 1; rank 1 is in MPI_Recv for a message with tag 7 from rank 0"
deadlock pair "ranks 0, 1 of the program wait for what never comes, in a ring 0 -> 1 -> 0: $pair"
deadlock ring "ranks 0, 1, 2, 3 of the program wait for what never comes, in a ring 0 -> 1 -> 2 -> 3 -> 0: rank 0 is in MPI_Send for a message with tag 3 to rank 1; "
deadlock ended "rank 2 of the program waits for what never comes: rank 2 is in MPI_Recv for a message with any tag from rank 0, which ended before"
deadlock any "rank 1 of the program waits for what never comes: rank 1 is in MPI_Recv for a message with tag 4 from any rank"
deadlock barrier "ranks 0, 1, 2, 3 of the program wait for what never comes, in a ring 0 -> 1 -> 0: rank 0 is in MPI_Barrier, which waits for rank 1; rank 1 is in MPI_Recv for a message with tag 0 from rank 0"
# One of the two messages has come.
deadlock waitall "rank 0 of the program waits for what never comes: rank 0 is in MPI_Waitall for a message with tag 6 from rank 3, which ended before"
# Ranks 1 and 3 are 0 and 1 of the communicator.
deadlock part "rank 1 of the program waits for what never comes: rank 1 is in MPI_Allreduce, which waits for rank 3, which ended before"
deadlock exit "ranks 0, 2, 3 of the program wait for what never comes: rank 0 is in MPI_Barrier, which waits for rank 1, which ended before; rank 2 "
# Rank 2 alone has both neighbours; 1 and 3 wait for 0.
deadlock cart "ranks 0, 1, 3 of the program wait for what never comes, in a ring 0 -> 1 -> 0: rank 0 is in MPI_Recv for a message with tag 0 from rank 1; rank 1 is in MPI_Neighbor_allgather for a message with tag"
# SMPI asks for the message again and again; the first one of each has come.
deadlock probe "ranks 0, 1 of the program wait for what never comes: rank 0 is in MPI_Probe for a message with tag 8 from any rank; rank 1 is in MPI_Probe for a message with tag 6 from rank 0"
# What a collective call computes takes its time: no deadlock.
expect 0 "" "$vtopo" mpirun -np 4 --network torus:2x2 ./deadlocks long-sum
# Windows: rank 0 accesses those of 1 and 2. After three whole exchanges something is missing.
expect 0 "" "$vtopo" mpirun -np 4 --network torus:2x2 ./deadlocks win-whole
deadlock win-fence "ranks 0, 1, 2, 3 of the program wait for what never comes, in a ring 0 -> 3 -> 0: rank 0 is in MPI_Win_fence, which waits for rank 3; rank 3 is in MPI_Recv for a message with tag 9 from rank 0"
deadlock win-start "ranks 0, 1, 2, 3 of the program wait for what never comes, in a ring 0 -> 2 -> 0: rank 0 is in MPI_Win_start, which waits for rank 2; rank 2 is in MPI_Win_free, which waits for rank 0"
deadlock win-wait "ranks 0, 1, 2, 3 of the program wait for what never comes, in a ring 0 -> 1 -> 0: rank 0 is in MPI_Recv for a message with tag 9 from rank 1; rank 1 is in MPI_Win_wait, which waits for rank 0"
echo "deadlocks are told"
