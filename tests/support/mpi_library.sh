# For tests under an installed MPI library; to be sourced.
# shellcheck source=needs.sh
. "$(dirname "${BASH_SOURCE[0]}")/needs.sh"

# launch_with mpich|openmpi [LAUNCHER]: then "${launch[@]}" starts processes by that library's launcher, mpirun
# if none is named. Status 77 (skipped) if the library is not installed.
launch_with() {
  local library=$1 launcher=${2:-mpirun}
  needs "mpicc.$library" "$launcher.$library"
  launch=("$launcher.$library")
  if [ "$library" = openmpi ]; then launch+=(--oversubscribe --allow-run-as-root); fi
}
