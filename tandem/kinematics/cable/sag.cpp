// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/cable/sag.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace tandem::cables {
namespace {

constexpr int most_sag_steps = 200;

// The end of the cable and how it moves with the force, written so that no digits are lost as the weight vanishes.
struct End {
  Eigen::Vector2d place;
  Eigen::Matrix2d slope;      // by the force
  Eigen::Vector2d by_length;  // by the unstretched length
};

End end_of(const Line& line, double length, const Eigen::Vector2d& force) {
  const double fx = force.x(), up = force.y(), low = up - line.weight * length;  // vertical pull at end and start
  const double end = std::hypot(fx, up), start = std::hypot(fx, low), both = end + start;
  // (asinh(up / fx) - asinh(low / fx)) / weight, from whichever side adds numbers of one sign.
  const bool mirrored = up + low < 0;
  const double more = mirrored ? -low : up, less = mirrored ? -up : low;
  const double of_less = mirrored ? end : start;
  const double base = less >= 0 ? less + of_less : fx * fx / (of_less - less);
  const double grown = length * (1 + (more + less) / both) / base;  // over the weight
  const double share = line.weight * grown;
  const double angle = share > 1e-300 ? grown * (std::log1p(share) / share) : grown;
  const double product = end * start;
  const double mixed =
      up * low > 0 ? fx * fx * (fx * fx + up * up + low * low) / (product + up * low) : product - up * low;
  const double lift = length * (fx * fx + mixed) / (both * product);  // (up / end - low / start) / weight
  const double cross = -fx * length * (up + low) / (both * product);
  const double give = length / line.stiffness;
  End found;
  found.place = {fx * (give + angle), give * (up + low) / 2 + length * (up + low) / both};
  found.slope << give + angle - lift, cross, cross, give + lift;
  found.by_length = {fx / line.stiffness + fx / start, low / line.stiffness + low / start};
  return found;
}

Result<void> check_line(const Line& line, const Eigen::Vector2d& chord) {
  if (!(line.weight >= 0 && line.weight <= 1e6))
    return Error{Fault::invalid, fmt::format("cable weight: expected N/m from 0 to 1e6, got {}", line.weight)};
  if (!(line.stiffness > 0 && line.stiffness <= 1e12))
    return Error{Fault::invalid, fmt::format("cable stiffness: expected N above 0, got {}", line.stiffness)};
  if (!chord.allFinite() || chord.x() < 0 || !(chord.norm() > 0) || chord.norm() > 1e5)
    return Error{Fault::invalid, fmt::format("cable chord: expected x from 0 on and a length above 0, got ({}, {}) m",
                                             chord.x(), chord.y())};
  return {};
}

// What the place is to be found from: minimal where the end is at the chord, and convex, so that Newton downhill ends
// there. The energy that the cable has by its force, less the work of the chord.
double missing(const Eigen::Vector2d& place, const Eigen::Vector2d& chord) { return (place - chord).norm(); }

// A force to begin with: of a straight cable when it is stretched, else of Irvine's flat parabola.
Eigen::Vector2d first_force(const Line& line, const Eigen::Vector2d& chord, double length) {
  const double distance = chord.norm(), x = std::max(chord.x(), 1e-3 * distance);
  const double hanging = line.weight * length;
  const double strain = distance / length - 1;
  if (strain > 0) {
    const double pull = line.stiffness * strain + 0.1 * hanging;
    return pull * chord / distance + Eigen::Vector2d(1e-9 * pull, hanging / 2);
  }
  const double bow = std::sqrt(std::max(1e-6, 3 * ((length * length - chord.y() * chord.y()) / (x * x) - 1)));
  return {line.weight * x / (2 * bow), line.weight / 2 * (chord.y() / std::tanh(bow) + length)};
}

}  // namespace

Eigen::Vector2d end_from_force(const Line& line, double unstretched, const Eigen::Vector2d& force) {
  return end_of(line, unstretched, force).place;
}

