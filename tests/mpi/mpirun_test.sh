#!/usr/bin/env bash
# The verbs mpirun and record: what they report, and how a program's end is reported.
# Arguments: the command, the overlay library.
set -euo pipefail
vtopo=$1
export VTOPO_SMPI_LIBRARY=$2
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=platform.sh
. "$folder/platform.sh"
needs smpirun smpicc
# shellcheck source=../faults/common.sh
. "$folder/../faults/common.sh"
for program in halo traffic endings; do smpicc -O1 -o $program "$folder/$program.c"; done

export COLUMNS=500  # no line is broken
on_four=("$vtopo" mpirun -np 4 --network torus:2x2)

# A halo with two ranks per host, shuffled: what the table says. 48 messages of 1 MiB.
halo=("$vtopo" mpirun -np 8 --network torus:2x2 --slots 2 --launcher-mapper random --mapper exchange --compare)
expect 0 "" "${halo[@]}" ./halo 2
grep -q 'cart_create of 8 ranks: reordered by exchange' output || fail "no constructor"
grep -q 'cart:2px2px2p of 8 ranks: 8 calls' output || fail "no time of the communicator"
grep -Eq '^reorder saved [0-9.]+ % of .* simulated communication$' output || fail "no comparison"
grep -Eq '^volume +48 MiB +0 B +48 MiB +48 MiB' output || fail "no traffic"
# Equal runs give equal bytes, once measured times are out.
for i in 1 2; do
  expect 0 "" "${halo[@]}" --timing off --rank-times times.csv -o "run$i.json" ./halo 2
done
cmp run1.json run2.json
grep -q '"schema": "vtopo/mpirun/v1"' run1.json || fail "no schema"
[ "$(wc -l <times.csv)" = 9 ] || fail "not 8 ranks in times.csv"
# Explicit routes: a mesh.
expect 0 "" "$vtopo" mpirun -np 8 --network mesh:2x2 --slots 2 ./halo 2

# Why an order is kept, and that ranks which moved have a gain. A chain in its own order is the best on a mesh of one
# dimension, of 7 pairs of neighbours in both directions; a program that asks for reorder=0 keeps any order unless it
# is overruled.
smpicc -O1 -o line "$folder/line.c"
expect 0 "" "$vtopo" mpirun -np 8 --network mesh:8 ./line 1
grep -q 'cart_create of 8 ranks: order kept: no other order is better; hop-bytes 14$' output || fail "no reason"
[ "$(tail -n 1 output)" = "ranks kept their order" ] || fail "the verdict is not the last line"
shuffled=("$vtopo" mpirun -np 8 --network mesh:8 --launcher-mapper random)
expect 0 "" "${shuffled[@]}" ./line 0
grep -q 'order kept: the program asks for reorder=0 (--force-reorder overrules it); hop-bytes' output || fail "not reorder=0"
for overruled in "1" "0 --force-reorder"; do
  # shellcheck disable=SC2086
  set -- $overruled
  expect 0 "" "${shuffled[@]}" ${2-} ./line "$1"
  grep -Eq 'cart_create of 8 ranks: reordered by .* hop-bytes [0-9]+ -> 14 \(-[0-9.]+ %\), time of an iteration -[0-9]' output ||
    fail "not reordered: $overruled"
  [ "$(tail -n 1 output)" = "ranks were moved by 1 of 1 constructor; --compare shows what the program gains" ] || fail "no verdict"
done
expect 0 "" "${on_four[@]}" ./traffic
grep -q '^without a topology: simulated time' output && ! grep -q 'reordered' output || fail "reordered without a topology"

# Sizes as libraries choose them: tests/topology/mpi/library_dims_test.cpp has these of 72 processes.
cat >sizes.c <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int rank, sizes[2] = {0, 0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Dims_create(72, 2, sizes);
  if (rank == 0) printf("72 = %d x %d\n", sizes[0], sizes[1]);
  MPI_Finalize();
  return 0;
}
C
smpicc -O1 -o sizes sizes.c
for rule in optimal:9:8 openmpi:12:6 mpich:9:8; do
  IFS=: read -r name first second <<<"$rule"
  VTOPO_DIMS_RULE=$name expect 0 "" "${on_four[@]}" ./sizes
  grep -q "^72 = $first x $second\$" output || fail "not the sizes of $name"
