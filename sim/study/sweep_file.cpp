#include "sim/study/sweep_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"

namespace vtopo::detail {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view schema = "vtopo/sweep/v1";

std::string dump(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string head(const SweepScenario& scenario) {
  return fmt::format("{{\"schema\":\"{}\",\"key\":\"{}\",\"scenario\":{}", schema, scenario.key,
                     scenario.settings.canonical_json());
}

/// Absent for a text that is not a line of a sweep.
std::optional<SweepLine> parse_line(std::string_view text) {
  const Json line = Json::parse(text.begin(), text.end(), nullptr, false);
  if (!line.is_object() || line.value("schema", Json()) != schema) return std::nullopt;
  const auto key = line.find("key");
  if (key == line.end() || !key->is_string()) return std::nullopt;
  if (line.contains("rows") == line.contains("error")) return std::nullopt;
  const Json code = line.value("exit_code", Json(0));
  return SweepLine{std::string(text), key->get<std::string>(), line.contains("error"),
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

}  // namespace

bool is_internal(const SweepLine& line) {
  constexpr int first_of_input = 2, last_of_input = 4;
  return line.failed && (line.exit_code < first_of_input || line.exit_code > last_of_input);
}

SweepLine sweep_result(const SweepScenario& scenario, std::string_view report) {
  const Json document = Json::parse(report.begin(), report.end(), nullptr, false);
  if (!document.is_object() || !document.contains("rows"))
    throw InputError("the scenario ended without a report");
  return {fmt::format("{},\"rows\":{}}}", head(scenario), dump(document["rows"])), scenario.key,
          false, 0};
}

SweepLine sweep_failure(const SweepScenario& scenario, int exit_code, std::string_view sentence) {
  return {fmt::format("{},\"error\":{},\"exit_code\":{}}}", head(scenario), dump(Json(sentence)),
                      exit_code),
          scenario.key, true, exit_code};
}

std::vector<SweepLine> read_sweep_lines(const std::string& path, std::size_t* torn) {
  const std::string text = read_whole(path);
  std::vector<SweepLine> lines;
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
