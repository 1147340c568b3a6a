// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/solve/solve.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tandem/kinematics/cable/robot.hpp"
#include "tests/kinematics/cable/samples.hpp"

namespace {

using namespace tandem;
using Json = nlohmann::json;

const machines::Query& query_named(std::string_view name) {
  for (const auto& query : cable_robot::queries())
    if (query.name == name) return query;
  FAIL("no such query");
  return cable_robot::queries()[0];
}

Json ask(std::string_view name, const Json& question) {
  const auto answer = query_named(name).answer(question.dump(), {});
  if (!answer) return {{"error", answer.error().text}};
  return Json::parse(*answer);
}

bool has_error(const Json& answer, const std::string& part) {
  const bool found = answer.contains("error") && answer["error"].get<std::string>().find(part) != std::string::npos;
  if (!found) MESSAGE("expected '", part, "' in: ", answer.dump());
  return found;
}

const Json middle_pose = {0, 0, 0.3, 0, 0, 0, 1};

// What the tensions exert on the platform, from the numbers alone.
cables::Wrench exerted(const cables::Robot& robot, const Pose& pose, const Json& tensions) {
  cables::Wrench sum = cables::Wrench::Zero();
  for (int i = 0; i < robot.cables(); ++i) {
    const Eigen::Vector3d arm = pose.linear() * robot.cable(i).platform;
    const Eigen::Vector3d pull = tensions[static_cast<std::size_t>(i)].get<double>() *
                                 (robot.cable(i).frame - pose.translation() - arm).normalized();
    sum.head<3>() += pull;
    sum.tail<3>() += arm.cross(pull);
  }
  return sum;
}

}  // namespace

TEST_CASE("every example of the cable robot is answered") {
  for (const auto& query : cable_robot::queries()) {
    if (query.name == "workspace") continue;  // writes a file; it has tests of its own
    const auto answer = query.answer(query.example, {});
    CAPTURE(std::string(query.name));
    CHECK(answer.ok());
  }
}

TEST_CASE("solve tells lengths and finds the pose again") {
  const Json pose = {0.05, -0.08, 0.35, 0.0, 0.0, 0.0998334166468282, 0.9950041652780258};
  const Json lengths = ask("lengths", {{"pose", pose}});
  REQUIRE(lengths["lengths"].size() == 8);
  // The first cable by hand: from (-0.3, -0.3, 0.6), the platform turned by 0.2 rad.
  const double c = std::cos(0.2), s = std::sin(0.2);
  const double x = 0.05 + c * -0.01812 - s * -0.06761 + 0.3, y = -0.08 + s * -0.01812 + c * -0.06761 + 0.3;
  const double z = 0.35 - 0.04 - 0.6;
  CHECK(std::abs(lengths["lengths"][0].get<double>() - std::sqrt(x * x + y * y + z * z)) < 1e-14);
  const Json found = ask("pose", {{"lengths", lengths["lengths"]}});
  CHECK(found["residual"].get<double>() < 1e-13);
  for (std::size_t i = 0; i < 7; ++i) CHECK(std::abs(found["pose"][i].get<double>() - pose[i].get<double>()) < 1e-12);
  const Json warm = ask("pose", {{"lengths", lengths["lengths"]}, {"start", pose}});
  CHECK(warm["iterations"].get<int>() <= 2);
}

TEST_CASE("solve tells tensions that hold the platform") {
  const cables::Robot& robot = cables::Robot::standard();
  for (const char* aim : {"middle", "least", "barycentre", "analytic_centre"}) {
    const Json wrench = {1, -2, -5, 0.01, 0.02, -0.03};
    const Json answer = ask("tensions", {{"pose", middle_pose}, {"wrench", wrench}, {"aim", aim}});
    CHECK(answer["feasible"] == true);
    CHECK(answer["why"].is_null());
    CHECK(answer["margin"].get<double>() >= -1e-9);
    CHECK(!answer.contains("nearest_wrench"));
    cables::Wrench outer;
    for (int i = 0; i < 6; ++i) outer[i] = wrench[static_cast<std::size_t>(i)].get<double>();
    outer[2] -= 9.81;
    CHECK((exerted(robot, robot.home(), answer["tensions"]) + outer).norm() < 1e-8);
    for (const auto& tension : answer["tensions"]) {
      CHECK(tension.get<double>() >= 2 - 1e-9);
      CHECK(tension.get<double>() <= 100 + 1e-9);
    }
  }
  const Json plain = ask("tensions", {{"pose", middle_pose}});
  CHECK(plain["feasible"] == true);
  CHECK((exerted(robot, robot.home(), plain["tensions"])[2] - 9.81) < 1e-8);
}

