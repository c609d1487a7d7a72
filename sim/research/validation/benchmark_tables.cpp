#include "sim/research/validation/benchmark_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string_view>
#include <tuple>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {
namespace {

using Kind = BenchmarkTable::Kind;

constexpr double least_large = 65536, most_small = 1024;
constexpr double microsecond = 1e-6;

/// What numbers of a table may be: sums and ratios of them are finite, and none is 0 by rounding.
constexpr double least_number = 1e-9, largest_number = 1e18;

/// What stands behind `mark` in the line.
std::optional<std::string_view> behind(std::string_view line, std::string_view mark) {
  const auto at = line.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  return trim(line.substr(at + mark.size()));
}

/// Launchers that tag lines write `[1,0]<stdout>:` first.
std::string_view without_tag(std::string_view line) {
  constexpr std::string_view mark = "<stdout>:";
  const auto at = line.find(mark);
  return trim(line.starts_with('[') && at != std::string_view::npos ? line.substr(at + mark.size())
                                                                    : line);
}

class TableReader {
 public:
  explicit TableReader(const std::string& path) : file_(path) {}

  std::vector<BenchmarkTable> read() {
    while (file_.next()) read_line(without_tag(file_.line()));
    for (const BenchmarkTable& table : tables_)
      if (table.rows.empty())
        throw input_error({file_.path()},
                          fmt::format("the table \"{}\" has no rows of sizes", table.name));
    if (tables_.empty())
      throw input_error(
          {file_.path()},
          "no table of a benchmark; expected the output of an OSU micro-benchmark (\"# OSU MPI "
          "Latency Test\"), of the Intel MPI Benchmarks (\"# Benchmarking PingPong\") or of "
          "netgauge's LogGP (\"L=... s=... o_s=...\")");
    return std::move(tables_);
  }

 private:
  void read_line(std::string_view line) {
    if (const auto title = behind(line, "# OSU MPI")) return begin_osu(*title);
    if (const auto title = behind(line, "# Benchmarking ")) return begin_imb(*title);
    if (line.starts_with("L=")) return add_netgauge();
    if (line.starts_with('#')) return read_heading(line);
    if (line.empty() || tables_.empty() || std::isdigit(static_cast<unsigned char>(line[0])) == 0)
      return;
    if (tables_.back().kind != Kind::parameters) add_row(line);
  }

  void begin(Kind kind, std::string name) {
    BenchmarkTable table;
    table.kind = kind;
    table.name = std::move(name);
    table.file = file_.path();
    tables_.push_back(std::move(table));
    is_rate_ = false;
    column_ = 1;
    pairs_ = 1;
  }

  /// `-CUDA Latency Test v7.3`, ` Allreduce Latency Test`.
  void begin_osu(std::string_view title) {
    const auto name = title.substr(0, title.find(" Test"));
    const bool is_rate = name == "Bandwidth" || name.starts_with("Multiple Bandwidth");
    begin(name == "Latency" ? Kind::latency
          : is_rate         ? Kind::bandwidth
                            : Kind::other,
          fmt::format("OSU MPI {}", name));
    is_rate_ = name.find("Bandwidth") != std::string_view::npos;
  }

  void begin_imb(std::string_view title) {
    const auto name = title.substr(0, title.find(' '));
    begin(name == "PingPong"       ? Kind::latency
          : name == "Uniband"      ? Kind::bandwidth
          : name == "Reduce_local" ? Kind::reduction
                                   : Kind::other,
          fmt::format("IMB {}", name));
    column_ = 2;
  }

  /// Where the time or the rate is.
  void read_heading(std::string_view line) {
    if (tables_.empty()) return;
    if (const auto pairs = behind(line, "[ pairs:")) {
      if (const auto count = parse_integer(pairs->substr(0, pairs->find(' '))); count && *count > 0)
        pairs_ = static_cast<double>(*count);
    }
    const auto words = words_of(line);
    for (std::size_t w = 0; w < words.size(); ++w) {
      if (words.front() != "#bytes") break;
      if (words[w].starts_with("t_avg[usec]") || words[w] == "t[usec]") column_ = w;
      if (tables_.back().kind == Kind::bandwidth && words[w].starts_with("Mbytes/sec"))
        column_ = w, is_rate_ = true;
    }
  }

  static std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> words;
    for (const std::string_view word : split(line, ' '))
      if (!trim(word).empty()) words.emplace_back(trim(word));
    return words;
  }

