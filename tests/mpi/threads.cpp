// threads.c as C++, whose compiler may lie about MPI_Init: SMPI has one of its own without arguments.
#include "threads.c"