done

# By hand: recursive doubling sends 64 bytes to rank ^ 1 and to rank ^ 2.
expect 0 "" "$vtopo" record -np 4 --network torus:2x2 --smpi-option smpi/allreduce:rdb -o traffic.csv ./traffic
cat >expected.csv <<'CSV'
# vtopo-record 1
# ranks 4
source,destination,bytes,messages,collective_bytes,collective_messages
0,1,300000,3,64,1
0,2,0,0,64,1
1,0,0,0,64,1
1,3,0,0,64,1
2,0,0,0,64,1
2,3,500,1,64,1
3,1,0,0,64,1
3,2,0,0,64,1
# end 8
CSV
diff expected.csv traffic.csv
expect 0 "" "$vtopo" evaluate --traffic traffic.csv --network torus:2x2 --no-simulate
expect 0 "" "$vtopo" mpirun -np 4 --network torus:2x2 --launcher-mapper greedy --launcher-traffic traffic.csv ./traffic

# The page of two runs holds their pictures and the command, and no other one.
expect 0 "" "$vtopo" mpirun -np 4 --network torus:2x2 --compare --timing off -o page.html ./traffic
[ "$(grep -c '<section class="row"' page.html)" -eq 2 ] || fail "not two rows on the page"
grep -q 'class="ranks"' page.html || fail "no ranks at their hosts"
grep -q '<pre>vtopo mpirun --compare --np &#39;4&#39; .* &#39;./traffic&#39;</pre>' page.html || fail "not the command on the page"

# MPI_Waitsome takes no simulated time of its own: a program that waits so is as fast as one that calls MPI_Waitany.
cat >waits.c <<'C'
#include <mpi.h>
int main(int argc, char** argv) {
  int rank, size, sent = 1, received[3], done, indices[3];
  MPI_Request requests[3];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 3; ++i)
    MPI_Irecv(&received[i], 1, MPI_INT, (rank + 1 + i) % size, 0, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < 3; ++i) MPI_Send(&sent, 1, MPI_INT, (rank + 1 + i) % size, 0, MPI_COMM_WORLD);
  do {
    if (argc > 1) MPI_Waitsome(3, requests, &done, indices, MPI_STATUSES_IGNORE);
    else MPI_Waitany(3, requests, &done, MPI_STATUS_IGNORE);
  } while (done != MPI_UNDEFINED);
  MPI_Finalize();
  return 0;
}
C
smpicc -O1 -o waits waits.c
expect 0 "" "${on_four[@]}" --rank-times any.csv ./waits
expect 0 "" "${on_four[@]}" --rank-times some.csv ./waits some
cmp any.csv some.csv

# MPI_Init_thread, which SMPI makes of MPI_Init, joins the job once: there is a report.
smpicc -O1 -o threads "$folder/threads.c"
smpicc -O1 -o linked "$folder/threads.c" -Wl,--no-as-needed "$VTOPO_SMPI_LIBRARY"
smpicxx -O1 -o threads_cpp "$folder/threads.cpp"
programs=(threads linked threads_cpp)
if command -v gfortran >/dev/null; then
  smpif90 -O1 -o threads_f90 "$folder/threads.f90"
  programs+=(threads_f90)
fi
for program in "${programs[@]}"; do
  expect 0 "" "${on_four[@]}" "./$program"
  grep -q '^0 failed$\|, 0 failed$' output || fail "wrong answers of $program"
  grep -q 'cart_create of 4 ranks' output || fail "no report of $program"
done

# The table fits 80 columns and has a legend.
COLUMNS=80 expect 0 "" "${halo[@]}" ./halo 2
awk 'length > 80 { exit 1 }' output || fail "a line of more than 80 columns"
grep -q '^pairs: of ranks' output || fail "no legend"

# A mapper that is chosen makes the order; messages have the bytes that are said.
expect 0 "" "${shuffled[@]}" --mapper block ./line 1
grep -q 'cart_create of 8 ranks: reordered by block, hop-bytes [0-9]* -> 14 ' output || fail "not by block"
expect 0 "" "${shuffled[@]}" --bytes 1MiB -o bytes.json ./line 1
grep -q '"bytes": "1MiB"' bytes.json || fail "no bytes in the scenario"
expect 2 '--bytes: volume "much"' "${shuffled[@]}" --bytes much ./line 1

