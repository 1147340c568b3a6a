// SPDX-License-Identifier: Apache-2.0
#include "tandem/plot/figure.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

namespace tandem::plot {

namespace {

Figure two_panels() {
  Figure figure;
  figure.title = "Two panels";
  figure.note = "made by a test";
  figure.width = 600;
  figure.height = 300;
  Panel cells;
  cells.title = "cells";
  cells.x.label = "x, m";
  cells.equal = true;
  cells.cells.push_back({{0, 1}, {0, 1}, 2, 2, {0, 1, 2, std::numeric_limits<double>::quiet_NaN()}, 0.5, 1});
  Panel lines;
  lines.title = "over time";
  Line line;
  for (int i = 0; i < 100; ++i) {
    line.x.push_back(0.01 * i);
    line.y.push_back(i == 50 ? std::numeric_limits<double>::quiet_NaN() : std::sin(0.1 * i));
  }
  line.label = "sine";
  lines.lines = {line};
  lines.points.push_back({{0.1, 0.2}, {0, 0.5}, line_color(1), 3, "points"});
  figure.panels = {cells, lines};
  figure.scale = ColorScale{"N", {0, 2}};
  return figure;
}

std::uint32_t big_word(const std::string& bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word = word << 8 | static_cast<unsigned char>(bytes[at + i]);
  return word;
}

struct PlotFolder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / fmt::format("tandem-plot-{}", ::getpid());
  PlotFolder() { std::filesystem::create_directories(path); }
  ~PlotFolder() { std::filesystem::remove_all(path); }
};

}  // namespace

TEST_CASE("a PNG has the signature and the pixels asked for") {
  const auto bytes = bytes_of(two_panels(), Format::png, 1.5);
  REQUIRE(bytes.ok());
  REQUIRE(bytes->size() > 1000);
  CHECK(bytes->substr(0, 8) == "\x89PNG\r\n\x1a\n");
  CHECK(big_word(*bytes, 16) == 900);
  CHECK(big_word(*bytes, 20) == 450);
  const bool same_again = *bytes_of(two_panels(), Format::png, 1.5) == *bytes;
  CHECK(same_again);
}

TEST_CASE("an SVG is whole") {
  const auto bytes = bytes_of(two_panels(), Format::svg);
  REQUIRE(bytes.ok());
  CHECK(bytes->starts_with("<?xml"));
  CHECK(bytes->find("width=\"600px\"") != std::string::npos);
  CHECK(bytes->ends_with("</svg>\n"));
}

TEST_CASE("figures that cannot be drawn are refused by name") {
  Figure figure = two_panels();
  figure.panels[1].lines[0].y.pop_back();
  CHECK(bytes_of(figure, Format::svg).error().text ==
        "figure: panel 'over time': expected as many y as x, got 99 and 100");
  figure = two_panels();
  figure.panels[0].cells[0].columns = 3;
  CHECK(bytes_of(figure, Format::svg).error().text == "figure: panel 'cells': expected 3 x 2 values, got 4");
  figure = two_panels();
  figure.panels[0].cells[0].columns = -2;
  CHECK_FALSE(bytes_of(figure, Format::svg).ok());
  figure = two_panels();
  figure.panels[0].pictures.push_back({{0, 1}, {0, 1}, 2, 1, {Color{}, std::nullopt}});
  CHECK(bytes_of(figure, Format::png).ok());
  figure.panels[0].pictures[0].rows = 3;
  CHECK(bytes_of(figure, Format::svg).error().text ==
        "figure: panel 'cells': expected a picture of 2 x 3 pixels with an extent, got 2");
  figure = two_panels();
  figure.scale->range = {1, 1};
  CHECK_FALSE(bytes_of(figure, Format::svg).ok());
  figure = two_panels();
  figure.panels[0].x.range = Range{0, std::nan("")};
  CHECK_FALSE(bytes_of(figure, Format::svg).ok());
  for (const double width : {0.0, -5.0, 1e9, std::nan("")}) {
    figure = two_panels();
    figure.width = width;
    CHECK_FALSE(bytes_of(figure, Format::png).ok());
  }
}

TEST_CASE("an empty figure and empty panels are drawn") {
  Figure figure;
  CHECK(bytes_of(figure, Format::svg).ok());
  figure.panels.resize(5);
  figure.columns = 2;
  CHECK(bytes_of(figure, Format::png).ok());
}

TEST_CASE("a figure is written whole or not at all") {
  const PlotFolder folder;
  const std::string path = (folder.path / "f.png").string();
  REQUIRE(write(two_panels(), path).ok());
  REQUIRE(write(two_panels(), path).ok());  // over the old one
  std::stringstream read;
  read << std::ifstream(path).rdbuf();
  const bool whole = read.str() == *bytes_of(two_panels(), Format::png);
  CHECK(whole);
  int files = 0;
  for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator(folder.path)) ++files;
  CHECK(files == 1);

  const std::string nowhere = (folder.path / "none" / "f.png").string();
  CHECK(write(two_panels(), nowhere).error().text ==
        nowhere + ": expected a file that can be written, got: No such file or directory");
  CHECK(write(two_panels(), (folder.path / "f.pdf").string()).error().fault == Fault::unsupported);
  std::filesystem::create_directory(folder.path / "g.svg");
  CHECK(write(two_panels(), (folder.path / "g.svg").string()).error().text.find("a folder of that name") !=
        std::string::npos);
}

}  // namespace tandem::plot
