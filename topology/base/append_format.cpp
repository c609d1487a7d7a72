#include "topology/base/append_format.hpp"

#include <iterator>

namespace vtopo::detail {

void append_formatted(std::string& text, fmt::string_view format, fmt::format_args arguments) {
  fmt::vformat_to(std::back_inserter(text), format, arguments);
}

}  // namespace vtopo::detail
