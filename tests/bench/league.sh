#!/usr/bin/env bash
# Results of the league as CSV, with version and machine: league.sh VTOPO [INSTANCES] >tests/bench/league.csv
# INSTANCES as of bench --instances (default: quick, two minutes).
# 20,000 exchanges each, so that the values are those of any machine; seconds are processor time on this one.
set -euo pipefail
vtopo=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$vtopo" bench --instances "${2:-quick}" --mapper all --steps 20000 --run-limit 30s -o "$folder/rows.csv" >&2
version=$("$vtopo" --version | sed -n '1s/^vtopo //p')
machine=$(sed -n 's/^model name[^:]*: //p;T;q' /proc/cpuinfo | tr -d ',"')
# Of rows.csv: instance, mapper, seed, status, reason, measure, value, ratios to the best and to the bound; processor seconds.
python3 - "$folder/rows.csv" "$version" "${machine:-unknown}, $(nproc) cores" <<'END'
import csv, sys
names = ["instance", "mapper", "seed", "status", "reason", "measure", "value", "ratio_to_best", "ratio_to_bound", "cpu_seconds"]
with open(sys.argv[1], newline="") as file:
    rows = list(csv.DictReader(file))
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(["version", "machine"] + names)
for row in rows:
    out.writerow(sys.argv[2:4] + [row[name] for name in names])
END
