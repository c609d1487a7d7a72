#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/mapping/api/mapper_info.hpp"
#include "sim/mapping/api/problem.hpp"
#include "sim/mapping/api/search_control.hpp"

namespace vtopo {

/// A mapper with its options, as named in `--mapper`.
struct MapperSpec {
  std::string name;                            ///< of a row in `all_mappers`
  std::map<std::string, std::string> options;  ///< name and value; others keep their defaults
  bool if_it_applies = false;  ///< named by `all`: left out where it cannot map the problem
  std::string label = {};      ///< of `label=NAME`, what its rows are called; empty: the above
};

/// All mappers, sorted by name: those of the folder `sim/mapping/mappers`, from which the table is
/// generated, and of plugins. References live until the next plugin is loaded.
const std::vector<MapperInfo>& all_mappers();

/// @throws UsageError that names the mapper and the nearest valid name.
const MapperInfo& find_mapper(std::string_view name);

/// The mapper of a role other than `none`; every role has one.
const MapperInfo& mapper_of(MapperRole role);

/// Mappers of `NAME[:option=value,...],NAME,...` or `all`, in the order given. After a comma,
/// a word with '=' continues the options of the mapper before it. Any mapper takes `label=NAME`.
/// @throws UsageError for an unknown mapper or option.
std::vector<MapperSpec> parse_mappers(std::string_view list);

/// `exchange:start=greedy` again, for reports.
std::string to_string(const MapperSpec& spec);

/// What rows of the mapper are called: its label, or without one its name and options.
std::string row_label(const MapperSpec& spec);

/// Value of an option: as given in the problem, else the default of `info`.
std::string option_value(const MapperInfo& info, const MappingProblem& problem,
                         std::string_view name);

/// Why the mapper cannot map the problem, or nothing.
std::optional<std::string> unsupported_reason(const MapperSpec& spec,
                                              const MappingProblem& problem);

/// Runs a mapper after checking that the guest fits.
/// @throws FitError if it does not; UsageError if the mapper cannot map such a problem.
Embedding run_mapper(const MapperSpec& spec, MappingProblem problem,
                     const SearchControl& control = {});

}  // namespace vtopo
