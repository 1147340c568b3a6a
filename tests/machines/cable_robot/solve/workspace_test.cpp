// SPDX-License-Identifier: Apache-2.0
// The question `workspace`: its fields, its files, and what it refuses.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tandem/machines/cable_robot/workspace/file.hpp"
#include "tandem/machines/cable_robot/workspace/picture.hpp"
#include "tandem/machines/cable_robot/workspace/query.hpp"

namespace tandem::cable_robot {

namespace {

using Json = nlohmann::json;

Json answer_of(const std::string& question) {
  const auto answer = workspace(question, {});
  REQUIRE_MESSAGE(answer.ok(), question);
  return Json::parse(*answer);
}

std::string refusal_of(const std::string& question) {
  const auto answer = workspace(question, {});
  return answer ? "answered" : answer.error().text;
}

struct WorkspaceFolder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / fmt::format("tandem-space-{}", ::getpid());
  WorkspaceFolder() { std::filesystem::create_directories(path); }
  ~WorkspaceFolder() { std::filesystem::remove_all(path); }
  std::string file(const std::string& name) const { return (path / name).string(); }
  std::string written(const std::string& name) const {
    std::stringstream text;
    text << std::ifstream(path / name).rdbuf();
    return text.str();
  }
  std::string asked(const std::string& name) const { return Json{{"grid", {3, 4, 5}}, {"out", file(name)}}.dump(); }
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream from(text);
  for (std::string line; std::getline(from, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("the workspace of the default robot is summed up") {
  const Json answer = answer_of(R"({"grid": "12x12x12"})");
  CHECK(answer["points"] == 1728);
  const double fraction = answer["fraction"];
  CHECK(fraction == doctest::Approx(answer["feasible"].get<double>() / 1728));
  CHECK(fraction > 0.6);
  CHECK(fraction < 0.75);
  CHECK(answer["volume"].get<double>() == doctest::Approx(fraction * 0.46478 * 0.46478 * 0.52).epsilon(1e-4));
  CHECK(answer["largest_margin"].get<double>() > 40);
  CHECK(answer["at"].size() == 3);
  CHECK_FALSE(answer.contains("out"));
}

TEST_CASE("grids are texts or lists and every field counts") {
  const std::string box = R"("box": [[-0.15, -0.15, 0.15], [0.15, 0.15, 0.45]])";
  CHECK(answer_of("{\"grid\": [2, 3, 4]," + box + "}")["points"] == 24);
  CHECK(answer_of("{\"grid\": \"2X3x4\"," + box + "}")["feasible"] == 24);
  CHECK(answer_of("{\"grid\": \"5x5x5\", \"kind\": \"closure\"," + box + "}")["fraction"] == 1);
  CHECK(answer_of("{\"grid\": \"5x5x5\", \"kind\": \"force\"," + box + "}")["fraction"] == 1);
  const double level = answer_of(R"({"grid": "9x9x9"})")["fraction"];
  CHECK(answer_of(R"({"grid": "9x9x9", "attitude": [[0, 0, 0], [0, 0.4, 0]]})")["fraction"].get<double>() < level);
  CHECK(answer_of(R"({"grid": "9x9x9", "wrenches": [0, 0, -60, 0, 0, 0]})")["fraction"].get<double>() < level);
  CHECK(answer_of(R"({"grid": "9x9x9", "wrench_box": [30, 30, 30, 0, 0, 0]})")["fraction"].get<double>() < level);
  const Json hanging = answer_of(R"({"grid": "9x9x9", "geometry": ")" TANDEM_ROBOTS R"(/caroca.yaml"})");
  CHECK(hanging["volume"].get<double>() > 1);
}

TEST_CASE("what cannot be asked is refused with the field and what was seen") {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {R"({"grid": "40x40"})", "grid: expected \"NxNxN\" or three whole numbers from 1 to 100000, got \"40x40\""},
      {R"({"grid": "4x4x4x"})", "got \"4x4x4x\""},
      {R"({"grid": "4x-4x4"})", "got \"4x-4x4\""},
      {R"({"grid": [4, 4.5, 4]})", "got [4,4.5,4]"},
      {R"({"grid": [0, 4, 4]})", "got [0,4,4]"},
      {R"({"grid": [1, 2]})", "got [1,2]"},
      {R"({"grid": "99999999999999x1x1"})", "grid: expected"},
      {R"({"grid": "100000x100000x100000"})", "grid: expected at most 50000000 points"},
      {R"({"grid": "1000x1000x10", "out": "a.csv"})", "grid: expected at most 5000000 cells for a file"},
      {R"({"gird": "4x4x4"})", "did you mean 'grid'?"},
      {R"({"out": "w.pdf"})", "out: expected a name that ends in .csv, .vtk, .svg or .png, got 'w.pdf'"},
      {R"({"out": 3})", "out: expected a text, got 3"},
      {R"({"out": ""})", "out: expected a text"},
      {R"({"kind": "feasable"})", "kind: unknown kind \"feasable\"; did you mean 'feasible'?"},
      {R"({"box": [[0, 0, 0], [1, 1, 0]]})", "box: expected low < high along z, got 0 and 0"},
      {R"({"box": [[0, 0, 0]]})", "box: expected its two corners"},
      {R"({"box": [[0, 0, 0], [1, 1]]})", "box[1]: expected an array of 3 numbers, got [1,1]"},
      {R"({"attitude": [0, 0]})", "attitude: expected an array of 3 numbers, got [0,0]"},
      {R"({"attitude": []})", "attitude: expected a list of 1 to 1000"},
      {R"({"wrenches": [[0, 0, 0, 0, 0]]})", "wrenches[0]: expected an array of 6 numbers"},
      {R"({"wrench_box": 4})", "wrench_box: expected an array of 6 numbers, got 4"},
      {R"({"geometry": "/nowhere/robot.yaml"})", "/nowhere/robot.yaml"},
      {"[]", "expected a JSON object"},
      {"{", "not JSON"},
  };
  for (const auto& [question, says] : rows) {
    CAPTURE(question);
    const std::string refusal = refusal_of(question);
    CHECK_MESSAGE(refusal.find(says) != std::string::npos, refusal);
  }
}

TEST_CASE("a CSV file has a row for every cell with all that was looked at") {
  const WorkspaceFolder folder;
  const Json answer = answer_of(folder.asked("w.csv"));
  CHECK(answer["out"] == folder.file("w.csv"));
  const auto lines = lines_of(folder.written("w.csv"));
  REQUIRE(lines.size() == 61);
  CHECK(lines[0] == "x,y,z,feasible,margin,conditioning,between_cables,to_platform");
  int feasible = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::vector<double> numbers;
    std::istringstream row(lines[i]);
    for (std::string cell; std::getline(row, cell, ',');) numbers.push_back(std::stod(cell));
    REQUIRE(numbers.size() == 8);
    const Pose pose = pose_from({numbers[0], numbers[1], numbers[2]}, Eigen::Matrix3d::Identity());
    CHECK(numbers[4] == doctest::Approx(margin(cables::Robot::standard(), pose)).epsilon(1e-3));
    CHECK((numbers[3] == 1) == (numbers[4] >= 0));
    feasible += numbers[3] == 1;
  }
  CHECK(answer["feasible"] == feasible);
}

TEST_CASE("a VTK file has the header of structured points and as many numbers as it says") {
  const WorkspaceFolder folder;
  answer_of(folder.asked("w.vtk"));
  const auto lines = lines_of(folder.written("w.vtk"));
  REQUIRE(lines.size() == 8 + 5 * 62);
  CHECK(lines[0] == "# vtk DataFile Version 3.0");
  CHECK(lines[1] == "feasible workspace of tandem");
  CHECK(lines[3] == "DATASET STRUCTURED_POINTS");
  CHECK(lines[4] == "DIMENSIONS 3 4 5");
  CHECK(lines[7] == "POINT_DATA 60");
  const char* const names[] = {"feasible int", "margin float", "conditioning float", "between_cables float",
                               "to_platform float"};
  for (std::size_t k = 0; k < 5; ++k) {
    CHECK(lines[8 + 62 * k] == fmt::format("SCALARS {} 1", names[k]));
    CHECK(lines[9 + 62 * k] == "LOOKUP_TABLE default");
    for (std::size_t i = 10 + 62 * k; i < 70 + 62 * k; ++i) CHECK(std::isfinite(std::stod(lines[i])));
  }
}

TEST_CASE("pictures are written whole and a folder that is not there is named") {
  const WorkspaceFolder folder;
  cables::GridTask task;
  task.grid = cables::default_grid(cables::Robot::standard());
  task.grid.counts = {4, 4, 4};
  const auto found = look_at(cables::Robot::standard(), task);
  REQUIRE(found.ok());
  const auto figure = workspace_picture(cables::Robot::standard(), task, *found);
  REQUIRE(figure.ok());
  REQUIRE(figure->panels.size() == 4);
  CHECK(figure->panels[1].title == "z = 0.3 m");
  CHECK(figure->title.find("m³") != std::string::npos);
  // The picture is symmetric as the robot is.
  const plot::Cells& cells = figure->panels[1].cells.at(0);
  for (std::size_t i = 0; i < cells.values.size(); i += 331)
    CHECK(cells.values[i] == doctest::Approx(cells.values[cells.values.size() - 1 - i]).epsilon(1e-6));

  // The body is seen in the middle of its picture and not at the rim.
  const plot::Picture& body = figure->panels[0].pictures.at(0);
  const auto pixel = [&body](int x, int y) {
    return body.pixels.at(static_cast<std::size_t>(y * body.columns + x)).has_value();
  };
  CHECK(pixel(body.columns / 2, body.rows / 2));
  CHECK_FALSE(pixel(0, 0));
  CHECK_FALSE(pixel(body.columns - 1, body.rows / 2));

  answer_of(folder.asked("w.png"));
  CHECK(folder.written("w.png").starts_with("\x89PNG"));
  const std::string nowhere = folder.file("none/w.svg");
  CHECK(refusal_of(Json{{"grid", "2x2x2"}, {"out", nowhere}}.dump()) ==
        fmt::format("out: {}: expected a file that can be written, got: No such file or directory", nowhere));
}

TEST_CASE("a long answer tells its progress") {
  double last = 0;
  const auto answer = workspace(R"({"grid": "30x30x30"})", [&last](double share) {
    CHECK(share > 0);
    last = std::max(last, share);
  });
  REQUIRE(answer.ok());
  CHECK(last == 1);
}

TEST_CASE("the example of the query works") {
  CHECK(workspace_query.name == "workspace");
  Json example = Json::parse(workspace_query.example);
  const WorkspaceFolder folder;
  example["out"] = folder.file(example["out"]);
  example["grid"] = "5x5x5";
  CHECK(answer_of(example.dump())["points"] == 125);
}

}  // namespace tandem::cable_robot
