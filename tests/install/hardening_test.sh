#!/usr/bin/env bash
# Command and libraries are hardened: positions not known in advance, addresses resolved at the start and read-only
# then, no executable stack, no libraries from the current folder; in release builds stack protectors and checked copies.
# Arguments: kind of build, files.
set -euo pipefail  # grep -c, not -q: it reads all that readelf prints
build_type=$1
shift
for file in "$@"; do
  [ -e "$file" ] || continue
  fail() { echo "$file: $*"; exit 1; }
  readelf -hW "$file" | grep -c 'Type: *DYN' >/dev/null || fail "its position is fixed"
  readelf -lW "$file" | grep -c GNU_RELRO >/dev/null || fail "no RELRO"
  readelf -dW "$file" | grep -cE 'BIND_NOW|FLAGS.*NOW' || fail "RELRO is partial: bound lazily"
  readelf -lW "$file" | grep GNU_STACK | grep -cv 'RWE' >/dev/null || fail "its stack is executable"
  path=$(readelf -dW "$file" | sed -nE 's/.*\((RPATH|RUNPATH)\).*\[(.*)\]/:\2:/p')
  [[ $path =~ ^(:[/\$][^:]*)*:?$ ]] || fail "libraries are looked for in the current folder: ${path:1:-1}"
  if [ "$build_type" = Release ]; then
    readelf -sW --dyn-syms "$file" | grep -c __stack_chk_fail >/dev/null || fail "no stack protector"
    readelf -sW --dyn-syms "$file" | grep -cE '__[a-z]+_chk(@|$)' || fail "no checked copies"
  fi
done
