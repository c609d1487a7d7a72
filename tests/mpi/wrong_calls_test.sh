#!/usr/bin/env bash
# A wrong call ends a run under vtopo mpirun as it ends one under smpirun: with the same exit code and
# a sentence that names the function and the error.
# Arguments: the command, the overlay library.
set -euo pipefail
vtopo=$1
export VTOPO_SMPI_LIBRARY=$2
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=platform.sh
. "$folder/platform.sh"
make_work_folder
cd "$work"
smpicc -O1 -w -o wrong_calls "$folder/wrong_calls.c"
write_torus 2,2 4 torus.xml
printf 'host-%d\n' 0 1 >hosts

# The code of the last run, and its words.
end_of() {
  code=0
  timeout --foreground 60 "$@" >output 2>&1 </dev/null || code=$?
}
# case, function and error as SMPI says them, which are also those that vtopo says unless given
expect_end() {
  local case=$1 function=$2 error=$3 outer=${4:-$2} plain
  end_of smpirun -np 2 -platform torus.xml -hostfile hosts ./wrong_calls "$case"
  plain=$code
  grep -q "$function - returned $error" output || { echo "smpirun does not say so: $case"; cat output; exit 1; }
  end_of "$vtopo" mpirun -np 2 --network torus:2x2 ./wrong_calls "$case"
  [ "$code" = "$plain" ] && [ "$code" != 0 ] && grep -q "$outer.* $error" output || {
    echo "exit code $code, $plain under smpirun: $case"
    cat output
    exit 1
  }
}
expect_end rank MPI_Send MPI_ERR_RANK
expect_end count MPI_Send MPI_ERR_COUNT
expect_end tag MPI_Ssend MPI_ERR_TAG
expect_end type MPI_Recv MPI_ERR_TYPE
expect_end null MPI_Recv MPI_ERR_COMM
expect_end sendrecv MPI_Sendrecv MPI_ERR_RANK
expect_end replace MPI_Sendrecv MPI_ERR_RANK MPI_Sendrecv_replace
expect_end probe MPI_Probe MPI_ERR_RANK
expect_end wait MPI_Wait MPI_ERR_ARG
expect_end waitall MPI_Waitall MPI_ERR_COUNT
expect_end test MPI_Test MPI_ERR_ARG
# Functions that the overlay only passes on.
expect_end commit MPI_Type_commit MPI_ERR_TYPE
expect_end group MPI_Comm_group MPI_ERR_COMM
expect_end incl MPI_Group_incl MPI_ERR_GROUP
expect_end info MPI_Info_set MPI_ERR_INFO
expect_end pack MPI_Pack MPI_ERR_COUNT
expect_end keyval MPI_Comm_get_attr MPI_ERR_ARG
expect_end barrier MPI_Barrier MPI_ERR_COMM
expect_end dup MPI_Comm_dup MPI_ERR_COMM
expect_end isend MPI_Isend MPI_ERR_RANK
expect_end op MPI_Allreduce MPI_ERR_OP
expect_end root MPI_Bcast MPI_ERR_ROOT
expect_end colour MPI_Comm_split MPI_ERR_ARG
expect_end window MPI_Win_create MPI_ERR_OTHER
expect_end init MPI_Init MPI_ERR_OTHER
expect_end init_thread MPI_Init MPI_ERR_OTHER
expect_end after_send MPI_Send MPI_ERR_OTHER
expect_end after_barrier MPI_Barrier MPI_ERR_OTHER
expect_end after_init MPI_Init MPI_ERR_OTHER

# SMPI itself ends by a signal in these.
for case in called:MPI_ERR_TAG 'unknown:error code 12345'; do
  end_of "$vtopo" mpirun -np 2 --network torus:2x2 ./wrong_calls "${case%%:*}"
  [ "$code" = 134 ] && grep -q "rank 1 called MPI_Comm_call_errhandler, which failed with ${case#*:}" output || {
    echo "exit code $code: $case"
    cat output
    exit 1
  }
done

end_of "$vtopo" mpirun -np 2 --network torus:2x2 ./wrong_calls handler
[ "$code" = 0 ] && [ "$(grep -c '4 of 4 errors returned' output)" = 2 ] || { cat output; exit 1; }
end_of "$vtopo" mpirun -np 2 --network torus:2x2 ./wrong_calls rank
grep -q '^vtopo: rank 1 called MPI_Send, which failed with MPI_ERR_RANK: the error handler is MPI_ERRORS_ARE_FATAL$' output
end_of smpirun -np 2 -platform torus.xml -hostfile hosts -wrapper "env LD_PRELOAD=$VTOPO_SMPI_LIBRARY" \
  ./wrong_calls rank
[ "$code" = 134 ] && grep -q '^vtopo: rank 1: MPI_Send failed with MPI_ERR_RANK$' output
echo "all wrong calls end the run"
