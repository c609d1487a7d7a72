#!/usr/bin/env bash
# An empty value is a usage error that names its option, whatever the option: scripts pass one where a
# variable is not set. Arguments: the command.
set -uo pipefail
vtopo=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
failures=0

# words that run, without output; then every option of the verb that takes a value, without one; those of an earlier
# verb, which are one table, again only if VTOPO_LONG_TESTS is set
checked=
check_verb() {
  local options code
  "$vtopo" "$@" >/dev/null 2>errors || { cat errors; exit 1; }
  options=$(COLUMNS=200 "$vtopo" "$1" --help-all |
    sed -nE 's/^  (-[a-z], )?(--[a-z-]+)(, --[a-z-]+)* [A-Z].*/\2/p' | sort -u)
  [ "$(wc -w <<<"$options")" -gt 5 ] || { echo "few options of $1: $options"; exit 1; }
  for option in $options; do
    [ -n "${VTOPO_LONG_TESTS:-}" ] || [[ " $checked " != *" $option "* ]] || continue
    checked+=" $option"
    "$vtopo" "$@" "$option" "" >/dev/null 2>errors
    code=$?
    [ "$code" = 2 ] && grep -q -- "$option" errors && continue
    echo "exit code $code of vtopo $* $option \"\": $(cat errors)"
    failures=$((failures + 1))
  done
}
job=(--topology cart:2x2 --network torus:2x2)
check_verb evaluate "${job[@]}"
check_verb map "${job[@]}" -o ranks.csv

expect() {
  local words=$1 code
  shift
  "$vtopo" "$@" >/dev/null 2>errors
  code=$?
  [ "$code" = 2 ] && grep -qF -- "$words" errors && return
  echo "exit code $code of vtopo $*: $(cat errors)"
  failures=$((failures + 1))
}
expect 'vtopo: --fail-if: expected a value, not ""; see' evaluate "${job[@]}" --fail-if ""
expect 'vtopo: IN: expected a value' convert "" out.csv
expect 'vtopo: PLAN: expected a value' sweep ""
expect 'vtopo: --network: expected a value' platform describe --network ""
expect 'vtopo: --run-limit: expected a value' mpirun -np 2 --network torus:2x2 --run-limit "" ./program
exit $((failures > 0))
