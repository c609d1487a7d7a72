#!/usr/bin/env bash
# What a file says runs no program, reads no other file, fills no memory and writes nowhere but into
# the outputs that the command line names. Arguments: the command, the source folder.
set -euo pipefail
vtopo=$1
source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/home" "$folder/work"
cd "$folder"
export HOME=$folder/home TMPDIR=$folder/home

# KiB; address sanitizers reserve terabytes and start under no limit.
memory=4000000
started=$( (ulimit -v $memory && "$vtopo" --version) 2>&1 || true)
[[ $started == *ReserveShadowMemoryRange* ]] && memory=unlimited

refused() { # exit code, pattern of the sentence, words of the command
  local code=0 expected=$1 pattern=$2
  shift 2
  (ulimit -v "$memory" && cd work && "$vtopo" "$@") >out 2>err || code=$?
  [ "$code" -eq "$expected" ] && cat out err | grep -q -e "$pattern" && return
  echo "vtopo $*: exit code $code instead of $expected, or no \"$pattern\" in:" >&2
  cat out err >&2
  exit 1
}

told_no_secret() {
  if grep -q "$secret" out err; then
    echo "what another file holds was told" >&2
    exit 1
  fi
}

# Programs: only the command line names them.
cat >program <<EOF
#!/bin/sh
touch "$folder/has-run"
echo 0 >"\$4"
echo 1 >>"\$4"
EOF
chmod +x program
problem='"topology": "cart:2", "network": "torus:2"'
echo "{$problem, \"mapper\": \"external:command=$folder/program\"}" >external.json
echo "{$problem, \"mapper\": [\"block\", \"exchange:start=external\"]}" >start.json
echo "{$problem, \"mapper\": \"mine\", \"plugin\": \"$folder/program\"}" >plugin.json
for file in external start plugin; do
  refused 3 "runs a program, which a file alone cannot ask for" \
    compare --scenario ../$file.json --no-simulate
  echo "{\"base\": $(cat $file.json), \"axes\": {\"seed\": [1]}}" >plan.json
  refused 3 "runs a program, which a plan alone cannot ask for" sweep ../plan.json -o ../part.jsonl
done
[ ! -e has-run ] && [ ! -e part.jsonl ]
"$vtopo" compare --scenario external.json --mapper "external:command=$folder/program" --no-simulate >/dev/null
[ -e has-run ]
rm has-run
echo "{\"base\": $(cat external.json), \"axes\": {\"no-simulate\": [true]}}" >plan.json
"$vtopo" sweep plan.json -o part.jsonl --run-programs 2>/dev/null
[ -e has-run ]

# Platforms that SimGrid would load as shared libraries, whatever they are called.
cp "$vtopo" library.so
cp "$vtopo" library.xml
refused 3 "not a machine file that vtopo knows" compare --topology cart:2 --platform ../library.so
refused 3 "library.xml" compare --topology cart:2 --platform ../library.xml

# Entities are neither expanded nor looked up.
secret=nothing-a-message-may-quote
echo "$secret" >secret
{
  echo "<?xml version='1.0'?><!DOCTYPE platform [<!ENTITY x SYSTEM \"file://$folder/secret\">"
  echo '<!ENTITY a0 "ha">'
  for i in $(seq 1 30); do
    echo "<!ENTITY a$i \"&a$((i - 1));&a$((i - 1));&a$((i - 1));&a$((i - 1));\">"
  done
  echo ']><platform version="4.1"><zone id="&a30;" routing="Full"><host id="&x;" speed="-1Gf"/></zone></platform>'
} >entities.xml
refused 3 "entities.xml" compare --topology cart:2 --platform ../entities.xml
told_no_secret
refused 3 unknown-entity platform lint ../entities.xml
told_no_secret

# Other files and processes that SimGrid's platforms can name: refused, or kept from SimGrid.
platform_with() {
  printf '%s' "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">" \
    "<platform version=\"4.1\">$1<zone id=\"z\" routing=\"Full\"><host id=\"b\" speed=\"1Gf\"/>$2</zone></platform>" >other.xml
}
platform_with '<include file="secret"/>' ''
refused 3 "not accepted" compare --topology cart:1 --platform ../other.xml
ignored() { # part, before the zone, inside it
  platform_with "$2" "$3"
  (cd work && "$vtopo" compare --topology cart:1 --hosts first:1 --simgrid-compatible --platform ../other.xml --no-simulate >../out 2>../err)
  grep -q "$1.* ignored" err || { cat err >&2; exit 1; }
  told_no_secret
  [ -z "$(ls -A work)" ] && [ "$(cat secret)" = "$secret" ] && [ ! -e traced ]
}
ignored tracing "<config id=\"c\"><prop id=\"tracing\" value=\"1\"/><prop id=\"tracing/filename\" value=\"$folder/traced\"/></config>" ''
ignored tracing "<config id=\"c\"><prop id=\"tracing\" value=\"1\"/><prop id=\"tracing/filename\" value=\"$folder/secret\"/></config>" ''
ignored profile '' "<host id=\"a\" speed=\"1Gf\" availability_file=\"$folder/secret\"/>"
ignored trace "<trace id=\"t\" file=\"$folder/secret\" periodicity=\"1\"/>" ''

# A file that is another one at each look: SimGrid gets the bytes that were checked, so that no run
# creates the file that the other one names.
"$vtopo" platform generate --network mesh:2x2 >clean.xml
sed 's|<platform version="4.1">|&<config id="c"><prop id="tracing" value="1"/><prop id="tracing/filename" value="'"$folder"'/traced"/></config>|' \
  clean.xml >tracing.xml
grep -q traced tracing.xml
cp clean.xml changing.xml
while :; do
  ln -sf tracing.xml next.xml && mv -T next.xml changing.xml
  ln -sf clean.xml next.xml && mv -T next.xml changing.xml
done &
swapper=$!
trap 'kill "$swapper" 2>/dev/null || true; rm -rf "$folder"' EXIT
[ -n "${VTOPO_LONG_TESTS:-}" ] && looks=40 || looks=10
for _ in $(seq "$looks"); do
  "$vtopo" platform route host-0 host-3 --platform changing.xml --simgrid-compatible >out 2>err || { cat err >&2; exit 1; }
done
kill "$swapper"
wait "$swapper" 2>/dev/null || true
[ ! -e traced ]

# A few bytes that ask for much memory.
printf 'SwitchName=s Nodes=n[0-99999999]\n' >big.conf
refused 3 "more than 1048576 names" compare --topology cart:2 --platform ../big.conf
echo '{"axes": {"seed": {"from": 1, "to": 9000000000}}}' >plan.json
refused 3 "accepted are 1 to 1000000 numbers" sweep ../plan.json -o ../big.jsonl

# A run leaves nothing behind but what it was told to write.
"$vtopo" compare --scenario "$source/examples/scenario.json" --mapper block >/dev/null
(cd work && "$vtopo" compare --topology cart:4 --platform "$source/platforms/two-rooms.xml" \
  --mapper block -o ../report.txt >/dev/null)
[ -z "$(ls -A work)$(ls -A home)" ] || {
  echo "left behind: $(ls -A work home)" >&2
  exit 1
}

# No part of the project speaks with a network: there is no call for it.
if grep -rnE '\b(getaddrinfo|gethostbyname|AF_INET6?|curl_easy|inet_pton|accept4?) *\(|AF_INET' \
  "$source"/{topology,netmodels,sim,cli} --include='*.[ch]' --include='*.[ch]pp'; then
  echo "network calls in the sources" >&2
  exit 1
fi
