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

# Two nodes of two packages with two cores of two processors each. As often, the operating system counts
# processors of both packages in turn, then their second ones: core 0 has 0 and 4, core 1 has 2 and 6,
# in the other package core 2 has 1 and 5, core 3 has 3 and 7.
{
  echo '<topology version="2.0"><object type="Machine">'
  for package in 0 1; do
    echo "<object type=\"Package\" os_index=\"$package\">"
    for first in $package $((package + 2)); do
      echo "<object type=\"Core\"><object type=\"PU\" os_index=\"$first\"/><object type=\"PU\" os_index=\"$((first + 4))\"/></object>"
    done
    echo '</object>'
  done
  echo '</object></topology>'
} >"$work/node.xml"
export VTOPO_NETWORK=torus:2,node=$work/node.xml
printf 'node-%d host-%d\n' 0 1 1 0 >"$work/names"
export VTOPO_NODE_NAMES=$work/names VTOPO_OBJECTIVE=hop-bytes  # the network between nodes takes the time
# Bound to a core, or to one processor of it; node-0 is the second host, so that its places are 4 to 7.
by_number=$(VTOPO_HOST_OF_RANK=4,6,5,7,0,2,1,3 "$work/ask" "$library" 8)
by_core=$("$work/ask" "$library" 8 4 0-4 1-5 2 7 4 5 2-6 3)
echo "$by_core"
[ "$(tr ' ' '\n' <<<"$by_core" | sort -n | paste -sd' ')" = "0 1 2 3 4 5 6 7" ]
[ "$by_core" = "$by_number" ]
! answer=$("$work/ask" "$library" 8 4 0-4 1-5 2 7 4 5 2-6 0-7)
fails 'rank 7 on node "node-1": it may run on processors 0 to 7, which are in several places'
! answer=$("$work/ask" "$library" 8 4 0-4 1-5 2 7 4 5 2-6 8)
fails 'node.xml has no processor 8'
! answer=$("$work/ask" "$library" 8 4)
fails 'rank 0 on node "node-0": it is not known which processors'
! answer=$(VTOPO_NETWORK=torus:2,node=2x2 "$work/ask" "$library" 8 4 0-4 1-5 2 7 4 5 2-6 3)
fails 'VTOPO_NETWORK does not say which processor'
# A job on one node, whatever its name.
unset VTOPO_NODE_NAMES
one=$(VTOPO_NETWORK=torus:1,node=$work/node.xml "$work/ask" "$library" 4 4 0 1 2 3)
[ "$one" = "$(VTOPO_NETWORK=torus:1,node=$work/node.xml VTOPO_HOST_OF_RANK=0,2,1,3 "$work/ask" "$library" 4)" ]
[ "$one" != kept ]
echo "$one"
