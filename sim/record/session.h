/* The recording as a whole: what Fortran's MPI_Init, MPI_Finalize and MPI_Pcontrol call, too. */
#ifndef VTOPO_RECORD_SESSION_H
#define VTOPO_RECORD_SESSION_H

#include "trace.h"

#pragma GCC visibility push(hidden)

/* Begin after MPI_Init*, end before MPI_Finalize, pause and resume. */
void record_begin(void);
void record_end(void);
void record_pause(bool pause);

#pragma GCC visibility pop
#endif
