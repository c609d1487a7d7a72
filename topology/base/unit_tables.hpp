#pragma once

#include <string>
#include <vector>

namespace vtopo::detail {

/// A unit and what a number with it is multiplied with; the empty name is a number without unit.
struct NamedUnit {
  std::string name;
  double factor = 1;
};

/// The one table of units, for options, specifications, files and lint: those that SimGrid 3.32
/// knows. Prefixes k M G T P E Z Y count by 1000, Ki Mi ... Yi by 1024; small `bps` are bits.
const std::vector<NamedUnit>& bandwidth_units();
const std::vector<NamedUnit>& time_units();
const std::vector<NamedUnit>& speed_units();  ///< `f` or `flops`; `kiloflops`, `megaflops`, ...

}  // namespace vtopo::detail
