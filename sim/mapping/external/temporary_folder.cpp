#include "sim/mapping/external/temporary_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "topology/base/error.hpp"

namespace vtopo::detail {

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  const auto parent = std::filesystem::temp_directory_path(error);
  if (error)
    throw InputError(fmt::format("there is no folder for temporary files: {}", error.message()));
  path_ = (parent / "vtopo-XXXXXX").string();
  const SignalPause pause;
  if (mkdtemp(path_.data()) == nullptr)
    throw InputError(fmt::format("cannot make a temporary folder in \"{}\": {}", parent.string(),
                                 std::strerror(errno)));
  removed_at_end_.emplace(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace vtopo::detail
