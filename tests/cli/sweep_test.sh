#!/usr/bin/env bash
# A sweep that is killed twice and resumed gives the lines of an undisturbed one, and so do its
# shards merged; failures are lines; signals stop it cleanly. Arguments: the command, and the number
# of scenarios per seed axis (5 of them make 30 scenarios; 10 if VTOPO_LONG_TESTS is set).
set -euo pipefail
vtopo=$1
[ -n "${VTOPO_LONG_TESTS:-}" ] && seeds=${2:-10} || seeds=${2:-5}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
  echo "$1"
  exit 1
}
expect_code() { # code command...
  local wanted=$1 code=0
  shift
  "$@" 2>last-words || code=$?
  [ "$code" -eq "$wanted" ] || fail "exit code $code instead of $wanted: $* ($(cat last-words))"
}

# The last mapper of each scenario waits as long as the file $hold is there, once $held_at lines are written: what is
# killed then has not ended, however busy the machine is.
cat >waits.sh <<'END'
#!/bin/bash
if [ -n "${hold:-}" ] && [ -e "$hold" ] && [ "$(wc -l <"$lines")" -ge "$held_at" ]; then
  touch "$hold.reached"
  while [ -e "$hold" ]; do sleep 0.02; done
fi
for rank in {0..15}; do echo "$rank"; done >"$4"
END
chmod +x waits.sh
start_held() { # lines after which it waits, output, options of sweep...: its process is $sweep when it waits
  export hold=$PWD/hold-$2-$1 lines=$PWD/$2 held_at=$1
  touch "$hold" "$lines"
  "$vtopo" sweep held.json --run-programs -o "$2" --resume "${@:3}" 2>last-words &
  sweep=$!
  until [ -e "$hold.reached" ]; do
    kill -0 $sweep || fail "the sweep ended before it was held: $(cat last-words)"
    sleep 0.01
  done
}

cat >plan.json <<END
{
  "base": {"bytes": "64KiB", "steps": 200, "no-simulate": true},
  "axes": {
    "guest": [{"topology": "cart:4x4"}, {"topology": "hypercube:4", "bytes": "1MiB"}],
    "network": ["torus:4x4", {"network": "mesh:4x4", "bandwidth": "5GBps"}, "fat-tree:2;4,4;1,2;1,1"],
    "mapper": ["exchange"],
    "seed": {"from": 1, "to": $seeds}
  }
}
END
all=$((6 * seeds))

"$vtopo" sweep plan.json -o whole.jsonl
[ "$(wc -l <whole.jsonl)" -eq "$all" ] || fail "not $all lines"
[ "$(wc -l <whole.jsonl.timings.csv)" -eq $((all + 1)) ] || fail "not $all timings"
sort whole.jsonl >whole.sorted
expect_code 2 "$vtopo" sweep plan.json -o whole.jsonl

sed "s|\"exchange\"|\"exchange,external:command=$PWD/waits.sh\"|" plan.json >held.json
"$vtopo" sweep held.json --run-programs -o held.jsonl
sort held.jsonl >held.sorted

# Killed when a third and when two thirds are there; the second time with a torn line.
for share in 1 2; do
  start_held $((share * all / 3)) killed.jsonl --jobs 1
  kill -KILL $sweep
  wait $sweep 2>/dev/null || true
  rm "$hold"
  [ "$(wc -l <killed.jsonl)" -eq "$held_at" ] || fail "not $held_at lines: $(wc -l <killed.jsonl)"
done
head -c -25 killed.jsonl >torn && cat torn >killed.jsonl
"$vtopo" sweep held.json --run-programs -o killed.jsonl --resume 2>last-words
grep -q "was not finished" last-words || fail "the torn line was not told"
sort killed.jsonl | cmp - held.sorted

# SIGTERM: no torn line, the way on is reported.
start_held 1 stopped.jsonl
kill -TERM $sweep
code=0
wait $sweep || code=$?
rm "$hold"
[ "$code" -eq 143 ] || fail "exit code $code after SIGTERM"
grep -q -- "--resume" last-words || fail "the way on was not told: $(cat last-words)"
"$vtopo" sweep held.json --run-programs -o stopped.jsonl --resume
sort stopped.jsonl | cmp - held.sorted

# Shards, by hand or by GNU parallel, and merging.
if command -v parallel >/dev/null && parallel --version 2>/dev/null | grep -q GNU; then
  parallel "$vtopo" sweep plan.json --shard {}/3 --jobs 1 ::: 1 2 3
else
  for i in 1 2 3; do "$vtopo" sweep plan.json --shard $i/3 --jobs 1; done
fi
"$vtopo" sweep merge -o merged.jsonl plan.shard-*-of-3.jsonl whole.jsonl
cmp merged.jsonl whole.sorted
sed '1s/"ranks":16/"ranks":17/' merged.jsonl >other.jsonl
expect_code 3 "$vtopo" sweep merge -o never.jsonl merged.jsonl other.jsonl
grep -q "other.jsonl:1: .* another result in merged.jsonl:1" last-words || fail "$(cat last-words)"

