# For tests that need more than the project does; to be sourced.

# skip REASON: ends the test with status 77, which ctest counts as skipped.
skip() {
  echo "skipped: $1"
  exit 77
}

# The package of Debian that has a program.
package_of() {
  case $1 in
    smpi* | smpirun) echo libsimgrid-dev ;;
    *.mpich) case $1 in mpi[cf]*) echo libmpich-dev ;; *) echo mpich ;; esac ;;
    *.openmpi) case $1 in mpi[cf]*) echo libopenmpi-dev ;; *) echo openmpi-bin ;; esac ;;
    mpiexec.hydra) echo mpich ;;
    node) echo nodejs ;;
    gnuplot) echo gnuplot-nox ;;
    slurm* | sbatch | scontrol | squeue | srun) echo slurm-wlm ;;
    munged) echo munge ;;
    gtst | scotch_gmap) echo scotch ;;
    graphchk | gpmetis) echo metis ;;
    dpkg-shlibdeps) echo dpkg-dev ;;
    *) echo "$1" ;;
  esac
}

# needs PROGRAM...: skips the test, with the package that has it, if one is missing.
needs() {
  local program
  for program in "$@"; do
    command -v "$program" >/dev/null || skip "$program is not installed (package $(package_of "$program"))"
  done
}
