#!/usr/bin/env bash
# Names from files reach no terminal with control characters and no spreadsheet as formulas, and what
# plugins print or do to the process stays with them. Argument: the command, the source folder.
set -euo pipefail
vtopo=$1
source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

platform() { # prefix of hosts, prefix of links: two hosts that a link joins
  printf '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
  printf '<platform version="4.1"><zone id="z" routing="Full">'
  printf '<host id="%s0" speed="1Gf"/><host id="%s1" speed="1Gf"/>' "$1" "$1"
  printf '<link id="%s" bandwidth="1GBps" latency="1us"/>' "$2"
  printf '<route src="%s0" dst="%s1"><link_ctn id="%s"/></route></zone></platform>\n' "$1" "$1" "$2"
}

fail() {
  echo "$1 in:" >&2
  cat -v out >&2
  exit 1
}

has() { # text
  grep -qF -e "$1" out || fail "no $1"
}

# Escape, and the control sequence introducer U+009B, in UTF-8.
controls=$(printf '\033\\|\302\233')
shows_controls() {
  LC_ALL=C grep -q -e "$controls" out
}
platform 'h&#27;[1m' 'l&#27;]0;&#155;x' >escapes.xml
host=$(printf 'h\033[1m')
for words in "platform links" "platform links --format csv" "platform describe" \
  "allocate --ranks 2 --platform" "evaluate --topology cart:2 --platform" \
  "simulate --topology cart:2 --platform" "map --topology cart:2 -o placed.json --platform"; do
  "$vtopo" $words escapes.xml >out 2>&1 || fail "exit code $? of $words"
  ! shows_controls || fail "control characters by $words"
done
"$vtopo" platform route escapes.xml "${host}0" "${host}1" >out
has 'h\u001b[1m0 to h\u001b[1m1: 1 hop'
! shows_controls || fail "control characters by platform route"

# What is written for spreadsheets, and read again.
for first in = + - @; do
  platform "${first}h" "${first}l" >formulas.xml
  "$vtopo" platform links formulas.xml --format csv >out
  has "'${first}l,"
  "$vtopo" platform route formulas.xml --format csv 0 1 >out
  has "'${first}l,"
  "$vtopo" map --topology cart:2 --platform formulas.xml --mapper block -o placed.csv >/dev/null
  cp placed.csv out
  has "1,'${first}h1,0"
  "$vtopo" evaluate --topology cart:2 --platform formulas.xml --embedding placed.csv >out
done

plugin() { # body of its mapper
  cat >plugin.c <<C
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "vtopo_plugin.h"
static int32_t map(vtopo_problem* problem, const vtopo_api* api, int32_t* hosts) {
  for (int32_t r = 0; r < api->num_ranks(problem); ++r) hosts[r] = r;
  $1;
  return 0;
}
static const vtopo_mapper_plugin mappers[] = {
    {VTOPO_PLUGIN_ABI, 0, "mine", "does \033[31mwhat it wants", "none", 0, 0, map}};
const vtopo_mapper_plugin* vtopo_mapper_plugins(uint32_t version, size_t* count) {
  *count = 1;
  return mappers;
}
C
  cc -shared -fPIC -I"$source/sim/mapping/plugin" -o plugin.so plugin.c
}

compare() { # expected exit code
  local code=0
  "$vtopo" compare --topology cart:4 --network torus:4 --mapper mine --plugin ./plugin.so \
    --no-simulate --format json >out 2>err || code=$?
  [ "$code" -eq "$1" ] || fail "exit code $code instead of $1"
}

plugin 'abort()' # 3: bad input, as for any file
compare 3
mv err out
has 'mapper mine of plugin "./plugin.so" was ended by signal 6'
plugin 'exit(0)'
compare 3
mv err out
has 'mapper mine of plugin "./plugin.so" ended with exit code 0 before it had placed the ranks'
plugin 'puts("loud"); fflush(stdout); close(1); close(2); chdir("/")'
compare 0
head -1 out | grep -q '^{$' || fail "something before the report"
mv err out
has 'mapper mine of plugin "./plugin.so" printed: loud'
"$vtopo" mappers --plugin ./plugin.so >out
! shows_controls || fail "control characters by mappers"
