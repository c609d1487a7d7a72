#include "sim/study/scenario_settings.hpp"

#include <catch2/catch.hpp>
#include "tests/support/message_of.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

ScenarioSettings settings_of(const std::string& text) {
  const PlacedDocument document = parse_placed_json(text, "f");
  return read_settings(document, document.root);
}

std::string settings_complaint(const std::string& text) {
  return tests::message_of<InputError>([&] { settings_of(text); });
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("settings of a scenario are options of the command, sorted") {
  CHECK(settings_of(R"({"seed": 3, "bytes": ["1MiB", 64], "per-message": true,
                       "fail-link": ["a", "b"], "no-simulate": "true", "steps": null})")
            .arguments() == Words{"--bytes=1MiB,64", "--fail-link=a", "--fail-link=b",
                                  "--no-simulate", "--per-message", "--seed=3"});
  CHECK(settings_of(R"({"simulate": false})").arguments() == Words{"--no-simulate"});
  CHECK(settings_of(R"({"simulate": true, "per-message": false})").arguments() ==
        Words{"--simulate"});
}

TEST_CASE("equal scenarios have one canonical form") {
  const std::string form = R"({"fail-link":["a","b"],"seed":"3","topology":"cart:4"})";
  CHECK(settings_of(R"({"topology": "cart:4", "seed": 3, "fail-link": ["a", "b"]})")
            .canonical_json() == form);
  CHECK(settings_of(form).canonical_json() == form);
  CHECK(settings_of("{}").canonical_json() == "{}");
}

TEST_CASE("who overrides a guest or an interconnect replaces it") {
  const std::string base = R"({"topology": "cart:4", "bytes": 1, "network": "torus:4",
                              "bandwidth": "1GBps", "no-simulate": true})";
  ScenarioSettings settings = settings_of(base);
  settings.override_with(settings_of(R"({"traffic": "t.csv", "ranks": 4})"));
  settings.override_with(settings_of(R"({"bandwidth": "2GBps", "platform": "p.xml"})"));
  settings.override_with(settings_of(R"({"simulate": true, "seed": 2})"));
  settings.override_with(settings_of(R"({"seed": null})"));
  CHECK(settings.canonical_json() ==
        R"({"bandwidth":"2GBps","platform":"p.xml","ranks":"4","simulate":"true",)"
        R"("traffic":"t.csv"})");
  settings.override_with(settings_of(R"({"prof-kinds": "E,C", "per-message": true})"));
  settings.override_with(settings_of(R"({"schedule": "s.json", "platform": null})"));
  CHECK(settings.canonical_json() ==
        R"({"bandwidth":"2GBps","schedule":"s.json","simulate":"true"})");
  settings = settings_of(base);
  settings.override_with(settings_of(R"({"platform": null, "traffic": null})"));
  CHECK(settings == settings_of(base));
}

TEST_CASE("what a scenario cannot say is refused at its place") {
  CHECK(settings_complaint("{\"toplogy\": 1}") ==
        "f:1:2: unknown key \"toplogy\"; did you mean \"topology\"?");
  CHECK(settings_complaint("{\n \"seed\": -1}")
            .starts_with("f:2:10: \"seed\": \"-1\" is not a whole number"));
  CHECK(settings_complaint(R"({"slots": [1, 0]})").starts_with("f:1:15: \"slots\""));
  CHECK(settings_complaint(R"({"routing": true})").starts_with("f:1:13: \"routing\" is a boolean"));
  CHECK(settings_complaint(R"({"routing": ""})").starts_with("f:1:13: \"routing\" is empty"));
  CHECK(settings_complaint(R"({"per-message": 1})")
            .starts_with("f:1:17: \"per-message\" is a number"));
  CHECK(settings_complaint(R"({"network": "torus:0x8"})").starts_with("f:1:13: \"network\": "));
  CHECK(settings_complaint(R"({"mapper": []})").ends_with("\"mapper\" is an empty array"));
  CHECK(settings_complaint("[]").starts_with("f:1:1: a scenario is an array"));
  // Mappers of plugins are not known yet.
  CHECK(settings_complaint(R"({"mapper": "mine"})").starts_with("f:1:12: \"mapper\": "));
  CHECK(settings_complaint(R"({"mapper": "mine", "plugin": "mine.so"})") == "no error");
}