# A shuffled halo as graph, distributed graph and grid: data stay right, ways get shorter.
smpicc -w -O1 -o graph_reorder "$folder/graph_reorder.c"
expect 0 "" "$vtopo" mpirun -np 16 --network torus:4x2x2 ./graph_reorder
grep -q '^GRAPH-REORDER OK flags 0' output || fail "graph_reorder"
for call in graph_create dist_graph_create_adjacent cart_create; do
  grep -q "  $call of 16 ranks: reordered by" output || fail "$call is not reordered"
done

# A bad end after a constructor has moved ranks says so, and what it did is reported; a program that keeps the order, or
# has none, ends as it does.
smpicc -O1 -o world_rank "$folder/world_rank.c"
moved="ranks were moved by MPI_Cart_create (reorder = 1); a program that goes on with its rank in MPI_COMM_WORLD fails so; --no-reorder keeps the order"
on_shuffled=("$vtopo" mpirun -np 8 --network torus:4x2 --launcher-mapper random)
expect 1 "$moved" "${on_shuffled[@]}" -o ended.json ./world_rank
grep -q '"call": "cart_create"' ended.json && grep -q '"sentence": "deadlock: ' ended.json || fail "no report of constructors"
expect 1 "vtopo: deadlock: " "${on_shuffled[@]}" ./world_rank
grep -q 'cart_create of 8 ranks: reordered by' output || fail "no constructor on a bad end"
if grep -q Oops errors; then fail "SimGrid's words on a deadlock"; fi
expect 1 "$moved" "${on_shuffled[@]}" ./world_rank check
expect 0 "" "${on_shuffled[@]}" --no-reorder ./world_rank
echo 'int main(int argc, char** argv) { (void)argv; return argc - 1; }' >without_mpi.c
smpicc -O1 -o without_mpi without_mpi.c
expect 0 "vtopo: the program has not called MPI_Init: there is no report" "${on_four[@]}" ./without_mpi
expect 2 "vtopo: the program ended with exit code 2" "${on_four[@]}" ./without_mpi a b
if grep -q "were moved" errors; then fail "ranks that were not moved"; fi

# Ends.
expect 139 "vtopo: rank 1 was ended by signal 11" "${on_four[@]}" ./endings crash
expect 134 "rank 3 ended without MPI_Finalize" "${on_four[@]}" ./endings gone
expect 7 "vtopo: rank 2 called MPI_Abort with error code 7" "${on_four[@]}" ./endings abort
expect 1 "vtopo: deadlock: ranks 0, 1 " "${on_four[@]}" ./endings deadlock
expect 1 "rank 0 is in MPI_Test" "${on_four[@]}" ./endings asking
expect 1 "rank 3 is in MPI_Sendrecv_replace" "${on_four[@]}" ./endings replace
expect 1 "is in MPI_Cart_create" "${on_four[@]}" ./endings grid
expect 134 "called MPI_Cart_create, which failed with MPI_ERR_DIMS (size -3 of dimension 0: each size must be >= 1)" \
  "${on_four[@]}" ./endings sizes
expect 3 "vtopo: the program ended with exit code 3" "${on_four[@]}" ./endings code
expect 1 "vtopo: ranks 0, 1, 2, 3 ended without MPI_Finalize" "${on_four[@]}" ./endings early
expect 1 "vtopo: the program ended by _exit in a rank: there is no report" "${on_four[@]}" ./endings 'at once'
expect 134 "vtopo: rank 2 called MPI_Open_port, which simulated ranks do not have" "${on_four[@]}" ./endings absent
expect 124 "its --run-limit" "${on_four[@]}" --run-limit 1 ./endings spin
expect 0 "" "${on_four[@]}" ./endings words 'a  b' "it's" --help -np 9
[ "$(head -n 5 output | tr -d '\n')" = "[a  b][it's][--help][-np][9]" ] || fail "arguments are not as given"

