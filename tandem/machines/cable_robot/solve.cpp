#include "tandem/machines/cable_robot/solve.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "tandem/kinematics/cable_pose.hpp"
#include "tandem/kinematics/cable_tension.hpp"
#include "tandem/machines/cable_robot/solve_robot.hpp"
#include "tandem/machines/cable_robot/workspace_query.hpp"

namespace tandem::cable_robot {
namespace {

using namespace machines::query;

std::vector<double> listed(const cables::PerCable& values) { return {values.data(), values.data() + values.size()}; }
std::vector<double> listed(const cables::Wrench& values) { return {values.data(), values.data() + 6}; }

std::vector<double> pose_numbers(const Pose& pose) {
  Eigen::Quaterniond q(pose.linear());
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  const Eigen::Vector3d p = pose.translation();
  return {p.x(), p.y(), p.z(), q.x(), q.y(), q.z(), q.w()};
}

// A cable without length has no direction, and numbers beyond all frames have no digits left.
Result<cables::PerCable> lengths_at(const cables::Robot& robot, const Pose& pose) {
  if (pose.translation().cwiseAbs().maxCoeff() > 1e4)
    return wrong(fmt::format("pose: expected a place in m within +-10000, got ({:g}, {:g}, {:g})",
                             pose.translation().x(), pose.translation().y(), pose.translation().z()));
  cables::PerCable all = cables::lengths(robot, pose);
  for (int i = 0; i < robot.cables(); ++i) {
    if (all[i] < 1e-9) return wrong(fmt::format("pose: cable{} has no length there, its ends are in one place", i));
  }
  return all;
}

// Whether the platform's origin is within the box of the frame's points, or below it for a robot whose home is there;
// words when it is not.
std::optional<std::string> outside(const cables::Robot& robot, const Pose& pose) {
  Eigen::Vector3d low = robot.cable(0).frame, high = low;
  for (const cables::Cable& cable : robot.design().cables) {
    low = low.cwiseMin(cable.frame);
    high = high.cwiseMax(cable.frame);
  }
  constexpr const char* axes[] = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i) {
    const double at = pose.translation()[i];
    if (i == 2 && robot.design().home.z() < low.z() && at <= high.z()) continue;  // hangs below its frame
    if (at < low[i] || at > high[i])
      return fmt::format("the platform is outside the frame: {} = {:g} m, expected {:g} to {:g} m", axes[i], at, low[i],
                         high[i]);
  }
  return std::nullopt;
}

constexpr std::array<std::string_view, 2> lengths_fields = {"pose", "geometry"};

Result<std::string> answer_lengths(std::string_view text, const machines::Progress&) {
  const auto question = object_from(text, lengths_fields);
  if (!question) return question.error();
  const auto geometry = asked_geometry(*question);
  if (!geometry) return geometry.error();
  const auto pose = asked_pose(*question);
  if (!pose) return pose.error();
  const auto all = lengths_at((*geometry)->robot, *pose);
  if (!all) return all.error();
  if (const auto why = outside((*geometry)->robot, *pose)) return wrong("pose: " + *why);
  return Json{{"lengths", listed(*all)}}.dump();
}

constexpr std::array<std::string_view, 3> pose_fields = {"lengths", "start", "geometry"};

Result<std::string> answer_pose(std::string_view text, const machines::Progress&) {
  const auto question = object_from(text, pose_fields);
  if (!question) return question.error();
  const auto geometry = asked_geometry(*question);
  if (!geometry) return geometry.error();
  const cables::Robot& robot = (*geometry)->robot;
  if (!question->contains("lengths"))
    return wrong(fmt::format("lengths: expected an array of {} numbers, got no such field", robot.cables()));
  cables::PerCable lengths(robot.cables());
  const std::span<double> numbers(lengths.data(), static_cast<std::size_t>(robot.cables()));
  if (const auto read = read_list((*question)["lengths"], "lengths", numbers); !read) return read.error();
  Result<cables::PoseFit> fit = wrong("");
  if (question->contains("start")) {
    const auto start = asked_pose(*question, "start");
    if (!start) return within("start", start.error());
    fit = cables::pose_from_lengths(robot, lengths, *start);
  } else {
    fit = cables::pose_from_lengths(robot, lengths);
  }
  if (!fit) return fit.error();
  return Json{{"pose", pose_numbers(fit->pose)}, {"residual", fit->residual}, {"iterations", fit->iterations}}.dump();
}

Result<cables::Aim> asked_aim(const Json& question) {
  if (!question.contains("aim")) return cables::Aim::middle;
  for (const cables::Aim aim : {cables::Aim::middle, cables::Aim::least, cables::Aim::barycentre})
    if (question["aim"] == cables::name(aim)) return aim;
  return wrong(fmt::format("aim: expected \"middle\", \"least\" or \"barycentre\", got {}", seen(question["aim"])));
}

// Why no tensions hold the platform there, and what would help.
std::string why_not(const cables::Robot& robot, const Pose& pose, const cables::Structure& structure,
                    const cables::Distribution& found) {
  if (const auto beyond = outside(robot, pose)) return *beyond;
  const cables::TensionRange& range = robot.design().tension;
  if (cables::conditioning(robot, structure) < 1e-6)
    return "the pose is singular: no cable resists one motion of the platform there";
  if (found.cable < 0) return "no tensions within their range hold the platform there";
  if (found.at_most)
    return fmt::format(
        "cable{} would need more than its {:g} N: a lighter load, a pose nearer to home or a range wider by {:.3g} N "
        "would do",
        found.cable, range.most, -found.margin);
  return fmt::format(
      "cable{} would go slack below its {:g} N, since cables cannot push: a load that pulls it, a pose nearer to home "
      "or a range wider by {:.3g} N would do",
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
  return answer.dump();
}

constexpr std::array<std::string_view, 1> robot_fields = {"geometry"};

Result<std::string> answer_robot(std::string_view text, const machines::Progress&) {
  const auto question = object_from(text, robot_fields);
  if (!question) return question.error();
  const auto geometry = asked_geometry(*question);
  if (!geometry) return geometry.error();
  const cables::Robot& robot = (*geometry)->robot;
  const cables::Design& design = robot.design();
  return Json{{"name", design.name},
              {"cables", robot.cables()},
              {"mass", design.mass},
              {"tension", {design.tension.least, design.tension.most}},
              {"stiffness", design.stiffness},
              {"home", {design.home.x(), design.home.y(), design.home.z()}},
              {"lengths", listed(cables::lengths(robot, robot.home()))},
              {"conditioning", cables::conditioning(robot, cables::structure(robot, robot.home()))},
              {"notes", (*geometry)->notes}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

constexpr std::array<std::string_view, 1> geometry_flag = {"geometry"};
constexpr std::array<std::string_view, 2> tensions_flags = {"geometry", "aim"};

constexpr machines::Query all_queries[] = {
    {"lengths", "pose: [x, y, z, qx, qy, qz, qw] of the platform (m) -> lengths (m), one for each cable",
     R"({"pose": [0, 0, 0.3, 0, 0, 0, 1]})", answer_lengths, geometry_flag},
    {"pose",
     "lengths: one for each cable (m); start: a pose to begin with, optional -> pose [7], residual (m, root mean "
     "square), iterations",
     R"({"lengths": [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]})", answer_pose, geometry_flag},
    {"tensions",
     "pose: [7]; wrench: external force and moment on the platform besides its weight (N, N m; world), optional; aim: "
     "middle, least or barycentre, optional -> tensions (N), feasible, margin (N), why not (null when feasible), "
     "nearest_wrench that can be held (only when not feasible)",
     R"({"pose": [0, 0, 0.3, 0, 0, 0, 1], "wrench": [0, 0, -5, 0, 0, 0]})", answer_tensions, tensions_flags},
    {"robot",
     "geometry: a file, the default robot without it -> name, cables, mass (kg), tension [least, most] (N), stiffness "
     "(N), home (m), lengths at home (m), conditioning there (0 is singular), notes on the file",
     R"({})", answer_robot, geometry_flag},
    workspace_query,
};

}  // namespace

std::span<const machines::Query> queries() { return all_queries; }

}  // namespace tandem::cable_robot
