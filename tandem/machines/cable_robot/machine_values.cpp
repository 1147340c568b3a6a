#include <bit>

#include "tandem/machines/cable_robot/machine.hpp"
#include "tandem/machines/cable_robot/ros.hpp"
#include "tandem/machines/cable_robot/workspace_surface.hpp"

namespace tandem::cable_robot {

machines::Scene Bridge::scene() const {
  machines::Scene scene = make_scene(border_, sliders_);
  std::call_once(surface_looked_, [this] { surface_ = workspace_surface(robot_); });
  if (!surface_.triangles.empty()) scene.parts.push_back(surface_);
  return scene;
}

machines::Picture Bridge::picture() const {
  const auto state = shared_.get();
  return state ? picture_of(*state) : machines::Picture{};
}

machines::Picture Bridge::twin_picture() const {
  const auto state = shared_.get();
  return state ? twin_picture_of(*state) : machines::Picture{};
}

std::vector<machines::Value> Bridge::values() const {
  const auto state = shared_.get();
  if (!state || state->samples == 0) return {};
  const State& s = *state;
  const auto list = [&](const CableNumbers& values) {
    return std::vector<double>(values.begin(), values.begin() + s.cables);
  };
  const auto count = [](auto number) { return std::vector{static_cast<double>(number)}; };
  std::vector<machines::Value> values = {
      {"pose", "m, quaternion", {s.pose.begin(), s.pose.end()}, ""},
      {"lengths", "m", list(s.lengths), ""},
      {"tensions", "N", list(s.tensions), ""},
      {"margin", "N", {s.margin}, ""},
      {"slack cables", "", count(std::popcount(s.slack)), ""},
      {"tracking error", "mm, mrad", {1e3 * s.tracking_error, 1e3 * s.tracking_angle}, ""},
      {"length residual", "mm", {1e3 * s.residual}, ""},
      {"activity", "", {}, name(s.activity)},
  };
  if (s.pose_known) values.push_back({"to the border", "m", {border_.distance(pose_of(s.pose))}, ""});
  if (s.compared) values.push_back({"twin residual", "mm, mrad", {1e3 * s.estimate_error, 1e3 * s.estimate_angle}, ""});
  if (!s.input.empty()) values.push_back({"moved by", "", {}, std::string(s.input.view())});
  if (!s.refusal.empty()) values.push_back({"refused", "", {}, std::string(s.refusal.view())});
  if (ros_) {
    if (std::string why = ros_->orders().last_refusal(); !why.empty())
      values.push_back({"last refusal", "", {}, std::move(why)});
    if (const std::uint64_t ignored = ros_->orders().ignored(); ignored > 0)
      values.push_back({"not heard", "", count(ignored), "another publisher owns the topic"});
  }
  if (!s.stopped.empty()) values.push_back({"stopped", "", {}, std::string(s.stopped.view())});
  if (s.rejected > 0) values.push_back({"rejected", "", count(s.rejected), ""});
  if (s.timeouts > 0) values.push_back({"timeouts", "", count(s.timeouts), ""});
  return values;
}

}  // namespace tandem::cable_robot
