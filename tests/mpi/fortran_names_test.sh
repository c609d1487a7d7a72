#!/usr/bin/env bash
# Fortran's names of MPI-3.1: what the modules mpi and mpi_f08 of Debian's Open MPI and MPICH have is in those of
# `vtopo fc`, and their constants are in its mpif.h; numbers are those of C.
# Arguments: the command vtopo, the folder of the modules. Status 77 (skipped) without gfortran, SMPI or perl.
set -euo pipefail
vtopo=$1 modules=$2
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../support/needs.sh
. "$folder/../support/needs.sh"
needs smpicc gfortran perl
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# What is not of MPI-3.1: other forms of a library's own procedures; persistent collectives, sessions, partitions, large
# counts of MPI-4.0; what only C calls; types of the library's own.
not_of_standard='_f08$|_f08ts$|_f08_|_large$|_cptr$|_c$|sizeof_|mpix|_c_interface|^mpi_(base|constants|c_interface.*|sizeofs)$'
not_of_standard+='|(_allgatherv?|_allreduce|_alltoall[vw]?|_barrier|_bcast|_exscan|_gatherv?|_reduce|_reduce_scatter|_reduce_scatter_block|_scan|_scatterv?|_psend|_precv)_init$'
not_of_standard+='|session|pset|_pready|_parrived|_isendrecv|_idup_with_info|_info_create_env|_info_get_string|_from_group|_err_proc|t_err_invalid$'
not_of_standard+='|_f2c$|_c2f$|_c2f08$|_f082c$|_2complex$|_2double_complex$|_cxx_complex$|^pmpi_sizeof$|_fn_null_c$|^mpi$|_value_too_large$'
# What Open MPI 5 adds: MPI-4.0's and 4.1's, fault tolerance, statuses of the one module for the other, PMPI_ of callbacks.
not_of_standard+='|^p?mpi_status_f2f08$|^p?mpi_status_f082f$|^mpi_types$|_max_stringtag_len$|^mpi_ft$|_errors_abort$|_err_revoked$'
not_of_standard+='|_buffer_automatic$|_buffer_i?flush$|_(attach|detach|flush|iflush)_buffer$|_err_errhandler$|_get_hw_resource_info$'
not_of_standard+='|_remove_error_(class|code|string)$|_request_get_status_(all|any|some)$|_status_[gs]et_(error|source|tag)$'
not_of_standard+='|_type_get_value_index$|^pmpi_base$|^pmpi_.*(dup_fn|null_(copy|delete)_fn|conversion_fn_null)$'
types='^mpi_(comm|datatype|errhandler|file|group|info|message|op|request|status|win)$'

names_of() { # MODULE FILE: the names that it gives to a program
  gzip -dc "$2" | perl -0777 -ne 's/.*\n\(//s; print lc "$1\n" while /\x27(\w+)\x27\s+\d+\s+\d+/g' |
    grep -E '^p?mpi_' | grep -Ev "$not_of_standard" | { [ "$1" = mpi ] && grep -Ev "$types" || [ "$1" != mpi ] && cat; } | sort -u
}
compiles() { # names on standard input, all of one module
  { echo 'program names'; sed "s/.*/use $1, only: &/"; echo 'end program'; } >names.f90
  gfortran -fsyntax-only "-I$modules" names.f90 2>errors || { grep -i 'error' errors | head -n 20; return 1; }
}

checked=0
for library in openmpi mpich; do
  for module in mpi mpi_f08; do
    for file in /usr/lib/*/fortran/gfortran-mod-*/$library/$module.mod; do
      [ -r "$file" ] || continue
      names_of $module "$file" >names
      [ "$(wc -l <names)" -gt 300 ]
      compiles $module <names
      checked=$((checked + 1))
    done
  done
done
echo "$checked modules"

# Constants of the lists in all three, and the numbers of C.
grep -E '^(class|int): ' "$folder/../../sim/mpi/fortran/constants.txt" | cut -d: -f2 | tr ' ' '\n' | grep . | grep -v = |
  grep -Ev '^MPI_(GRAPH|CART|DIST_GRAPH|INVALID_TOPO|STATUS_SIZE|NULL_.*_FN|TAG_LB)$' >numbers
[ "$(wc -l <numbers)" -gt 160 ]
{
  printf '#include <stdio.h>\nint main(void) {\n'
  sed 's/.*/printf("& %d\\n", (int)(&));/' numbers
  echo 'return 0; }'
} >numbers.c
"$vtopo" cc -w -o numbers_of_c numbers.c
./numbers_of_c >expected
[ "$(wc -l <expected)" = "$(wc -l <numbers)" ]
for way in 'use mpi' 'use mpi_f08' "include 'mpif.h'"; do
  {
    echo 'program numbers'
    case $way in use*) printf '%s\nimplicit none\n' "$way" ;; *) printf 'implicit none\n%s\n' "$way" ;; esac
    sed "s/.*/print '(a,1x,i0)', '&', &/" numbers
    echo 'end program numbers'
  } >numbers.f90
  "$vtopo" fc -o numbers_of_fortran numbers.f90
  ./numbers_of_fortran | diff expected -
done
# Handles differ from each other, and the other constants are there.
sed -nE 's/^(own )?[A-Z][a-z]*: //p' "$folder/../../sim/mpi/fortran/constants.txt" | tr ' ' '\n' | sed 's/=.*//' >handles
{
  printf "program handles\nimplicit none\ninclude 'mpif.h'\n"
  sed "s/.*/print *, &/" handles
  echo 'print *, MPI_DISPLACEMENT_CURRENT, MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_SUBARRAYS_SUPPORTED'
  echo 'end program handles'
} >handles.f90
gfortran "-I$modules" -fsyntax-only handles.f90
