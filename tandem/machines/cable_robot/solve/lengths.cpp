// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/solve/lengths.hpp"

#include <cmath>
#include <vector>

#include "tandem/kinematics/cable/pose.hpp"
#include "tandem/kinematics/cable/sag.hpp"
#include "tandem/kinematics/cable/tension/tension.hpp"
#include "tandem/machines/cable_robot/solve/robot.hpp"

namespace tandem::cable_robot {
namespace {

using namespace machines::query;

constexpr int most_rounds = 50;
constexpr double settled_tension = 1e-9;  // of the most a cable bears
constexpr double settled_place = 1e-11;   // m

std::vector<double> pose_numbers(const Pose& pose) {
  Eigen::Quaterniond q(pose.linear());
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  const Eigen::Vector3d p = pose.translation();
  return {p.x(), p.y(), p.z(), q.x(), q.y(), q.z(), q.w()};
}

std::vector<cables::Pulley> pulleys_of(const GeometryFile& geometry) {
  if (!(geometry.fittings.pulley_radius > 0)) return {};
  return {static_cast<std::size_t>(geometry.robot.cables()), cables::Pulley{geometry.fittings.pulley_radius}};
}

// How much cable is out: straight, over the pulleys, or unstretched where it sags.
struct Unwound {
  cables::PerCable lengths;   // m
  cables::PerCable tensions;  // N at the platform, of cables that sag; else none
};

// How a cable pulls depends on its sag, and this on its tension: in turns until both stay.
Result<Unwound> hang(const cables::Robot& robot, double weight_per_length, const Pose& pose) {
  cables::Structure structure = cables::structure(robot, pose);
  Unwound hanging;
  for (int round = 0; round < most_rounds; ++round) {
    const cables::Distribution held = cables::distribute(robot, structure, cables::weight(robot, pose));
    if (!held.feasible)
      return Error{
          Fault::unsupported,
          "pose: no tensions within their limits hold the platform there, so the sag cannot be solved; see `tensions`"};
    auto sag = cables::sagging(robot, pose, held.tensions, weight_per_length);
    if (!sag) return within("pose", std::move(sag).error());
    const bool settled = round > 0 && (held.tensions - hanging.tensions).cwiseAbs().maxCoeff() <=
                                          settled_tension * robot.design().tension.most;
    hanging = {sag->unstretched, held.tensions};
    structure = sag->structure;
    if (settled) return hanging;
  }
  return Error{Fault::unsupported, "pose: sag and tensions do not converge: the cables are too heavy"};
}

Result<Unwound> out_at(const GeometryFile& geometry, const Pose& pose) {
  const cables::Robot& robot = geometry.robot;
  if (geometry.fittings.cable_weight > 0) return hang(robot, geometry.fittings.cable_weight, pose);
  const auto pulleys = pulleys_of(geometry);
  if (pulleys.empty()) return Unwound{cables::lengths(robot, pose), {}};
  for (int i = 0; i < robot.cables(); ++i) {
    const Eigen::Vector3d held = pose.translation() + pose.linear() * robot.cable(i).platform;
    if (!cables::run_over(pulleys[static_cast<std::size_t>(i)], robot.cable(i).frame, held).possible)
      return wrong(fmt::format("pose: cable{} would end within its pulley of {:g} m or on its axis", i,
                               geometry.fittings.pulley_radius));
  }
  return Unwound{cables::lengths(robot, pulleys, pose), {}};
}

Result<std::vector<double>> drum_angles(const GeometryFile& geometry, const cables::PerCable& out) {
  const auto at_home = out_at(geometry, geometry.robot.home());
  if (!at_home) return within("drum angles, which are 0 at home", at_home.error());
  std::vector<double> angles;
  for (int i = 0; i < geometry.robot.cables(); ++i) {
    cables::Drum drum = *geometry.fittings.drum;
    drum.zero = at_home->lengths[i];
    angles.push_back(cables::angle_from_length(drum, out[i]));
  }
  return angles;
}

Result<cables::PoseFit> fit_to(const GeometryFile& geometry, const cables::PerCable& lengths,
                               const std::optional<Pose>& start) {
  const auto pulleys = pulleys_of(geometry);
  return start ? cables::pose_from_lengths(geometry.robot, lengths, *start, pulleys)
               : cables::pose_from_lengths(geometry.robot, lengths, pulleys);
}

// Straight lengths that lead to a pose where the sagging cables have these: what they are off there is made up for.
Result<cables::PoseFit> fit_to_unstretched(const GeometryFile& geometry, const cables::PerCable& unstretched,
                                           const std::optional<Pose>& start) {
  const cables::Robot& robot = geometry.robot;
  auto fit = fit_to(geometry, unstretched, start);
  for (int round = 0; round < most_rounds && fit; ++round) {
    const auto hanging = hang(robot, geometry.fittings.cable_weight, fit->pose);
    if (!hanging) return within("near these lengths", hanging.error());
    const cables::PerCable off = unstretched - hanging->lengths;
    const Eigen::Vector3d before = fit->pose.translation();
    const int iterations = fit->iterations;
    fit = cables::pose_from_lengths(robot, cables::lengths(robot, fit->pose) + off, fit->pose);
    if (!fit) break;
    fit->iterations += iterations;
    fit->residual = std::sqrt(off.squaredNorm() / robot.cables());
    if ((fit->pose.translation() - before).norm() <= settled_place) return fit;
  }
  if (!fit) return fit;
  return Error{Fault::not_found, "unstretched: no pose was found at which the sagging cables have these lengths"};
}

}  // namespace

Result<std::string> answer_lengths(std::string_view text, const machines::Progress&) {
  constexpr std::array<std::string_view, 3> fields = {"pose", "twist", "geometry"};
  const auto question = object_from(text, fields);
  if (!question) return question.error();
  const auto found = asked_geometry(*question);
  if (!found) return found.error();
  const GeometryFile& geometry = **found;
  const cables::Robot& robot = geometry.robot;
  const auto pose = asked_pose(*question);
  if (!pose) return pose.error();
  const auto straight = lengths_at(robot, *pose);
  if (!straight) return straight.error();
  if (const auto why = outside(robot, *pose)) return wrong("pose: " + *why);
  const auto out = out_at(geometry, *pose);
  if (!out) return out.error();
  const bool sags = out->tensions.size() > 0;
  Json answer{{"lengths", listed(sags ? *straight : out->lengths)}};
  if (sags) answer["unstretched"] = listed(out->lengths);
  if (sags) answer["tensions"] = listed(out->tensions);
  if (question->contains("twist")) {
    cables::Twist twist;
    if (const auto read = read_list((*question)["twist"], "twist", {twist.data(), 6}); !read) return read.error();
    const auto pulleys = pulleys_of(geometry);
    answer["rates"] = listed(cables::rates(
        pulleys.empty() ? cables::structure(robot, *pose) : cables::structure(robot, pulleys, *pose), twist));
  }
  if (geometry.fittings.drum) {
    const auto angles = drum_angles(geometry, out->lengths);
    if (!angles) return angles.error();
    answer["angles"] = *angles;
  }
  return to_text(answer);
}

Result<std::string> answer_pose(std::string_view text, const machines::Progress&) {
  constexpr std::array<std::string_view, 4> fields = {"lengths", "unstretched", "start", "geometry"};
  const auto question = object_from(text, fields);
  if (!question) return question.error();
  const auto found = asked_geometry(*question);
  if (!found) return found.error();
  const GeometryFile& geometry = **found;
  const cables::Robot& robot = geometry.robot;
  const bool sags = question->contains("unstretched");
  if (sags && (question->contains("lengths") || !(geometry.fittings.cable_weight > 0)))
    return wrong("unstretched: expected instead of lengths, for a geometry with a cable_weight");
  const char* field = sags ? "unstretched" : "lengths";
  if (!question->contains(field))
    return wrong(fmt::format("lengths: expected an array of {} numbers, got no such field", robot.cables()));
  cables::PerCable lengths(robot.cables());
  const std::span<double> numbers(lengths.data(), static_cast<std::size_t>(robot.cables()));
  if (const auto read = read_list((*question)[field], field, numbers); !read) return read.error();
  std::optional<Pose> start;
  if (question->contains("start")) {
    const auto asked = asked_pose(*question, "start");
    if (!asked) return within("start", asked.error());
    start = *asked;
  }
  const auto fit = sags ? fit_to_unstretched(geometry, lengths, start) : fit_to(geometry, lengths, start);
  if (!fit) return fit.error();
  return to_text({{"pose", pose_numbers(fit->pose)}, {"residual", fit->residual}, {"iterations", fit->iterations}});
}

}  // namespace tandem::cable_robot
