#!/usr/bin/env bash
# How long a sweep of about 1,000 small scenarios takes, undisturbed and killed twice by SIGKILL and
# resumed, and whether the results are equal after sorting.
# Arguments: the command; number of scenarios (default 1000); processes side by side (default 2).
set -euo pipefail
vtopo=$(realpath "$1")
scenarios=${2:-1000}
jobs=${3:-2}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >plan.json <<END
{
  "base": {"bytes": "64KiB", "steps": 2000},
  "axes": {
    "topology": ["cart:8x8", "hypercube:6"],
    "network": ["torus:8x8", "fat-tree:2;8,8;1,4;1,1"],
    "mapper": ["exchange"],
    "seed": {"from": 1, "to": $(((scenarios + 3) / 4))}
  }
}
END
all=$((4 * ((scenarios + 3) / 4)))
measure() { # name command...
  local name=$1 start
  shift
  start=$(date +%s.%N)
  "$@" 2>/dev/null || true
  awk -v name="$name" -v a="$start" -v b="$(date +%s.%N)" 'BEGIN { printf "%s: %.1f s\n", name, b - a }'
}
killed() { # number of lines at which it is killed
  "$vtopo" sweep plan.json -o killed.jsonl --resume --jobs "$jobs" &
  local sweep=$!
  until [ -e killed.jsonl ] && [ "$(wc -l <killed.jsonl)" -ge "$1" ]; do sleep 0.05; done
  kill -KILL $sweep
  wait $sweep || true
  lost=$(tail -c 1 killed.jsonl | wc -l)
  echo "killed with $(wc -l <killed.jsonl) of $all lines, torn: $((1 - lost))"
}
measure "undisturbed" "$vtopo" sweep plan.json -o whole.jsonl --jobs "$jobs"
measure "to the first kill" killed $((all / 3))
measure "to the second kill" killed $((2 * all / 3))
measure "resumed to the end" "$vtopo" sweep plan.json -o killed.jsonl --resume --jobs "$jobs"
measure "resumed when nothing is left" "$vtopo" sweep plan.json -o killed.jsonl --resume
cmp <(sort whole.jsonl) <(sort killed.jsonl)
echo "$(wc -l <killed.jsonl) lines, equal after sorting ($(du -b whole.jsonl | cut -f1) bytes)"
