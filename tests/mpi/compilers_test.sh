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
  sed -n 's/^-\{0,1\}[*!]\{0,1\}\([A-Z][A-Za-z_0-9]*\).*/mpi_\L\1_/p' "$folder/../../sim/mpi/fortran/functions.txt" |
    sed 'p;s/^/p/' | sort >declared
  [ "$(wc -l <declared)" -gt 700 ]
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

# Constants of C++, also as constant expressions.
cat >constants.cpp <<'END'
#include <mpi.h>
#include <complex>
#include <cstdio>
constexpr void* bottom = MPI_BOTTOM;
constexpr MPI_Datatype type = MPI_INT;
constexpr MPI_Op sum_of = MPI_SUM;
constexpr const int* no_weights = MPI_UNWEIGHTED;
struct Handle { static constexpr void* in_place = MPI_IN_PLACE; };
void* addresses[2] = {MPI_BOTTOM, MPI_IN_PLACE};
int* in_memory = nullptr;
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, sizes[4], one = 1, value = argc + 40, got = 0, failed = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const MPI_Datatype types[] = {MPI_CXX_BOOL, MPI_CXX_FLOAT_COMPLEX, MPI_CXX_DOUBLE_COMPLEX, MPI_CXX_LONG_DOUBLE_COMPLEX};
  for (int i = 0; i < 4; ++i) MPI_Type_size(types[i], &sizes[i]);
  failed += sizes[0] != sizeof(bool) || sizes[1] != sizeof(std::complex<float>) ||
            sizes[2] != sizeof(std::complex<double>) || sizes[3] != sizeof(std::complex<long double>);
  std::complex<double> number(1, rank), sum;
  MPI_Allreduce(&number, &sum, 1, MPI_CXX_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
  failed += sum != std::complex<double>(size, size * (size - 1) / 2);
  MPI_Allreduce(Handle::in_place, &one, 1, type, sum_of, MPI_COMM_WORLD);
  failed += one != size || bottom != addresses[0] || no_weights == in_memory || addresses[0] == addresses[1];
  MPI_Aint places[2];
  const int lengths[2] = {1, 1};
  MPI_Get_address(rank == 0 ? &value : &got, &places[0]);
  MPI_Get_address(&one, &places[1]);
  MPI_Datatype at;
  MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &at);
  MPI_Type_commit(&at);
  MPI_Bcast(bottom, 1, at, 0, MPI_COMM_WORLD);
  failed += rank != 0 && got != 41;
  MPI_Type_free(&at);
  if (rank == 0) std::printf("%d failed\n", failed);
  MPI_Finalize();
}
END
for flags in -O0 "-O2 -flto"; do
  # shellcheck disable=SC2086
  "$vtopo" cxx $flags -Wall -Werror -o constants constants.cpp
  runs constants 3
done

# A source that was preprocessed before, with and without lines of the preprocessor.
cat >simple.c <<'END'
#include <mpi.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char** argv) {
  char* memory = (char*)malloc(3);
  int rank, option = getopt(argc, argv, "a");
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  free(memory);
  if (rank == 0) printf("%d failed\n", option != -1);
  MPI_Finalize();
  exit(0);
}
END
cp simple.c simple.cpp
for compiler in "cc c" "cxx cpp"; do
  read -r verb ending <<<"$compiler"
  for lines in "" -P; do
    # shellcheck disable=SC2086
    "$vtopo" "$verb" -E $lines "simple.$ending" >"preprocessed.$ending"
    "$vtopo" "$verb" -c -o preprocessed.o "preprocessed.$ending"
    "$vtopo" "$verb" -o preprocessed preprocessed.o
    runs preprocessed 2
  done
  "$vtopo" "$verb" -o preprocessed "preprocessed.$ending"
  runs preprocessed 2
done

# A function that is nowhere is an error of the linker, unless the result is a library.
echo 'double nowhere(double); int main(int argc, char** argv) { (void)argv; return argc > 5 ? (int)nowhere(1.) : 0; }' >undefined.c
! "$vtopo" cc -o undefined undefined.c 2>errors
grep -q nowhere errors
"$vtopo" cc -shared -o libundefined.so undefined.c

# What is left to do after main is done by each rank: MPI calls, output, MPI_Finalize; also after exit.
cat >after_main.cpp <<'END'
#include <mpi.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
struct Environment {
  Environment() { MPI_Init(nullptr, nullptr); }
  ~Environment() {
    int one = 1, all = 0, rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    std::printf("rank %d: left by %d\n", rank, all);
    MPI_Finalize();
  }
};
static int handlers = 0;
static void say_first() {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  std::printf("rank %d: handler %d\n", rank, ++handlers);
}
int main(int argc, char** argv) {
  static Environment environment;
  std::atexit(say_first);
  std::atexit(say_first);
  if (argc > 1 && std::strcmp(argv[1], "exit") == 0) std::exit(7);
}
END
"$vtopo" cxx -o after_main after_main.cpp
for way in return exit; do
  code=0
  "$vtopo" mpirun -np 3 --network torus:3x2 ./after_main $way >output || code=$?
  [ "$(grep -Ec '^rank [0-2]: left by 3$' output)" = 3 ] && [ "$(grep -Ec '^rank [0-2]: handler [12]$' output)" = 6 ]
  grep -q '^ranks  *3' output
  [ $way = return ] && [ $code = 0 ] || [ $way$code = exit7 ]
done

# Places inside nodes.
"$vtopo" cc "-I$folder" -o hardware "$folder/hardware.c"
"$vtopo" mpirun -np 8 --network torus:2,node=2x2 ./hardware >output
grep -q ' 0 failed$' output

# Errors of every function of SMPI go through the overlay, but of those that only convert or read a number.
library="$(dirname "$vtopo")/../lib/libvtopo_smpi.so"
functions_of() { nm -D --defined-only "$1" | awk '$2 ~ /[TtWw]/ {print $3}' | grep '^MPI_' | sort -u; }
functions_of "$(ldd "$library" | awk '/libsimgrid/ {print $3}')" |
  grep -Ev '^MPI_(.*_(c2f|f2c)|Aint_(add|diff)|Wtick|Initialized|Finalized|Isendrecv.*|P(arrived|ready.*|recv_init|send_init))$' >of_smpi
[ "$(wc -l <of_smpi)" -gt 350 ]
functions_of "$library" | comm -23 of_smpi - | tee unseen
[ ! -s unseen ]

# A program that is started by itself is one rank, with its arguments, input, output and exit code.
cat >alone.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  int size, number = 0;
  if (argc < 2) return 5;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (scanf("%d", &number) != 1) number = -1;
  printf("%d process, %s, %d\n", size, argv[1], number);
  MPI_Finalize();
  return atoi(argv[2]);
}
END
"$vtopo" cc -o alone alone.c
code=0
echo 42 | ./alone "two words" 3 >output 2>errors || code=$?
[ $code = 3 ]
[ "$(cat output)" = "1 process, two words, 42" ]
code=0
./alone >output 2>errors || code=$?
[ $code = 5 ] && [ ! -s output ]

! "$vtopo" cc 2>errors
grep -q 'no source is given' errors
echo 'int main(' >wrong.c
! "$vtopo" cc -o wrong wrong.c 2>errors
grep -q 'wrong.c:1' errors
