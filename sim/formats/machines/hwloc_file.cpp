#include "sim/formats/machines/hwloc_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <pugixml.hpp>
#include <string_view>

#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

/// An object of hwloc that joins others, or a core, which joins none.
struct HwlocPart {
  std::string name;
  std::vector<HwlocPart> parts = {};
};

struct HwlocName {
  std::string_view type, name;
};

constexpr std::array<HwlocName, 6> joining_types{{{"Machine", "machine"},
                                                  {"Package", "package"},
                                                  {"NUMANode", "numa"},
                                                  {"Group", "group"},
                                                  {"Die", "die"},
                                                  {"L3Cache", "l3"}}};

std::string_view type_of(const pugi::xml_node& object) {
  return object.attribute("type").value();
}

/// Memory of hwloc 2, which stands among the parts of what it belongs to and has none.
bool has_memory(const pugi::xml_node& object) {
  for (const pugi::xml_node child : object.children("object"))
    if (type_of(child) == "NUMANode" && child.child("object").empty()) return true;
  return false;
}

/// Reads the cores, or PUs, of a document.
class HwlocReader {
 public:
  HwlocReader(const std::string& path, std::string_view places) : path_(path), places_(places) {}

  /// The parts in which places are, at or below an object.
  void append(const pugi::xml_node& object, std::vector<HwlocPart>& parts, int depth = 0) const {
    constexpr int max_depth = 64;
    if (depth > max_depth)
      throw InputError(fmt::format("{}: more than {} objects inside each other", path_, max_depth));
    const std::string_view type = type_of(object);
    if (type == places_) {
      parts.push_back({{}});
      return;
    }
    const auto known = std::find_if(joining_types.begin(), joining_types.end(),
                                    [&](const HwlocName& entry) { return entry.type == type; });
    HwlocPart part;
    auto& below = known == joining_types.end() ? parts : part.parts;
    for (const pugi::xml_node child : object.children("object")) append(child, below, depth + 1);
    if (known == joining_types.end() || part.parts.empty()) return;
    if (part.parts.size() == 1) {  // joins nothing
      parts.push_back(std::move(part.parts.front()));
      return;
    }
    part.name = type == "Group" && has_memory(object) ? "numa" : known->name;
    parts.push_back(std::move(part));
  }

  /// Levels of a part, from the places up, whose parts must all have the same.
  std::vector<NodeLevel> levels(const HwlocPart& part) const {
    if (part.parts.empty()) return {};
    std::vector<NodeLevel> below = levels(part.parts.front());
    for (const HwlocPart& other : part.parts) {
      const auto levels_of_other = levels(other);
      if (!std::equal(below.begin(), below.end(), levels_of_other.begin(), levels_of_other.end(),
                      [](const NodeLevel& a, const NodeLevel& b) {
                        return a.arity == b.arity && a.name == b.name;
                      }))
        throw InputError(
            fmt::format("{}: parts of a {} differ ({} and {}); accepted: a machine of equal parts",
                        path_, part.name, in_words(below), in_words(levels_of_other)));
    }
    below.push_back({static_cast<int>(part.parts.size()), unused_name(part.name, below), {}});
    return below;
  }

 private:
  /// `8 l3, 2 package`.
  static std::string in_words(const std::vector<NodeLevel>& levels) {
    std::string text;
    for (const NodeLevel& level : levels)
      text += fmt::format("{}{} in {}", text.empty() ? "" : ", ", level.arity, level.name);
    return text.empty() ? "one core" : text;
  }

  /// Groups may lie inside groups.
  static std::string unused_name(std::string name, const std::vector<NodeLevel>& below) {
    const auto count = std::count_if(below.begin(), below.end(), [&](const NodeLevel& level) {
      return level.name.starts_with(name);
    });
    if (count > 0) name += std::to_string(count + 1);
    return name;
  }

  const std::string& path_;
  std::string_view places_;
};

/// The whole machine in a file.
pugi::xml_node load_machine(const std::string& path, pugi::xml_document& document) {
  const pugi::xml_parse_result result = document.load_file(path.c_str());
  if (result.status == pugi::status_file_not_found || result.status == pugi::status_io_error)
    throw InputError(fmt::format("{}: cannot be read; accepted: a file that lstopo writes", path));
  const pugi::xml_node machine = document.child("topology").child("object");
  if (!result || type_of(machine) != "Machine")
    throw InputError(fmt::format(
        "{}: is not a topology of hwloc{}; accepted: a file that \"lstopo FILE.xml\" writes", path,
        result ? "" : fmt::format(" ({})", result.description())));
  return machine;
}

/// Whether a type of objects is at or below an object.
bool has_type(const pugi::xml_node& object, std::string_view type) {
  return !object.find_node([&](const pugi::xml_node& node) { return type_of(node) == type; })
              .empty();
}

/// Puts the processors at or below an object into `places`.
/// @param place that the object is a part of; -1: it has places.
void append_processors(const pugi::xml_node& object, std::string_view place_type, int place,
                       int& num_places, std::vector<int>& places) {
  constexpr unsigned max_processors = 1U << 20;
  if (type_of(object) == place_type) place = num_places++;
  if (type_of(object) == "PU" && place >= 0) {
    const unsigned number = object.attribute("os_index").as_uint(max_processors);
    if (number >= max_processors) return;
    if (number >= places.size()) places.resize(number + 1, -1);
    places[number] = place;
  }
  for (const pugi::xml_node child : object.children("object"))
    append_processors(child, place_type, place, num_places, places);
}

}  // namespace

std::vector<int> read_hwloc_processors(const std::string& path) {
  pugi::xml_document document;
  const pugi::xml_node machine = load_machine(path, document);
  std::vector<int> places;
  int num_places = 0;
  append_processors(machine, has_type(machine, "Core") ? "Core" : "PU", -1, num_places, places);
  return places;
}

std::vector<NodeLevel> read_hwloc_file(const std::string& path) {
  pugi::xml_document document;
  const pugi::xml_node machine = load_machine(path, document);
  for (const std::string_view places : {"Core", "PU"}) {
    const HwlocReader reader(path, places);
    std::vector<HwlocPart> parts;
    reader.append(machine, parts);
    if (parts.empty()) continue;
    auto levels = reader.levels(parts.front());
    if (levels.empty()) levels.push_back({1, "machine", {}});
    return levels;
  }
  throw InputError(fmt::format("{}: the machine has neither cores nor PUs", path));
}

}  // namespace vtopo::detail
