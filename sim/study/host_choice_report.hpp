#pragma once

#include <string>

#include "sim/report/text_columns.hpp"
#include "sim/study/choose_hosts.hpp"

namespace vtopo::detail {

/// A node list, what it saves, and how it was found.
std::string host_choice_text(const HostChoice& choice, const TextStyle& style = {});

/// Object `vtopo/allocation/v1`.
std::string host_choice_json(const HostChoice& choice);

/// `host,node,slots`, a line per host.
std::string host_choice_csv(const HostChoice& choice);

}  // namespace vtopo::detail
