#pragma once

#include <string>

#include "netmodels/models/torus/torus.hpp"

namespace vtopo::tests {

using namespace vtopo::detail;

/// A dimension that does not wrap, as in `{{4, mesh}}`.
inline constexpr bool mesh = false;

/// Shape and rule.
inline std::string torus_name(const TorusSpec& spec) {
  return make_torus(spec)->description() + " " + to_string(spec.routing.rule);
}

}  // namespace vtopo::tests
