#include "sim/research/bench/qaplib.hpp"

#include <algorithm>
#include <filesystem>

#include "netmodels/network_spec.hpp"
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

/// `NAME:5x4` of `NAME 4x5`, or of `NAME:4x5` with `:` for the separator: rows and columns, of
/// which hosts run along a row first.
std::string grid_spec(std::string_view host, char separator) {
  const auto words = split(host, separator);
  const auto sizes = split(words.back(), 'x');
  std::string text;
  for (std::size_t d = sizes.size(); d-- > 0;)
    text += fmt::format("{}{}", text.empty() ? "" : "x", sizes[d]);
  return fmt::format("{}:{}", words.front(), text);
}

/// A distance that is not the hops between its hosts.
struct WrongDistance {
  int from = 0, to = 0;
  double distance = 0;
  int hops = 0;
};

std::optional<WrongDistance> wrong_distance(const std::vector<double>& distances,
                                            const Network& network) {
  const int size = network.num_hosts();
  auto distance = distances.begin();
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j, ++distance)
      if (const int hops = network.hops(HostId{i}, HostId{j}); *distance != hops)
        return WrongDistance{i, j, *distance, hops};
  return std::nullopt;
}

/// Which of both matrices holds the flows.
/// @throws InputError if the other is not the hops of the network.
const std::vector<double>& flows_of(const QapFile& file, const Network& network,
                                    const std::string& path) {
  const auto wrong = wrong_distance(file.first, network);
  if (!wrong) return file.second;
  if (!wrong_distance(file.second, network)) return file.first;
  throw input_error(
      {path},
      fmt::format("distance {} between locations {} and {}: {} has {} hops between "
                  "those hosts; nor is the second matrix its hops",
                  wrong->distance, wrong->from, wrong->to, network.description(), wrong->hops));
}

/// Whether a matrix of the file is the hops of a network; of a network that there is.
bool holds_hops_of(const QapFile& file, const std::string& spec) {
  const auto network = make_network(spec, {});
  return network->num_hosts() == file.size &&
         !(wrong_distance(file.first, *network) && wrong_distance(file.second, *network));
}

/// The network as given, or with its sizes in the order of the manifest, whichever the file has.
std::string as_file_has_it(const std::string& path, const std::string& network) {
  const bool is_grid = network.find_first_of(",;") == std::string::npos &&
                       std::count(network.begin(), network.end(), ':') == 1 &&
                       network.find('x', network.find(':')) != std::string::npos;
  if (!is_grid) return network;
  const std::string reversed = grid_spec(network, ':');
  const QapFile file = read_qap(path);
  return !holds_hops_of(file, network) && holds_hops_of(file, reversed) ? reversed : network;
}

/// Either matrix of the file as distances: the first, unless the second alone can be.
std::string distances_of(const std::string& path) {
  const std::string first = "distances:" + path, second = first + ",matrix=second";
  const auto can_be = [](const std::string& spec) {
    try {
      make_network(spec, {});
    } catch (const InputError&) {
      return false;
    }
    return true;
  };
  return !can_be(first) && can_be(second) ? second : first;
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
    instance.network = grid_spec(fields[2].text, ' ');
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
  for (std::size_t i = 0; i < entries; ++i) file.first.push_back(numbers.next());
  for (std::size_t i = 0; i < entries; ++i) file.second.push_back(numbers.next());
  return file;
}

Instance qap_instance(const std::string& path, const std::string& network) {
  Instance instance;
  instance.name = fs::path(path).stem().string();
  instance.description = "QAPLIB: flows onto distances";
  instance.guest = "qap:" + path;
  read_manifest(path, instance);
  if (!network.empty()) instance.network = as_file_has_it(path, network);
  if (instance.network.empty()) instance.network = distances_of(path);
  return instance;
}

std::vector<Instance> qap_folder(const std::string& folder) {
  const std::string manifest = (fs::path(folder) / "MANIFEST.tsv").string();
  LineFile file(manifest);
  std::vector<Instance> instances;
  file.next_content();  // the header
  while (file.next_content()) {
    const std::string path =
        (fs::path(folder) / fmt::format("{}.dat", file.fields('\t').front().text)).string();
    if (!fs::exists(path))
      throw input_error(file.at(1), fmt::format("there is no file \"{}\"", path));
    instances.push_back(qap_instance(path, ""));
  }
  return instances;
}

CommGraph qap_guest(const std::string& path, const Network& network) {
  const QapFile file = read_qap(path);
  if (network.num_hosts() != file.size)
    throw input_error({path}, fmt::format("{} locations, but {} has {} hosts", file.size,
                                          network.description(), network.num_hosts()));
  std::vector<DirectedEdge> edges;
  auto flow = flows_of(file, network, path).begin();
  for (int i = 0; i < file.size; ++i)
    for (int j = 0; j < file.size; ++j, ++flow)
      if (*flow > 0) edges.push_back({Rank{i}, Rank{j}, {*flow}});
  return CommGraph(file.size, edges);
}

}  // namespace vtopo::detail
