#!/usr/bin/env bash
# Compares a rule of dims_create with the installed library: dims_against_mpi.sh PROGRAM RULE
# PROGRAM is the compiled dims_against_mpi.cpp. Exit code 77 (skipped) if the library of the rule is
# not installed, or in another version than the one that the rule reproduces.
set -euo pipefail
program=$1
rule=$2
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# shellcheck source=../../support/needs.sh
. "$here/../../support/needs.sh"

case $rule in
  mpich) compiler=mpicc.mpich version="MPICH Version:[[:space:]]*4\.(0\.2|2\.1)" ;;
  openmpi) compiler=mpicc.openmpi version="Open MPI v(4\.1\.4|5\.0\.7)" ;;
  smpi) compiler=smpicc version="3\.32|4\.0" ;;
  *) echo "unknown rule $rule" && exit 2 ;;
esac
needs "$compiler"

# A single process, started without a launcher; under SMPI it needs one, and a platform.
run() {
  if [ "$rule" != smpi ]; then
    OMPI_MCA_ess_singleton_isolated=1 "$folder/mpi_dims" "$@"
    return
  fi
  cat >"$folder/one.xml" <<'XML'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full"><host id="h" speed="1Gf"/></zone></platform>
XML
  echo h >"$folder/hosts"
  smpirun -np 1 -platform "$folder/one.xml" -hostfile "$folder/hosts" \
    --cfg=smpi/host-speed:1Gf "$folder/mpi_dims" "$@"
}

"$compiler" "$here/mpi_dims.c" -o "$folder/mpi_dims"
"$program" calls >"$folder/calls"
run "$folder/calls" "$folder/answers" >"$folder/version" 2>"$folder/errors" || {
  cat "$folder/version" "$folder/errors"
  exit 1
}
grep -qE "$version" "$folder/version" || skip "the installed version is $(head -1 "$folder/version")"
"$program" check "$rule" "$folder/calls" "$folder/answers"
