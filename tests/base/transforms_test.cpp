// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/transforms.hpp"

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

Matrix3d about_x(double a) {
  Matrix3d r;
  r << 1, 0, 0, 0, std::cos(a), -std::sin(a), 0, std::sin(a), std::cos(a);
  return r;
}
Matrix3d about_y(double a) {
  Matrix3d r;
  r << std::cos(a), 0, std::sin(a), 0, 1, 0, -std::sin(a), 0, std::cos(a);
  return r;
}
Matrix3d about_z(double a) {
  Matrix3d r;
  r << std::cos(a), -std::sin(a), 0, std::sin(a), std::cos(a), 0, 0, 0, 1;
  return r;
}

Matrix3d product(const Vector3d& rpy, RotationOrder order) {
  const Matrix3d x = about_x(rpy.x());
  const Matrix3d y = about_y(rpy.y());
  const Matrix3d z = about_z(rpy.z());
  return order == RotationOrder::zyx ? Matrix3d(z * y * x) : Matrix3d(x * y * z);
}

// Rodrigues' formula, the oracle for rotation vectors.
Matrix3d rodrigues(const Vector3d& axis, double angle) {
  Matrix3d cross;
  cross << 0, -axis.z(), axis.y(), axis.z(), 0, -axis.x(), -axis.y(), axis.x(), 0;
  return Matrix3d::Identity() + std::sin(angle) * cross + (1 - std::cos(angle)) * cross * cross;
}

Vector3d random_axis(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  return Vector3d(normal(random), normal(random), normal(random)).normalized();
}

constexpr RotationOrder orders[] = {RotationOrder::zyx, RotationOrder::xyz};

}  // namespace

TEST_CASE("roll pitch and yaw make the product of elementary matrices in both orders") {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> turn(-pi, pi);
  for (int i = 0; i < 1000; ++i) {
    const Vector3d rpy(turn(random), turn(random), turn(random));
    for (const RotationOrder order : orders) {
      CHECK((rotation_from_rpy(rpy.x(), rpy.y(), rpy.z(), order) - product(rpy, order)).norm() < 1e-13);
    }
  }
}

TEST_CASE("angles come back from the matrix in both orders") {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> turn(-pi, pi);
  std::uniform_real_distribution<double> pitch(-pi / 2 + 0.01, pi / 2 - 0.01);
  for (int i = 0; i < 1000; ++i) {
    const Vector3d rpy(turn(random), pitch(random), turn(random));
    for (const RotationOrder order : orders) {
      CHECK((rpy_from_rotation(product(rpy, order), order) - rpy).norm() < 1e-12);
    }
  }
}

TEST_CASE("straight up and straight down have zero roll and the right matrix") {
  for (const RotationOrder order : orders) {
    for (const double pitch : {pi / 2, -pi / 2}) {
      for (double roll = -3; roll <= 3; roll += 0.5) {
        for (double yaw = -3; yaw <= 3; yaw += 0.5) {
          const Matrix3d rotation = product({roll, pitch, yaw}, order);
          const Vector3d rpy = rpy_from_rotation(rotation, order);
          CHECK(rpy.x() == 0);
          CHECK(rpy.y() == doctest::Approx(pitch));
          CHECK((product(rpy, order) - rotation).norm() < 1e-12);
        }
      }
    }
  }
}

TEST_CASE("close to straight up the angles still make the same matrix") {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> turn(-pi, pi);
  for (double away = 1e-12; away < 0.1; away *= 3) {
    for (const RotationOrder order : orders) {
      const Matrix3d rotation = product({turn(random), pi / 2 - away, turn(random)}, order);
      const Vector3d rpy = rpy_from_rotation(rotation, order);
      CHECK(rpy.allFinite());
      CHECK((product(rpy, order) - rotation).norm() < 1e-8);
    }
  }
}

TEST_CASE("rotation vectors agree with the formula of Rodrigues") {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> turn(0, pi);
  for (int i = 0; i < 1000; ++i) {
    const Vector3d axis = random_axis(random);
    const double angle = turn(random);
    const Quaterniond q = quaternion_from_rotation_vector(axis * angle);
    CHECK((q.toRotationMatrix() - rodrigues(axis, angle)).norm() < 1e-12);
    CHECK((rotation_vector_from_quaternion(q) - axis * angle).norm() < 1e-12);
    const Quaterniond other(-q.coeffs());  // the same attitude with the other sign
    CHECK((rotation_vector_from_quaternion(other) - axis * angle).norm() < 1e-12);
  }
}

