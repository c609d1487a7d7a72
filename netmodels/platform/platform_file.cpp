#include "netmodels/platform/platform_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "netmodels/machines/shipped_machines.hpp"
#include "netmodels/network_table.hpp"
#include "netmodels/process/memory_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/base/unit_tables.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

constexpr std::size_t max_file_bytes = std::size_t{512} << 20;
constexpr int max_nesting = 64;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_zone(pugi::xml_node element) {
  return is_one_of(element.name(), {"zone", "AS", "cluster", "cabinet", "peer"});
}

/// Hosts named by a radical such as `0-63` or `0-3,8-11,20`.
struct Radical {
  std::int64_t count = 0;
  std::int64_t first = 0;
  bool contiguous = true;
};

std::optional<Radical> parse_radical(std::string_view text) {
  Radical radical;
  std::int64_t next = 0;
  for (const auto piece : split(text, ',')) {
    const auto dash = piece.find('-');
    const auto first = parse_integer(trim(piece.substr(0, dash)));
    const auto last =
        dash == std::string_view::npos ? first : parse_integer(trim(piece.substr(dash + 1)));
    if (!first || !last || *first < 0 || *last < *first || *last > max_id) return std::nullopt;
    if (radical.count == 0) radical.first = *first;
    radical.contiguous = radical.contiguous && (radical.count == 0 || *first == next);
    next = *last + 1;
    radical.count += *last - *first + 1;
  }
  return radical;
}

Radical radical_of(const PlatformFile& file, pugi::xml_node cluster) {
  const std::string_view text = cluster.attribute("radical").value();
  const auto radical = parse_radical(text);
  if (!radical)
    throw input_error(file.position(cluster),
                      fmt::format("radical \"{}\" of <{}>; accepted: numbers and ranges such "
                                  "as 0-63 or 0-3,8-11",
                                  text, cluster.name()));
  return *radical;
}

/// `topo_parameters` without the blanks that SimGrid allows between numbers.
std::string parameters_of(pugi::xml_node cluster) {
  std::string text;
  for (const char c : std::string_view(cluster.attribute("topo_parameters").value()))
    if (c != ' ' && c != '\t') text += c;
  return text;
}

/// Specification of a cluster that vtopo has in closed form; else empty.
std::string spec_of(pugi::xml_node cluster) {
  return spec_of_cluster(cluster.attribute("topology").value(), parameters_of(cluster));
}

/// The element, or the only zone inside it, if that is a cluster.
pugi::xml_node only_cluster(pugi::xml_node parent) {
  pugi::xml_node only;
  for (const auto child : parent.children()) {
    const std::string_view name = child.name();
    if (child.type() != pugi::node_element || name == "prop") continue;
    if (only) return {};
    only = child;
  }
  const std::string_view name = only.name();
  if (name == "cluster") return only;
  return name == "zone" || name == "AS" ? only_cluster(only) : pugi::xml_node();
}

/// Checks of a `<cluster>` with a topology: parameters, and as many hosts as its radical names.
/// @throws InputError with file, line and column.
void check_cluster(const PlatformFile& file, pugi::xml_node cluster) {
  const Radical radical = radical_of(file, cluster);
  const std::string spec = spec_of(cluster);
  if (spec.empty()) return;
  const std::string parameters = parameters_of(cluster);
  if (parameters.empty() || parameters.find_first_not_of("0123456789,;") != std::string::npos)
    throw input_error(file.position(cluster),
                      fmt::format("topo_parameters \"{}\" of <cluster>; accepted: numbers "
                                  "separated by , and ; as SimGrid describes them",
                                  cluster.attribute("topo_parameters").value()));
  try {
    const auto network = make_network(spec, {});
    if (network->num_hosts() != radical.count)
      throw UsageError(fmt::format("radical \"{}\" names {} hosts, but {} has {}",
                                   cluster.attribute("radical").value(), radical.count, spec,
                                   network->num_hosts()));
  } catch (const UsageError& error) {
    throw input_error(file.position(cluster), error.what());
  }
}

/// One walk over the document that checks every element.
class Checker {
 public:
  Checker(const PlatformFile& file, const ProblemSink& sink) : file_(file), sink_(sink) {}

