#include "sim/study/lines.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "sim/mapping/api/mapper.hpp"
#include "sim/scenario/placed_json.hpp"
#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"

namespace vtopo::detail {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view schema = "vtopo/sweep/v1";

/// What decides of the rows of a report where the links of its network are not known.
constexpr std::string_view by_hop_bytes = "hop-bytes";

/// What the rows of a scenario are compared with where its line says nothing.
const std::string& usual_baseline() {
  return mapper_of(MapperRole::baseline).name;
}

std::string dump(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string head(const StudyScenario& scenario) {
  return fmt::format("{{\"schema\":\"{}\",\"key\":\"{}\",\"scenario\":{}", schema, scenario.key,
                     scenario.settings.canonical_json());
}

/// Absent for a text that is not a line of a sweep.
std::optional<StudyLine> parse_line(std::string_view text) {
  const Json line = Json::parse(text.begin(), text.end(), nullptr, false);
  if (!line.is_object() || line.value("schema", Json()) != schema) return std::nullopt;
  const auto key = line.find("key");
  if (key == line.end() || !key->is_string()) return std::nullopt;
  if (line.contains("rows") == line.contains("error")) return std::nullopt;
  const Json code = line.value("exit_code", Json(0));
  return StudyLine{std::string(text), key->get<std::string>(), line.contains("error"),
                   code.is_number_integer() ? code.get<int>() : 0};
}

[[noreturn]] void fail(const std::string& path, std::string_view what, int error) {
  throw InputError(
      fmt::format("cannot {} \"{}\": {}", what, path, std::generic_category().message(error)));
}

std::string read_whole(const std::string& path) {
  std::error_code ignored;  // looked at first: opening a pipe would wait for its writer
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw input_error({path}, "results of a sweep are a regular file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path, "read", errno);
  if (const auto size = std::filesystem::file_size(path, ignored);
      !ignored && size > LineFile::max_file_bytes)
    throw input_error(
        {path}, fmt::format("has {} bytes; accepted are up to {}", size, LineFile::max_file_bytes));
  try {
    return {std::istreambuf_iterator<char>(file), {}};
  } catch (const std::ios_base::failure&) {
    fail(path, "read", errno == 0 ? EIO : errno);
  }
}

class FileLock {
 public:
  FileLock(int descriptor, const std::string& path) : descriptor_(descriptor) {
    while (::flock(descriptor_, LOCK_EX) != 0)
      if (errno != EINTR) fail(path, "lock", errno);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock() { ::flock(descriptor_, LOCK_UN); }

 private:
  int descriptor_;
};

/// Keeps other sweeps from the file as long as it is open; not where a file system has no locks.
void lock_out_others(int descriptor, const std::string& path) {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (::fcntl(descriptor, F_OFD_SETLK, &whole) != -1) return;
  if (errno == EAGAIN || errno == EACCES)
    throw UsageError(fmt::format("another sweep writes \"{}\"; -o takes another file", path));
}

off_t size_of(int descriptor, const std::string& path) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) fail(path, "read", errno);
  return status.st_size;
}

struct MergedLine {
  StudyLine line;
  FilePosition position;
};

/// What stands in a line where something else is expected.
[[noreturn]] void refuse(const std::string& where, std::string_view what, const Json& value) {
  throw InputError(fmt::format(
      "{}: {} is {}", where, what,
      value.is_structured() ? std::string(value.type_name()) : value.dump().substr(0, 40)));
}

/// A field of a row: text, or a number that is not negative, or null for both.
FieldValue value_of(const Json& row, const RowField& field, const std::string& where) {
  const auto found = row.find(std::string(field.name));
  if (found == row.end() || found->is_null()) return {};
  const Json& value = *found;
  if (field.kind == FieldKind::text) {
    if (!value.is_string())
      refuse(where, fmt::format("\"{}\" is text, and here it", field.name), value);
    return value.get<std::string>();
  }
  if (!value.is_number() || value < 0)
    refuse(where, fmt::format("\"{}\" is null or a number from 0 on, and here it", field.name),
           value);
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  return value.get<double>();
}

/// The scenario of a line; of plugins only names are known, so that nothing is checked.
Scenario scenario_of(const PlacedDocument& line) {
  Scenario without_mappers;
  without_mappers.mappers.clear();
  return scenario_from(read_settings(line, *line.root.find("scenario"), false), without_mappers);
}

void add_rows(const Json& line, const std::vector<std::string>& settings, const std::string& where,
              Study& study) {
  const Json& rows = line.at("rows");
  const Json noise = line.value("noise", Json(0));
  if (!noise.is_number()) refuse(where, "\"noise\" is a number, and here it", noise);
  const Json baseline = line.value("baseline", Json(usual_baseline()));
  const std::size_t mapper = study.setting("mapper");
  if (!rows.is_array()) refuse(where, "\"rows\" is a list, and here it", rows);
  for (const Json& row : rows) {
    if (!row.is_object()) refuse(where, "a row is an object, and here it", row);
    StudyRow added{
        settings, {}, {}, 0, noise.get<double>(), line.value("by", Json()) == by_hop_bytes};
    for (const RowField& field : row_fields()) added.values.push_back(value_of(row, field, where));
    const auto name = row.find("mapper");
    if (name == row.end() || !name->is_string())
      throw InputError(where + ": a row has no \"mapper\"");
    added.settings[mapper] = name->get<std::string>();
    added.is_baseline = *name == baseline;
    study.rows.push_back(std::move(added));
  }
}

}  // namespace

bool is_internal(const StudyLine& line) {
  constexpr int first_of_input = 2, last_of_input = 4;
  return line.failed && (line.exit_code < first_of_input || line.exit_code > last_of_input);
}

StudyLine line_of_report(const StudyScenario& scenario, std::string_view report) {
  const Json document = Json::parse(report.begin(), report.end(), nullptr, false);
  if (!document.is_object() || !document.contains("rows"))
    throw InputError("the scenario ended without a report");
  const Json noise = document.value("noise", Json(0));
  const Json found = document.value("best", Json::object());
  const Json best = found.is_object() ? found : Json::object();
  const Json baseline = best.value("baseline", Json(usual_baseline()));
  return {fmt::format(
              "{},{}{}{}\"rows\":{}}}", head(scenario),
              noise == 0 ? "" : fmt::format("\"noise\":{},", dump(noise)),
              best.value("by", Json()) == by_hop_bytes ? "\"by\":\"hop-bytes\"," : "",
              baseline == usual_baseline() ? "" : fmt::format("\"baseline\":{},", dump(baseline)),
              dump(document["rows"])),
          scenario.key, false, 0};
}

StudyLine line_of_failure(const StudyScenario& scenario, int exit_code, std::string_view sentence) {
  return {fmt::format("{},\"error\":{},\"exit_code\":{}}}", head(scenario), dump(Json(sentence)),
                      exit_code),
          scenario.key, true, exit_code};
}

std::vector<StudyLine> read_study_lines(const std::string& path, std::size_t* torn) {
  const std::string text = read_whole(path);
  std::vector<StudyLine> lines;
  std::size_t start = 0;
  for (int number = 1; start < text.size(); ++number) {
    const std::size_t end = text.find('\n', start);
    const bool whole = end != std::string::npos;
    const std::string_view words = std::string_view(text).substr(start, end - start);
    auto line = whole ? parse_line(words) : std::nullopt;
    const bool is_last = !whole || end + 1 == text.size();
    if (!line && is_last && torn != nullptr) break;
    if (!line)
      throw input_error({path, number},
                        whole ? fmt::format("this is not a line of schema {}", schema)
                              : "the last line is not whole; --resume of its sweep mends it");
    lines.push_back(std::move(*line));
    start = end + 1;
  }
  if (torn != nullptr) *torn = text.size() - start;
  return lines;
}

std::string merged_lines(std::span<const std::string> paths) {
  std::map<std::string, MergedLine> merged;
  for (const std::string& path : paths) {
    int number = 0;
    for (StudyLine& line : read_study_lines(path)) {
      const FilePosition position{path, ++number};
      const auto [at, is_new] = merged.try_emplace(line.key, MergedLine{line, position});
      MergedLine& known = at->second;
      if (is_new || line.text == known.line.text) continue;
      if (line.failed == known.line.failed)
        throw input_error(position,
                          fmt::format("scenario {} has another {} in {}", line.key,
                                      line.failed ? "error" : "result", to_string(known.position)));
      if (known.line.failed) known = {std::move(line), position};
    }
  }
  std::string text;
  for (const auto& [key, entry] : merged) text += entry.line.text + '\n';
  return text;
}

void add_line(Study& study, const std::vector<std::string>& settings, const StudyLine& line,
              const std::string& where) {
  const Json object = Json::parse(line.text);
  if (!line.failed) return add_rows(object, settings, where, study);
  if (!object["error"].is_string())
    refuse(where, "\"error\" is text, and here it", object["error"]);
  add_failure(study, settings, object["error"].get<std::string>(), line.exit_code);
}

Study read_study(std::span<const std::string> paths) {
  Study study = make_study();
  std::set<std::string> known;
  for (const std::string& path : paths)
    for (const StudyLine& line : read_study_lines(path)) {
      if (!known.insert(line.key).second) continue;
      const PlacedDocument document = parse_placed_json(line.text, paths.front());
      const std::string where = fmt::format("{}: line with key \"{}\"", paths.front(), line.key);
      if (document.root.find("scenario") == nullptr)
        throw InputError(where + ": there is no \"scenario\"");
      add_line(study, settings_of(study, scenario_of(document)), line, where);
    }
  if (study.rows.empty())
    throw InputError(fmt::format("\"{}\" has no scenario: nothing to report", paths.front()));
  sort_rows(study);
  return study;
}

bool is_file_of_lines(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return false;
  std::ifstream file(path);
  std::string start(40, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start.find("{\"schema\":\"vtopo/sweep/v1\"") == 0;
}

AppendedFile::AppendedFile(std::string path, bool may_exist) : path_(std::move(path)) {
  const int exclusive = may_exist ? 0 : O_EXCL;
  const int descriptor =
      ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | exclusive, 0666);
  if (descriptor == -1 && errno == EEXIST)
    throw UsageError(fmt::format(
        "\"{}\" exists already; --resume goes on with it, -o takes another file", path_));
  if (descriptor == -1) fail(path_, "write", errno);
  descriptor_.reset(descriptor);
  lock_out_others(descriptor, path_);
}

void AppendedFile::cut(std::size_t bytes) const {
  const FileLock lock(descriptor_.get(), path_);
  const off_t size = size_of(descriptor_.get(), path_) - static_cast<off_t>(bytes);
  if (::ftruncate(descriptor_.get(), size) != 0) fail(path_, "shorten", errno);
}

bool AppendedFile::is_empty() const {
  return size_of(descriptor_.get(), path_) == 0;
}

void AppendedFile::append(std::string_view line) const {
  const std::string text = std::string(line) + '\n';
  const FileLock lock(descriptor_.get(), path_);
  const off_t before = size_of(descriptor_.get(), path_);
  const ssize_t count = ::write(descriptor_.get(), text.data(), text.size());
  if (count == static_cast<ssize_t>(text.size())) return;
  const int error = count < 0 ? errno : ENOSPC;
  if (count > 0 && ::ftruncate(descriptor_.get(), before) != 0) fail(path_, "shorten", errno);
  fail(path_, "write", error);
}

}  // namespace vtopo::detail
