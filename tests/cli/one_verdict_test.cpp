#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command/command_line.hpp"
#include "sim/check/check_report.hpp"
#include "sim/check/evidence/evidence.hpp"
#include "sim/draw/markup.hpp"
#include "sim/draw/page/page.hpp"
#include "sim/placement/embedding_files.hpp"
#include "sim/report/report.hpp"
#include "sim/run/plan.hpp"
#include "tests/support/folders.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::one_verdict {

using namespace vtopo::detail;
namespace {

using Json = nlohmann::json;
using Random = std::mt19937;

template <class Value>
const Value& one_of(const std::vector<Value>& values, Random& random) {
  return values[random() % values.size()];
}

using Words = std::vector<std::string>;

/// 16 ranks or fewer on 16 hosts, mapped in a way that ties, loses or wins.
Scenario random_scenario(bool keeps_order, Random& random) {
  Scenario scenario;
  scenario.topology = one_of(Words{"cart:4x4", "cart:4px4p", "cart:2x8", "cart:16p", "hypercube:4",
                                   "stencil:4x4:moore", "cart:3x3", "cart:2"},
                             random);
  scenario.network =
      one_of(Words{"torus:4x4", "torus:2x2x4", "mesh:4x4", "mesh:16", "fat-tree:2;4,4;1,2;1,2",
                   "dragonfly:4,1;1,1;4,1;1", "hyperx:4x4"},
             random);
  scenario.slots = one_of(Words{"1", "1", "2"}, random);
  scenario.bytes = one_of(Words{"1MiB", "1", "64KiB"}, random);
  scenario.bandwidth = one_of(Words{"10GBps", "1GBps"}, random);
  if (random() % 4 == 0) scenario.patterns = {"phased"};
  if (random() % 4 == 0) scenario.routing = one_of(Words{"positive", "split", "ecmp"}, random);
  if (random() % 3 == 0) scenario.simulate = false;
  scenario.objective = one_of(
      Words{"time", "hop-bytes", "max-congestion,hop-bytes", "max-dilation", "jsum", "2*jmax+jsum"},
      random);
  scenario.min_gain = one_of(Words{"auto", "1%", "0", "10%", "50%", "none"}, random);
  scenario.seed = random() % 1000;
  scenario.steps = 50;
  scenario.threads = 1;
  Words mappers{"random", "round_robin", "greedy", "rcm", "exchange", "bisection", "block"};
  std::shuffle(mappers.begin(), mappers.end(), random);
  mappers.resize(keeps_order ? 1 : 2 + random() % 4);
  scenario.mappers.clear();
  for (const std::string& mapper : mappers)
    scenario.mappers += (scenario.mappers.empty() ? "" : ",") + mapper;
  return scenario;
}

/// A report in every form, and the embeddings of its rows.
struct Answer {
  Report report;
  std::vector<Embedding> embeddings;
  std::shared_ptr<const Network> network;
  CommGraph guest;
  std::string table, page;
  Json json;
};

/// @param noise as a machine file says it.
Answer answer_of(const Scenario& scenario, bool keeps_order, double noise) {
  Observer nobody;
  RunPlan plan = plan_run(scenario, nobody);
  plan.experiment.noise = noise;
  PlacedReport placed = keeps_order ? keep_or_move(plan, nobody) : compare(plan, nobody);
  const Experiment& experiment = plan.experiment;
  Answer answer{std::move(placed.report),
                std::move(placed.embeddings),
                experiment.network,
                experiment.guest,
                {},
                {},
                {}};
  PictureSource pictures(experiment.guest, experiment.network);
  EvidenceSource evidence;
  for (std::size_t row = 0; row < answer.embeddings.size(); ++row) {
    const Embedding& embedding = answer.embeddings[row];
    pictures.add(experiment.guest, embedding, metrics_of(experiment, embedding, 1));
    evidence.add(experiment, embedding, answer.report.rows[row]);
  }
  evidence.finish(experiment, answer.report);
  answer.table = render_table(answer.report);
  answer.page = render_page(answer.report, pictures);
  answer.json = Json::parse(render_json(answer.report, evidence.text()));
  return answer;
}

/// The row whose name a text begins with.
std::size_t row_named_first(const Json& rows, std::string_view text) {
  std::size_t found = rows.size(), length = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::string name = rows[row].at("mapper");
    if (!text.starts_with(name) || name.size() <= length) continue;
    found = row;
    length = name.size();
  }
  return found;
}