  void check(pugi::xml_node element, int nesting) const {
    if (nesting > max_nesting) {
      report(element, fmt::format("elements nested more than {} deep", max_nesting));
      return;
    }
    const std::string_view name = element.name();
    if (is_one_of(name, {"include", "actor", "process"}))
      report(element, fmt::format("<{}> is not accepted: a platform for vtopo only describes "
                                  "zones, hosts, links and routes",
                                  name));
    for (const auto attribute : element.attributes()) check_attribute(element, attribute);
    if (name == "cluster" && element.attribute("topology")) check_topology(element);
    for (const auto child : element.children())
      if (child.type() == pugi::node_element) check(child, nesting + 1);
  }

 private:
  void report(pugi::xml_node element, std::string_view sentence) const { sink_(element, sentence); }

  void check_topology(pugi::xml_node cluster) const {
    try {
      check_cluster(file_, cluster);
    } catch (const InputError& error) {
      const std::size_t place = to_string(file_.position(cluster)).size() + 2;
      report(cluster, std::string_view(error.what()).substr(place));
    }
  }

  void check_attribute(pugi::xml_node element, pugi::xml_attribute attribute) const {
    const std::string_view name = attribute.name();
    if (is_one_of(name,
                  {"bw", "bandwidth", "bb_bw", "loopback_bw", "limiter_link", "bw_in", "bw_out"}))
      check_each(element, attribute, check_bandwidth);
    if (is_one_of(name, {"lat", "latency", "bb_lat", "loopback_lat"}))
      check_each(element, attribute, [](std::string_view text) { parse_seconds(text); });
    if (name == "speed") check_speeds(element, attribute);
  }

  /// Storage hosts and states in which a host does nothing have speed 0.
  void check_speeds(pugi::xml_node element, pugi::xml_attribute attribute) const {
    check_each(element, attribute, [](std::string_view speed) {
      const auto [value, rest] = leading_number(speed);
      const std::string_view unit = trim(rest);
      if (!value || !std::isfinite(*value) || *value < 0)
        throw UsageError(fmt::format("speed \"{}\" is not a finite number >= 0", speed));
      if (std::none_of(speed_units().begin(), speed_units().end(),
                       [&](const NamedUnit& known) { return known.name == unit; }))
        throw UsageError(
            fmt::format("speed \"{}\" has the unknown unit \"{}\"; accepted: f, kf Mf "
                        "Gf Tf Pf Ef Zf Yf",
                        speed, unit));
    });
  }

  /// Checks every value of a comma list; `check_value` throws UsageError.
  void check_each(pugi::xml_node element, pugi::xml_attribute attribute,
                  const std::function<void(std::string_view)>& check_value) const {
    try {
      for (const auto piece : split(attribute.value(), ',')) check_value(trim(piece));
    } catch (const UsageError& error) {
      report(element, fmt::format("{}=\"{}\" of <{}>: {}", attribute.name(), attribute.value(),
                                  element.name(), error.what()));
    }
  }

  /// Elsewhere `inf` is a bandwidth; SimGrid would go on with nonsense.
  static void check_bandwidth(std::string_view text) {
    std::string sentence = fmt::format("bandwidth \"{}\" is not finite", text);
    try {
      if (std::isfinite(parse_bandwidth(text).value)) return;
    } catch (const UsageError& error) {
      constexpr std::string_view infinite = ", or inf";
      sentence = error.what();
      if (const auto place = sentence.find(infinite); place != sentence.npos)
        sentence.erase(place, infinite.size());
    }
    throw UsageError(sentence);
  }

  const PlatformFile& file_;
  const ProblemSink& sink_;
};

}  // namespace

FilePosition PlatformFile::position(std::size_t offset) const {
  const auto next = std::upper_bound(line_starts.begin(), line_starts.end(), offset);
  return {path, narrow<int>(next - line_starts.begin()), narrow<int>(offset - *(next - 1) + 1)};
}

FilePosition PlatformFile::position(pugi::xml_node element) const {
  const auto name = static_cast<std::size_t>(element.offset_debug());
  return position(name - 1);  // the '<' in front of the name
}

void PlatformFile::index_lines() {
  line_starts.assign(1, 0);
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
    line_starts.push_back(at + 1);
}

