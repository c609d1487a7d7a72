#pragma once

#include <string>

#include "netmodels/platform/platform_file.hpp"

namespace vtopo::detail {

/// What of a platform file changes neither routes nor what a phase that starts at once finds, and
/// is kept from SimGrid, since it would open or create files: profiles of hosts and links over
/// time, traces, settings of the simulator. A sentence that names it, empty if there is none.
/// Internal to this room.
std::string ignored_in_words(const PlatformFile& file);

/// The file without it, a cluster that is the whole platform in a zone: all that SimGrid gets to
/// see. The bytes of the file if nothing changes, unless most of them are blanks and comments.
std::string text_for_simgrid(const PlatformFile& file);

}  // namespace vtopo::detail
