#include "sim/mapping/plugin/plugin.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>

#include "sim/mapping/api/mapper_registry.hpp"
#include "sim/mapping/plugin/plugin_run.hpp"
#include "sim/mapping/plugin/vtopo_plugin.h"
#include "topology/base/error.hpp"

namespace vtopo {

using namespace detail;

namespace {

using ListMappers = const vtopo_mapper_plugin* (*)(std::uint32_t, std::size_t*);

constexpr const char* entry_point = "vtopo_mapper_plugins";
constexpr std::size_t max_mappers = 1000;

[[noreturn]] void fail(const std::string& path, std::string_view what) {
  throw InputError(fmt::format("plugin \"{}\": {}", path, what));
}

/// What the loader says, without the path in front.
std::string loader_error(const std::string& path) {
  const char* const said = dlerror();
  std::string text = said == nullptr ? "it cannot be loaded" : said;
  if (text.starts_with(path + ": ")) text.erase(0, path.size() + 2);
  return text;
}

ListMappers load(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) fail(path, "there is no such file");
  if (!std::filesystem::is_regular_file(status)) fail(path, "it is not a regular file");
  const std::string absolute = std::filesystem::absolute(path).string();
  // Never closed: the table of mappers keeps its functions.
  void* const library = dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail(path, loader_error(absolute));
  void* const symbol = dlsym(library, entry_point);
  if (symbol == nullptr)
    fail(path, fmt::format("it is not a plugin: it has no function {}", entry_point));
  return reinterpret_cast<ListMappers>(symbol);
}

bool is_name(std::string_view name) {
  return !name.empty() && name != "all" && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  });
}

void check(const vtopo_mapper_plugin& mapper, std::size_t number, const std::string& path) {
  if (mapper.abi_version != VTOPO_PLUGIN_ABI)
    fail(path,
         fmt::format("its mapper {} is made for version {} of the interface; this vtopo has {}",
                     number, mapper.abi_version, VTOPO_PLUGIN_ABI));
  if (mapper.name == nullptr || !is_name(mapper.name))
    fail(path,
         fmt::format("the name of its mapper {} is \"{}\"; accepted are letters, digits and _",
                     number, mapper.name == nullptr ? "" : mapper.name));
  const bool options_missing = mapper.options == nullptr && mapper.num_options > 0;
  if (mapper.summary == nullptr || mapper.reference == nullptr || mapper.map == nullptr ||
      options_missing)
    fail(path, fmt::format("its mapper {} lacks a summary, a reference, options or a function",
                           mapper.name));
  for (std::size_t i = 0; i < mapper.num_options; ++i)
    if (mapper.options[i].name == nullptr || !is_name(mapper.options[i].name) ||
        mapper.options[i].summary == nullptr)
      fail(path,
           fmt::format("option {} of its mapper {} lacks a name or a summary", i, mapper.name));
}

MapperInfo make_info(const vtopo_mapper_plugin& mapper, const std::string& path) {
  MapperInfo info{.name = mapper.name, .summary = mapper.summary, .reference = mapper.reference};
  for (std::size_t i = 0; i < mapper.num_options; ++i) {
    const vtopo_mapper_option& option = mapper.options[i];
    info.options.push_back(
        {option.name, option.summary, option.default_value == nullptr ? "" : option.default_value});
  }
  info.anytime = (mapper.flags & VTOPO_MAPPER_ANYTIME) != 0;
  info.map = [&mapper, path, options = info.options](const MappingProblem& problem,
                                                     const SearchControl& control) {
    return run_plugin(mapper, path, options, problem, control);
  };
  return info;
}

std::vector<MapperInfo> list_mappers(const std::string& path) {
  const ListMappers list = load(path);
  std::size_t count = 0;
  const vtopo_mapper_plugin* const mappers = list(VTOPO_PLUGIN_ABI, &count);
  if (mappers == nullptr)
    fail(path, fmt::format("it does not know version {} of the interface, which this vtopo has",
                           VTOPO_PLUGIN_ABI));
  if (count == 0 || count > max_mappers)
    fail(path, fmt::format("it has {} mappers; accepted are 1 to {}", count, max_mappers));
  std::vector<MapperInfo> result;
  for (std::size_t i = 0; i < count; ++i) {
    check(mappers[i], i, path);
    result.push_back(make_info(mappers[i], path));
  }
  return result;
}

}  // namespace

std::vector<MapperInfo> load_plugin(const std::string& path) {
  try_plugin(path, [&] { list_mappers(path); });
  return list_mappers(path);
}

void add_plugin(const std::string& path) {
  register_mappers(load_plugin(path), fmt::format("plugin \"{}\"", path));
}

}  // namespace vtopo