std::size_t row_of_sentence(const Json& rows, std::string_view sentence) {
  if (sentence.starts_with("with routing ")) sentence.remove_prefix(sentence.find(", ") + 2);
  for (const std::string_view words : {"the order given, ", "no traffic leaves a host under "})
    if (sentence.starts_with(words)) sentence.remove_prefix(words.size());
  return row_named_first(rows, sentence);
}

std::size_t row_behind(const Json& rows, std::string_view text, std::string_view words) {
  const std::size_t at = text.find(words);
  return at == std::string_view::npos ? rows.size()
                                      : row_named_first(rows, text.substr(at + words.size()));
}

/// The row of the only line of a table whose name has a star.
std::size_t row_with_star(const Json& rows, const std::string& table) {
  std::size_t found = rows.size(), stars = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::string line = fmt::format("\n{} * ", rows[row].at("mapper").get<std::string>());
    if (table.find(line) == std::string::npos) continue;
    found = row;
    ++stars;
  }
  return stars == 1 ? found : rows.size();
}

double seconds(const Json& row, bool simulated) {
  return row.at(simulated ? "makespan" : "max_congestion").get<double>();
}

bool is_same(double a, double b, double noise) {
  return std::abs(a - b) <= 1e-6 * std::max(a, b) ||
         (a > 0 && b > 0 && std::abs(std::log(a / b)) <= noise);
}

/// Without the breaks of lines.
std::string in_one_line(std::string_view text) {
  std::string line;
  for (const char c : text)
    if (c != '\n' && (c != ' ' || !line.ends_with(' ')))
      line += c;
    else if (!line.ends_with(' '))
      line += ' ';
  return line;
}

/// By definition: rows that take as long as the winner, and what holds of a winner.
void check_winner(const Json& json, bool keeps_order, bool by_time) {
  const Json& rows = json.at("rows");
  const double noise = json.at("noise");
  double least = std::numeric_limits<double>::infinity();
  const std::size_t best = json.at("best").at("row");
  const std::string sentence = json.at("verdict");
  const bool simulated = std::none_of(rows.begin(), rows.end(),
                                      [](const Json& row) { return row.at("makespan").is_null(); });
  for (const Json& row : rows) least = std::min(least, seconds(row, simulated));
  // Of several rows those that tie with the fastest, of an order given the one with the other.
  const double tied_with = keeps_order ? seconds(rows[best], simulated) : least;
  std::vector<std::size_t> ties;
  bool by_noise = false;
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (row != best && is_same(seconds(rows[row], simulated), tied_with, noise)) {
      ties.push_back(row);
      by_noise =
          by_noise || !is_same(seconds(rows[row], simulated), seconds(rows[best], simulated), 0);
    }
  if (by_time)
    CHECK((sentence.find(fmt::format(", no difference above noise ({:.2g} %)", 100 * noise)) !=
           std::string::npos) == by_noise);
  if (by_time) CHECK(json.at("best").value("ties", Json::array()) == Json(ties));
  CHECK((sentence.find(" tie by ") != std::string::npos) == json.at("best").contains("ties"));
  if (!keeps_order)
    for (const Json& row : rows)
      CHECK((seconds(rows[best], simulated) < seconds(row, simulated) ||
             is_same(seconds(rows[best], simulated), seconds(row, simulated), noise)));
  const bool is_best_by_time = sentence.find(" is best by s") != std::string::npos;
  const std::size_t base = keeps_order ? 0 : [&] {
    for (std::size_t row = 0; row < rows.size(); ++row)
      if (rows[row].at("mapper") == "block") return row;
    return std::size_t{0};
  }();
  if (is_best_by_time) CHECK(seconds(rows[best], simulated) < seconds(rows[base], simulated));
}

void check_forms(const Answer& answer) {
  const Json& json = answer.json;
  const Json& rows = json.at("rows");
  const std::size_t best = json.at("best").at("row");
  const std::string sentence = json.at("verdict");
  CHECK(row_with_star(rows, answer.table) == best);
  CHECK(row_behind(rows, answer.table, "\n* ") == best);
  CHECK(row_of_sentence(rows, sentence) == best);
  CHECK(in_one_line(answer.table).find(' ' + sentence + ' ') != std::string::npos);
  for (const Json& tie : json.at("best").value("ties", Json::array()))
    CHECK(answer.table.find(fmt::format(
              "\n{} = ", rows[tie.get<std::size_t>()].at("mapper").get<std::string>())) !=
          std::string::npos);
  for (const auto line : split(answer.table, '\n')) CHECK(line.size() <= 80);
  CHECK(row_behind(rows, answer.page, R"~(<tr class="best"><th scope="row" data-v=")~") == best);
  CHECK(answer.page.find("<p class=\"verdict\">" + markup_text(sentence) + "</p>") !=
        std::string::npos);
  CHECK(json.at("best").at("mapper") == rows[best].at("mapper"));
}

/// Reads a placement back as a launcher would, and evaluates it.
double hop_bytes_of_file(const std::string& path, const Answer& answer,
                         const Allocation& allocation) {
  const Embedding read = read_embedding(embedding_format_of(path, std::nullopt), path,
                                        answer.guest.num_ranks(), *answer.network, allocation);
  return evaluate(answer.guest, *answer.network, read).hop_bytes.value;
}

}  // namespace

