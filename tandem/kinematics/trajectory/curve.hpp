// SPDX-License-Identifier: Apache-2.0
// Where the tool goes, without saying when: lines, circles and rounded corners by the distance along them.
#pragma once

#include <span>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/kinematics/ur/ur.hpp"

namespace tandem::kinematics::trajectory {

using ur::Vector6;

struct CurvePoint {
  Pose X = Pose::Identity();
  Vector6 tangent = Vector6::Zero();  // twist (base frame) per unit of distance
};

// A point to pass at the given distance, on a circle that touches both lines.
struct Corner {
  Pose X = Pose::Identity();
  double radius = 0;  // m from the corner to where the circle begins; shrunk when corners are nearer to each other
};

enum class ArcOrientation {
  free,   // turns evenly from the start's to the end's
  fixed,  // keeps its angle to the circle
};

class Curve {
 public:
  // Straight, the orientation about one axis. Without translation the distance is the angle (rad).
  static Result<Curve> line(const Pose& from, const Pose& to);
  // The circle through three points. Points on one line make a line, unless `via` is not between the others.
  static Result<Curve> circle(const Pose& from, const Pose& via, const Pose& to, ArcOrientation orientation);
  // Lines through all corners, rounded by circles.
  static Result<Curve> rounded(const Pose& from, std::span<const Corner> corners);

  CurvePoint at(double s) const;  // the ends beyond them
  double length() const { return length_; }
  bool turning() const { return turning_; }  // rotation only: distances are angles
  double turn_rate() const;                  // rad per m at most, an upper bound at corners
  Pose start() const { return at(0).X; }
  Pose end() const { return at(length_).X; }

 private:
  // R(s) = R * exp(-before * left(tau)) * exp(after * passed(tau)), tau = distance within the piece over its length.
  struct Piece {
    double start = 0, length = 0;
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();  // first point, or centre
    Eigen::Vector3d x = Eigen::Vector3d::Zero();       // along the line, or from the centre to the first point
    Eigen::Vector3d y = Eigen::Vector3d::Zero();       // as long as x and across it, for circles
    double angle = 0;                                  // of the circle, rad; 0 for lines
    Eigen::Quaterniond R = Eigen::Quaterniond::Identity();
    Eigen::Vector3d before = Eigen::Vector3d::Zero(), after = Eigen::Vector3d::Zero();  // rotation vectors, tool frame
    double slope = 1;  // of passed() at the end and of left() at the start, for corners
    bool corner = false;
  };
  void add(Piece piece);

  std::vector<Piece> pieces_;
  double length_ = 0;
  bool turning_ = false;
};

}  // namespace tandem::kinematics::trajectory