# Interrupted: nothing runs on, nothing is left. Job control, so that SIGINT is not ignored.
set -m
for signal in INT TERM; do
  : >output  # what the one before has printed is not waited for
  "${on_four[@]}" ./endings spin >output 2>errors </dev/null &
  pid=$!
  for ((i = 0; i < 600; ++i)); do grep -q spinning output && break || sleep 0.1; done
  kill -$signal $pid
  code=0
  wait $pid || code=$?
  [ "$code" = $((128 + $(kill -l $signal))) ] || fail "exit code $code after $signal"
  grep -q "vtopo: interrupted by signal" errors || fail "no sentence after $signal"
  nothing_left "$signal"
  if pgrep -f "$TMPDIR" >/dev/null; then fail "processes are left after $signal"; fi
done
set +m

# A program that the linker did not check names no library of SimGrid.
SMPI_NO_UNDEFINED_CHECK=1 smpicc -O1 -o unchecked "$folder/halo.c"
expect 0 "" "${halo[@]}" ./unchecked 2

# What is missing or wrong.
echo 'int main(void) { return 0; }' >plain.c
cc -o plain plain.c
expect 3 'compile it with smpicc' "${on_four[@]}" ./plain
expect 3 'there is no program "./absent"' "${on_four[@]}" ./absent
expect 2 'the program is missing' "${on_four[@]}"
expect 2 'unknown option "--nonsense"' "${on_four[@]}" --nonsense ./halo 2
expect 2 'give --launcher-traffic' "${on_four[@]}" --launcher-mapper greedy ./halo 2
expect 2 'splits flows' "${on_four[@]}" --routing ecmp ./halo 2
for setting in smpi/np:1 smpi/hostfile:hosts smpi/simulate-computation:yes smpi/tmpdir:. network/model:LV08; do
  expect 2 "vtopo sets ${setting%:*} itself; use " "${on_four[@]}" --smpi-option $setting ./halo 2
done
# What smpirun would split or expand: a folder for temporary files, names of hosts.
mkdir "$TMPDIR/with blank" "$TMPDIR/a:b"
for there in "with blank" a:b; do
  code=0
  TMPDIR="$TMPDIR/$there" "${on_four[@]}" ./halo 2 >output 2>errors </dev/null || code=$?
  [ $code = 3 ] && grep -qF "set TMPDIR to another one" errors || fail "exit code $code in \"$there\""
  rmdir "$TMPDIR/$there" || fail "something stays in \"$there\""
done
for name in 'a:2' 'a&#10;2' 'a b'; do
  cat >named.xml <<XML
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full">
  <host id="$name" speed="1Gf"/><host id="b" speed="1Gf"/><link id="l" bandwidth="1GBps" latency="1us"/>
  <route src="$name" dst="b"><link_ctn id="l"/></route>
</zone></platform>
XML
  expect 3 'smpirun takes names without colons, blanks and line ends only' \
    "$vtopo" mpirun -np 2 --platform named.xml ./halo 2
done
# Of a machine of 158,976 hosts the routes between the job's are simulated. By hand: each of 4 ranks on a host sends 1 MiB to
# both sides of the dimension that the two hosts share, 8 MiB over the one link between them.
"$vtopo" mpirun -np 8 --platform fugaku --nodes 2 --ranks-per-node 4 ./halo 2 >output 2>errors || fail "a job on a large machine"
grep -q '^ranks  *8 on 2 hosts' output || fail "a job on a large machine: other hosts"
grep -q '^most on a link  *8 MiB' output || fail "a job on a large machine: other traffic"
expect 4 '8 ranks do not fit' "$vtopo" mpirun -np 8 --network torus:2x2 ./halo 2
cat >no_loopback.xml <<'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="all" routing="Full">
  <cluster id="torus" prefix="host-" suffix="" radical="0-3" speed="1Gf" bw="10GBps" lat="100ns"
           topology="TORUS" topo_parameters="2,2"/>
  </zone>
</platform>
XML
expect 2 'has no way to itself' "$vtopo" mpirun -np 8 --platform no_loopback.xml --slots 2 ./halo 2
mkdir bin
for tool in timeout grep ls find tail; do ln -s "$(command -v $tool)" bin/; done
PATH=$work/bin expect 3 'libsimgrid-dev' "${on_four[@]}" ./halo 2
VTOPO_SMPI_LIBRARY=/absent expect 3 'VTOPO_SMPI_LIBRARY="/absent"' "${on_four[@]}" ./halo 2
echo "all ends are told"