TEST_CASE("Star, sentence, kept order, page and JSON name one row in 500 random scenarios") {
  Random random(1);
  int compared = 0, kept = 0, replaced = 0, tied = 0, by_noise = 0;
  for (int n = 0; compared < 500; ++n) {
    const bool keeps_order = n % 2 == 0;
    const Scenario scenario = random_scenario(keeps_order, random);
    const double noise = one_of(std::vector<double>{0, 0, 0.02, 0.1, 0.4}, random);
    CAPTURE(n, noise, scenario.topology, scenario.network, scenario.mappers,
            scenario.objective->text(), scenario.min_gain.text(), scenario.routing.text(),
            scenario.slots.text());
    std::optional<Answer> answer;
    try {
      answer = answer_of(scenario, keeps_order, noise);
    } catch (const Error&) {
      continue;  // a routing that the network does not have
    }
    if (answer->report.rows.size() < 2) continue;
    ++compared;
    CAPTURE(answer->json.at("verdict").get<std::string>());
    check_forms(*answer);
    check_winner(answer->json, keeps_order,
                 answer->json.at("best").at("by") == "simulated time" ||
                     answer->json.at("best").at("by") == "static time");
    CHECK(answer->json.contains("kept_order") == keeps_order);
    if (keeps_order) {
      const bool is_kept = answer->json.at("kept_order");
      CHECK(answer->json.at("best").at("row") == (is_kept ? 0 : 1));
      ++(is_kept ? kept : replaced);
    }
    tied += answer->json.at("best").contains("ties") ? 1 : 0;
    by_noise +=
        answer->json.at("verdict").get<std::string>().find("above noise") != std::string::npos;
    if (compared % 10 == 0)
      CHECK(check_report(answer->json, answer->json.at("evidence")).wrong.value_or("") == "");
  }
  // Each kind of answer comes often enough to be tested.
  CHECK(kept > 30);
  CHECK(replaced > 30);
  CHECK(tied > 30);
  CHECK(by_noise > 30);
}

TEST_CASE("The file that map writes holds the placement of the row that its report calls best") {
  Random random(2);
  for (int n = 0; n < 20; ++n) {
    Scenario scenario = random_scenario(true, random);
    scenario.routing = "simgrid";
    scenario.patterns.clear();
    const std::string file = tests::own_folder() + "/ranks.csv";
    const std::string report = tests::own_folder() + "/report.json";
    Words words{"map",
                "--topology",
                scenario.topology,
                "--network",
                scenario.network,
                "--mapper",
                scenario.mappers,
                "--objective",
                scenario.objective->text(),
                "--min-gain",
                scenario.min_gain.text(),
                "--slots",
                scenario.slots.text(),
                "--seed",
                std::to_string(scenario.seed),
                "--steps",
                "50",
                "--threads",
                "1",
                "-o",
                file,
                "--report",
                report};
    CAPTURE(words);
    REQUIRE(run_command(whole_command(), words) == 0);
    std::ifstream in(report);
    const Json json = Json::parse(in);
    scenario.bytes = "1MiB";
    scenario.bandwidth = "10GBps";
    scenario.simulate.reset();
    Observer nobody;
    Answer answer;
    Allocation allocation;
    const Experiment experiment = build_experiment(scenario, nobody);
    answer.network = experiment.network;
    answer.guest = experiment.guest;
    allocation = experiment.allocation;
    const std::size_t best = json.at("best").at("row");
    CHECK(hop_bytes_of_file(file, answer, allocation) ==
          Approx(json.at("rows").at(best).at("hop_bytes").get<double>()));
    if (json.contains("kept_order")) CHECK(json.at("kept_order") == (best == 0));
  }
}

}  // namespace vtopo::one_verdict
