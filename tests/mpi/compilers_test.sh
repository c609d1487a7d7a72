#!/usr/bin/env bash
# vtopo cc, cxx and fc: programs that need what SMPI lacks, compiled without any flag, and run by
# vtopo mpirun. Argument: the command vtopo. Status 77 (skipped) where SMPI is not installed.
set -euo pipefail
vtopo=$1
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../support/needs.sh
. "$folder/../support/needs.sh"
needs smpicc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

runs() { # PROGRAM RANKS: every check holds
  "$vtopo" mpirun -np "$2" --network torus:3x2 "./$1" >output 2>&1 && grep -Eq '(^|[ ,])0 failed$' output && return
  echo "$1:"
  tail -n 20 output
  exit 1
}

"$vtopo" cc -w -O1 "-I$folder" -c -o own_names.o "$folder/own_names.c"
"$vtopo" cc -o own_names own_names.o
runs own_names 6
ar rcs own_names.a own_names.o
"$vtopo" cc -o archived own_names.a
runs archived 6
# Declared by no header of SMPI: MPI_Neighbor_alltoall_init. Of another one, MPI_UNWEIGHTED is not NULL.
cat >persistent.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
int main(int argc, char** argv) {
  int rank, size, got[2] = {-1, -1}, sent[2], dims[1], periods[1] = {1}, failed = 0;
  MPI_Comm ring, graph;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  dims[0] = size;
  sent[0] = sent[1] = rank;
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
  MPI_Neighbor_alltoall_init(sent, 1, MPI_INT, got, 1, MPI_INT, ring, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  failed += got[0] != (rank + size - 1) % size || got[1] != (rank + 1) % size;
  /* No edges: a null pointer is an array of no weights. */
  for (int is_weighted = 0; is_weighted < 2; ++is_weighted) {
    int in, out, answer;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 0, NULL, NULL, NULL, is_weighted ? NULL : MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                          &graph);
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &answer);
    failed += answer != is_weighted;
  }
  failed += MPI_UNWEIGHTED == NULL || sqrt((double)(argc + 3)) != 2;
  if (rank == 0) printf("%d failed\n", failed);
  MPI_Finalize();
  return failed;
}
END
"$vtopo" cc -Wall -Werror -o persistent persistent.c
runs persistent 6
# Each rank has a static variable of an inline function of its own.
cat >statics.cpp <<'END'
#include <mpi.h>
#include <cstdio>
#include <memory>
struct Operations { void (*free)(int*, int); };  // a name that SMPI's header makes a macro
inline int& counter() { static int count = 0; return count; }
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ++counter();
  const auto calls = std::make_unique<int>(0);
  Operations operations{[](int* count, int step) { *count += step; }};
  operations.free(calls.get(), 1);
  MPI_Barrier(MPI_COMM_WORLD);
  int failed = counter() != 1 || *calls != 1, all = 0;
  MPI_Reduce(&failed, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%d failed\n", all);
  MPI_Finalize();
}
END
"$vtopo" cxx -o statics statics.cpp
runs statics 6
if command -v gfortran >/dev/null; then
  "$vtopo" fc -o topologies "$folder/topologies.f90"
  runs topologies 6
  "$vtopo" fc -c -o topologies.o "$folder/topologies.f90"
  ar rcs topologies.a topologies.o
  "$vtopo" fc -o archived topologies.a
  runs archived 6
  # Fortran 2008; one, two and six ranks: neighbours that are the process itself, twice the same, others.
  for source in "$folder"/fortran08/*.f90; do
    program=$(basename "$source" .f90)
    "$vtopo" fc -Wall -Wno-conversion -Wno-maybe-uninitialized -o "$program" "$source"
    for ranks in 1 2 6; do runs "$program" "$ranks"; done
  done
  # Each function of the module is one of the overlay's or of SMPI's; so is that for profilers.
  libraries=("$(dirname "$vtopo")/../lib/libvtopo_smpi.so" "$(ldd "$(dirname "$vtopo")/../lib/libvtopo_smpi.so" | awk '/libsimgrid/ {print $3}')")
  nm -D --defined-only "${libraries[@]}" | awk '{print $3}' | sort >defined
  sed -n 's/^\*\{0,1\}\([A-Z][a-z_0-9]*\).*/mpi_\L\1_/p' "$folder/../../sim/mpi/fortran/functions.txt" |
    sed 'p;s/^/p/' | sort >declared
  [ "$(wc -l <declared)" -gt 390 ]
  comm -23 declared defined | tee missing
  [ ! -s missing ]
  # `stop` ends one process; a number is the exit code of the run.
  cat >stops.f90 <<'END'
program stops
  use mpi
  implicit none
  integer :: rank, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (MPI_INT64_T == MPI_C_BOOL) rank = 1
  call MPI_Finalize(ierr)
  if (rank == 4) stop 3
  stop
end program stops
END
  "$vtopo" fc -o stops stops.f90
  "$vtopo" mpirun -np 4 --network torus:3x2 ./stops >output
  grep -q '^ranks  *4' output
  code=0
  "$vtopo" mpirun -np 6 --network torus:3x2 ./stops >output 2>errors || code=$?
  [ $code = 3 ]
fi

! "$vtopo" cc 2>errors
grep -q 'no source is given' errors
echo 'int main(' >wrong.c
! "$vtopo" cc -o wrong wrong.c 2>errors
grep -q 'wrong.c:1' errors
