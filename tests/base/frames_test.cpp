// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/frames.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace tandem {

namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using std::numbers::pi;

const Vector3d forward = Vector3d::UnitX();  // of both bodies

// Rz * Ry * Rx from the elementary matrices, sign by sign.
Matrix3d attitude(double roll, double pitch, double yaw) {
  Matrix3d x;
  x << 1, 0, 0, 0, std::cos(roll), -std::sin(roll), 0, std::sin(roll), std::cos(roll);
  Matrix3d y;
  y << std::cos(pitch), 0, std::sin(pitch), 0, 1, 0, -std::sin(pitch), 0, std::cos(pitch);
  Matrix3d z;
  z << std::cos(yaw), -std::sin(yaw), 0, std::sin(yaw), std::cos(yaw), 0, 0, 0, 1;
  return z * y * x;
}

Quaterniond ned_attitude(double roll, double pitch, double yaw) { return Quaterniond(attitude(roll, pitch, yaw)); }

bool near(const Vector3d& a, const Vector3d& b) { return (a - b).norm() < 1e-12; }

}  // namespace

TEST_CASE("north and east and down land where they should") {
  CHECK(near(enu_from_ned({1, 0, 0}), {0, 1, 0}));   // north is y
  CHECK(near(enu_from_ned({0, 1, 0}), {1, 0, 0}));   // east is x
  CHECK(near(enu_from_ned({0, 0, 5}), {0, 0, -5}));  // five metres deep
}

TEST_CASE("right of a FRD body is minus left of a FLU body") {
  CHECK(near(flu_from_frd({1, 0, 0}), {1, 0, 0}));
  CHECK(near(flu_from_frd({0, 1, 0}), {0, -1, 0}));
  CHECK(near(flu_from_frd({0, 0, 1}), {0, 0, -1}));
}

TEST_CASE("what the camera sees ahead and right and below is there for the body too") {
  CHECK(near(flu_from_optical({0, 0, 2}), {2, 0, 0}));
  CHECK(near(flu_from_optical({1, 0, 0}), {0, -1, 0}));
  CHECK(near(flu_from_optical({0, 1, 0}), {0, 0, -1}));
}

TEST_CASE("a vehicle that faces north has ENU yaw of 90 degrees") {
  const Quaterniond q = enu_flu_from_ned_frd(ned_attitude(0, 0, 0));
  CHECK(near(q * forward, {0, 1, 0}));
  CHECK(near(q * Vector3d::UnitZ(), {0, 0, 1}));  // its roof points up
  const Vector3d nose = q * forward;
  CHECK(std::atan2(nose.y(), nose.x()) == doctest::Approx(pi / 2));
}

TEST_CASE("a vehicle that faces east has ENU yaw of zero") {
  const Quaterniond q = enu_flu_from_ned_frd(ned_attitude(0, 0, pi / 2));
  CHECK(near(q * forward, {1, 0, 0}));
  CHECK(near(q * Vector3d::UnitY(), {0, 1, 0}));  // its left side is north
}

TEST_CASE("nose up stays nose up") {
  // Positive pitch of a FRD body raises the nose: forward gains a component against down.
  const Quaterniond q_ned = ned_attitude(0, 0.3, 0);
  CHECK((q_ned * forward).z() == doctest::Approx(-std::sin(0.3)));
  const Quaterniond q_enu = enu_flu_from_ned_frd(q_ned);
  CHECK(near(q_enu * forward, {0, std::cos(0.3), std::sin(0.3)}));
}

TEST_CASE("right side down stays right side down") {
  // Positive roll of a FRD body: the right side sinks, so the left side (FLU y) rises.
  const Quaterniond q_enu = enu_flu_from_ned_frd(ned_attitude(0.4, 0, 0));
  CHECK((q_enu * Vector3d::UnitY()).z() == doctest::Approx(std::sin(0.4)));
}

TEST_CASE("turning clockwise seen from above is negative ENU yaw") {
  const Quaterniond before = enu_flu_from_ned_frd(ned_attitude(0, 0, 0.2));
  const Quaterniond after = enu_flu_from_ned_frd(ned_attitude(0, 0, 0.3));
  const Vector3d turn = Eigen::AngleAxisd(after * before.conjugate()).axis() * 0.1;
  CHECK(near(turn, {0, 0, -0.1}));
}

TEST_CASE("attitudes agree with the product of the frame matrices") {
  Matrix3d enu_ned;
  enu_ned << 0, 1, 0, 1, 0, 0, 0, 0, -1;
  Matrix3d frd_flu;
  frd_flu << 1, 0, 0, 0, -1, 0, 0, 0, -1;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> angle(-pi, pi);
  for (int i = 0; i < 2000; ++i) {
    const Matrix3d ned_frd = attitude(angle(random), angle(random), angle(random));
    const Matrix3d expected = enu_ned * ned_frd * frd_flu;
    const Quaterniond q = enu_flu_from_ned_frd(Quaterniond(ned_frd));
    CHECK((q.toRotationMatrix() - expected).norm() < 1e-12);
    CHECK(q.norm() == doctest::Approx(1).epsilon(1e-12));

    // A vector fixed to the body is the same arrow in the world by either way.
    const Vector3d frd(angle(random), angle(random), angle(random));
    CHECK((enu_from_ned(ned_frd * frd) - q * flu_from_frd(frd)).norm() < 1e-12);
  }
}

TEST_CASE("every conversion and its way back is the identity") {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> number(-100, 100);
  for (int i = 0; i < 1000; ++i) {
    const Vector3d v(number(random), number(random), number(random));
    CHECK(ned_from_enu(enu_from_ned(v)) == v);
    CHECK(enu_from_ned(enu_from_ned(v)) == v);
    CHECK(frd_from_flu(flu_from_frd(v)) == v);
    CHECK(flu_from_frd(flu_from_frd(v)) == v);
    CHECK(optical_from_flu(flu_from_optical(v)) == v);
    const Quaterniond q = Quaterniond(number(random), v.x(), v.y(), v.z()).normalized();
    const Quaterniond back = ned_frd_from_enu_flu(enu_flu_from_ned_frd(q));
    CHECK(std::abs(back.dot(q)) == doctest::Approx(1).epsilon(1e-12));
  }
}

TEST_CASE("lengths and handedness survive every conversion") {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  for (auto* convert :
       {&enu_from_ned, &ned_from_enu, &flu_from_frd, &frd_from_flu, &flu_from_optical, &optical_from_flu}) {
    const Vector3d a(number(random), number(random), number(random));
    const Vector3d b(number(random), number(random), number(random));
    CHECK(convert(a).norm() == doctest::Approx(a.norm()));
    CHECK(near(convert(a.cross(b)), convert(a).cross(convert(b))));  // a proper rotation keeps the cross product
  }
}

}  // namespace tandem
