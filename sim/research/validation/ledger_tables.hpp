#pragma once

#include <string>
#include <vector>

#include "sim/research/validation/ledger_report.hpp"

namespace vtopo::detail {

/// Words in rows and columns, for text, Markdown and HTML alike.
struct LedgerTable {
  std::string title;
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows;
};

/// Machines, each with the model without contention below it.
LedgerTable machine_table(const Ledgers& ledgers);

/// Machines with points that SMPI simulated, vtopo and SMPI on these; no rows without any.
LedgerTable smpi_table(const Ledgers& ledgers);

/// The five numbers of each machine.
LedgerTable parameter_table(const Ledgers& ledgers);

/// Collectives of each machine.
LedgerTable collective_table(const Ledgers& ledgers);

/// Algorithms of a machine whose median error is largest.
LedgerTable worst_table(const Ledgers& ledgers, std::size_t most);

/// Reasons for which points have no prediction.
LedgerTable reason_table(const Ledgers& ledgers);

/// Names of algorithms in the files, and what they are here.
LedgerTable name_table(const Ledgers& ledgers);

}  // namespace vtopo::detail
