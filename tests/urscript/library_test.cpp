// SPDX-License-Identifier: Apache-2.0
// The language library against numbers worked out by hand, and poses against Eigen's own matrices.
#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "tests/urscript/script_rig.hpp"

namespace tandem::urscript {

namespace {

double number(std::string_view expression) {
  ScriptRig rig;
  const std::string text = rig.run("x = " + std::string(expression));
  CAPTURE(text);
  REQUIRE(rig.program().state() == Interpreter::State::finished);
  return *number_of(*rig.program().global("x"));
}

PoseValue pose(const std::string& expression) {
  ScriptRig rig;
  const std::string text = rig.run("x = " + expression);
  CAPTURE(text);
  REQUIRE(rig.program().state() == Interpreter::State::finished);
  return *pose_of(*rig.program().global("x"));
}

std::string value(std::string_view expression) {
  ScriptRig rig;
  return rig.run("x = " + std::string(expression));
}

// All digits, which to_text() does not give.
std::string literal(const PoseValue& pose) { return fmt::format("p[{}]", fmt::join(pose, ", ")); }

Eigen::Isometry3d matrix_of(const PoseValue& p) {
  const Eigen::Vector3d v(p[3], p[4], p[5]);
  Eigen::Isometry3d matrix = Eigen::Isometry3d::Identity();
  matrix.translation() = Eigen::Vector3d(p[0], p[1], p[2]);
  if (v.norm() > 0.0) matrix.linear() = Eigen::AngleAxisd(v.norm(), v.normalized()).toRotationMatrix();
  return matrix;
}

}  // namespace

TEST_CASE("mathematics gives the numbers of a table") {
  CHECK(number("sin(0.5)") == doctest::Approx(0.479425538604203).epsilon(1e-14));
  CHECK(number("acos(-1)") == doctest::Approx(3.14159265358979).epsilon(1e-14));
  CHECK(number("atan2(1, -1)") == doctest::Approx(2.35619449019234).epsilon(1e-14));
  CHECK(number("d2r(180)") == doctest::Approx(3.14159265358979).epsilon(1e-14));
  CHECK(number("r2d(d2r(77))") == doctest::Approx(77.0).epsilon(1e-14));
  CHECK(number("pow(2, 10)") == 1024.0);
  CHECK(number("log(2, 1024)") == doctest::Approx(10.0).epsilon(1e-14));
  CHECK(number("norm([3, 4])") == 5.0);
  CHECK(value("norm(-3)") == "3");
  CHECK(value("ceil(1.2)") == "2");
  CHECK(value("floor(-1.2)") == "-2");
  CHECK(value("normalize([0, 3, 4])") == "[0, 0.6, 0.8]");
  CHECK(value("binary_list_to_integer([True, False, True])") == "5");
  CHECK(value("binary_list_to_integer(integer_to_binary_list(-7))") == "-7");
  CHECK(value("get_steptime()") == "0.002");
  CHECK(number("random()") < 1.0);
  CHECK(value("sqrt(-1)").find("is outside 0 to inf") != std::string::npos);
  CHECK(value("acos(2)").find("is outside -1 to 1") != std::string::npos);
  CHECK(value("floor(1e20)").find("does not fit") != std::string::npos);
  CHECK(value("sin(\"a\")").find("sin: expected a number, got a string") != std::string::npos);
}

TEST_CASE("strings are cut and joined and read as numbers") {
  CHECK(value("str_cat(\"Velocity \", 2.5)") == "Velocity 2.5");
  CHECK(value("str_cat([1, 2], p[0,0,0,0,0,0.5])") == "[1, 2]p[0, 0, 0, 0, 0, 0.5]");
  CHECK(value("str_cat(True, \", \")") == "True, ");
  CHECK(value("str_sub(\"PRE 077\", 4)") == "077");
  CHECK(value("str_sub(\"abcdef\", 1, 3)") == "bcd");
  CHECK(value("str_at(\"abc\", 2)") == "c");
  CHECK(value("str_find(\"abcabc\", \"c\", 3)") == "5");
  CHECK(value("str_find(\"abc\", \"x\")") == "-1");
  CHECK(value("str_len(\"abc\")") == "3");
  CHECK(value("str_empty(\"\")") == "True");
  CHECK(value("to_num(\"077\")") == "77");
  CHECK(value("to_num(\"-1.5e2\")") == "-150");
  CHECK(value("to_str(struct(a=1))") == "struct(a=1)");
  CHECK(value("to_num(\"one\")").find("'one' is not a number") != std::string::npos);
  CHECK(value("str_at(\"abc\", 3)").find("outside a string of 3") != std::string::npos);
}

TEST_CASE("lists tell their length and matrices their inverse") {
  CHECK(value("length([1, 2, 3])") == "3");
  CHECK(value("get_list_length([])") == "0");
  CHECK(value("size([[1, 2, 3], [4, 5, 6]])") == "[2, 3]");
  CHECK(value("transpose([[1, 2, 3], [4, 5, 6]])") == "[[1, 4], [2, 5], [3, 6]]");
  CHECK(value("inv([[2, 0], [0, 4]])") == "[[0.5, 0], [0, 0.25]]");
  CHECK(value("make_list(3, 7)") == "[7, 7, 7]");
  CHECK(value("inv([[1, 2], [2, 4]])").find("has no inverse") != std::string::npos);
}

TEST_CASE("pose algebra agrees with homogeneous matrices") {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> any(-1.5, 1.5);
  for (int round = 0; round < 30; ++round) {
    PoseValue a;
    PoseValue b;
    for (double& each : a) each = any(random);
    for (double& each : b) each = any(random);
    const std::string p = literal(a);
    const std::string q = literal(b);
    const Eigen::Isometry3d A = matrix_of(a);
    const Eigen::Isometry3d B = matrix_of(b);
    CHECK(matrix_of(pose("pose_trans(" + p + ", " + q + ")")).isApprox(A * B, 1e-12));
    CHECK(matrix_of(pose("pose_inv(" + p + ")")).isApprox(A.inverse(), 1e-12));
    Eigen::Isometry3d sum = Eigen::Isometry3d::Identity();
    sum.linear() = A.linear() * B.linear();
    sum.translation() = A.translation() + B.translation();
    CHECK(matrix_of(pose("pose_add(" + p + ", " + q + ")")).isApprox(sum, 1e-12));
    CHECK(matrix_of(pose("pose_add(pose_sub(" + p + ", " + q + "), " + q + ")")).isApprox(A, 1e-12));
    CHECK(number("point_dist(" + p + ", " + q + ")") ==
          doctest::Approx((A.translation() - B.translation()).norm()).epsilon(1e-12));
    CHECK(number("pose_dist(" + p + ", " + p + ")") < 1e-7);
    const PoseValue half = pose("interpolate_pose(" + p + ", " + q + ", 0.5)");
    CHECK(half[0] == doctest::Approx((a[0] + b[0]) / 2).epsilon(1e-12));
    const Eigen::AngleAxisd whole(A.linear().transpose() * B.linear());
    const Eigen::AngleAxisd part(A.linear().transpose() * matrix_of(half).linear());
    CHECK(part.angle() == doctest::Approx(whole.angle() / 2).epsilon(1e-9));
    // Moving a wrench there and back leaves it as it was.
    const PoseValue back = pose("wrench_trans(pose_inv(" + p + "), wrench_trans(" + p + ", " + q + "))");
    for (std::size_t i = 0; i < 6; ++i) CHECK(back[i] == doctest::Approx(b[i]).epsilon(1e-9));
  }
  // A force along x, seen from a point 1 m along y: the torque about z is +1.
  CHECK(value("wrench_trans(p[0,1,0,0,0,0], [1,0,0,0,0,0])") == "[1, 0, 0, 0, 0, 1]");
  CHECK(value("rpy2rotvec([0, 0, 0.5])") == "[0, 0, 0.5]");
  CHECK(number("norm(rotvec2rpy(rpy2rotvec([0.1, 0.2, 0.3])) - [0.1, 0.2, 0.3])") < 1e-12);
  CHECK(value("pose_trans(1, 2)").find("expected a pose, got an integer") != std::string::npos);
}

}  // namespace tandem::urscript