Result<Sag> sag_from_length(const Line& line, const Eigen::Vector2d& chord, double unstretched) {
  if (auto good = check_line(line, chord); !good) return std::move(good).error();
  if (!(unstretched > 0 && unstretched <= 1e6))
    return Error{Fault::invalid, fmt::format("unstretched length: expected m above 0, got {}", unstretched)};
  Sag sag;
  sag.unstretched = unstretched;
  const double distance = chord.norm();
  if (line.weight == 0 && unstretched >= distance) return sag;  // lies slack, without any force
  // A cable that hangs straight down has no side; this much of one changes nothing that can be measured.
  const Eigen::Vector2d wanted(std::max(chord.x(), 1e-9 * distance), chord.y());
  Eigen::Vector2d force = first_force(line, wanted, unstretched);
  End end = end_of(line, unstretched, force);
  double miss = missing(end.place, wanted);
  for (; sag.iterations < most_sag_steps && miss > 1e-14 * distance; ++sag.iterations) {
    Eigen::Vector2d step = end.slope.inverse() * (wanted - end.place);
    if (!step.allFinite()) break;
    // The horizontal pull stays positive; beyond zero there is nothing.
    double part = 1;
    if (force.x() + step.x() <= 0.1 * force.x()) part = std::min(1.0, -0.9 * force.x() / step.x());
    bool nearer = false;
    for (int halving = 0; halving < 40 && !nearer; ++halving, part /= 2) {
      const Eigen::Vector2d tried = force + part * step;
      const End there = end_of(line, unstretched, tried);
      const double left = missing(there.place, wanted);
      if (!(left < miss)) continue;
      nearer = true;
      force = tried;
      end = there;
      miss = left;
    }
    if (!nearer) break;
  }
  if (!(miss <= 1e-9 * distance))
    return Error{Fault::not_found, fmt::format("cable of {:g} m over a chord of ({:g}, {:g}) m: no forces were found, "
                                               "the nearest miss by {:.2g} m",
                                               unstretched, chord.x(), chord.y(), miss)};
  sag.end = force;
  sag.start = force - Eigen::Vector2d(0, line.weight * unstretched);
  return sag;
}

Result<Sag> sag_from_tension(const Line& line, const Eigen::Vector2d& chord, double tension) {
  if (auto good = check_line(line, chord); !good) return std::move(good).error();
  if (!(tension > 0 && tension <= 1e9))
    return Error{Fault::invalid, fmt::format("cable tension: expected N above 0, got {}", tension)};
  const double distance = chord.norm();
  const Eigen::Vector2d wanted(std::max(chord.x(), 1e-9 * distance), chord.y());
  // Unknown: the angle of the pull above the horizontal, and the unstretched length. The straight cable is where the
  // taut answer is found from.
  double angle = std::atan2(wanted.y() + line.weight * distance * distance / (2 * tension), wanted.x());
  double length = distance / (1 + tension / line.stiffness);
  Sag sag;
  double miss = 1e300;
  for (; sag.iterations < most_sag_steps; ++sag.iterations) {
    const Eigen::Vector2d force = tension * Eigen::Vector2d(std::cos(angle), std::sin(angle));
    const End end = end_of(line, length, force);
    miss = missing(end.place, wanted);
    if (!(miss > 1e-14 * distance)) break;
    Eigen::Matrix2d slope;
    slope << end.slope * Eigen::Vector2d(-force.y(), force.x()), end.by_length;
    Eigen::Vector2d step = slope.inverse() * (wanted - end.place);
    if (!step.allFinite()) break;
    step *= std::min({1.0, 0.3 / std::abs(step.x()), 0.3 * length / std::abs(step.y())});
    if (std::abs(step.x()) < 1e-15 && std::abs(step.y()) < 1e-15 * length) break;
    angle = std::clamp(angle + step.x(), -1.570796326, 1.570796326);
    length += step.y();
  }
  // The deep answer hangs lower at the platform than at the lowest point; only the taut one is asked for.
  if (!(miss <= 1e-9 * distance))
    return Error{Fault::not_found, fmt::format("cable of {:g} N/m over a chord of ({:g}, {:g}) m: its own weight pulls "
                                               "more than {:g} N",
                                               line.weight, chord.x(), chord.y(), tension)};
  sag.unstretched = length;
  sag.end = tension * Eigen::Vector2d(std::cos(angle), std::sin(angle));
  sag.start = sag.end - Eigen::Vector2d(0, line.weight * length);
  return sag;
}

Result<SaggingCables> sagging(const Robot& robot, const Pose& pose, const PerCable& tensions, double weight) {
  if (tensions.size() != robot.cables())
    return Error{Fault::invalid,
                 fmt::format("tensions: expected {}, one for each cable, got {}", robot.cables(), tensions.size())};
  SaggingCables all;
  all.unstretched.resize(robot.cables());
  all.structure.resize(6, robot.cables());
  for (int i = 0; i < robot.cables(); ++i) {
    const Cable& cable = robot.cable(i);
    const Eigen::Vector3d arm = pose.linear() * cable.platform;
    const Eigen::Vector3d span = pose.translation() + arm - cable.frame;
    const double beside = std::hypot(span.x(), span.y());
    const Eigen::Vector3d side =
        beside > 0 ? Eigen::Vector3d(span.x() / beside, span.y() / beside, 0) : Eigen::Vector3d::UnitX();
    auto sag = sag_from_tension({weight, robot.design().stiffness}, {beside, span.z()}, tensions[i]);
    if (!sag) return within(fmt::format("cable{}", i), std::move(sag).error());
    all.unstretched[i] = sag->unstretched;
    const Eigen::Vector2d pull = sag->end.normalized();
    // The platform feels the opposite of what holds the cable's end.
    const Eigen::Vector3d along = -(pull.x() * side + pull.y() * Eigen::Vector3d::UnitZ());
    all.structure.col(i) << along, arm.cross(along);
  }
  return all;
}

}  // namespace tandem::cables
