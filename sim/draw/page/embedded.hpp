#pragma once

#include <string>
#include <string_view>

namespace vtopo::detail {

/// Style sheet of the page, from `page.css` in this folder.
extern const std::string_view page_css;

/// Script of the page: the parts of d3 that it uses, then the files of the folder `scripts`.
std::string page_script();

}  // namespace vtopo::detail
