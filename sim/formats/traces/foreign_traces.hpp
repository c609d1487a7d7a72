#pragma once

#include <string>

#include "sim/clock/programs/traces/trace.hpp"

namespace vtopo::detail {

/// Whether the path is a folder, or the file of a rank that the recorder wrote.
bool is_vtopo_trace(const std::string& path);

/// Reads what `VTOPO_RECORD_TRACE` of sim/record writes: a folder with a file per rank, or the file
/// of a program of one rank. Collectives that do not block are done where they are waited for.
/// @throws InputError with file, line and column.
Trace read_vtopo_trace(const std::string& path, const TraceOptions& options);

/// Whether the path is a list of SMPI's traces, or one of them.
bool is_smpi_program(const std::string& path);

/// Reads a time-independent trace of SMPI 3.32: the list that `smpirun -trace-ti` writes, one file
/// per rank in rank order, or one file with the lines of all ranks. Messages and collectives are
/// among the ranks of MPI_COMM_WORLD: the trace says nothing of communicators.
/// @throws InputError with file, line and column.
Trace read_smpi_program(const std::string& path, const TraceOptions& options);

/// Whether the file starts as a schedule in GOAL.
bool is_goal(const std::string& path);

/// Reads a schedule in GOAL, the text form that txt2bin of LogGOPSim reads (T. Hoefler, T.
/// Schneider, A. Lumsdaine, HPDC 2010). A rank does one operation after the other: what nothing
/// holds back first, messages before calculations, else in the order of the file. Nanoseconds. A
/// receive of more bytes than its message becomes one of that message.
/// @throws InputError with file, line and column; for messages from any source or with any tag, for
/// receives of less than their message, and for calculations on a second processor.
Trace read_goal(const std::string& path, const TraceOptions& options);

/// A program as GOAL, loops written out. Tags number the pairs of tag and communicator; a barrier
/// is a dissemination of messages of one byte; reductions take no time; receives get the volume of
/// their message.
/// @throws UsageError for a barrier of some of the ranks, and if that takes more than
/// `max_trace_operations`.
std::string to_goal(const Program& program);

}  // namespace vtopo::detail
