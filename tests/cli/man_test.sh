#!/usr/bin/env bash
# Every verb has a manual page without a complaint of groff or mandoc (each where it is installed).
# Argument: the command.
set -euo pipefail
vtopo=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$vtopo" man --folder .

verbs() { # of the command, or of a verb
  "$vtopo" __complete "$@" "" | cut -f 1 | grep -vx 'help\|-.*\|.*:'
}
for verb in $(verbs); do
  test -s "vtopo-$verb.1" || { echo "no page of vtopo $verb"; exit 1; }
  cmp "vtopo-$verb.1" <("$vtopo" man "$verb")
done
for verb in $(verbs platform); do test -s "vtopo-platform-$verb.1"; done
test -s vtopo-sweep-merge.1
# What a verb runs has a name in its help and on its page.
"$vtopo" mpirun --help | grep -q '^Usage: vtopo mpirun \[OPTIONS\] PROGRAM \[ARGUMENT...\]$'
grep -q '^PROGRAM \[ARGUMENT' vtopo-mpirun.1
[ "$(verbs | wc -l)" -ge 13 ] # the help is read at all

for page in *.1; do
  if command -v groff >/dev/null; then
    groff -man -ww -Tascii "$page" 2>complaints >text
    [ ! -s complaints ] || { echo "groff: $page"; cat complaints; exit 1; }
  fi
  if command -v mandoc >/dev/null; then mandoc -T lint -W warning "$page"; fi
done
if command -v groff >/dev/null; then
  # Characters that mean something to roff arrive: dashes to copy, quotes, a backslash.
  groff -man -Tascii vtopo-evaluate.1 | sed 's/\x1b\[[0-9;]*m//g; s/.\x08//g' >text
  grep -q -e '--mapper' text
  grep -q "SimGrid's" text
fi
