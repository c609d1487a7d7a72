#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/plugin/vtopo_plugin.h"

/// What is behind the handle of the C interface. Both arguments must outlive it.
struct vtopo_problem {
  vtopo_problem(const vtopo::MappingProblem& given, const vtopo::SearchControl& search,
                const std::vector<vtopo::MapperOption>& options);

  const vtopo::MappingProblem* problem;
  const vtopo::SearchControl* control;
  std::vector<vtopo_edge> edges;        ///< of rank 0, then of rank 1, ...
  std::vector<std::size_t> offsets{0};  ///< one entry per rank and one more
  std::map<std::string, std::string, std::less<>> option_values;
  std::string network;
  std::vector<vtopo::LinkId> route;  ///< storage reused
  std::string error;                 ///< sentence of the mapper; empty: none
};

namespace vtopo::detail {

/// The functions that plugins may call.
const vtopo_api& plugin_api();

}  // namespace vtopo::detail
