#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command/verb.hpp"
#include "cli/output/output.hpp"
#include "cli/output/sha256.hpp"
#include "sim/check/check_report.hpp"
#include "sim/check/evidence.hpp"
#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::verbs {

namespace {

constexpr int exit_wrong_figure = 5;

struct CheckOptions {
  std::string file;
};

/// @throws InputError unless it is a regular file that can be read.
std::string text_of(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto status = fs::status(path, error);  // opening a pipe would wait for its writer
  if (!fs::exists(status)) throw input_error({path}, "there is no such file");
  if (!fs::is_regular_file(status)) throw input_error({path}, "expected a regular file");
  const auto size = fs::file_size(path, error);
  if (error || size > LineFile::max_file_bytes)
    throw input_error(
        {path}, fmt::format("has {} bytes; accepted are up to {}", size, LineFile::max_file_bytes));
  std::ifstream file(path, std::ios::binary);
  if (!file) throw input_error({path}, "cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The result of `step`, whose errors get the name of the file.
template <typename Step>
auto of_file(const std::string& path, Step step) {
  try {
    return step();
  } catch (const InputError& error) {
    throw input_error({path}, error.what());
  }
}

nlohmann::json json_of(const std::string& path, const std::string& text) {
  auto document = of_file(path, [&] { return checking::parse_report(text); });
  if (document.is_discarded() && text.starts_with("{\"schema\":\"vtopo/sweep/v1\""))
    throw input_error({path},
                      "lines of a sweep, which have no evidence: vtopo compare -o FILE.json "
                      "writes it for one scenario");
  if (document.is_discarded()) throw input_error({path}, "not JSON");
  if (!document.is_object()) throw input_error({path}, "expected a JSON object");
  return document;
}

/// The evidence of a report, or that of the file beside it.
nlohmann::json evidence_of(const std::string& path, const nlohmann::json& report) {
  const auto evidence = report.find("evidence");
  if (evidence == report.end() || !evidence->is_object())
    throw input_error({path}, "has no evidence: JSON that is written with -o FILE.json has it");
  if (evidence->contains("left_out"))
    throw input_error({path}, "its evidence was left out: " + evidence->at("left_out").dump());
  if (!evidence->contains("file")) return *evidence;
  const auto& name = evidence->at("file");
  if (!name.is_string() || name.get<std::string>().find('/') != std::string::npos)
    throw input_error({path}, "evidence: expected the name of a file in the same folder");
  const std::string beside =
      (std::filesystem::path(path).parent_path() / name.get<std::string>()).string();
  const std::string text = text_of(beside);
  if (const std::string hash = sha256(text); evidence->value("sha256", nlohmann::json()) != hash)
    throw input_error({beside}, fmt::format("its SHA-256 is {} and not that of the report", hash));
  return json_of(beside, text);
}

std::string sentence(const std::string& path, const CheckResult& result) {
  if (result.wrong) return fmt::format("{}: wrong: {}\n", path, *result.wrong);
  std::string text = fmt::format("{}: verified: {}\n", path, join(result.verified, "; "));
  if (!result.open.empty())
    text += fmt::format("{}: not verified: {}\n", path, join(result.open, "; "));
  return text;
}

/// @throws InputError for a document that says it is another one, of another version or of none.
void check_schema(const std::string& path, const nlohmann::json& document) {
  constexpr const char *report = "vtopo/compare/v1", *embedding = "vtopo/embedding/v1";
  const auto schema = document.find("schema"), version = document.find("version");
  if (schema != document.end() && *schema != report && *schema != embedding)
    throw input_error({path}, fmt::format("schema {}: accepted are \"{}\" and \"{}\"",
                                          schema->dump(), report, embedding));
  if (version != document.end() &&
      (!version->is_string() || version->get_ref<const std::string&>().empty()))
    throw input_error({path}, fmt::format("version {}: expected the version of the command that "
                                          "wrote the file, as text",
                                          version->dump()));
}

CheckResult checked(const std::string& path) try {
  const nlohmann::json document = json_of(path, text_of(path));
  check_schema(path, document);
  const bool is_embedding = document.contains("ranks") && !document.contains("rows");
  const nlohmann::json evidence = is_embedding ? nlohmann::json() : evidence_of(path, document);
  return of_file(path, [&] {
    return is_embedding ? check_embedding(document) : check_report(document, evidence);
  });
} catch (const checking::WrongFigure& error) {  // in the text itself
  return {error.what(), {}, {}};
}

int run_check(const CheckOptions& options) {
  const CheckResult result = checked(options.file);
  write_output("-", sentence(options.file, result));
  return result.wrong ? exit_wrong_figure : 0;
}

}  // namespace

Verb check() {
  auto options = std::make_shared<CheckOptions>();
  Verb verb{"check", "recomputes the figures of a report from its evidence, independently"};
  verb.listed = {VerbHeading::others, 3};
  verb.examples =
      "Examples:\n"
      "  vtopo compare --topology cart:8x8 --network torus:8x8 -o result.json\n"
      "  vtopo check result.json\n"
      "\n"
      "The exit code is 0 if no figure is wrong and 5 with the first one that is. What could not "
      "be\n"
      "verified is listed.";
  verb.add("RESULT", &options->file,
           "report or embedding in JSON, as evaluate, compare, simulate and map write it with -o")
      ->type_name("FILE")
      ->required();
  verb.run = [options](const Invocation&) { return run_check(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