  double number(std::string_view text, std::string_view what, bool may_be_zero) const {
    const auto value = parse_number(text);
    if (!value || *value > largest_number ||
        (*value < least_number && !(*value == 0 && may_be_zero)))
      throw input_error(file_.at(0), fmt::format("\"{}\": expected a {}{}", text, what,
                                                 may_be_zero ? "" : " above 0"));
    return *value;
  }

  void add_row(std::string_view line) {
    const auto words = words_of(line);
    BenchmarkTable& table = tables_.back();
    if (words.size() <= column_)
      throw input_error(file_.at(0), fmt::format("{} columns; expected a size and {} more",
                                                 words.size(), column_));
    const double bytes = number(words[0], "size in bytes", true);
    if (!is_rate_) {
      const double seconds = number(words[column_], "time in microseconds", false) * microsecond;
      table.rows.push_back({bytes, seconds});
      return;
    }
    constexpr double megabyte = 1e6;
    const double rate = number(words[column_], "rate in MB/s", true) * megabyte / pairs_;
    if (rate > 0 && bytes > 0) table.rows.push_back({bytes, bytes / rate});
  }

  /// `L=1.2  s=1024  o_s=0.3  o_r=0.2  g=0.5  G=0.0001 (...)`, microseconds and bytes.
  void add_netgauge() {
    if (tables_.empty() || tables_.back().kind != Kind::parameters)
      begin(Kind::parameters, "netgauge LogGP");
    std::array<double, 6> values{};
    constexpr std::array<std::string_view, 6> keys{"L", "s", "o_s", "o_r", "g", "G"};
    std::size_t found = 0;
    for (const std::string& word : words_of(without_tag(file_.line())))
      for (std::size_t k = 0; k < keys.size(); ++k)
        if (word.starts_with(std::string(keys[k]) + "=")) {
          values[k] =
              number(std::string_view(word).substr(keys[k].size() + 1), "number from 0 on", true);
          ++found;
        }
    if (found != keys.size() || values[0] <= 0)
      throw input_error(file_.at(0), "expected L=, above 0, s=, o_s=, o_r=, g= and G=");
    BenchmarkTable& table = tables_.back();
    table.rows.push_back({values[1], values[0] * microsecond});
    table.send.push_back(values[2] * microsecond), table.receive.push_back(values[3] * microsecond);
    table.gap.push_back(values[4] * microsecond), table.per_byte.push_back(values[5] * microsecond);
  }

  LineFile file_;
  std::vector<BenchmarkTable> tables_;
  bool is_rate_ = false;    ///< MB/s instead of microseconds
  std::size_t column_ = 1;  ///< of the time or rate
  double pairs_ = 1;        ///< of processes, that share the rate
};

/// Median, and half of what two thirds of the values span, relative.
std::pair<double, double> middle_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double part) {
    return values[static_cast<std::size_t>(
        std::lround(part * static_cast<double>(values.size() - 1)))];
  };
  return {at(0.5), (at(5.0 / 6) - at(1.0 / 6)) / 2 / at(0.5)};
}

std::string place_of(const BenchmarkTable& table) {
  return fmt::format("{} in {}", table.name, table.file);
}

/// A handshake that begins between two sizes.
struct Jump {
  double limit = 0;    ///< the last size without it
  double seconds = 0;  ///< that it adds
  double error = 0;    ///< of it: what it would be by the steps beside it
  std::string source;
};

class BenchmarkNumbers {
 public:
  explicit BenchmarkNumbers(const std::vector<BenchmarkTable>& tables) : tables_(tables) {}

  BenchmarkFit fit() {
    find_bandwidth();
    find_small();
    find_jump();
    find_ends();
    find_gap();
    find_reduction();
    add("memory-bandwidth", fit_.parameters.memory_bandwidth.value, {},
        "no table: none says that both processes share a node");
    return std::move(fit_);
  }

 private:
  template <class Visit>
  void each(Kind kind, const Visit& visit) const {
    for (const BenchmarkTable& table : tables_)
      if (table.kind == kind) visit(table);
  }

  /// @throws InputError where a table has times or sizes that give no number.
  void add(std::string name, double value, std::optional<double> error, std::string source) {
    if (error && !(std::isfinite(value) && std::isfinite(*error)))
      throw InputError(
          fmt::format("{}: no finite {} follows from these times and sizes", source, name));
    fit_.numbers.push_back({std::move(name), value, error, std::move(source), error.has_value()});
  }

