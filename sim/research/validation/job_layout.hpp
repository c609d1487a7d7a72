#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "topology/base/ids.hpp"

namespace vtopo::detail {

/// The part of a machine that a job of a shape has.
struct JobLayout {
  std::string network;        ///< specification without bandwidth and latency
  std::vector<HostId> hosts;  ///< of each node of the shape, the first dimension fastest
};

/// Nodes of a job of a shape, by the property `vtopo-job-network` of a machine's file: `torus:{}`,
/// the shape itself in place of `{}`, or `folded:SIZES;AXES;AXES`, a torus whose rings are folded
/// into more dimensions.
///
/// SIZES are the dimensions of the machine, a letter each, such as `a=2m,b=3,X<=24`: a job has all
/// of `=2m` (m: a mesh), and as much as it needs of `<=24`, a part of a ring without its closing
/// link. AXES say, for one number of dimensions of a shape, into which dimensions each of them is
/// folded: `aX/bY/cZ`. The ring goes once along the first one and comes back through all places of
/// the others, to and fro in the last one. Of two dimensions `<=`, the last has the largest divisor
/// of what both are to have that is at most its square root.
/// @param nodes shape such as 8x8x8.
/// @throws UsageError for a property that cannot be read or has no axes for so many dimensions, and
/// for a shape that does not fit.
JobLayout lay_out_job(std::string_view property, std::string_view nodes);

}  // namespace vtopo::detail
