// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>
#include <string>

#include "tandem/machines/em1500/description.hpp"
#include "tandem/machines/em1500/pose_map.hpp"
#include "tandem/machines/em1500/solve.hpp"

using namespace tandem;
using namespace tandem::em1500;

namespace {

Result<std::string> ask(std::string_view query, std::string_view json) {
  for (const auto& known : queries()) {
    if (known.name == query) return known.answer(json, {});
  }
  return Error{Fault::not_found, "no such query"};
}

nlohmann::json answer(std::string_view query, std::string_view json) {
  const auto text = ask(query, json);
  REQUIRE_MESSAGE(text.ok(), (text.ok() ? "" : text.error().text));
  return nlohmann::json::parse(*text);
}

}  // namespace

TEST_CASE("the original profile turns surge and roll round and lifts heave by the neutral height") {
  const PoseMap map(Profile::original);
  const stewart::Coordinates c = map.platform_from_plc({0.1, 0.2, 0.3, 0.01, 0.02, 0.03});
  CHECK(c == stewart::Coordinates{-0.1, 0.2, 0.3 + 1.205, -0.01, 0.02, 0.03});
}

TEST_CASE("the frd profile is a rigid change of axes about x by half a turn") {
  // Rotating the frame by pi about x maps positions and rotations alike; check against the matrices.
  const Eigen::Matrix3d flip = Eigen::AngleAxisd(std::numbers::pi, Eigen::Vector3d::UnitX()).toRotationMatrix();
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> number(-0.4, 0.4);
  for (int n = 0; n < 200; ++n) {
    const PlcPose p = {number(engine), number(engine), number(engine), number(engine), number(engine), number(engine)};
    const Pose top = platform_from_plc(p, Profile::frd);
    const Eigen::Vector3d position = flip * Eigen::Vector3d(p.surge, p.sway, p.heave);
    const Eigen::Matrix3d rotation = flip * rotation_from_rpy(p.roll, p.pitch, p.yaw) * flip.transpose();
    CHECK((top.translation() - Eigen::Vector3d(0, 0, 1.205) - position).norm() < 1e-14);
    CHECK((top.linear() - rotation).norm() < 1e-14);
  }
}

TEST_CASE("the two profiles give opposite displacements to first order") {
  const double h = 1e-6;
  for (std::size_t axis = 0; axis < 6; ++axis) {
    std::array<double, 6> a{};
    a[axis] = h;
    const auto seed = stewart::leg_lengths(platform(), PoseMap(Profile::original).platform_from_plc(plc_pose(a)));
    const auto frd = stewart::leg_lengths(platform(), PoseMap(Profile::frd).platform_from_plc(plc_pose(a)));
    for (std::size_t i = 0; i < 6; ++i) {
      const double home = platform().home_lengths[i];
      CHECK(std::abs((seed[i] - home) + (frd[i] - home)) < 1e-11);
    }
  }
}

TEST_CASE("the way back to the PLC's axes is the exact inverse for every profile and configuration") {
  std::mt19937_64 engine(2);
  std::uniform_real_distribution<double> number(-0.5, 0.5);
  for (const Profile profile : {Profile::original, Profile::frd}) {
    PoseMap map(profile);
    map.offset = {0.01, -0.02, 1.2, 0.001, 0.002, -0.003};
    map.sign[1] = -map.sign[1];
    for (int n = 0; n < 500; ++n) {
      const PlcPose p = {number(engine), number(engine), number(engine),
                         number(engine), number(engine), number(engine)};
      const auto direct = axes(map.plc_from_platform(map.platform_from_plc(p)));
      const auto whole = axes(plc_from_platform(platform_from_plc(p, profile), profile));
      for (std::size_t i = 0; i < 6; ++i) {
        CHECK(std::abs(direct[i] - axes(p)[i]) < 1e-15);
        CHECK(std::abs(whole[i] - axes(p)[i]) < 1e-14);
      }
    }
  }
  CHECK(profile_of("frd") == Profile::frd);
  CHECK(profile_of(name(Profile::original)) == Profile::original);
  CHECK(!profile_of("ned"));
}

TEST_CASE("a settled platform has legs short by 0.3077 m") {
  const auto lengths = stewart::leg_lengths(platform(), {0, 0, neutral_height - settled_depth, 0, 0, 0});
  for (const double length : lengths) CHECK(length - neutral_length == doctest::Approx(-0.3077).epsilon(3e-4));
}

TEST_CASE("an implausible PLC pose is told by its axis") {
  CHECK(implausible({0.1, -0.1, 0.4663845, 0.1, 0.1, -0.1}).empty());
  CHECK(implausible({0, 0, std::nan(""), 0, 0, 0}).view() == "heave: expected a number within +-2 m, got nan");
  CHECK(implausible({0, 0, 0, 0, -5, 0}).view() == "pitch: expected a number within +-1.6 rad, got -5");
  CHECK(implausible({-std::numeric_limits<double>::infinity(), 0, 0, 0, 0, 0}).view().substr(0, 5) == "surge");
}