  void find_bandwidth() {
    std::vector<double> rates;
    std::string source;
    const auto take = [&](const BenchmarkTable& table) {
      if (source.find(place_of(table)) == std::string::npos)
        source += (source.empty() ? "" : ", ") + place_of(table);
    };
    each(Kind::bandwidth, [&](const BenchmarkTable& table) {
      for (const BenchmarkRow& row : table.rows)
        if (row.bytes >= least_large) rates.push_back(row.bytes / row.seconds), take(table);
    });
    each(Kind::latency, [&](const BenchmarkTable& table) {
      for (std::size_t r = 1; r < table.rows.size(); ++r) {
        const BenchmarkRow &low = table.rows[r - 1], &high = table.rows[r];
        if (low.bytes >= least_large && high.bytes > low.bytes && high.seconds > low.seconds)
          rates.push_back((high.bytes - low.bytes) / (high.seconds - low.seconds)), take(table);
      }
    });
    each(Kind::parameters, [&](const BenchmarkTable& table) {
      for (const double per_byte : table.per_byte)
        if (per_byte > 0) rates.push_back(1 / per_byte), take(table);
    });
    if (rates.empty())
      throw InputError(
          "no bandwidth: expected a table with messages of at least 64 KiB, of osu_latency, "
          "osu_bw, IMB PingPong or Uniband, or netgauge's G");
    const auto [value, error] = middle_of(rates);
    fit_.parameters.injection = BytesPerSecond{value};
    add("injection", value, error, source);
  }

  void find_small() {
    std::vector<double> times;
    const auto collect = [&](const BenchmarkTable& table) {
      for (const BenchmarkRow& row : table.rows)
        if (row.bytes <= most_small) times.push_back(row.seconds - row.bytes / bandwidth());
      if (!times.empty() && small_source_.empty()) small_source_ = place_of(table);
    };
    each(Kind::latency, collect);
    each(Kind::parameters, collect);
    times.erase(std::remove_if(times.begin(), times.end(), [](double time) { return time <= 0; }),
                times.end());
    if (times.empty())
      throw InputError(
          "no latency: expected a table with half round trips of at most 1 KiB, of osu_latency, "
          "IMB PingPong or netgauge");
    std::tie(small_, small_error_) = middle_of(times);
  }

  /// The largest step above what the bandwidth explains, if those beside it are half of it at most.
  void find_jump() {
    each(Kind::latency, [&](const BenchmarkTable& table) {
      std::vector<double> steps;
      for (std::size_t r = 1; r < table.rows.size(); ++r) {
        const BenchmarkRow &low = table.rows[r - 1], &high = table.rows[r];
        steps.push_back(high.seconds - low.seconds - (high.bytes - low.bytes) / bandwidth());
      }
      for (std::size_t s = 1; s + 1 < steps.size(); ++s) {
        const double limit = table.rows[s].bytes;
        constexpr double least_limit = 256, most_limit = 1 << 20;
        const double beside = std::max({0.0, steps[s - 1], steps[s + 1]});
        if (limit < least_limit || limit > most_limit || steps[s] < 2 * beside ||
            steps[s] < small_ / 4 || steps[s] <= jump_.seconds)
          continue;
        const double own = steps[s] - (steps[s - 1] + steps[s + 1]) / 2;
        jump_ = {limit, own, beside / own, place_of(table)};
      }
    });
    if (jump_.seconds > 0) fit_.parameters.eager_limit = Bytes{jump_.limit};
  }