TEST_CASE("a rotation vector is exact at zero") {
  CHECK(quaternion_from_rotation_vector(Vector3d::Zero()).coeffs() == Quaterniond::Identity().coeffs());
  CHECK(rotation_vector_from_quaternion(Quaterniond::Identity()) == Vector3d::Zero());
  CHECK(rotation_vector_from_quaternion(Quaterniond(-1, 0, 0, 0)).norm() == 0);
}

TEST_CASE("small rotations keep all their digits") {
  std::mt19937_64 random(5);
  for (double angle = 1e-300; angle < 1e-2; angle *= 7) {
    const Vector3d vector = random_axis(random) * angle;
    const Vector3d back = rotation_vector_from_quaternion(quaternion_from_rotation_vector(vector));
    CHECK((back - vector).norm() <= 1e-14 * angle);
  }
}

TEST_CASE("a rotation vector is exact at half a turn") {
  const double half = std::sqrt(0.5);
  CHECK((rotation_vector_from_quaternion({0, 1, 0, 0}) - Vector3d(pi, 0, 0)).norm() == 0);
  CHECK((rotation_vector_from_quaternion({0, 0, half, half}) - pi * Vector3d(0, half, half)).norm() < 1e-15);
  std::mt19937_64 random(6);
  for (double short_of = 1e-15; short_of < 1e-3; short_of *= 5) {
    const Vector3d vector = random_axis(random) * (pi - short_of);
    const Vector3d back = rotation_vector_from_quaternion(quaternion_from_rotation_vector(vector));
    // This close to half a turn a rounding may choose the other sign, which is the same attitude.
    CHECK(std::min((back - vector).norm(), (back + vector).norm()) < 1e-14);
  }
}

TEST_CASE("a turn past half a turn comes back the short way round") {
  const Vector3d back = rotation_vector_from_quaternion(quaternion_from_rotation_vector({0, 0, 1.5 * pi}));
  CHECK((back - Vector3d(0, 0, -0.5 * pi)).norm() < 1e-14);
}

TEST_CASE("the angle between attitudes is that of the turn between them") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> turn(0, pi);
  for (int i = 0; i < 500; ++i) {
    const Quaterniond a(rodrigues(random_axis(random), turn(random)));
    const double angle = turn(random);
    const Quaterniond b = a * Quaterniond(rodrigues(random_axis(random), angle));
    CHECK(angle_between(a, b) == doctest::Approx(angle).epsilon(1e-9));
    CHECK(angle_between(a, Quaterniond(-b.coeffs())) == doctest::Approx(angle).epsilon(1e-9));
  }
  CHECK(angle_between(Quaterniond::Identity(), Quaterniond::Identity()) == 0);
}

TEST_CASE("a pose moves points by rotation and then position") {
  const Pose pose = pose_from({1, 2, 3}, about_z(pi / 2));
  CHECK((pose * Vector3d(1, 0, 0) - Vector3d(1, 3, 3)).norm() < 1e-15);
  CHECK(pose.matrix().row(3) == Eigen::RowVector4d(0, 0, 0, 1));
}

TEST_CASE("the rotation from z is the shortest one, also next to the opposite direction") {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  const auto check = [](const Vector3d& along) {
    const Matrix3d r = rotation_from_z(along);
    const Vector3d to = along.normalized();
    CHECK((r * Vector3d::UnitZ() - to).norm() < 1e-12);
    CHECK((r.transpose() * r - Matrix3d::Identity()).norm() < 1e-12);
    CHECK(r.determinant() == doctest::Approx(1));
    // Of all rotations that do this the shortest has the angle between the two, so its trace is 1 + 2 cos.
    CHECK(r.trace() == doctest::Approx(1 + 2 * to.z()).epsilon(1e-12));
  };
  for (int k = 0; k < 1000; ++k) check({normal(random), normal(random), normal(random)});
  for (const double aside : {1e-3, 1e-6, 1e-9, 1e-14}) check({aside, -2 * aside, -3});
  check({0, 0, 5});
  check({0, 0, -5});
}

}  // namespace tandem
