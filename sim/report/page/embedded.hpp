#pragma once

#include <string_view>

namespace vtopo {

/// Style sheet and script of the page, from `page.css` and `page.js` in this folder.
extern const std::string_view page_css;
extern const std::string_view page_js;

}  // namespace vtopo
