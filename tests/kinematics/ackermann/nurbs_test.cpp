// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/ackermann/nurbs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

using namespace tandem::kinematics::ackermann;

namespace {

// The definition of Cox and de Boor, with 0/0 = 0.
double basis(const std::vector<double>& knots, std::size_t i, std::size_t degree, double u) {
  if (degree == 0) return knots[i] <= u && u < knots[i + 1] ? 1 : 0;
  const double rise = knots[i + degree] - knots[i], fall = knots[i + degree + 1] - knots[i + 1];
  const double up = rise > 0 ? (u - knots[i]) / rise * basis(knots, i, degree - 1, u) : 0;
  const double down = fall > 0 ? (knots[i + degree + 1] - u) / fall * basis(knots, i + 1, degree - 1, u) : 0;
  return up + down;
}

Point by_definition(const Nurbs& curve, double u) {
  double x = 0, y = 0, w = 0;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const double share = basis(curve.knots, i, curve.degree, u) * curve.points[i].weight;
    x += share * curve.points[i].x;
    y += share * curve.points[i].y;
    w += share;
  }
  return {x / w, y / w};
}

Nurbs random_curve(std::mt19937_64& engine) {
  std::uniform_real_distribution<double> coordinate(-10, 10), weight(0.2, 5), inside(0.001, 0.999);
  Nurbs curve;
  curve.degree = 1 + engine() % 5;
  const std::size_t count = curve.degree + 1 + engine() % 8;
  for (std::size_t i = 0; i < count; ++i)
    curve.points.push_back({coordinate(engine), coordinate(engine), weight(engine)});
  curve.knots.assign(curve.degree + 1, 0.0);
  std::vector<double> middle;
  for (std::size_t i = curve.degree + 1; i < count; ++i) middle.push_back(inside(engine));
  std::sort(middle.begin(), middle.end());
  curve.knots.insert(curve.knots.end(), middle.begin(), middle.end());
  curve.knots.insert(curve.knots.end(), curve.degree + 1, 1.0);
  return curve;
}

// Nine points of degree 2 are a whole circle, exactly.
Nurbs circle(double radius) {
  const double r = radius, w = std::numbers::sqrt2 / 2;
  return {2,
          {0, 0, 0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1, 1, 1},
          {{r, 0, 1}, {r, r, w}, {0, r, 1}, {-r, r, w}, {-r, 0, 1}, {-r, -r, w}, {0, -r, 1}, {r, -r, w}, {r, 0, 1}}};
}

Nurbs line() { return {1, {0, 0, 1, 1}, {{0, 0, 1}, {3, 4, 1}}}; }

bool says(const Nurbs& curve, const char* text) {
  const auto result = check(curve);
  return !result && result.error().text.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("a NURBS circle has its radius and its curvature everywhere") {
  for (const double radius : {0.1, 1.542, 50.0}) {
    const Nurbs curve = circle(radius);
    REQUIRE(check(curve).ok());
    for (int i = 0; i <= 1000; ++i) {
      const CurvePoint point = evaluate(curve, i / 1000.0);
      CHECK(std::hypot(point.position.x, point.position.y) == doctest::Approx(radius).epsilon(1e-13));
      CHECK(curvature(point) == doctest::Approx(1 / radius).epsilon(1e-9));
    }
  }
}

TEST_CASE("de Boor's algorithm agrees with the recursion of Cox and de Boor on random curves") {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> parameter(0, 0.999999);
  for (int i = 0; i < 200; ++i) {
    const Nurbs curve = random_curve(engine);
    REQUIRE(check(curve).ok());
    for (int j = 0; j < 20; ++j) {
      const double u = parameter(engine);
      const Point expected = by_definition(curve, u), got = evaluate(curve, u).position;
      CHECK(std::hypot(expected.x - got.x, expected.y - got.y) < 1e-11);
    }
    const Point end = evaluate(curve, 1).position;
    CHECK(std::hypot(end.x - curve.points.back().x, end.y - curve.points.back().y) < 1e-11);
  }
}

TEST_CASE("derivatives of a NURBS agree with differences of its places") {
  std::mt19937_64 engine(4);
  std::uniform_real_distribution<double> parameter(0.01, 0.99);
  constexpr double h = 1e-6;
  for (int i = 0; i < 200; ++i) {
    const Nurbs curve = random_curve(engine);
    const double u = parameter(engine);
    bool at_knot = false;
    for (const double knot : curve.knots) at_knot = at_knot || std::abs(knot - u) < 10 * h;
    if (at_knot) continue;
    const CurvePoint a = evaluate(curve, u - h), b = evaluate(curve, u), c = evaluate(curve, u + h);
    const double size = 1 + std::hypot(b.first.x, b.first.y), bend = 1 + std::hypot(b.second.x, b.second.y);
    CHECK(std::abs((c.position.x - a.position.x) / (2 * h) - b.first.x) < 1e-6 * (size + bend));
    CHECK(std::abs((c.position.y - a.position.y) / (2 * h) - b.first.y) < 1e-6 * (size + bend));
    CHECK(std::abs((c.first.x - a.first.x) / (2 * h) - b.second.x) < 1e-3 * bend);
    CHECK(std::abs((c.first.y - a.first.y) / (2 * h) - b.second.y) < 1e-3 * bend);
  }
}

TEST_CASE("a curve that is no NURBS is refused with what is wrong about it") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  REQUIRE(check(line()).ok());
  Nurbs curve = line();
  curve.degree = 0;
  CHECK(says(curve, "degree: expected 1 to 10, got 0"));
  curve.degree = 11;
  CHECK(says(curve, "degree: expected 1 to 10, got 11"));
  curve = line();
  curve.degree = 2;
  CHECK(says(curve, "control points: expected 3"));
  curve = line();
  curve.knots.pop_back();
  CHECK(says(curve, "knots: expected 4 (control points + degree + 1), got 3"));
  curve = line();
  curve.knots = {0, 0.5, 0.4, 1};
  CHECK(says(curve, "knot 2: expected 0.5 or more, got 0.4"));
  for (const double knot : {-0.1, 1.1, nan}) {
    curve = line();
    curve.knots[3] = knot;
    CHECK(says(curve, "knot 3: expected 0 to 1"));
  }
  for (const double weight : {0.0, -1.0, nan}) {
    curve = line();
    curve.points[1].weight = weight;
    CHECK(says(curve, "weight 1: expected above 0"));
  }
  for (const double x : {nan, inf, 1e9}) {
    curve = line();
    curve.points[0].x = x;
    CHECK(says(curve, "control point 0: expected coordinates"));
  }
  curve = line();
  curve.knots = {0.5, 0.5, 0.5, 0.5};
  CHECK_FALSE(check(curve).ok());
  curve = {2, {0, 0, 0, 0.5, 0.5, 0.5, 1, 1, 1}, {{}, {1, 0, 1}, {2, 0, 1}, {3, 0, 1}, {4, 0, 1}, {5, 0, 1}}};
  CHECK(says(curve, "expected at most 2 equal knots"));
  curve = line();
  curve.points.assign(2000, {});
  CHECK(says(curve, "control points: expected 2 to 1000, got 2000"));
}

TEST_CASE("parameters outside a curve give its ends") {
  const Nurbs curve = line();
  CHECK(evaluate(curve, -5).position.x == 0);
  CHECK(evaluate(curve, 7).position.y == 4);
  CHECK(evaluate(curve, std::numeric_limits<double>::quiet_NaN()).position.x == 0);
  CHECK(curvature(evaluate(curve, 0.5)) == 0);
}