std::string read_platform_text(const std::string& path) {
  if (path.ends_with(".so"))
    throw input_error({path}, "a platform must be an XML file, not a program");
  const OwnedDescriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0)
    throw input_error({path}, fmt::format("cannot read the platform: {}", std::strerror(errno)));
  if (!S_ISREG(status.st_mode)) throw input_error({path}, "the platform is not a regular file");
  if (static_cast<std::size_t>(status.st_size) > max_file_bytes)
    throw input_error({path}, fmt::format("the platform has {} bytes; accepted are up to {}",
                                          status.st_size, max_file_bytes));
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = read(file.get(), text.data() + done, text.size() - done);
    if (count <= 0) throw input_error({path}, "cannot read the platform");
    done += static_cast<std::size_t>(count);
  }
  return text;
}

pugi::xml_parse_result parse_platform_text(PlatformFile& file, unsigned int flags) {
  return file.document.load_buffer(file.text.data(), file.text.size(), flags);
}

namespace {

struct OpenTag {
  std::string_view name;
  std::size_t offset = 0;
};

/// Length of a comment or declaration at the start of `text`; 0 of a tag.
std::size_t markup_length(std::string_view text) {
  for (const auto& [open, close] : {std::pair<std::string_view, std::string_view>{"<!--", "-->"},
                                    {"<![CDATA[", "]]>"},
                                    {"<?", "?>"},
                                    {"<!", ">"}})
    if (text.starts_with(open)) {
      const std::size_t end = text.find(close, open.size());
      return end == text.npos ? text.size() : end + close.size();
    }
  return 0;
}

/// Where the tag at the start of `text` ends, quotes respected.
std::size_t tag_end(std::string_view text) {
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quote != 0)
      quote = text[i] == quote ? '\0' : quote;
    else if (text[i] == '"' || text[i] == '\'')
      quote = text[i];
    else if (text[i] == '>')
      return i;
  }
  return text.size();
}

/// Tags that are open at a byte of the text, the outermost first, and the closing tag that does not
/// fit the last one, if there is one.
std::pair<std::vector<OpenTag>, std::optional<OpenTag>> open_tags(std::string_view text) {
  std::vector<OpenTag> open;
  for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at)) {
    if (const std::size_t length = markup_length(text.substr(at)); length > 0) {
      at += length;
      continue;
    }
    const std::size_t end = at + tag_end(text.substr(at));
    const bool closes = text.substr(at + 1, 1) == "/";
    const std::size_t start = at + 1 + closes;
    const OpenTag tag{
        text.substr(start, std::min(text.find_first_of(" \t\r\n/>", start), text.size()) - start),
        at};
    if (!closes && (end == text.size() || text[end - 1] != '/'))
      open.push_back(tag);
    else if (closes && (open.empty() || open.back().name != tag.name))
      return {open, tag};
    else if (closes)
      open.pop_back();
    at = std::max(at + 1, end);
  }
  return {open, std::nullopt};
}

}  // namespace

std::string describe_malformed(const PlatformFile& file, const pugi::xml_parse_result& result) {
  const std::string_view text = file.text;
  const std::size_t start = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (start == text.npos || text[start] != '<')
    return "not XML: the file does not begin with \"<\"";
  if (result.status == pugi::status_end_element_mismatch) {
    const auto [open, closing] = open_tags(text);
    const auto line = [&](const OpenTag& tag) { return file.position(tag.offset).line; };
    if (closing && open.empty())
      return fmt::format("malformed XML: </{}> in line {} closes nothing", closing->name,
                         line(*closing));
    if (closing)
      return fmt::format("malformed XML: </{}> in line {}, where <{}> of line {} is open",
                         closing->name, line(*closing), open.back().name, line(open.back()));
    if (!open.empty())
      return fmt::format("malformed XML: the file ends where <{}> of line {} is open",
                         open.back().name, line(open.back()));
  }
  constexpr std::string_view around = " \t\r\n<>";
  constexpr std::size_t shown = 60;
  const auto at = std::min(static_cast<std::size_t>(result.offset), text.size() - 1);
  const std::size_t begin = text.find_last_of(around, at) + 1;
  const std::string_view word = text.substr(begin, text.find_first_of(around, begin) - begin);
  return fmt::format("malformed XML: {}{}", result.description(),
                     word.empty() || word.size() > shown ? "" : fmt::format(" in \"{}\"", word));
}

