#include "sim/bench/qaplib.hpp"

#include <filesystem>

#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t largest_size = 4096;

/// Numbers of a file between blanks and line ends.
class Numbers {
 public:
  explicit Numbers(const std::string& path) : file_(path) {}

  double next() {
    while (position_ == words_.size()) {
      if (!file_.next_content())
        throw input_error({file_.path()}, "ends before its matrices are complete");
      words_ = file_.words();
      position_ = 0;
    }
    const Token& word = words_[position_++];
    const auto value = parse_number(word.text);
    if (!value || !(*value >= 0 && *value <= max_volume.value))
      throw input_error(file_.at(word.column),
                        fmt::format("\"{}\": accepted is a number >= 0", word.text));
    return *value;
  }

  FilePosition whole_file() const { return {file_.path()}; }

 private:
  LineFile file_;
  std::span<const Token> words_;
  std::size_t position_ = 0;
};

/// `mesh:5x4` of `mesh 4x5`: rows and columns, of which hosts run along a row first.
std::string grid_spec(std::string_view host) {
  const auto words = split(host, ' ');
  const auto sizes = split(words.back(), 'x');
  std::string text;
  for (std::size_t d = sizes.size(); d-- > 0;)
    text += fmt::format("{}{}", text.empty() ? "" : "x", sizes[d]);
  return fmt::format("{}:{}", words.front(), text);
}

/// What the manifest beside a file says about it: name, n, host, matrix, best known, proven.
void read_manifest(const fs::path& path, Instance& instance) {
  const fs::path manifest = path.parent_path() / "MANIFEST.tsv";
  if (!fs::exists(manifest)) return;
  LineFile file(manifest.string());
  while (file.next_content()) {
    const auto fields = file.fields('\t');
    if (fields.size() < 6 || fields[0].text != path.stem().string()) continue;
    const auto value = parse_number(fields[4].text);
    if (!value)
      throw input_error(file.at(fields[4].column), "the best known value is not a number");
    instance.network = grid_spec(fields[2].text);
    const bool proven = fields[5].text == "yes";
    instance.best = {&hop_bytes_measure(), *value, proven, "QAPLIB"};
    return;
  }
}

}  // namespace

QapFile read_qap(const std::string& path) {
  Numbers numbers(path);
  const double size = numbers.next();
  if (!(size >= 1 && size <= static_cast<double>(largest_size) &&
        size == static_cast<double>(static_cast<int>(size))))
    throw input_error(numbers.whole_file(),
                      fmt::format("size {}: accepted are 1..{}", size, largest_size));
  QapFile file;
  file.size = static_cast<int>(size);
  const auto entries = static_cast<std::size_t>(file.size) * static_cast<std::size_t>(file.size);
  for (std::size_t i = 0; i < entries; ++i) file.distances.push_back(numbers.next());
  for (std::size_t i = 0; i < entries; ++i) file.flows.push_back(numbers.next());
  return file;
}

Instance qap_instance(const std::string& path, const std::string& network) {
  Instance instance;
  instance.name = fs::path(path).stem().string();
  instance.description = "QAPLIB: flows onto a mesh";
  instance.guest = "qap:" + path;
  read_manifest(path, instance);
  if (!network.empty()) instance.network = network;
  if (instance.network.empty())
    throw UsageError(
        fmt::format("no mesh for \"qap:{}\": accepted is qap:FILE@mesh:6x5, or a row of the file "
                    "in the MANIFEST.tsv beside it",
                    path));
  return instance;
}

CommGraph qap_guest(const std::string& path, const Network& network) {
  const QapFile file = read_qap(path);
  if (network.num_hosts() != file.size)
    throw input_error({path}, fmt::format("{} locations, but {} has {} hosts", file.size,
                                          network.description(), network.num_hosts()));
  std::vector<DirectedEdge> edges;
  for (int i = 0; i < file.size; ++i)
    for (int j = 0; j < file.size; ++j) {
      const auto entry = static_cast<std::size_t>(i * file.size + j);
      const int hops = network.hops(HostId{i}, HostId{j});
      if (file.distances[entry] != hops)
        throw input_error({path},
                          fmt::format("distance {} between locations {} and {}: {} has {} "
                                      "hops between those hosts",
                                      file.distances[entry], i, j, network.description(), hops));
      if (file.flows[entry] > 0) edges.push_back({Rank{i}, Rank{j}, {file.flows[entry]}});
    }
  return CommGraph(file.size, edges);
}

}  // namespace vtopo::detail
