#!/usr/bin/env bash
# Reordering under a real MPI library and valgrind, on fake hosts. Not in CI: it takes minutes. Whatever valgrind
# finds with a function of ours innermost (reads, writes, lost memory) is a failure; what it finds in the MPI library
# is counted, with the preload and without. Arguments: mpich or openmpi, the library to preload; optional: number of
# random graphs (2).
set -euo pipefail
library=$1 preload=$(realpath "$2") graphs=${3:-2}
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../support/mpi_library.sh
. "$folder/../support/mpi_library.sh"
launch_with "$library"
launch+=(-np 4)
# shellcheck source=../support/needs.sh
. "$(dirname "$0")/../support/needs.sh"
needs valgrind
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset "${!VTOPO_@}"
"mpicc.$library" -g -O1 "-I$folder" -w -o "$work/reordered" "$folder/reordered.c"

# findings NAME: of all processes, how many in all, and how many in a function of ours.
findings() {
  cat "$work/$1".[0-9]* | sed -E 's/^==[0-9]+== ?//' | awk -v name="$1" '
    function ends() { if (kind != "") { ++all; if (inner ~ /libvtopo_/) { ++ours; print text } } kind = text = inner = "" }
    /^(Invalid|Conditional|Use of|Syscall|Source and|Mismatched|Process terminating)/ || /are definitely lost/ { ends(); kind = $0 }
    kind != "" { text = text $0 "\n" }
    # The first frame that is neither the allocator nor a copy of the C library.
    kind != "" && inner == "" && /^ +(at|by) / && !/vgpreload|libc\.so/ { inner = $0 }
    /^$/ { ends() }
    END { ends(); printf "%s: %d findings, %d of them ours\n", name, all, ours; exit ours > 0 }'
}
check() { # NAME MOVES VARIABLE=VALUE...
  local name=$1 moves=$2
  shift 2
  timeout --foreground 1200 "${launch[@]}" env "$@" valgrind -q --leak-check=full --show-leak-kinds=definite \
    --num-callers=30 --trace-children=no "--log-file=$work/$name.%p" "$work/reordered" "$graphs" "$moves" \
    </dev/null >"$work/output" 2>&1 || { tail -n 20 "$work/output" && exit 1; }
  grep -Eq '(^|[ ,])0 failed$' "$work/output"
  findings "$name"
}
check without stays
check with moves "LD_PRELOAD=$preload" VTOPO_NETWORK=torus:4 VTOPO_HOST_OF_RANK=0,2,1,3
