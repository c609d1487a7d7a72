# For tests under an installed MPI library; to be sourced.

# launch_with mpich|openmpi [LAUNCHER]: then "${launch[@]}" starts processes by that library's launcher, mpirun
# if none is named. Status 77 (skipped) if the library is not installed.
launch_with() {
  local library=$1 launcher=${2:-mpirun} program
  for program in "mpicc.$library" "$launcher.$library"; do
    command -v "$program" >/dev/null || {
      echo "skipped: $program is not installed"
      exit 77
    }
  done
  launch=("$launcher.$library")
  if [ "$library" = openmpi ]; then launch+=(--oversubscribe --allow-run-as-root); fi
}
