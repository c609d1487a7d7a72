#include "topology/base/error.hpp"

namespace vtopo {

std::string to_string(const FilePosition& position) {
  std::string text = position.file;
  if (position.line > 0) text += fmt::format(":{}", position.line);
  if (position.line > 0 && position.column > 0) text += fmt::format(":{}", position.column);
  return text;
}

InputError input_error(const FilePosition& position, std::string_view sentence) {
  return InputError(fmt::format("{}: {}", to_string(position), sentence));
}

}  // namespace vtopo
