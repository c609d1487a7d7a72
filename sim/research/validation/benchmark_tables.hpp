#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/research/validation/measured_machine.hpp"

namespace vtopo::detail {

/// What a benchmark measured for messages of one size.
struct BenchmarkRow {
  double bytes = 0;
  double seconds = 0;  ///< of a message; of many under way the time for each of them
};

/// A printed table of the OSU micro-benchmarks, the Intel MPI Benchmarks or netgauge.
struct BenchmarkTable {
  enum class Kind {
    latency,     ///< half a round trip: osu_latency, IMB PingPong
    bandwidth,   ///< many messages under way: osu_bw, osu_mbw_mr, IMB Uniband
    reduction,   ///< bytes reduced inside a process: IMB Reduce_local
    parameters,  ///< netgauge's LogGP: rows are half round trips
    other        ///< collectives, both ways, one-sided: they name no algorithm
  };
  Kind kind = Kind::other;
  std::string name;  ///< `OSU MPI Latency`, `IMB PingPong`, `netgauge LogGP`
  std::string file;
  std::vector<BenchmarkRow> rows;
  /// Of netgauge, one entry per row: overhead of the sender and of the receiver, gap, time per
  /// byte.
  std::vector<double> send, receive, gap, per_byte;
};

/// All tables of a file.
/// @throws InputError for a file without one, a table without rows, a size or time that is not a
/// positive number (sizes may be 0).
std::vector<BenchmarkTable> read_benchmark_tables(const std::string& file);

/// A number of a machine as tables give it.
struct FittedNumber {
  std::string name;             ///< as its property: `overhead`
  double value = 0;             ///< seconds, bytes or bytes per second
  std::optional<double> error;  ///< relative, of two thirds of what was seen; nothing: not known
  std::string source;           ///< table and file, or why the tables do not determine it
  bool is_determined = false;
};

/// What ping-pongs, message rates and local reductions say of a machine.
struct BenchmarkFit {
  MachineParameters parameters;
  std::vector<FittedNumber> numbers;  ///< six of them, and the eager limit

  /// Half a round trip of so many bytes.
  double half_round_trip(double bytes) const;
};

/// Fits the numbers: bandwidth by messages from 64 KiB on; overhead and latency by the half round
/// trip of small messages and the jump at the eager limit, where a handshake begins, or by
/// netgauge; the gap by message rates. What no table determines stays at its default.
/// @throws InputError if no table has half round trips of at most 1 KiB or none has messages of at
/// least 64 KiB.
BenchmarkFit fit_benchmarks(const std::vector<BenchmarkTable>& tables);

/// The numbers with their errors, what each error does to a message of 8 bytes, 64 KiB and 4 MiB,
/// what is not determined, and how far the tables are from what the numbers predict.
std::string fit_text(const BenchmarkFit& fit, const std::vector<BenchmarkTable>& tables);

/// A machine file with these numbers; their errors are among its assumptions.
std::string machine_file_text(const BenchmarkFit& fit, const std::string& machine,
                              const std::string& network);

}  // namespace vtopo::detail