  void find_ends() {
    std::vector<double> overheads;
    std::string source;
    each(Kind::parameters, [&](const BenchmarkTable& table) {
      for (std::size_t r = 0; r < table.rows.size(); ++r)
        if (table.rows[r].bytes <= most_small && table.send[r] > 0 && table.receive[r] > 0)
          overheads.push_back((table.send[r] + table.receive[r]) / 2), source = place_of(table);
    });
    MachineParameters& found = fit_.parameters;
    const std::string together = small_source_ + ": half a round trip is two overheads and latency";
    if (!overheads.empty()) {
      const auto [value, error] = middle_of(overheads);
      set_overhead(value);
      add("overhead", found.overhead.value, error, source + ": o_s and o_r");
      add_latency(small_error_ * small_ + 2 * error * value, together);
    } else if (jump_.seconds > 0 && jump_.seconds < 2 * small_ && jump_.seconds > small_) {
      set_overhead(small_ - jump_.seconds / 2);
      const double error = small_error_ * small_ + jump_.error * jump_.seconds / 2;
      add("overhead", found.overhead.value, error / found.overhead.value,
          fmt::format("{}: a handshake of {:.3g} us begins above {:g} bytes", jump_.source,
                      jump_.seconds / microsecond, jump_.limit));
      add_latency(small_error_ * small_ + 2 * error, together);
    } else {
      set_overhead(std::min(found.overhead.value, small_ / 4));
      add("overhead", found.overhead.value, {},
          "no table: a ping-pong gives two overheads and the latency together; netgauge, or a "
          "handshake at the eager limit, parts them");
      add("latency", found.latency.value, {},
          fmt::format("{}: two overheads and the latency are {:.3g} us, +- {:.2g} %", small_source_,
                      small_ / microsecond, 100 * small_error_));
    }
    add("eager-limit", found.eager_limit.value,
        jump_.seconds > 0 ? std::optional(0.0) : std::nullopt,
        jump_.seconds > 0 ? jump_.source : "no table: no time jumps at some size");
  }

  void set_overhead(double seconds) {
    fit_.parameters.overhead = Seconds{std::clamp(seconds, 0.0, small_ / 2)};
    fit_.parameters.latency = Seconds{small_ - 2 * fit_.parameters.overhead.value};
  }

  void add_latency(double error, const std::string& source) {
    const double value = fit_.parameters.latency.value;
    add("latency", value, value > 0 ? error / value : 0, source);
  }

  void find_gap() {
    std::vector<double> gaps;
    std::string source;
    each(Kind::bandwidth, [&](const BenchmarkTable& table) {
      constexpr double most = 64;
      for (const BenchmarkRow& row : table.rows)
        if (row.bytes <= most) gaps.push_back(row.seconds), source = place_of(table);
    });
    each(Kind::parameters, [&](const BenchmarkTable& table) {
      for (const double gap : table.gap)
        if (gap > 0) gaps.push_back(gap), source = place_of(table);
    });
    const double overhead = fit_.parameters.overhead.value;
    if (gaps.empty())
      return add("gap", overhead, {}, "no table: osu_bw of small messages or netgauge gives it");
    const auto [value, error] = middle_of(gaps);
    fit_.parameters.gap = Seconds{std::min(value, overhead)};
    add("gap", fit_.parameters.gap->value, error,
        value <= overhead
            ? source
            : fmt::format("{}: {:.3g} us, more than the overhead, which stands for it", source,
                          value / microsecond));
  }

  void find_reduction() {
    std::vector<double> rates;
    std::string source;
    each(Kind::reduction, [&](const BenchmarkTable& table) {
      for (const BenchmarkRow& row : table.rows)
        if (row.bytes >= least_large)
          rates.push_back(row.bytes / row.seconds), source = place_of(table);
    });
    double& bandwidth = fit_.parameters.reduction_bandwidth.value;
    if (rates.empty())
      return add("reduction-bandwidth", bandwidth, {},
                 "no table: those of collectives do not name their algorithm; IMB Reduce_local "
                 "gives it");
    const auto [value, error] = middle_of(rates);
    bandwidth = value;
    add("reduction-bandwidth", value, error, source);
  }

  double bandwidth() const { return fit_.parameters.injection.value; }

  const std::vector<BenchmarkTable>& tables_;
  BenchmarkFit fit_;
  double small_ = 0, small_error_ = 0;  ///< half a round trip of small messages
  std::string small_source_;
  Jump jump_;
};

double& number_of(MachineParameters& of, std::string_view name, double& gap) {
  if (name == "overhead") return of.overhead.value;
  if (name == "latency") return of.latency.value;
  if (name == "injection") return of.injection.value;
  if (name == "reduction-bandwidth") return of.reduction_bandwidth.value;
  if (name == "memory-bandwidth") return of.memory_bandwidth.value;
  return gap;
}

std::string value_text(const FittedNumber& number) {
  if (number.name == "eager-limit") return format_bytes(Bytes{number.value});
  if (number.name.ends_with("bandwidth") || number.name == "injection")
    return fmt::format("{:.3g} GB/s", number.value / 1e9);
  return fmt::format("{:.3g} us", number.value / microsecond);
}

std::string error_text(const FittedNumber& number) {
  if (!number.is_determined) return "not known";
  return number.name == "eager-limit" ? "one size"
                                      : fmt::format("+- {:.2g} %", *number.error * 100);
}

