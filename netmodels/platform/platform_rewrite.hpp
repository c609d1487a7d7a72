#pragma once

#include <optional>
#include <set>
#include <string>

#include "netmodels/platform/platform_file.hpp"

namespace vtopo::detail {

/// The text in which zones with routing Dijkstra keep what they have searched (DijkstraCache): the
/// same routes, each source searched once. Lines and columns stay. Nothing if there is no such
/// zone, or too many vertices.
std::optional<std::string> with_cached_searches(const PlatformFile& file);

/// Takes the declared routes over some links (SimGrid's names, `cable_UP`) out of the file's
/// document, so that SimGrid finds others; a route both ways of which one is left becomes that one.
/// False if that is not enough: a link lies on a route of a zone that does not search.
bool remove_routes(PlatformFile& file, const std::set<std::string>& links);

/// The document as a platform file.
std::string text_of(const pugi::xml_document& document);

}  // namespace vtopo::detail
