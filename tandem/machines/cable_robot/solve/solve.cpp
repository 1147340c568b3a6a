// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/solve/solve.hpp"

#include <cmath>

#include "tandem/kinematics/cable/tension/tension.hpp"
#include "tandem/machines/cable_robot/solve/lengths.hpp"
#include "tandem/machines/cable_robot/solve/robot.hpp"
#include "tandem/machines/cable_robot/workspace/query.hpp"

namespace tandem::cable_robot {
namespace {

using namespace machines::query;

Result<cables::Aim> asked_aim(const Json& question) {
  if (!question.contains("aim")) return cables::Aim::middle;
  for (const cables::Aim aim : cables::all_aims)
    if (question["aim"] == cables::name(aim)) return aim;
  return wrong(fmt::format("aim: expected {}, got {}", cables::aims_in_words, seen(question["aim"])));
}

// Why no tensions hold the platform there, and what would help.
std::string why_not(const cables::Robot& robot, const Pose& pose, const cables::Structure& structure,
                    const cables::Distribution& found) {
  if (const auto beyond = outside(robot, pose)) return *beyond;
  const cables::TensionRange& range = robot.design().tension;
  if (cables::conditioning(robot, structure) < 1e-6)
    return "the pose is singular: no cable resists one motion of the platform there";
  if (found.cable < 0 || !std::isfinite(found.margin))
    return "no tensions hold the platform there, whatever their range";
  if (found.at_most)
    return fmt::format(
        "cable{} would exceed its maximum of {:g} N; reduce the load, move closer to home, or widen the limits by "
        "{:.3g} N",
        found.cable, range.most, -found.margin);
  return fmt::format(
      "cable{} would fall below its minimum of {:g} N; add load, move closer to home, or widen the limits by {:.3g} N",
      found.cable, range.least, -found.margin);
}

constexpr std::array<std::string_view, 4> tensions_fields = {"pose", "wrench", "aim", "geometry"};

Result<std::string> answer_tensions(std::string_view text, const machines::Progress&) {
  const auto question = object_from(text, tensions_fields);
  if (!question) return question.error();
  const auto geometry = asked_geometry(*question);
  if (!geometry) return geometry.error();
  const cables::Robot& robot = (*geometry)->robot;
  const auto pose = asked_pose(*question);
  if (!pose) return pose.error();
  if (const auto all = lengths_at(robot, *pose); !all) return all.error();
  const auto aim = asked_aim(*question);
  if (!aim) return aim.error();
  cables::Wrench load = cables::Wrench::Zero();
  if (question->contains("wrench")) {
    if (const auto read = read_list((*question)["wrench"], "wrench", {load.data(), 6}); !read) return read.error();
    if (load.cwiseAbs().maxCoeff() > 1e9)
      return wrong(
          fmt::format("wrench: expected numbers in N and N m within +-1e9, got {:g}", load.cwiseAbs().maxCoeff()));
  }
  const cables::Wrench weight = cables::weight(robot, *pose);
  const cables::Structure structure = cables::structure(robot, *pose);
  const cables::Distribution found = cables::distribute(robot, structure, weight + load, *aim);
  Json answer = {
      {"tensions", listed(found.tensions)}, {"feasible", found.feasible}, {"margin", found.margin}, {"why", nullptr}};
  if (!found.feasible) {
    answer["why"] = why_not(robot, *pose, structure, found);
    answer["nearest_wrench"] = listed(cables::Wrench(found.nearest - weight));
  }
  return to_text(answer);
}

constexpr std::array<std::string_view, 1> robot_fields = {"geometry"};

Result<std::string> answer_robot(std::string_view text, const machines::Progress&) {
  const auto question = object_from(text, robot_fields);
  if (!question) return question.error();
  const auto geometry = asked_geometry(*question);
  if (!geometry) return geometry.error();
  const cables::Robot& robot = (*geometry)->robot;
  const cables::Design& design = robot.design();
  const Fittings& fittings = (*geometry)->fittings;
  Json drum = nullptr;
  if (fittings.drum) drum = {{"radius", fittings.drum->radius}, {"pitch", fittings.drum->pitch}};
  return to_text({{"name", design.name},
                  {"cables", robot.cables()},
                  {"mass", design.mass},
                  {"tension", {design.tension.least, design.tension.most}},
                  {"stiffness", design.stiffness},
                  {"pulley_radius", fittings.pulley_radius},
                  {"cable_weight", fittings.cable_weight},
                  {"drum", drum},
                  {"home", {design.home.x(), design.home.y(), design.home.z()}},
                  {"lengths", listed(cables::lengths(robot, robot.home()))},
                  {"conditioning", cables::conditioning(robot, cables::structure(robot, robot.home()))},
                  {"notes", (*geometry)->notes}});
}

constexpr std::array<std::string_view, 1> geometry_flag = {"geometry"};
constexpr std::array<std::string_view, 2> tensions_flags = {"geometry", "aim"};

constexpr machines::Query all_queries[] = {
    {"lengths",
     "pose: [x, y, z, qx, qy, qz, qw] of the platform (m); twist: [6] of it (m/s, rad/s; world), optional -> lengths "
     "(m), one for each cable; rates (m/s) with a twist; with a geometry that tells of them unstretched lengths and "
     "tensions of "
     "cables that sag (m) and drum angles (rad, 0 at home)",
     R"({"pose": [0, 0, 0.3, 0, 0, 0, 1]})", answer_lengths, geometry_flag},
    {"pose",
     "lengths: one for each cable (m), or unstretched: those of cables that sag; start: a pose to begin with, optional "
     "-> pose [7], residual (m, root mean square), iterations",
     R"({"lengths": [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]})", answer_pose, geometry_flag},
    {"tensions",
     "pose: [7]; wrench: external force and moment on the platform besides its weight (N, N m; world), optional; aim: "
     "middle, least, barycentre or analytic_centre, optional -> tensions (N), feasible, margin (N; null where no range "
     "would do), why "
     "not (null when feasible), "
     "nearest_wrench that can be held (only when not feasible)",
     R"({"pose": [0, 0, 0.3, 0, 0, 0, 1], "wrench": [0, 0, -5, 0, 0, 0]})", answer_tensions, tensions_flags},
    {"robot",
     "geometry: a file, the default robot without it -> name, cables, mass (kg), tension [least, most] (N), stiffness "
     "(N), pulley_radius (m), cable_weight (N/m), drum {radius, pitch} (m) or null, home (m), lengths at home (m), "
     "conditioning there (0 is singular), notes on the file",
     R"({})", answer_robot, geometry_flag},
    workspace_query,
};

}  // namespace

std::span<const machines::Query> queries() { return all_queries; }

}  // namespace tandem::cable_robot
