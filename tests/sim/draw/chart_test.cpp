#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/draw/charts.hpp"
#include "tests/sim/draw/drawn_problem.hpp"

using namespace vtopo;
using namespace vtopo::detail;

TEST_CASE("the histogram has a bar for each hop count", "[report][charts]") {
  const BarPicture picture = hop_bars({0, 4, 2}, 8, 5);
  CHECK(picture.values == std::vector<double>{0, 4, 2, 0, 0});
  CHECK(picture.names == std::vector<std::string>{"0", "1", "2", "3", "4"});
  CHECK(picture.most == 8);
  const Figure figure = draw_bars(picture);
  CHECK(count_of(figure.svg, "class=\"bar\"") == 2);
  // half of the most is half of the height of 190 pixels
  CHECK(figure.svg.find("height=\"95.00\"") != std::string::npos);
  CHECK(figure.csv == "hops,number\n0,0\n1,4\n2,2\n3,0\n4,0\n");
}

TEST_CASE("many hop counts share bars", "[report][charts]") {
  const BarPicture picture = hop_bars(std::vector<std::int64_t>(100, 1), 1, 0);
  CHECK(picture.values.size() == 50);
  CHECK(picture.values[0] == 2);
  CHECK(picture.names[0] ==
        "0\xE2\x80\x93"
        "1");
  CHECK(picture.most == 2);  // of the bars, not of the single counts
}

TEST_CASE("a guest without edges has an empty histogram", "[report][charts]") {
  CHECK(hop_bars({}, 0, 0).values == std::vector<double>{0});
  CHECK(count_of(draw_bars(hop_bars({}, 0, 0)).svg, "class=\"bar\"") == 0);
}

TEST_CASE("a bar for several ranks is the last of them", "[report][charts]") {
  std::vector<double> finish(600, 1);
  finish[4] = 7;
  const BarPicture picture = rank_bars(finish, 7);
  CHECK(picture.values.size() == 200);
  CHECK(picture.values[0] == 1);
  CHECK(picture.values[1] == 7);
  CHECK(picture.names[1] ==
        "3\xE2\x80\x93"
        "5");
}

TEST_CASE("quantiles of few links are their loads in order", "[report][charts]") {
  std::vector<LinkLoad> links(3);
  links[0].congestion = {5};
  links[2].congestion = {2};
  CHECK(load_quantiles(links) == std::vector<double>{0, 2, 5});
  CHECK(load_quantiles({}).empty());
}

TEST_CASE("quantiles of many links run from the least to the most", "[report][charts]") {
  std::vector<LinkLoad> links(1025);
  for (std::size_t l = 0; l < links.size(); ++l) links[l].congestion = {double(1024 - l)};
  const auto quantiles = load_quantiles(links);
  REQUIRE(quantiles.size() == 257);
  for (std::size_t q = 0; q < quantiles.size(); ++q) CHECK(quantiles[q] == 4.0 * double(q));
}

TEST_CASE("a curve without links is no picture of nonsense", "[report][charts]") {
  const Figure figure = draw_load_curve({}, {}, "", 0);
  CHECK(figure.svg.find("nan") == std::string::npos);
  CHECK(figure.csv == "share_of_links,seconds\n");
}

TEST_CASE("ticks are round: of bytes powers of two", "[report][charts]") {
  constexpr double mebi = 1024 * 1024;
  CHECK(round_ticks(100 * mebi, PictureUnit::bytes, 4) ==
        std::vector<double>{0, 32 * mebi, 64 * mebi, 96 * mebi});
  CHECK(round_ticks(7, PictureUnit::number, 4) == std::vector<double>{0, 2, 4, 6});
  CHECK(round_ticks(2, PictureUnit::number, 4) == std::vector<double>{0, 1, 2});
  const auto seconds = round_ticks(0.419, PictureUnit::seconds, 4);
  REQUIRE(seconds.size() == 3);
  CHECK(seconds[1] == Approx(0.2));
  CHECK(round_ticks(0, PictureUnit::seconds, 4) == std::vector<double>{0});
  CHECK(round_ticks(1, mebi, PictureUnit::bytes) == std::vector<double>{1, 32, 1024, 32768, mebi});
}
