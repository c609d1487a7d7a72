#!/usr/bin/env bash
# smpirun puts every rank on the host that the file says: by what -map says and by what the ranks
# get from MPI. Argument: the command.
vtopo=$(realpath "$1")
. "$(dirname "$0")/launch.sh"
needs smpirun smpicc
cat >where.c <<'END'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  char name[MPI_MAX_PROCESSOR_NAME];
  int rank, length;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Get_processor_name(name, &length);
  printf("%d,%s\n", rank, name);
  MPI_Finalize();
  return 0;
}
END
smpicc where.c -o program

launch() {
  line=$(printed_for SimGrid)
  timeout 60 bash -c "${line/smpirun/smpirun -map}" 2>map.txt || return
  sed -nE 's/.*\[rank ([0-9]+)\] -> (.*)/\1,\2/p' map.txt >told.csv
  compare_with_csv told.csv >&2
}
check_launches smpi
