#!/usr/bin/env bash
# The hosts of nodes by a file of lines `node host` (VTOPO_NODE_NAMES), as on a machine whose nodes have
# names of their own and coordinates known to the site alone. Argument: libvtopo_reorder.so.
set -euo pipefail
library=$1
folder=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset "${!VTOPO_@}"
"${CC:-cc}" -O1 -o "$work/ask" "$folder/node_names.c" -ldl
# Twelve nodes in one group of Tofu's three small dimensions, X fastest, at the end of two in X.
export VTOPO_NETWORK=torus:2x1x1x2mx3x2m
hosts=(1 23 5 17 9 13 3 21 7 15 11 19)
for r in "${!hosts[@]}"; do echo "node-$r host-${hosts[r]}"; done >"$work/names"

fails() { # MESSAGE: `answer` is a sentence with it
  [[ $answer == *"$1"* ]] && return
  echo "expected a sentence with \"$1\", got: $answer"
  exit 1
}
numbers=$(IFS=, && echo "${hosts[*]}")
by_number=$(VTOPO_HOST_OF_RANK=$numbers "$work/ask" "$library" 12)
by_name=$(VTOPO_NODE_NAMES=$work/names "$work/ask" "$library" 12)
echo "$by_name"
[ "$(tr ' ' '\n' <<<"$by_name" | sort -n | paste -sd' ')" = "0 1 2 3 4 5 6 7 8 9 10 11" ] # and not "kept"
[ "$by_name" = "$by_number" ]

! answer=$("$work/ask" "$library" 12)
fails 'rank 0 runs on node "node-0"'
sed 's/host-23/host-24/' "$work/names" >"$work/outside"
! answer=$(VTOPO_NODE_NAMES=$work/outside "$work/ask" "$library" 12)
fails 'rank 1 runs on node "node-1"'
echo 'node-0' >"$work/half"
! answer=$(VTOPO_NODE_NAMES=$work/half "$work/ask" "$library" 12)
fails 'half:1: expected a node and a host'
