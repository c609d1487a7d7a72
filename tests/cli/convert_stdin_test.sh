#!/usr/bin/env bash
# convert reads standard input and names it in complaints: convert_stdin_test.sh VTOPO
set -euo pipefail
vtopo=$1
cd "$(dirname "$0")/../.."

# Twice through a pipe is what the file holds: the header and 48 directed edges.
piped=$("$vtopo" convert - - --from edges --to graphml <examples/halo-4x4.csv |
  "$vtopo" convert - - --from graphml)
[ "$piped" = "$("$vtopo" convert examples/halo-4x4.csv -)" ] || { echo "another guest"; exit 1; }
[ "$(wc -l <<<"$piped")" = 49 ] || { echo "not 48 edges"; exit 1; }

# Ended while it waits for more, it leaves nothing in the folder for temporary files.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkfifo "$work/input"
mkdir "$work/tmp"
TMPDIR=$work/tmp "$vtopo" convert - - --from edges <"$work/input" &
job=$!
exec 3>"$work/input"
until [ -n "$(ls "$work/tmp")" ]; do sleep 0.05; done
kill -TERM "$job"
wait "$job" && { echo "not ended"; exit 1; }
exec 3>&-
[ -z "$(ls "$work/tmp")" ] || { echo "left behind: $(ls "$work/tmp")"; exit 1; }

complaint=$(printf 'src,dst,bytes\n0,1,-8\n' | "$vtopo" convert - - --from edges 2>&1) && exit 1
expected='vtopo: standard input:2:5: volume "-8" is negative: accepted are numbers >= 0, and with --weights abs or --weights pattern any'
[ "$complaint" = "$expected" ] || { echo "$complaint"; exit 1; }