void check_platform_elements(const PlatformFile& file, const ProblemSink& report) {
  Checker(file, report).check(file.document.child("platform"), 0);
}

PlatformFile read_platform_file(const std::string& name) {
  const std::string path = machine_path(name);
  return parse_platform(path, read_platform_text(path));
}

PlatformFile parse_platform(const std::string& path, std::string text) {
  PlatformFile file{path, std::move(text), {}};
  file.index_lines();
  const auto result = parse_platform_text(file);
  if (!result)
    throw input_error(
        file.position(std::min(static_cast<std::size_t>(result.offset), file.text.size())),
        describe_malformed(file, result) + "; vtopo platform lint finds more");
  const auto platform = file.document.child("platform");
  if (!platform)
    throw input_error({path},
                      fmt::format("not a machine file that vtopo knows: its first element is <{}>, "
                                  "and accepted XML are platforms of SimGrid, <platform>",
                                  file.document.document_element().name()));
  const auto version = leading_number(platform.attribute("version").value()).value;
  if (!version || *version < 4 || *version > 4.1)
    throw input_error(file.position(platform),
                      fmt::format("platform version \"{}\"; accepted are 4 and 4.1",
                                  platform.attribute("version").value()));
  check_platform_elements(file, [&file](pugi::xml_node element, std::string_view sentence) {
    throw input_error(file.position(element), sentence);
  });
  const auto children = platform.children();
  if (std::none_of(children.begin(), children.end(), is_zone))
    throw input_error(file.position(platform), "the platform has no zone");
  return file;
}

void check_cluster_for_simgrid(const PlatformFile& file, pugi::xml_node cluster) {
  constexpr std::int64_t most_hosts = std::int64_t{1} << 22;  // 5 KiB each
  if (const Radical radical = radical_of(file, cluster); radical.count > most_hosts)
    throw input_error(
        file.position(cluster),
        fmt::format("radical \"{}\" names {} hosts; SimGrid is asked to build at most {}",
                    cluster.attribute("radical").value(), radical.count, most_hosts));
  const std::string spec = spec_of(cluster);
  if (spec.empty()) return;
  const auto built = make_network(spec, {})->simgrid_cluster();
  if (built && !built->fatal.empty())
    throw input_error(file.position(cluster), "SimGrid cannot build " + built->fatal);
}

std::optional<ClusterModel> closed_form_cluster(const PlatformFile& file) {
  const auto cluster = only_cluster(file.document.child("platform"));
  if (!cluster || spec_of(cluster).empty()) return std::nullopt;
  const std::string_view sharing = cluster.attribute("sharing_policy").as_string("SPLITDUPLEX");
  const Radical radical = radical_of(file, cluster);
  if (sharing != "SPLITDUPLEX" || cluster.attribute("limiter_link") || !radical.contiguous)
    return std::nullopt;
  ClusterModel model{spec_of(cluster), {}};
  try {
    model.defaults.bandwidth = parse_bandwidth(cluster.attribute("bw").value());
    model.defaults.latency = parse_seconds(cluster.attribute("lat").value());
  } catch (const UsageError& error) {
    throw input_error(file.position(cluster), error.what());
  }
  model.defaults.host_prefix = cluster.attribute("prefix").value();
  model.defaults.host_suffix = cluster.attribute("suffix").value();
  model.defaults.first_host_number = static_cast<int>(radical.first);
  return model;
}

std::vector<std::int64_t> numbers_of_radical(std::string_view radical) {
  std::vector<std::int64_t> numbers;
  for (const auto piece : split(radical, ',')) {
    const auto dash = piece.find('-');
    const auto first = parse_integer(trim(piece.substr(0, dash)));
    const auto last =
        dash == std::string_view::npos ? first : parse_integer(trim(piece.substr(dash + 1)));
    for (std::int64_t n = *first; n <= *last; ++n) numbers.push_back(n);
  }
  return numbers;
}

}  // namespace vtopo::detail
