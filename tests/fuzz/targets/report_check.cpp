#include <nlohmann/json.hpp>

#include "sim/check/check_report.hpp"
#include "sim/check/evidence.hpp"
#include "tests/fuzz/target.hpp"

namespace vtopo::fuzz::targets {

using namespace vtopo::detail;

namespace {

void run_report_check(std::string_view input) {
  const auto document = checking::parse_report(std::string(input));
  if (document.is_discarded() || !document.is_object()) return;
  if (const auto evidence = document.find("evidence"); evidence != document.end())
    check_report(document, *evidence);
  else
    check_embedding(document);
}

}  // namespace

/// Hosts of a million slots and distances of a million hops are lists of so many numbers, for a
/// while.
Target report_check() {
  return {"reports and embeddings that are to be checked", run_report_check, {256 << 20, 256}};
}

}  // namespace vtopo::fuzz::targets
