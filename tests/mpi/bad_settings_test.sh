#!/usr/bin/env bash
# Wrong settings end the program with one sentence that names the variable.
# Argument: the overlay library.
set -euo pipefail
overlay=$1
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=platform.sh
. "$folder/platform.sh"
make_work_folder
smpicc -O1 -o "$work/halo" "$folder/halo.c"
write_torus 2,2,2 8 "$work/torus.xml"
seq -f 'host-%.0f' 0 7 >"$work/hosts"
expect() { # words of the sentence, VARIABLE=value...
  local words=$1
  shift
  if env "$@" bash -c ". '$folder/platform.sh'; simulate 8 '$work/torus.xml' '$work/hosts' -wrapper 'env LD_PRELOAD=$overlay' '$work/halo' 2" \
    >"$work/output" 2>&1; then
    echo "accepted: $*"
    exit 1
  fi
  grep -q "^vtopo: .*$words" "$work/output" || {
    echo "no sentence with \"$words\" after $*:"
    cat "$work/output"
    exit 1
  }
}
expect 'VTOPO_MAPPER=nonsense' VTOPO_NETWORK=torus:2x2x2 VTOPO_MAPPER=nonsense
expect 'torus:2x0' VTOPO_NETWORK=torus:2x0
expect 'VTOPO_REORDER=maybe' VTOPO_NETWORK=torus:2x2x2 VTOPO_REORDER=maybe
expect 'VTOPO_STRICT=2' VTOPO_NETWORK=torus:2x2x2 VTOPO_STRICT=2
expect 'VTOPO_STEPS=-1' VTOPO_NETWORK=torus:2x2x2 VTOPO_STEPS=-1
expect 'runs on host "host-4"' VTOPO_NETWORK=torus:2x2
expect 'accepted is one of them' VTOPO_NETWORK=torus:2x2 VTOPO_PLATFORM=x.xml
