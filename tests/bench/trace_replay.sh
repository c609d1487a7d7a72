#!/usr/bin/env bash
# How well the replay of a trace predicts SMPI: programs of 64 ranks run under SMPI with a fluid
# model, are traced there in the order of the hosts, and their traces are replayed in this order and
# in a random one, for which SMPI runs them again. Prints a table in Markdown.
# Without latency SimGrid shares links equally; with it, shares go as 1 / latency.
# SMPI sends an envelope of 16 bytes with each message (100 bytes to a neighbour on a link of its own
# take it 11.6 ns at 10 GB/s): traces are written out as GOAL, where each message gets that much more,
# but for those that wait for any of several messages, which GOAL cannot say.
# Arguments: the command vtopo; programs (default: all); NETWORK and LATENCY may be set. With
# SOURCES=FOLDER, where `apt-get source simgrid mpich openmpi` has unpacked these three, also programs
# of others: NAS parallel benchmarks (is, ep, dt), a matrix product, examples of MPICH and Open MPI.
set -euo pipefail
vtopo=$(realpath "$1")
shift
folder=$(cd "$(dirname "$0")" && pwd)
root=$folder/../..
network=${NETWORK:-torus:4x4x4} latency=${LATENCY:-0s} ranks=64
programs=("$@")
[ $# -gt 0 ] || programs=(stencil wavefront transpose workers conjugate pipeline butterfly particles
  rooted groups taken poisson summa)
declare -A of_others arguments
if [ -n "${SOURCES:-}" ]; then
  nas=$(echo "$SOURCES"/simgrid-*/examples/smpi/NAS)
  of_others=([is]="$nas/is.c $nas/nas_common.c" [ep]="$nas/ep.c $nas/nas_common.c"
    [dt]="$nas/dt.c $nas/DGraph.c $nas/nas_common.c" [gemm]="$nas/../gemm/gemm.c"
    [cpi]="$(echo "$SOURCES"/mpich-*/examples/cpi.c)"
    [srtest]="$(echo "$SOURCES"/mpich-*/examples/srtest.c)"
    [connectivity]="$(echo "$SOURCES"/openmpi-*/examples/connectivity_c.c)"
    [ring]="$(echo "$SOURCES"/openmpi-*/examples/ring_c.c)")
  arguments=([is]="$ranks A" [ep]="$ranks S" [dt]="$ranks W SH" [gemm]="512 sampling")
  [ $# -gt 0 ] || programs+=(is ep dt gemm cpi srtest connectivity ring)
fi
for tool in smpirun smpicc; do
  command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$vtopo" platform generate --network "$network" --latency "$latency" -o "$work/platform.xml" 2>/dev/null
for order in block random; do
  "$vtopo" map --topology cart:$ranks --network "$network" --mapper "$order" --min-gain none \
    --no-simulate -o "$work/$order.csv" >/dev/null 2>&1
  tail -n +2 "$work/$order.csv" | sort -n | cut -d, -f2 >"$work/$order.hosts"
done

# SMPI's algorithms and ours of the same name; messages start when both sides have come, and nothing
# but the network and the program's sleep takes time.
settings=(network/model:CM02 network/crosstraffic:no network/TCP-gamma:1e15
  smpi/simulate-computation:no smpi/wtime:0 smpi/init:0 smpi/test:0 smpi/iprobe:0 smpi/os:0:0:0
  smpi/or:0:0:0 smpi/ois:0:0:0 smpi/send-is-detached-thresh:0 smpi/async-small-thresh:0
  surf/precision:1e-13 smpi/display-timing:yes smpi/allreduce:rdb smpi/barrier:ompi_recursivedoubling
  smpi/bcast:binomial_tree smpi/reduce:binomial smpi/alltoall:ring smpi/allgather:ring
  smpi/gather:ompi_binomial smpi/scatter:ompi_basic_linear)
algorithms=allreduce:algorithm=recursive_doubling,barrier:algorithm=recursive_doubling
algorithms+=,bcast:algorithm=binomial,reduce:algorithm=binomial,alltoall:algorithm=pairwise,order=shift
algorithms+=,allgather:algorithm=ring,gather:algorithm=binomial,scatter:algorithm=linear,window=1

compile() { # NAME SOURCE...: alone, and with the recorder in it, whose data SMPI then keeps per rank
  smpicc -O1 -w "${@:2}" -lm -o "$work/$1"
  smpicc -O1 -w "${@:2}" "$root"/sim/record/*.c -Wl,-Bsymbolic -lm -o "$work/$1-traced"
}
simulated() { # ORDER PROGRAM ARGUMENT...: seconds
  { smpirun -np $ranks -platform "$work/platform.xml" -hostfile "$work/$1.hosts" \
    "${settings[@]/#/--cfg=}" "${@:2}" 2>&1 || true; } | # dt ends with 1
    sed -n 's/.*Simulated time: \([^ ]*\) seconds.*/\1/p'
}
with_envelopes() { # GOAL on stdin: each message with 16 bytes more
  awk 'match($0, /(send|recv) [0-9]+b/) {
    split(substr($0, RSTART, RLENGTH - 1), words, " ")
    $0 = substr($0, 1, RSTART - 1) words[1] " " words[2] + 16 "b" substr($0, RSTART + RLENGTH)
  }
  { print }'
}
replayed() { # TRACE ORDER: seconds
  "$vtopo" simulate --trace "$1" --collectives "$algorithms" --network "$network" --latency "$latency" \
    --embedding "$work/$2.csv" --format csv | awk -F, 'END { print $(NF - 4) }'
}

compile kernels "$folder/trace_programs.c"
for example in poisson summa; do compile $example "$root/examples/mpi/$example.c"; done
echo "| program | messages | SMPI | replay | error | SMPI, other order | replay | error |"
echo "|---|---|---|---|---|---|---|---|"
for program in "${programs[@]}"; do
  file=kernels
  # shellcheck disable=SC2086  # several files, several words
  [ -z "${of_others[$program]:-}" ] || compile "$program" ${of_others[$program]}
  [ ! -x "$work/$program" ] || file=$program
  read -ra words <<<"${arguments[$program]:-$program}"
  own=$(simulated block "$work/$file" "${words[@]}")
  other=$(simulated random "$work/$file" "${words[@]}")
  rm -rf "$work/trace"
  VTOPO_RECORD_TRACE=$work/trace simulated block "$work/$file-traced" "${words[@]}" >/dev/null
  trace=$work/trace
  if ! grep -q '^waitany' "$trace"/*; then
    trace=$work/trace.goal
    "$vtopo" convert "$work/trace" "$work/own.goal" --collectives "$algorithms"
    with_envelopes <"$work/own.goal" >"$trace"
  fi
  messages=$("$vtopo" simulate --trace "$trace" --collectives "$algorithms" --network "$network" --format csv | awk -F, 'END { print $(NF - 5) }')
  awk -v name="$program" -v messages="$messages" -v own="$own" -v other="$other" \
    -v own_replay="$(replayed "$trace" block)" \
    -v other_replay="$(replayed "$trace" random)" 'BEGIN {
      printf "| %s | %d | %.4g ms | %.4g ms | %+.2f %% | %.4g ms | %.4g ms | %+.2f %% |\n", name,
        messages, own * 1e3, own_replay * 1e3, 100 * (own_replay / own - 1), other * 1e3,
        other_replay * 1e3, 100 * (other_replay / other - 1) }'
done