/// By how much the error of a number changes half a round trip.
std::string effect_of(const BenchmarkFit& fit, const FittedNumber& number, double bytes) {
  if (number.name == "eager-limit") return "";
  if (!number.is_determined)
    return number.name == "overhead" || number.name == "latency" ? "?" : "0 %";
  BenchmarkFit other = fit;
  double gap = 0;
  number_of(other.parameters, number.name, gap) *= 1 + *number.error;
  const double change =
      std::abs(other.half_round_trip(bytes) / fit.half_round_trip(bytes) - 1) * 100;
  return fmt::format("{:.2g} %", change);
}

}  // namespace

std::vector<BenchmarkTable> read_benchmark_tables(const std::string& file) {
  return TableReader(file).read();
}

double BenchmarkFit::half_round_trip(double bytes) const {
  const double ends = 2 * parameters.overhead.value, route = parameters.latency.value;
  const double handshake = bytes > parameters.eager_limit.value ? ends + 2 * route : 0;
  return ends + route + handshake + bytes / parameters.injection.value;
}

BenchmarkFit fit_benchmarks(const std::vector<BenchmarkTable>& tables) {
  return BenchmarkNumbers(tables).fit();
}

std::string fit_text(const BenchmarkFit& fit, const std::vector<BenchmarkTable>& tables) {
  std::string text = fmt::format("{:<20} {:>10} {:>12}   {:>6} {:>6} {:>6}\n", "number", "value",
                                 "error", "8 B", "64 KiB", "4 MiB");
  for (const FittedNumber& number : fit.numbers)
    text += fmt::format("{:<20} {:>10} {:>12}   {:>6} {:>6} {:>6}\n", number.name,
                        value_text(number), error_text(number), effect_of(fit, number, 8),
                        effect_of(fit, number, 65536), effect_of(fit, number, 4194304));
  text += "the last columns: what the error of each number changes in a message of that size\n\n";
  for (const FittedNumber& number : fit.numbers)
    text += fmt::format("{}{}: {}\n", number.is_determined ? "" : "not determined: ", number.name,
                        number.source);
  text += "not determined: the network, where processes ran, noise between placements\n\n";
  for (const BenchmarkTable& table : tables) {
    if (table.kind != Kind::latency) {
      if (table.kind == Kind::other) text += fmt::format("not used: {}\n", place_of(table));
      continue;
    }
    std::vector<double> errors;
    double worst = 0, at = 0;
    for (const BenchmarkRow& row : table.rows) {
      errors.push_back(std::abs(std::log(fit.half_round_trip(row.bytes) / row.seconds)));
      if (errors.back() > worst) worst = errors.back(), at = row.bytes;
    }
    std::sort(errors.begin(), errors.end());
    text +=
        fmt::format("{}: median |ln(predicted / measured)| {:.3f}, worst {:.3f} at {:g} bytes\n",
                    place_of(table), errors[errors.size() / 2], worst, at);
  }
  return text;
}

std::string machine_file_text(const BenchmarkFit& fit, const std::string& machine,
                              const std::string& network) {
  std::string assumptions;
  for (const FittedNumber& number : fit.numbers)
    assumptions += fmt::format(
        "    <prop id=\"vtopo-assumes\" value=\"{} {} ({})\"/>\n", number.name, value_text(number),
        number.is_determined ? error_text(number) : "assumed: no table determines it");
  return fmt::format(
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<!-- Written by vtopo calibrate from tables of benchmarks. Plain SimGrid sees one host. "
      "-->\n"
      "<platform version=\"4.1\">\n  <zone id=\"{}\" routing=\"None\">\n"
      "    <prop id=\"vtopo-network\" value=\"{}\"/>\n"
      "    <prop id=\"vtopo-bandwidth\" value=\"{:.4g}GBps\"/>\n"
      "    <prop id=\"vtopo-latency\" value=\"0ns\"/>\n"
      "    <prop id=\"vtopo-assumes\" value=\"network {}, as given: no table shows it; its links "
      "are as fast as an interface and add no latency\"/>\n{}{}"
      "    <host id=\"placeholder\" speed=\"1Gf\"/>\n  </zone>\n</platform>\n",
      machine, network, fit.parameters.injection.value / 1e9, network, assumptions,
      property_lines(fit.parameters));
}

}  // namespace vtopo::detail
