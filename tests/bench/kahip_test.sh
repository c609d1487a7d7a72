#!/usr/bin/env bash
# By hand: scotch_comparison asks KaHIP's programs as KaHIP 3 documents them, and reads their answer.
# KaHIP is not in Debian: stand-ins check options and graph and answer as the mapper block would, so
# their hop-bytes are its. Argument: scotch_comparison.
set -euo pipefail
comparison=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
cat >"$work/bin/kaffpa" <<'STAND_IN'
#!/usr/bin/env bash
set -euo pipefail
graph=$1
shift
declare -A given
for word in "$@"; do given[${word%%=*}]=${word#*=}; done
for option in seed imbalance preconfiguration hierarchy_parameter_string distance_parameter_string output_filename; do
  [ -n "${given[--$option]:-}" ] || exit 2
done
[ "${given[--imbalance]}" = "${IMBALANCE:-0}" ] || exit 2
case $(basename "$0") in
  kaffpa) [ "${given[--k]}" ] && [ "${given[--enable_mapping]}" ] || exit 2 ;;
  *) [ -z "${given[--k]:-}${given[--enable_mapping]:-}" ] || exit 2 ;;
esac
hosts=1
IFS=: read -ra sizes <<<"${given[--hierarchy_parameter_string]}"
IFS=: read -ra distances <<<"${given[--distance_parameter_string]}"
[ ${#sizes[@]} = ${#distances[@]} ] || exit 2
for size in "${sizes[@]}"; do hosts=$((hosts * size)); done
[ -z "${given[--k]:-}" ] || [ "${given[--k]}" = $hosts ] || exit 2
# Each edge once per end, with equal weights; then rank r to host r / (ranks per host).
awk -v hosts=$hosts -v output="${given[--output_filename]}" '
  NR == 1 { ranks = $1; edges = $2; if ($3 != 1) exit 3; next }
  { for (i = 1; i < NF; i += 2) { ++arcs; weight[NR - 1, $i] = $(i + 1) } }
  END {
    if (NR - 1 != ranks || arcs != 2 * edges) exit 3
    for (pair in weight) { split(pair, end, SUBSEP); if (weight[pair] != weight[end[2], end[1]]) exit 3 }
    for (r = 0; r < ranks; ++r) print int(r * hosts / ranks) >output
  }' "$graph"
STAND_IN
chmod +x "$work/bin/kaffpa"
ln -s kaffpa "$work/bin/global_multisection"
for instance in 7pt-4096-tree2 7pt-4096-tree3; do
  PATH=$work/bin:$PATH "$comparison" --instances $instance --mapper block --multiples 1 --seconds 0 \
    --csv "$work/rows.csv" >"$work/output"
  [ "$(grep -cE '"(kaffpa|global_multisection|block 1x)"' "$work/rows.csv")" = 3 ] ||
    { echo "$instance: a contender is missing"; exit 1; }
  [ "$(grep -E '"(kaffpa|global_multisection|block 1x)"' "$work/rows.csv" | cut -d, -f3 | sort -u | wc -l)" = 1 ] ||
    { echo "$instance: other hop-bytes than block"; cat "$work/rows.csv"; exit 1; }
done
# 65 ranks on each host instead of 64, rounded down.
PATH=$work/bin:$PATH IMBALANCE=2.34375 "$comparison" --instances 'delaunay-16384-3%' --mapper block --multiples 1 \
  --seconds 0 --csv "$work/rows.csv" >"$work/output"
[ "$(grep -cE '"(kaffpa|global_multisection)"' "$work/rows.csv")" = 2 ] || { echo "another imbalance"; exit 1; }
"$comparison" --instances 7pt-4096-tree2 --mapper block --multiples 1 --seconds 0 >"$work/output"
! grep -q kaffpa "$work/output" || { echo "KaHIP without KaHIP"; exit 1; }
echo "KaHIP is asked as documented"