TEST_CASE("solve says why tensions are not possible and what is") {
  const cables::Robot& robot = cables::Robot::standard();
  const Json answer = ask("tensions", {{"pose", middle_pose}, {"wrench", {0, 0, -2000, 0, 0, 0}}});
  CHECK(answer["feasible"] == false);
  CHECK(answer["margin"].get<double>() < 0);
  CHECK(answer["why"].get<std::string>().find("cable") == 0);
  REQUIRE(answer["nearest_wrench"].size() == 6);
  const double held = answer["nearest_wrench"][2].get<double>();
  CHECK(held > -2000);
  CHECK(held < -50);
  cables::Wrench nearest;
  for (int i = 0; i < 6; ++i) nearest[i] = answer["nearest_wrench"][static_cast<std::size_t>(i)].get<double>();
  nearest[2] -= 9.81;
  CHECK((exerted(robot, robot.home(), answer["tensions"]) + nearest).norm() < 1e-6);
  const Json beyond = ask("tensions", {{"pose", {0.9, 0, 0.3, 0, 0, 0, 1}}});
  CHECK(beyond["feasible"] == false);
  CHECK(beyond["why"].get<std::string>().find("outside the frame: x = 0.9 m, expected -0.3 to 0.3 m") !=
        std::string::npos);
  CHECK(has_error(ask("lengths", {{"pose", {0.9, 0, 0.3, 0, 0, 0, 1}}}), "pose: the platform is outside the frame: x"));
  CHECK(has_error(ask("lengths", {{"pose", {0, 0, -0.1, 0, 0, 0, 1}}}), "outside the frame: z = -0.1 m"));
}

TEST_CASE("solve answers for robots from files") {
  const std::string file = std::string(ROBOTS) + "/caroca.yaml";
  const cables::Robot caroca = *cables::Robot::from(cable_samples::caroca());
  const Json pose = {0.2, -0.3, 1, 0, 0, 0, 1};
  const Json lengths = ask("lengths", {{"pose", pose}, {"geometry", file}});
  const cables::PerCable known = cables::lengths(caroca, pose_from({0.2, -0.3, 1}, Eigen::Matrix3d::Identity()));
  for (int i = 0; i < 8; ++i)
    CHECK(std::abs(lengths["lengths"][static_cast<std::size_t>(i)].get<double>() - known[i]) < 1e-14);
  const Json tensions = ask("tensions", {{"pose", pose}, {"geometry", file}});
  CHECK(tensions["feasible"] == true);
  const Json told = ask("robot", {{"geometry", std::string(ROBOTS) + "/cdpr3.yaml"}});
  CHECK(told["name"] == "cdpr3");
  CHECK(told["cables"] == 8);
  CHECK(told["notes"].size() == 2);
  CHECK(has_error(ask("robot", {{"geometry", "/nowhere.yaml"}}), "geometry: /nowhere.yaml: expected a geometry file"));
  CHECK(has_error(ask("robot", {{"geometry", 3}}), "geometry: expected the name of a file, got 3"));
}

TEST_CASE("solve refuses what means nothing for the cable robot") {
  CHECK(has_error(ask("lengths", Json::object()), "pose: expected [x, y, z, qx, qy, qz, qw], got no such field"));
  CHECK(has_error(ask("lengths", {{"pose", {0, 0, 0.3}}}), "pose: expected an array of 7 numbers"));
  CHECK(has_error(ask("lengths", {{"pose", {0, 0, 0.3, 0, 0, 0, 2}}}), "expected a quaternion"));
  CHECK(has_error(ask("lengths", {{"pose", {0, 0, 1e9, 0, 0, 0, 1}}}), "within +-10000"));
  CHECK(has_error(ask("lengths", {{"pose", {0, 0, nullptr, 0, 0, 0, 1}}}), "pose[2]: expected a number, got null"));
  CHECK(!query_named("lengths").answer(R"({"pose": [0, 0, NaN, 0, 0, 0, 1]})", {}).ok());
  CHECK(!query_named("lengths").answer(R"({"pose": [0, 0, 1e999, 0, 0, 0, 1]})", {}).ok());
  // Where the platform's point is the frame's.
  CHECK(has_error(ask("lengths", {{"pose", {-0.28188, -0.23239, 0.64, 0, 0, 0, 1}}}), "cable0 has zero length there"));
  CHECK(has_error(ask("pose", {{"lengths", {1, 2, 3}}}), "lengths: expected an array of 8 numbers"));
  CHECK(has_error(ask("pose", {{"lengths", {9, 9, 9, 9, 9, 9, 9, 9}}}), "no pose was found"));
  CHECK(has_error(ask("pose", {{"lengths", {-1, 9, 9, 9, 9, 9, 9, 9}}}), "length of cable0"));
  CHECK(has_error(ask("pose", {{"length", 1}}), "did you mean 'lengths'?"));
  CHECK(has_error(ask("tensions", {{"pose", middle_pose}, {"wrench", {1, 2}}}), "wrench: expected an array of 6"));
  CHECK(has_error(ask("tensions", {{"pose", middle_pose}, {"aim", "most"}}), "aim: expected"));
  CHECK(has_error(ask("tensions", {{"pose", middle_pose}, {"wrench", {1e30, 0, 0, 0, 0, 0}}}), "within +-1e9"));
  CHECK(!query_named("tensions").answer("[[[[[[[[", {}).ok());
}
