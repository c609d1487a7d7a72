#!/usr/bin/env bash
# The gnuplot script of a folder for a paper runs and draws. Needs the package gnuplot-nox; ends with 77
# (skipped) without it. Argument: the command.
set -euo pipefail
vtopo=$1
# shellcheck source=../support/needs.sh
. "$(dirname "$0")/../support/needs.sh"
needs gnuplot
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$vtopo" report --topology cart:4x4 --network torus:4x4 --mapper block,random --solver fast -o paper/
cd paper
gnuplot figures.gp 2>messages
[ ! -s messages ] || { cat messages; exit 1; }
for chart in hops loads ranks traffic-by-rank traffic-by-host-block traffic-by-host-random; do
  grep -q '</svg>' "gnuplot-$chart.svg" || { echo "no $chart"; exit 1; }
done
