#pragma once

#include <string>
#include <string_view>

namespace vtopo::tests {

/// Path of a file or folder of the sources, such as `platforms/two-rooms.xml`.
std::string source_path(std::string_view name);

/// Folder in the build folder that this process alone writes to, gone at its end: cases of one
/// program run side by side as processes of their own, so a fixed name would be shared.
const std::string& own_folder();

}  // namespace vtopo::tests
