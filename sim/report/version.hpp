#pragma once

#include <string>

namespace vtopo::detail {

/// Version and commit, as reports name them: `0.2.0+c2cb9e1`, without a commit where the sources
/// are not those of a repository, and with `-dirty` where they differ from it.
std::string library_version();

}  // namespace vtopo::detail