# A line is a scenario file that makes its rows again.
head -n 1 merged.jsonl >line.json
"$vtopo" compare --scenario line.json --threads 1 --timing off -o again.json
rows() { tr -d ' \n' <"$1" | grep -o '"rows":.*' | sed 's|],"best":.*|]}|'; }
cmp <(rows line.json) <(rows again.json)

# Failures: too many ranks (4 of the command, 3 of the sweep), then a limit of time.
echo '{"base": {"network": "torus:2x2", "mapper": "block"},
       "axes": {"topology": ["cart:2x2", "cart:4x4"]}}' >fails.json
expect_code 3 "$vtopo" sweep fails.json -o fails.jsonl
grep -q '"error":".*","exit_code":4}' fails.jsonl || fail "no line with an error"
expect_code 3 "$vtopo" sweep fails.json -o fails.jsonl --resume
[ "$(wc -l <fails.jsonl)" -eq 2 ] || fail "not 2 lines"
expect_code 1 "$vtopo" sweep fails.json -o limit.jsonl --run-limit 1us
grep -q 'takes more than' limit.jsonl || fail "no line about the limit"
expect_code 3 "$vtopo" sweep fails.json -o limit.jsonl --resume --retry-failed
sort limit.jsonl | cmp - <(sort fails.jsonl)

# A file that no scenario can use is one error, before any runs.
echo 'src_host,dst_host,bytes' >others.csv
echo 'host-0,host-9,1MiB' >>others.csv
for wrong in '"background": ["others.csv"]' '"background": ["nobody.csv"]' '"traffic": ["nobody.csv"]' \
  '"hosts": ["file:nobody.txt"]' '"topology": ["graph:nobody.graph"]' '"platform": ["nobody.xml"]' \
  '"mapper": ["file:path=nobody.csv"]'; do
  echo '{"base": {"network": "torus:2x2", "topology": "cart:2x2", "mapper": "block"},
         "axes": {"seed": [1, 2], '"$wrong"'}}' >files.json
  expect_code 3 "$vtopo" sweep files.json -o files.jsonl
  [ "$(wc -l <last-words)" -eq 1 ] || fail "not one error: $(cat last-words)"
  [ ! -e files.jsonl ] || fail "a scenario ran with $wrong"
done

# Slurm, played by a script that runs the tasks one after the other.
mkdir bin
cat >bin/sbatch <<'END'
#!/bin/bash
last=$(sed -n 's/^#SBATCH --array=1-//p' "$1")
for ((task = 1; task <= last; ++task)); do SLURM_ARRAY_TASK_ID=$task bash "$1" || exit; done
echo "Submitted batch job 1"
END
chmod +x bin/sbatch
PATH=$PWD/bin:$PATH "$vtopo" sweep plan.json -o 'by slurm.jsonl' --engine slurm --shards 4 --jobs 2 \
  --sbatch=--time=10 >/dev/null
grep -qx '#SBATCH --time=10' 'by slurm.jsonl.sbatch' || fail "the option for sbatch is missing"
"$vtopo" sweep merge -o slurm.jsonl 'by slurm.shard-'*-of-4.jsonl
cmp slurm.jsonl whole.sorted

