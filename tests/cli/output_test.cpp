#include "cli/output/output.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "tests/support/folders.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using Catch::Equals;
namespace fs = std::filesystem;

namespace {

/// Empty folder that is gone at the end of the test.
class Folder {
 public:
  Folder() {
    std::string name = tests::own_folder() + "/output-XXXXXX";
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  long entries() const { return std::distance(fs::directory_iterator(path_), {}); }

 private:
  fs::path path_;
};

void put(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// No file of this process can grow past `bytes`, as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before_) == 0);
    const rlimit limit{bytes, before_.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

/// Standard output goes to a descriptor as long as this lives.
class RedirectedStdout {
 public:
  explicit RedirectedStdout(int descriptor) : saved_(::dup(STDOUT_FILENO)) {
    std::fflush(stdout);
    ::dup2(descriptor, STDOUT_FILENO);
  }
  RedirectedStdout(const RedirectedStdout&) = delete;
  RedirectedStdout& operator=(const RedirectedStdout&) = delete;
  ~RedirectedStdout() {
    ::dup2(saved_, STDOUT_FILENO);
    ::close(saved_);
  }

 private:
  int saved_;
};

std::string read_some(int descriptor) {
  std::array<char, 100> buffer{};
  const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
  return count > 0 ? std::string(buffer.data(), static_cast<std::size_t>(count)) : "";
}

std::string error_of(const std::string& path, const std::string& text = "new") {
  return tests::message_of<InputError>([&] { write_output(path, text); });
}

}  // namespace

TEST_CASE("The format follows the extension, in small or capital letters") {
  CHECK(output_format_of("a.b/result.txt") == OutputFormat::table);
  CHECK(output_format_of("result.csv") == OutputFormat::csv);
  CHECK(output_format_of("result.JSON") == OutputFormat::json);
  CHECK(output_format_of("-") == OutputFormat::table);
}

TEST_CASE("An extension that names no format is a usage error that names the accepted ones") {
  CHECK_THROWS_AS(output_format_of("result.xlsx"), UsageError);
  CHECK_THROWS_WITH(output_format_of("result.xlsx"),
                    Equals("output file \"result.xlsx\" has the unknown extension \".xlsx\"; "
                           "accepted: .txt, .csv, .json"));
  CHECK_THROWS_WITH(output_format_of("a.csv/result"),
                    Equals("output file \"a.csv/result\" has no extension that names a format; "
                           "accepted: .txt, .csv, .json"));
}

TEST_CASE("A format that is named wins over the extension") {
  CHECK(choose_output_format("json", "result.csv") == OutputFormat::json);
  CHECK(choose_output_format("csv", "/dev/stdout") == OutputFormat::csv);
  CHECK(choose_output_format("table", std::nullopt) == OutputFormat::table);
  CHECK(choose_output_format(std::nullopt, "result.csv") == OutputFormat::csv);
  CHECK(choose_output_format(std::nullopt, std::nullopt) == OutputFormat::table);
}

TEST_CASE("An unknown format is a usage error that names the nearest one") {
  CHECK_THROWS_AS(parse_output_format("jsn"), UsageError);
  CHECK_THROWS_WITH(
      parse_output_format("jsn"),
      Equals("unknown output format \"jsn\"; accepted: table, csv, json; did you mean "
             "\"json\"?"));
}

TEST_CASE("A new file has all of the text, the permissions of the umask and no company") {
  const Folder folder;
  const mode_t before = ::umask(027);
  write_output(folder.file("new.csv"), "a,b\n");
  ::umask(before);
  CHECK(tests::read_file(folder.file("new.csv")) == "a,b\n");
  struct stat status {};
  REQUIRE(::stat(folder.file("new.csv").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0640);
  CHECK(folder.entries() == 1);
}

TEST_CASE("A file in the current folder needs no folder in its name") {
  const Folder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.file(""));
  write_output("new.csv", "text");
  fs::current_path(before);
  CHECK(tests::read_file(folder.file("new.csv")) == "text");
}

TEST_CASE("A file that is replaced keeps its permissions") {
  const Folder folder;
  const std::string path = folder.file("old.json");
  put(path, "something longer than the new text");
  REQUIRE(::chmod(path.c_str(), 0604) == 0);
  write_output(path, "new");
  CHECK(tests::read_file(path) == "new");
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0604);
  CHECK(folder.entries() == 1);
}

TEST_CASE("A reader of the old file never sees a piece of the new one") {
  // The old inode stays as it was: the new text is in another one that took over the name.
  const Folder folder;
  const std::string path = folder.file("old.txt");
  put(path, "old");
  std::ifstream reader(path);
  write_output(path, "new");
  CHECK(std::string(std::istreambuf_iterator<char>(reader), {}) == "old");
  CHECK(tests::read_file(path) == "new");
}

TEST_CASE("A full disk leaves the old file and nothing else") {
  const Folder folder;
  const std::string path = folder.file("old.csv");
  put(path, "old");
  std::string error;
  {
    const FullDisk disk(4096);
    error = error_of(path, std::string(10000, 'x'));
  }
  CHECK(error == "cannot write \"" + path + "\": File too large");
  CHECK(tests::read_file(path) == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("A full disk leaves no new file") {
  const Folder folder;
  {
    const FullDisk disk(4096);
    CHECK(error_of(folder.file("new.csv"), std::string(10000, 'x')) ==
          "cannot write \"" + folder.file("new.csv") + "\": File too large");
  }
  CHECK(folder.entries() == 0);
}

TEST_CASE("A missing folder and a folder as target are errors in the system's words") {
  const Folder folder;
  CHECK(error_of(folder.file("missing/new.csv")) ==
        "cannot write \"" + folder.file("missing/new.csv") + "\": No such file or directory");
  fs::create_directory(folder.file("sub.csv"));
  CHECK(error_of(folder.file("sub.csv")) ==
        "cannot write \"" + folder.file("sub.csv") + "\": Is a directory");
  put(folder.file("plain"), "old");
  CHECK(error_of(folder.file("plain/new.csv")) ==
        "cannot write \"" + folder.file("plain/new.csv") + "\": Not a directory");
  CHECK(folder.entries() == 2);
}

TEST_CASE("A symbolic link stays one, and the file that it names gets the text") {
  const Folder folder;
  fs::create_directory(folder.file("sub"));
  put(folder.file("sub/real.csv"), "old");
  fs::create_symlink("sub/real.csv", folder.file("link.csv"));
  write_output(folder.file("link.csv"), "new");
  CHECK(fs::is_symlink(folder.file("link.csv")));
  CHECK(tests::read_file(folder.file("sub/real.csv")) == "new");

  fs::create_symlink("sub/later.csv", folder.file("dangling.csv"));
  write_output(folder.file("dangling.csv"), "new");
  CHECK(tests::read_file(folder.file("sub/later.csv")) == "new");
}

TEST_CASE("Devices and pipes are written directly") {
  write_output("/dev/null", "text");
  CHECK(fs::is_character_file("/dev/null"));

  const Folder folder;
  const std::string pipe = folder.file("pipe.csv");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::string received;
  std::thread reader([&] { received = tests::read_file(pipe); });
  write_output(pipe, "through the pipe");
  reader.join();
  CHECK(received == "through the pipe");
  CHECK(fs::is_fifo(pipe));
}

TEST_CASE("Standard output is written by each of its names") {
  for (const std::string path : {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    {
      const RedirectedStdout redirected(ends[1]);
      write_output(path, "text");
    }
    ::close(ends[1]);
    CHECK(read_some(ends[0]) == "text");
    ::close(ends[0]);
  }
}

TEST_CASE("Standard output that appends to a file keeps what the file had") {
  const Folder folder;
  const std::string path = folder.file("log.txt");
  put(path, "before ");
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND);
  {
    const RedirectedStdout redirected(descriptor);
    write_output("/dev/stdout", "after");
  }
  ::close(descriptor);
  CHECK(tests::read_file(path) == "before after");
}

TEST_CASE("A standard output without room is an error and not silence") {
  // Every write to /dev/full fails with ENOSPC (full(4)).
  const int full = ::open("/dev/full", O_WRONLY);
  REQUIRE(full != -1);
  std::string error;
  {
    const RedirectedStdout redirected(full);
    error = error_of("-");
  }
  ::close(full);
  CHECK(error == "cannot write standard output: No space left on device");
  CHECK(error_of("/dev/full") == "cannot write \"/dev/full\": No space left on device");
}
