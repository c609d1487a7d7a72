#pragma once

#include <string>
#include <string_view>

#include "sim/report/fields.hpp"

namespace vtopo::detail {

/// Text quoted as RFC 4180 says, only where a reader needs it.
std::string csv_text(std::string_view text);

/// A value in the shortest form that reads back equal; nothing for null.
std::string csv_cell(const FieldValue& value);

}  // namespace vtopo::detail
