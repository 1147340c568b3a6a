// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/solve.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>
#include <string>
#include <vector>

using namespace tandem;
using namespace tandem::ur3e;

namespace {

using Row = std::vector<double>;
constexpr double pi = std::numbers::pi;

Result<std::string> ask(std::string_view query, std::string_view json) {
  for (const auto& known : queries()) {
    if (known.name == query) return known.answer(json, {});
  }
  return Error{Fault::not_found, "no such query"};
}

nlohmann::json answer(std::string_view query, const nlohmann::json& json) {
  const auto text = ask(query, json.dump());
  REQUIRE_MESSAGE(text.ok(), (text.ok() ? "" : text.error().text));
  return nlohmann::json::parse(*text);
}

std::string refusal(std::string_view query, std::string_view json) {
  const auto text = ask(query, json);
  REQUIRE_FALSE(text.ok());
  return text.error().text;
}

double distance(const Row& a, const Row& b, std::size_t from = 0, std::size_t to = 6) {
  double sum = 0;
  for (std::size_t i = from; i < to; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

Row pose_of(const Row& q) { return answer("fk", {{"q", q}})["pose"]; }

}  // namespace

TEST_CASE("solve fk gives the positions published for the UR3e") {
  const struct {
    Row q, position;
  } published[] = {
      {{0, 0, 0, 0, 0, 0}, {-0.45675, -0.22315, 0.0665}},
      {{0, -pi / 2, 0, -pi / 2, 0, 0}, {0, -0.22315, 0.69395}},
      {{1.19, -1.13, 1.05, -1.60, -1.52, 1.05}, {-0.026859, -0.432280, 0.307026}},
  };
  for (const auto& row : published) {
    const auto found = answer("fk", {{"q", row.q}});
    CHECK(found.size() == 1);
    CHECK(found["pose"].size() == 6);
    CHECK(distance(found["pose"], row.position, 0, 3) < 1e-6);
  }
}

TEST_CASE("solve ik goes back to the joints that fk started from") {
  std::mt19937_64 engine(4);
  std::uniform_real_distribution<double> angle(-pi, pi), nudge(-0.05, 0.05);
  for (int n = 0; n < 50; ++n) {
    Row q(6), near(6);
    for (std::size_t i = 0; i < 6; ++i) {
      q[i] = angle(engine);
      near[i] = q[i] + nudge(engine);
    }
    if (std::abs(std::sin(q[4])) < 0.1 || std::abs(std::sin(q[2])) < 0.1) continue;
    const auto found = answer("ik", {{"pose", pose_of(q)}, {"qnear", near}});
    CHECK(found.size() == 1);
    CHECK(distance(found["q"], q) < 1e-7);
  }
}

TEST_CASE("solve all_ik gives up to eight solutions that all lead to the pose") {
  std::mt19937_64 engine(8);
  std::uniform_real_distribution<double> angle(-pi, pi);
  std::size_t most = 0;
  for (int n = 0; n < 30; ++n) {
    Row start(6);
    for (double& q : start) q = angle(engine);
    if (std::abs(std::sin(start[4])) < 0.1) continue;
    const Row pose = pose_of(start);
    const auto found = answer("all_ik", {{"pose", pose}});
    double nearest = 10;
    for (const Row q : found["solutions"]) {
      CHECK(distance(pose_of(q), pose, 0, 3) < 1e-8);
      nearest = std::min(nearest, distance(q, start));
    }
    CHECK(nearest < 1e-7);
    most = std::max(most, found["solutions"].size());
  }
  CHECK(most == 8);
}

TEST_CASE("solve says that a pose is singular and keeps wrist 3 near the given one") {
  const Row q = {0.3, -1.2, 1.0, -0.9, 0, 0.7};
  const auto found = answer("ik", {{"pose", pose_of(q)}, {"qnear", q}});
  CHECK(found["singular"] == nlohmann::json({"wrist"}));
  CHECK(distance(found["q"], q) < 1e-6);
}

TEST_CASE("solve takes a tool and another arm") {
  const Row q = {0.3, -1.2, 1.0, -0.9, 0.8, 0.7}, tool = {0, 0, 0.145, 0, 0, 0};
  const Row flange = answer("fk", {{"q", q}, {"model", "UR10e"}})["pose"];
  const Row tip = answer("fk", {{"q", q}, {"model", "ur10e"}, {"tcp", tool}})["pose"];
  CHECK(distance(flange, tip, 0, 3) == doctest::Approx(0.145));
  const auto back = answer("ik", {{"pose", tip}, {"qnear", q}, {"model", "ur10e"}, {"tcp", tool}});
  CHECK(distance(back["q"], q) < 1e-7);
  CHECK(refusal("ik", R"({"pose": [0,0,0.3,0,0,0], "model": "ur3"})").find("ur3e") != std::string::npos);
}

TEST_CASE("solve says what is wrong with a question") {
  const auto says = [](std::string_view query, std::string_view json, std::string_view words) {
    const std::string text = refusal(query, json);
    CHECK_MESSAGE(text.find(words) != std::string::npos, text);
  };
  says("fk", "{}", "q: missing; expected 6 joint angles");
  says("fk", R"({"q": [1, 2]})", "q: expected an array of 6 numbers, got [1,2]");
  says("fk", R"({"q": [0, 0, 0, 0, "x", 0]})", "q[4]: expected a number, got \"x\"");
  says("fk", R"({"joints": [0, 0, 0, 0, 0, 0]})", "unknown field");
  says("ik", R"({"pose": [5, 0, 0, 0, 0, 0]})", "ur3e");
  says("all_ik", R"({"pose": [0, 0, 9, 0, 0, 0]})", "ur3e");
  says("fk", "[", "not JSON");
  says("fk", R"({"q": [[[[[[1]]]]]]})", "deeper nesting");
  says("fk", R"({"q": [0, 0, 0, 0, 0, 1e999]})", "query");
  CHECK(answer("fk", {{"q", {0, 0, 7, 0, 0, 0}}})["outside_limits"] == "elbow");
}