# Flux, replaced by a script that takes the words of flux-submit(1): --cc=IDS runs the command once for
# each, with FLUX_JOB_CC.
cat >bin/flux <<'END'
#!/bin/bash
echo "$*" >flux.words
[ "$1" = submit ] && shift
while [[ $1 == -* ]]; do
  case $1 in --cc=1-*) last=${1#--cc=1-} ;; esac
  shift
done
for ((task = 1; task <= last; ++task)); do FLUX_JOB_CC=$task bash "$@" || exit; done
END
chmod +x bin/flux
PATH=$PWD/bin:$PATH "$vtopo" sweep plan.json -o 'by flux.jsonl' --engine flux --shards 3 --jobs 2 \
  --batch-option=--time-limit=10m
grep -q -- '--cc=1-3 --ntasks=1 --cores-per-task=2 --time-limit=10m by flux' flux.words ||
  fail "flux was asked otherwise: $(cat flux.words)"
"$vtopo" sweep merge -o flux.jsonl 'by flux.shard-'*-of-3.jsonl
cmp flux.jsonl whole.sorted
expect_code 3 env PATH=/nowhere "$vtopo" sweep plan.json -o by-hand.jsonl --engine flux --shards 3
grep -q 'by hand: flux submit --job-name=vtopo-sweep --cc=1-3' last-words || fail "$(cat last-words)"

# Over ssh to machines that share this folder, by GNU parallel; a shell here stands for ssh.
if command -v parallel >/dev/null; then
  cat >bin/ssh <<'END'
#!/bin/bash
while [[ $1 == -* ]]; do shift; done
echo "$1" >>hosts.asked
shift
[[ $1 == -- ]] && shift
exec bash -c "$*"
END
  chmod +x bin/ssh
  # parallel quotes its words for the shell that SHELL names; some environments have none
  SHELL=/bin/bash parallel --will-cite --ssh "$PWD/bin/ssh" --sshlogin 1/n1,1/n2 --workdir "$PWD" \
    "$vtopo" sweep plan.json -o ssh.shard-{}-of-4.jsonl --shard {}/4 --jobs 1 ::: 1 2 3 4
  "$vtopo" sweep merge -o ssh.jsonl ssh.shard-*-of-4.jsonl
  cmp ssh.jsonl whole.sorted
  sort -u hosts.asked | cmp - <(printf 'n1\nn2\n')
fi

# A sweep ends in answers: a table on stdout, and an output named as a report is one, in whatever
# order its scenarios ended; its lines are beside it.
cat >study.json <<'JSON'
{"base": {"topology": "cart:4x4", "no-simulate": true},
 "axes": {"network": ["torus:4x4", "fat-tree:2;4,4;1,2;1,1"], "mapper": ["block", "greedy", "random"],
          "seed": {"from": 1, "to": 3}}}
JSON
"$vtopo" sweep study.json -o study.csv --jobs 2 >study.txt
[ "$(wc -l <study.csv)" -eq 19 ] || fail "study.csv has not a heading and 18 rows"
[ "$(wc -l <study.jsonl)" -eq 18 ] || fail "the lines are not beside the report"
grep -q 'torus:4x4 *block \*' study.txt || fail "the best is not marked: $(cat study.txt)"
sort -r study.jsonl >turned.jsonl
for form in table csv json html; do
  "$vtopo" sweep report study.jsonl --format $form >one
  "$vtopo" sweep report turned.jsonl --format $form | cmp - one
done
"$vtopo" sweep report study.jsonl | cmp - study.txt
"$vtopo" report study.jsonl | cmp - study.txt
"$vtopo" sweep merge -o merged.csv study.jsonl
cmp merged.csv study.csv
"$vtopo" sweep report study.jsonl --group-by mapper --best hop_bytes | grep -q '6 rows\|3 groups by mapper' ||
  fail "not grouped by mapper"
expect_code 2 "$vtopo" sweep report study.jsonl --best colour

# What compare says of several values is what a sweep over them says.
echo '{"base": {"topology": "cart:4x4", "mapper": "block,greedy"},
       "axes": {"network": ["torus:4x4", "mesh:4x4", "torus:2x2"], "fail-link": [null, "random:1"]}}' >several.json
expect_code 3 "$vtopo" sweep several.json -o several.csv --no-report
expect_code 4 "$vtopo" compare --topology cart:4x4 --network torus:4x4 --network mesh:4x4 --network torus:2x2 \
  --with fail-link=random:1 --mapper block,greedy --timing off -o compared.csv
cmp <(sort several.csv) <(sed 's/^change,//; s/^with,//; s/^without,//' compared.csv | sort)

# Lines that are JSON and not what a sweep writes.
refuses() { # words, what stands behind the key
  echo "{\"schema\":\"vtopo/sweep/v1\",\"key\":\"a\",$2}" >strange.jsonl
  expect_code 3 "$vtopo" sweep report strange.jsonl
  grep -qF -- "$1" last-words || fail "no \"$1\" in: $(cat last-words)"
}
refuses 'there is no "scenario"' '"rows":[]'
refuses '"rows" is a list, and here it is 7' '"scenario":{},"rows":7'
refuses 'a row is an object, and here it is 1' '"scenario":{},"rows":[1]'
refuses '"error" is text, and here it is 7' '"scenario":{},"error":7'
refuses 'a row has no "mapper"' '"scenario":{},"rows":[{"hop_bytes":1}]'
refuses '"mapper" is text, and here it is 5' '"scenario":{},"rows":[{"mapper":5}]'
for value in '"fast"' -5 '[1]'; do
  refuses '"max_congestion" is null or a number from 0 on, and here it is' \
    "\"scenario\":{},\"rows\":[{\"mapper\":\"block\",\"max_congestion\":$value}]"
done
# A word that is too long for the system is named.
echo '{"base": {"network": "torus:2x2", "topology": "cart:2x2", "no-simulate": true}, "axes": {"mapper": ["'"$(
  head -c 150000 /dev/zero | tr '\0' b)"'"]}}' >long.json
expect_code 3 "$vtopo" sweep long.json -o long.jsonl
expect_code 2 "$vtopo" sweep report study.jsonl -o study.svg
expect_code 2 "$vtopo" sweep study.json --resume --group-by nothing -o study.csv