TEST_CASE("solve legs answers with lengths and displacements as published") {
  const auto a = answer("legs", R"({"pose": [0.1, 0, 0, 0, 0, 0]})");
  const double expected[6] = {-0.01351, 0.06576, -0.04416, -0.04416, 0.06576, -0.01351};
  for (std::size_t i = 0; i < 6; ++i) CHECK(std::abs(a["displacements"][i].get<double>() - expected[i]) < 5.1e-6);
  CHECK(a["reachable"] == true);
  CHECK(a["why"].is_null());
  const auto b = answer("legs", R"({"pose":[0.05,-0.03,0.1,0.05,-0.04,0.03]})");
  const double lengths[6] = {1.55823, 1.56335, 1.55431, 1.43275, 1.54198, 1.55232};
  for (std::size_t i = 0; i < 6; ++i) CHECK(std::abs(b["lengths"][i].get<double>() - lengths[i]) < 5.1e-6);
}

TEST_CASE("solve legs says which leg cannot reach and by how much") {
  const auto a = answer("legs", R"({"pose": [0, 0, 0.6, 0, 0, 0]})");
  CHECK(a["reachable"] == false);
  CHECK(a["why"].get<std::string>().find("leg ") == 0);
  CHECK(a["why"].get<std::string>().find("beyond its longest") != std::string::npos);
}

TEST_CASE("solve pose undoes solve legs") {
  const auto legs = answer("legs", R"({"pose":[0.05,-0.03,0.1,0.05,-0.04,0.03]})");
  const auto a = answer("pose", nlohmann::json{{"lengths", legs["lengths"]}}.dump());
  const double pose[6] = {0.05, -0.03, 0.1, 0.05, -0.04, 0.03};
  for (std::size_t i = 0; i < 6; ++i) CHECK(std::abs(a["pose"][i].get<double>() - pose[i]) < 1e-12);
  CHECK(a["residual"].get<double>() < 1e-13);
  CHECK(a["iterations"].get<int>() <= 7);
  CHECK(a["mode"] == "home");
}

TEST_CASE("solve reach gives each axis in the PLC's sense") {
  for (const char* query : {"{}", R"({"pose": [0,0,0,0,0,0]})"}) {
    const auto a = answer("reach", query);
    // The geometry reaches 0.655 m forward; the PLC calls that minus surge.
    CHECK(a["surge"][0].get<double>() == doctest::Approx(-0.655).epsilon(2e-3));
    CHECK(a["surge"][1].get<double>() == doctest::Approx(0.550).epsilon(2e-3));
    CHECK(a["heave"][0].get<double>() == doctest::Approx(-0.658).epsilon(2e-3));
    CHECK(a["heave"][1].get<double>() == doctest::Approx(0.495).epsilon(2e-3));
    CHECK(a.size() == 6);
  }
  CHECK(!ask("reach", R"({"pose": [0,0,3,0,0,0]})").ok());
}

TEST_CASE("solve refuses what is not exactly the query and names it") {
  const struct {
    const char* query;
    const char* json;
    const char* says;
  } cases[] = {
      {"legs", "", "not JSON"},
      {"legs", "{", "not JSON"},
      {"legs", "[]", "expected a JSON object"},
      {"legs", "{}", "pose: expected an array of 6 numbers, got no such field"},
      {"legs", R"({"pose": [1,2,3,4,5]})", "pose: expected an array of 6 numbers, got [1,2,3,4,5]"},
      {"legs", R"({"pose": [1,2,3,4,5,6,7]})", "expected an array of 6 numbers"},
      {"legs", R"({"pose": [0,0,"x",0,0,0]})", "pose[2]: expected a number, got \"x\""},
      {"legs", R"({"pose": [0,0,null,0,0,0]})", "pose[2]: expected a number, got null"},
      {"legs", R"({"pose": [0,0,true,0,0,0]})", "pose[2]: expected a number, got true"},
      {"legs", R"({"pose": [0,0,1e999,0,0,0]})", "JSON"},
      {"legs", R"({"pose": [0,0,NaN,0,0,0]})", "not JSON"},
      {"legs", R"({"pose": 3})", "expected an array of 6 numbers, got 3"},
      {"legs", R"({"pose": [0,0,0,0,0,0], "profile": "frd"})", "\"profile\": unknown field; expected \"pose\""},
      {"legs", R"({"poes": [0,0,0,0,0,0]})", "\"poes\": unknown field; expected \"pose\""},
      {"pose", R"({"pose": [0,0,0,0,0,0]})", "unknown field; expected \"lengths\""},
      {"pose", R"({"lengths": [1.4,1.4,1.4,-1.4,1.4,1.4]})", "leg 4"},
      {"pose", R"({"lengths": [1.4,1.4,1.4,30,1.4,1.4]})", "no pose"},
      {"reach", R"({"start": 1})", "unknown field; expected \"pose\""},
      {"reach", "7", "expected a JSON object, got 7"},
  };
  for (const auto& c : cases) {
    CAPTURE(c.json);
    const auto result = ask(c.query, c.json);
    REQUIRE(!result.ok());
    CAPTURE(result.error().text);
    CHECK(result.error().text.find(c.says) != std::string::npos);
  }
  CHECK(!ask("legs", std::string(100'000, '[')).ok());
  CHECK(!ask("legs", R"({"pose":)" + std::string(100'000, '[') + std::string(100'000, ']') + "}").ok());
  CHECK(!ask("legs", "{\"pose\": [0,0,0,0,0,0], \"\xff\": 1}").ok());
}

TEST_CASE("every query's own example is answered") {
  REQUIRE(queries().size() == 3);
  for (const auto& query : queries()) CHECK(query.answer(query.example, {}).ok());
}
