#pragma once

#include <string>
#include <vector>

#include "sim/report/text_columns.hpp"
#include "sim/research/validation/ledger.hpp"

namespace vtopo::detail {

/// Ledgers of several machines, in the order of the file of measured points.
using Ledgers = std::vector<MachineLedger>;

/// A table of machines and one of their collectives.
std::string ledger_text(const Ledgers& ledgers);

/// A line per point: `machine,run,nodes,collective,algorithm,library,bytes,measured_s,predicted_s,
/// contention_free_s,ratio,reason`.
std::string ledger_csv(const Ledgers& ledgers);

/// `vtopo/ledger/v1`.
std::string ledger_json(const Ledgers& ledgers);

/// The document: agreement per machine and collective, where it is worst, why, what has no
/// prediction, and which name of the files is which algorithm.
std::string ledger_markdown(const Ledgers& ledgers);

/// A page with measured against predicted times, a colour per machine, and the tables.
std::string ledger_page(const Ledgers& ledgers);

/// Words in rows and columns, for text, Markdown and HTML alike.
struct LedgerTable {
  std::string title;
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows;
};

/// For the writers of tables.
std::vector<TextColumn> columns_of(const LedgerTable& table);

/// Machines, each with the model without contention below it.
LedgerTable machine_table(const Ledgers& ledgers);

/// Machines with pairs; no rows without any.
LedgerTable pair_table(const Ledgers& ledgers);

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
