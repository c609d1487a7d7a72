#!/usr/bin/env bash
# What placement saves on the hosts of real jobs: real_jobs.sh VTOPO ALLOCATIONS MATRICES OUT [JOBS] [PROCESSES]
# ALLOCATIONS has MACHINE-jobs.tar.gz, each a folder MACHINE with a file per job, a host name per line,
# for machines whose platforms/MACHINE.xml names the hosts; MATRICES has communication matrices as
# src,dst,bytes. Every job that has at most as many hosts as a matrix has ranks is a case, with as many
# slots per host as needed (at most 128); JOBS takes so many jobs of each machine, evenly spread
# (default: all). A sweep compares block with portfolio, and goes on where it was stopped when the
# command is given again. OUT gets cases.jsonl, saved.csv (machine,matrix,hosts,slots,job,saved),
# cdf.csv (machine,matrix,saved,share_of_jobs) and cdf.svg.
set -euo pipefail
vtopo=$(realpath "$1")
allocations=$(realpath "$2")
matrices=$(realpath "$3")
mkdir -p "$4"
out=$(realpath "$4")
jobs=${5:-0}
processes=${6:-$(nproc)}
platforms=$(realpath "$(dirname "$0")/../../platforms")
ranks_of() { awk -F, 'NR > 1 { if ($1 > n) n = $1; if ($2 > n) n = $2 } END { print n + 1 }' "$1"; }

for archive in "$allocations"/*-jobs.tar.gz; do
  machine=$(basename "$archive" -jobs.tar.gz)
  [ -d "$out/$machine" ] || tar -xzf "$archive" -C "$out"
  find "$out/$machine" -name '*.txt' | sort |
    awk -v jobs="$jobs" '{ all[NR] = $0 } END {
      count = jobs > 0 && jobs < NR ? jobs : NR
      for (i = 0; i < count; ++i) print all[1 + int(i * NR / count)] }' |
    while read -r job; do echo "$machine $job $(grep -c . "$job")"; done
done >"$out/jobs.txt"
for matrix in "$matrices"/*.csv; do echo "$matrix $(ranks_of "$matrix")"; done >"$out/matrices.txt"

awk -v platforms="$platforms" '
  NR == FNR { matrix[++n] = $1; ranks[n] = $2; next }
  { for (m = 1; m <= n; ++m) {
      slots = int((ranks[m] + $3 - 1) / $3)
      if ($3 > ranks[m] || slots > 128) continue
      printf "%s    {\"platform\": \"%s/%s.xml\", \"hosts\": \"file:%s\", \"slots\": %d, \"traffic\": \"%s\"}",
        count++ ? ",\n" : "", platforms, $1, $2, slots, matrix[m]
    } }
  BEGIN { print "{\"base\": {\"mapper\": \"block,portfolio\"}, \"axes\": {\"case\": [" }
  END { print "\n]}}" }' "$out/matrices.txt" "$out/jobs.txt" >"$out/plan.json"
"$vtopo" sweep "$out/plan.json" --resume --jobs "$processes" -o "$out/cases.jsonl"

# A placement that is slower than block is not taken, as by vtopo map.
sed -nE 's/.*"scenario":\{(.*)\},"rows":\[(.*)/\1 \2/p' "$out/cases.jsonl" | awk -v OFS=, '
  function value(key,  at) {
    at = match($0, "\"" key "\":\"[^\"]*\"")
    return at ? substr($0, at + length(key) + 4, RLENGTH - length(key) - 5) : ""
  }
  BEGIN { print "machine,matrix,hosts,slots,job,saved" }
  {
    count = 0; rest = $0
    while (match(rest, "\"makespan\":[0-9.e+-]+")) {
      time[++count] = substr(rest, RSTART + 11, RLENGTH - 11) + 0
      rest = substr(rest, RSTART + RLENGTH)
    }
    if (count < 2 || time[1] <= 0) next
    job = value("hosts"); sub(/^file:/, "", job); hosts = 0
    while ((getline line <job) > 0) if (line != "") ++hosts
    close(job)
    machine = value("platform"); sub(/.*\//, "", machine); sub(/\.xml$/, "", machine)
    matrix = value("traffic"); sub(/.*\//, "", matrix); sub(/\.csv$/, "", matrix)
    sub(/.*\//, "", job)
    saved = 1 - time[2] / time[1]
    print machine, matrix, hosts, value("slots"), job, (saved > 0 ? saved : 0)
  }' >"$out/saved.csv"

{
  echo "machine,matrix,saved,share_of_jobs"
  tail -n +2 "$out/saved.csv" | LC_ALL=C sort -t, -k1,1 -k2,2 -k6,6g | awk -F, -v OFS=, '
    function flush(  i) { for (i = 1; i <= n; ++i) print group, saved[i], i / n }
    { if ($1 OFS $2 != group) { flush(); group = $1 OFS $2; n = 0 } saved[++n] = $6 }
    END { flush() }'
} >"$out/cdf.csv"

# Share of the jobs (upwards) for which placement saves at most so much of the time (to the right).
awk -F, '
  function x(saved) { return 60 + 600 * saved }
  function y(share) { return 360 - 320 * share }
  BEGIN {
    split("#1b6ca8 #d1495b #2e933c #edae49 #66477a #3aa6a6 #8d5524 #777777 #000000 #b2558f", colour, " ")
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"860\" height=\"420\" font-family=\"sans-serif\" font-size=\"12\">"
    for (i = 0; i <= 10; i += 2) {
      printf "<path d=\"M%d 40V360M60 %dH660\" stroke=\"#ddd\"/>\n", x(i / 10), y(i / 10)
      printf "<text x=\"%d\" y=\"378\" text-anchor=\"middle\">%d %%</text>\n", x(i / 10), 10 * i
      printf "<text x=\"54\" y=\"%d\" text-anchor=\"end\">%d %%</text>\n", y(i / 10) + 4, 10 * i
    }
    print "<text x=\"360\" y=\"404\" text-anchor=\"middle\">time saved against block, at most</text>"
    print "<text x=\"60\" y=\"24\">share of the jobs</text>"
  }
  NR > 1 {
    if ($1 "," $2 != group) {
      if (group != "") print "\"/>"
      group = $1 "," $2; ++count
      printf "<text x=\"672\" y=\"%d\" fill=\"%s\">%s on %s</text>\n", 40 + 18 * count, colour[count], $2, $1
      printf "<path fill=\"none\" stroke=\"%s\" d=\"M%d %d", colour[count], x(0), y(0)
    }
    printf "H%.1fV%.1f", x($3), y($4)
  }
  END { if (group != "") print "\"/>"; print "</svg>" }' "$out/cdf.csv" >"$out/cdf.svg"

echo "machine   matrix            cases   saves > 1 %   median    90 %   mean"
awk -F, 'NR > 1 {
    if ($1 "," $2 != group) { if (n) row(); group = $1 "," $2; n = sum = some = 0; machine = $1; matrix = $2 }
    saved[++n] = $3; sum += $3; some += $3 > 0.01
  }
  function row() {
    printf "%-9s %-16s %6d %11.0f %% %6.1f %% %5.1f %% %4.1f %%\n", machine, matrix, n, 100 * some / n,
      100 * saved[int((n + 1) / 2)], 100 * saved[int((9 * n + 9) / 10)], 100 * sum / n
  }
  END { if (n) row() }' "$out/cdf.csv"
