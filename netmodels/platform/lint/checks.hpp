#pragma once

#include <optional>
#include <string_view>

#include "netmodels/platform/lint/findings.hpp"

namespace vtopo::detail::lint {

/// Deepest elements below `<platform>` that are inspected.
constexpr int deepest_nesting = 64;

/// `<platform>`, its version and zones, of a file that has an element. Null: a finding says that
/// the file is not a platform.
pugi::xml_node check_root(Findings& findings);

/// Names, places and attributes of all elements against the DTD, values that are one of a list.
void check_structure(Findings& findings, pugi::xml_node platform);

/// Attributes that SimGrid or vtopo refuse, open files for, or only take with a warning.
void check_element_kind(Findings& findings, pugi::xml_node element);

/// Bandwidths, latencies, speeds, cores and coordinates of an element.
void check_quantities(Findings& findings, pugi::xml_node element);

/// Parameters of a `<cluster>` or `<cabinet>`.
void check_cluster_parameters(Findings& findings, pugi::xml_node cluster);

/// Names and routes: duplicates, unknown names, zones without route between two of their hosts.
void check_routes(Findings& findings, pugi::xml_node platform);

/// Checks of `load_platform` that found something where no other rule did.
void check_as_loader(Findings& findings, pugi::xml_node platform);

/// Whether a `<link>` is the medium of a Wifi zone: its stations use it without routes, and it has
/// a bandwidth for each distance. Elsewhere SimGrid makes a link with WIFI a common one.
bool is_air(pugi::xml_node link);

/// Value of an attribute as a word in lower case.
std::string lower(std::string_view text);

}  // namespace vtopo::detail::lint
