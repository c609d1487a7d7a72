#!/usr/bin/env bash
# A sweep as a job array of a real Slurm: a controller and a node daemon on this machine, started and
# ended here; ends with 77 (skipped) where that cannot be. Argument: the command.
vtopo=$(realpath "$1")
. "$(dirname "$0")/launchers/launch.sh"
. "$here/slurm_here.sh"
start_slurm 26817 "$(hostname -s)"

cat >plan.json <<END
{"base": {"network": "torus:4x4", "steps": 200, "no-simulate": true, "mapper": "exchange"},
 "axes": {"topology": ["cart:4x4", "hypercube:4"], "seed": {"from": 1, "to": 6}}}
END
"$vtopo" sweep plan.json -o whole.jsonl
"$vtopo" sweep plan.json -o array.jsonl --engine slurm --shards 3
for ((i = 0; i < 600; ++i)); do
  [ -z "$(squeue -h)" ] && break
  sleep 0.2
done
"$vtopo" sweep merge -o array.jsonl array.shard-*-of-3.jsonl || { cat slurm-*.out; exit 1; }
cmp array.jsonl <(sort whole.jsonl)
