// SPDX-License-Identifier: Apache-2.0
// Pulleys, sag and drums of a geometry file, as `lengths` and `pose` answer with them.
#include <doctest/doctest.h>

#include <unistd.h>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>

#include "tandem/machines/cable_robot/geometry/file.hpp"
#include "tandem/machines/cable_robot/solve/solve.hpp"

namespace {

using namespace tandem;
using Answer = nlohmann::json;

std::string default_text() {
  std::ostringstream text;
  text << std::ifstream(std::string(ROBOTS) + "/tandem.yaml").rdbuf();
  return text.str();
}

// The default robot with lines more; the file is gone with it.
class FittedFile {
 public:
  explicit FittedFile(const std::string& more) {
    static int count = 0;
    name_ = std::filesystem::temp_directory_path() /
            ("tandem_fittings_" + std::to_string(::getpid()) + "_" + std::to_string(++count) + ".yaml");
    std::ofstream(name_) << default_text() << more;
  }
  FittedFile(const FittedFile&) = delete;
  FittedFile& operator=(const FittedFile&) = delete;
  ~FittedFile() {
    std::error_code gone;
    std::filesystem::remove(name_, gone);
  }
  std::string name() const { return name_.string(); }

 private:
  std::filesystem::path name_;
};

Answer asked(std::string_view name, const Answer& question) {
  for (const auto& query : cable_robot::queries()) {
    if (query.name != name) continue;
    const auto answer = query.answer(question.dump(), {});
    return answer ? Answer::parse(*answer) : Answer{{"error", answer.error().text}};
  }
  return {};
}

std::string trouble_of(const std::string& more) {
  const auto geometry = cable_robot::geometry_from_text(default_text() + more, "robot.yaml");
  return geometry ? "" : geometry.error().text;
}

double at(const Answer& answer, const char* field, std::size_t i) { return answer.at(field).at(i).get<double>(); }

const Answer turned_pose = {0.05, -0.08, 0.35, 0.0, 0.0, 0.0998334166468282, 0.9950041652780258};
const Answer home_pose = {0, 0, 0.3, 0, 0, 0, 1};

}  // namespace

TEST_CASE("lengths run over the pulleys of a geometry file and lead back to the pose") {
  const FittedFile fitted("pulley_radius: 0.02\n"), tiny("pulley_radius: 1e-9\n");
  const Answer plain = asked("lengths", {{"pose", turned_pose}});
  const Answer over = asked("lengths", {{"pose", turned_pose}, {"geometry", fitted.name()}});
  const Answer almost = asked("lengths", {{"pose", turned_pose}, {"geometry", tiny.name()}});
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(std::abs(at(almost, "lengths", i) - at(plain, "lengths", i)) < 1e-7);
    const double more = at(over, "lengths", i) - at(plain, "lengths", i);
    CHECK(std::abs(more) > 1e-5);
    CHECK(std::abs(more) < std::numbers::pi * 0.02);
  }
  const Answer back = asked("pose", {{"lengths", over["lengths"]}, {"geometry", fitted.name()}});
  CHECK(back["residual"].get<double>() < 1e-12);
  for (std::size_t i = 0; i < 7; ++i) CHECK(std::abs(at(back, "pose", i) - turned_pose[i].get<double>()) < 1e-10);
}

TEST_CASE("rates are those of the lengths with and without pulleys") {
  const FittedFile fitted("pulley_radius: 0.02\n");
  const Answer twist = {0.1, -0.2, 0.3, 0, 0, 0};
  for (const bool pulleys : {false, true}) {
    const auto along = [&](double seconds) {
      Answer question = {{"pose", turned_pose}, {"twist", twist}};
      for (std::size_t i = 0; i < 3; ++i)
        question["pose"][i] = turned_pose[i].get<double>() + seconds * twist[i].get<double>();
      if (pulleys) question["geometry"] = fitted.name();
      return asked("lengths", question);
    };
    const Answer before = along(-1e-5), now = along(0), after = along(1e-5);
    for (std::size_t i = 0; i < 8; ++i)
      CHECK(std::abs((at(after, "lengths", i) - at(before, "lengths", i)) / 2e-5 - at(now, "rates", i)) < 1e-8);
  }
}

TEST_CASE("drum angles are zero at home and turn by the length over the helix") {
  const FittedFile fitted("drum: {radius: 0.025, pitch: 0.003}\n");
  const Answer home = asked("lengths", {{"pose", home_pose}, {"geometry", fitted.name()}});
  const Answer there = asked("lengths", {{"pose", turned_pose}, {"geometry", fitted.name()}});
  const double per_radian = std::hypot(0.025, 0.003 / (2 * std::numbers::pi));
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(std::abs(at(home, "angles", i)) < 1e-12);
    const double unwound = at(there, "lengths", i) - at(home, "lengths", i);
    CHECK(std::abs(at(there, "angles", i) - unwound / per_radian) < 1e-9);
  }
}

TEST_CASE("heavy cables hang longer and lead back to the pose") {
  const double weight = 0.5;  // N/m
  const FittedFile fitted("cable_weight: 0.5\n");
  const Answer hung = asked("lengths", {{"pose", turned_pose}, {"geometry", fitted.name()}});
  const Answer plain = asked("lengths", {{"pose", turned_pose}});
  for (std::size_t i = 0; i < 8; ++i) {
    const double straight = at(hung, "lengths", i), tension = at(hung, "tensions", i);
    CHECK(straight == at(plain, "lengths", i));
    CHECK(tension >= 2);
    // A shallow arc is longer by at most w^2 l^3 / 24 T^2, and shorter again by its stretch.
    const double stretch = straight * tension / 5e4;
    CHECK(at(hung, "unstretched", i) > straight - 1.1 * stretch - 1e-9);
    CHECK(at(hung, "unstretched", i) <
          straight - 0.9 * stretch + 1.2 * weight * weight * std::pow(straight, 3) / (24 * tension * tension));
  }
  const Answer back = asked("pose", {{"unstretched", hung["unstretched"]}, {"geometry", fitted.name()}});
  REQUIRE_MESSAGE(back.contains("pose"), back.dump());
  CHECK(back["residual"].get<double>() < 1e-9);
  for (std::size_t i = 0; i < 7; ++i) CHECK(std::abs(at(back, "pose", i) - turned_pose[i].get<double>()) < 1e-8);
  const Answer without = asked("pose", {{"unstretched", hung["unstretched"]}});
  CHECK(without["error"].get<std::string>().find("for a geometry with a cable_weight") != std::string::npos);
}

TEST_CASE("fittings that cannot be are named with their line") {
  CHECK(trouble_of("pulley_radius: 0.02\n").empty());
  CHECK(trouble_of("pulley_radius: -1\n").find("pulley_radius: expected 0 to 100 m") != std::string::npos);
  CHECK(trouble_of("pulley_radius: wide\n").find("pulley_radius: expected a number") != std::string::npos);
  CHECK(trouble_of("cable_weight: .nan\n") != "");
  CHECK(trouble_of("cable_weight: 1\npulley_radius: 1\n").find("cable_weight: expected no pulley_radius") !=
        std::string::npos);
  CHECK(trouble_of("drum: 3\n").find("drum: expected keys with values") != std::string::npos);
  CHECK(trouble_of("drum: {pitch: 0.001}\n").find("drum.radius: expected a number of m, got none") !=
        std::string::npos);
  CHECK(trouble_of("drum: {radius: -0.1}\n").find("drum radius: expected m above 0") != std::string::npos);
  CHECK(trouble_of("drum: {radius: 0.1, pitch: 1}\n").find("drum pitch: expected") != std::string::npos);
}
