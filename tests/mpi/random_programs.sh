#!/usr/bin/env bash
# Random MPI programs under the overlay, Open MPI and MPICH. By hand: random_programs.sh VTOPO OVERLAY
# SECONDS [SEED]. Valid ones: all libraries make the same number of checks, and none fails. Wrong calls
# that return: the overlay returns an error for each, and the class that both libraries return, if they
# agree. Wrong calls that are fatal: the run ends with another exit code than 0 and names the error.
set -euo pipefail
vtopo=$(realpath "$1") seconds=$3 seed=${4:-1}
export VTOPO_SMPI_LIBRARY OMPI_MCA_btl_vader_single_copy_mechanism=none
VTOPO_SMPI_LIBRARY=$(realpath "$2")
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=platform.sh
. "$folder/platform.sh"
make_work_folder
cd "$work"
SMPI_NO_UNDEFINED_CHECK=1 smpicc -O1 -w -o vtopo "$folder/random_calls.c"
libraries=(vtopo)
for library in openmpi mpich; do
  command -v "mpicc.$library" >/dev/null || continue
  "mpicc.$library" -O1 -w -o "$library" "$folder/random_calls.c"
  libraries+=("$library")
done

# run LIBRARY PROCESSES ARGUMENTS: what it writes is in $library.out, the exit code in code
run() {
  local library=$1 processes=$2 launch
  shift 2
  case $library in
    vtopo) launch=("$vtopo" mpirun --network torus:4x2) ;;
    openmpi) launch=(mpiexec.openmpi --oversubscribe --allow-run-as-root) ;;
    *) launch=("mpiexec.$library") ;;
  esac
  code=0
  timeout -k 5 90 "${launch[@]}" -np "$processes" "./$library" "$@" </dev/null >"$library.out" 2>&1 || code=$?
}
declare -A runs checks
different=0 wrong=0
report() { # LIBRARY WHAT
  wrong=$((wrong + 1))
  echo "$1, $processes processes, seed $seed: $2 (exit code $code)"
  grep -v '^ \|^$' "$1.out" | tail -n 6
}

end=$((SECONDS + seconds))
while [ $SECONDS -lt "$end" ]; do
  processes=$((2 + seed % 5))
  expected=
  for library in "${libraries[@]}"; do
    run "$library" $processes valid "$seed" 10
    runs[$library]=$((${runs[$library]:-0} + 10))
    line=$(grep -ao '^[0-9]* checks, 0 failed' "$library.out" || true)
    checks[$library]=$((${checks[$library]:-0} + $(sed "s, .*,," <<<"${line:-0}")))
    [ $code = 0 ] && [ -n "$line" ] || report "$library" "a valid program fails"
    [ "$line" = "${expected:-$line}" ] || report "$library" "other checks than $expected"
    expected=$line
  done
  if [ $((seed % 70)) = 1 ]; then # all wrong calls
    for library in "${libraries[@]}"; do
      run "$library" $processes returned "$seed" 27 # as many as there are
      grep -a '^class' "$library.out" | sort >"$library.classes" || true
      [ $code = 0 ] || [ "$library" != vtopo ] || report "$library" "a wrong call that returns ends the run"
    done
    grep -a 'MPI_SUCCESS$' vtopo.classes && report vtopo "no error"
    [ "$(wc -l <vtopo.classes)" = 27 ] || report vtopo "not 27 errors"
    if [ -f openmpi.classes ] && [ -f mpich.classes ]; then
      comm -12 openmpi.classes mpich.classes | comm -23 - vtopo.classes >differ
      while read -r _ name class; do
        [ "$name" != cart_size ] || continue # MPI_ERR_ARG in both; MPI-5.0 says MPI_ERR_DIMS
        different=$((different + 1))
        echo "$name: $class in Open MPI and MPICH, $(sed -n "s/^class $name //p" vtopo.classes) in the overlay"
      done <differ
    fi
  fi
  for library in "${libraries[@]}"; do
    run "$library" $processes fatal "$seed" 1
    runs[$library-fatal]=$((${runs[$library-fatal]:-0} + 1))
    if [ $code = 0 ] || [ $code = 124 ]; then
      what=$(sed -n 's/^wrong //p' "$library.out")
      [ "$library" != vtopo ] || report vtopo "no end by $what"
      runs[$library-silent]=$((${runs[$library-silent]:-0} + 1))
    elif [ "$library" = vtopo ]; then
      grep '^vtopo: ' vtopo.out | grep -qv ': the program ended' || report vtopo "an end without a reason"
    fi
  done
  seed=$((seed + 10))
done
for library in "${libraries[@]}"; do
  echo "$library: ${runs[$library]} valid programs, ${checks[$library]} checks;" \
    "${runs[$library-fatal]} fatal calls, ${runs[$library-silent]:-0} without an end"
done
echo "$wrong wrong, $different classes differ"
[ $((wrong + different)) = 0 ]
