#!/usr/bin/env bash
# Programs for reorder_pays.sh that others wrote, from the sources of Debian's packages mpich and
# sundials (deb-src in the list of sources; cmake). Arguments: the command vtopo, a new folder; in it
# are then the programs, and the file `programs` with a line of arguments each.
set -euo pipefail
vtopo=$(realpath "$1")
mkdir -p "$2"
cd "$2"
apt-get source --download-only mpich sundials >&2
for archive in mpich_*.orig.tar.* sundials_*.orig.tar.*; do tar xf "$archive"; done
mpich=$(realpath mpich-*/test/mpi) sundials=$(realpath sundials-*/)

# MPICH's tests of neighbourhood collectives, with what its configure would write.
for header in STDLIB STRING STDARG UNISTD PTHREAD SYS_TIME; do echo "#define HAVE_${header}_H 1"; done \
  >"$mpich/include/mpitestconf.h"
printf '#define %s\n' 'HAVE_MACRO_VA_ARGS 1' 'STDC_HEADERS 1' 'THREAD_PACKAGE_NAME THREAD_PACKAGE_POSIX' \
  >>"$mpich/include/mpitestconf.h"
for test in neighb_alltoall neighb_alltoallw p_neighb_allgather; do
  "$vtopo" cc -w -O1 -include stdarg.h "-I$mpich/include" -o $test "$mpich"/coll/$test.c "$mpich"/util/mtest{,_common,_thread}.c
done

# SUNDIALS: cmake writes its headers, with any MPI library; then its library and programs.
cmake -S "$sundials" -B headers -DENABLE_MPI=ON -DBUILD_SHARED_LIBS=OFF -DEXAMPLES_ENABLE_C=OFF \
  -DEXAMPLES_ENABLE_CXX=OFF >headers.log
flags=(-w -O1 -fPIC "-I$sundials/include" -Iheaders/include "-I$sundials"/src/{sundials,arkode,cvode})
mkdir -p objects
cd "$sundials/src"
for source in {sundials,arkode,cvode,ida,kinsol}/*.c nvector/{serial,parallel,mpiplusx,manyvector}/*.c \
  sunlinsol/{band,dense,pcg,spgmr,spbcgs,spfgmr,sptfqmr}/*.c sunmatrix/{band,dense,sparse}/*.c \
  sunnonlinsol/{fixedpoint,newton}/*.c sunmemory/system/*.c; do
  case ${source##*/} in f*.c | *xbraid* | *hypamgpre*) ;; # Fortran's interface, and other libraries'
  *) echo "$source" ;;
  esac
done >"$OLDPWD/sources"
cd - >/dev/null
while read -r source; do
  "$vtopo" cc "${flags[@]}" -c "$sundials/src/$source" -o "objects/${source//\//_}.o"
done <sources
ar rcs libsundials.a objects/*.o
# Not kinsol's kin_heat2D_nonlin_p: it reads values at the border of its grid that it has never written, so that under
# smpirun too, with MALLOC_PERTURB_=170, it does not converge.
for example in arkode/CXX_parallel/ark_heat2D_p cvode/CXX_parallel/cv_heat2D_p; do
  "$vtopo" cxx "${flags[@]}" -o "${example##*/}" "$sundials/examples/$example.cpp" libsundials.a -lm
done
benchmark=$sundials/benchmarks/diffusion_2D
for solver in arkode cvode ida; do
  equation=ODE
  [ $solver = ida ] && equation=DAE
  "$vtopo" cxx "${flags[@]}" "-DBENCHMARK_$equation" "-DBENCHMARK_${solver^^}" "-I$benchmark" "-I$benchmark/mpi_serial" \
    -o diffusion_2D_$solver "$benchmark/main_$solver.cpp" "$benchmark"/{diffusion_2D,preconditioner_jacobi}.cpp \
    "$benchmark"/mpi_serial/*.cpp libsundials.a -lm
done
cat >programs <<'LINES'
ark_heat2D_p --mesh 96 96 --np 4 4 --tf 0.001 --nout 1 --output 0
cv_heat2D_p --mesh 128 64 --np 2 8 --tf 0.001 --nout 1 --output 0
diffusion_2D_arkode --nx 64 --ny 64 --tf 0.0003 --nout 1 --output 0
diffusion_2D_cvode --nx 64 --ny 256 --tf 0.001 --nout 1 --output 0
diffusion_2D_ida --nx 64 --ny 64 --tf 0.0001 --nout 1 --output 0
neighb_alltoall
neighb_alltoallw
p_neighb_allgather
LINES
