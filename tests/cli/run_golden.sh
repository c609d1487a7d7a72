#!/usr/bin/env bash
# One golden run of the command: run_golden.sh VTOPO CASE [--update]
# CASE.args holds the arguments as a shell would read them, CASE.expected what stdout, stderr and the
# exit code must be. Runs in the project's root; $TMP in the arguments is an empty folder.
set -uo pipefail
shopt -s dotglob  # a temporary file left behind shows too
vtopo=$1
case=$2
cd "$(dirname "$0")/../.."
TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT

eval "arguments=($(cat "$case.args"))"
"$vtopo" "${arguments[@]}" >"$TMP.out" 2>"$TMP.err"
code=$?
any_version='s/^  "version": "[^"]*"/  "version": "VERSION"/'
actual=$(
  sed "$any_version; s|$TMP|TMP|g" "$TMP.out"
  echo "--- stderr"
  # On a busy machine any run may take long enough to say how far it is.
  sed "s|$TMP|TMP|g; /^vtopo: .*: [0-9]* %\(, about [0-9]* [a-z]* left\)\{0,1\}$/d" "$TMP.err"
  for file in "$TMP"/*; do
    [ -e "$file" ] || continue
    echo "--- file ${file##*/}"
    sed "$any_version" "$file"
  done
  echo "--- exit code $code"
)
rm -f "$TMP.out" "$TMP.err"
if [ "${3:-}" = --update ]; then
  printf '%s\n' "$actual" >"$case.expected"
  exit 0
fi
diff -u "$case.expected" <(printf '%s\n' "$actual")
