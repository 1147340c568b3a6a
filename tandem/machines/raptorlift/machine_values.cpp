#include "tandem/machines/raptorlift/machine.hpp"

namespace tandem::raptorlift {

const char* name(Activity activity) {
  switch (activity) {
    case Activity::idle:
      return "idle";
    case Activity::driving:
      return "driving";
    case Activity::stopping:
      return "stopping";
  }
  return "?";
}

machines::Scene Bridge::scene() const { return make_scene(description_, jog_); }

machines::Picture Bridge::picture() const {
  const auto state = shared_.get();
  return state ? picture_of(*state, description_) : machines::Picture{};
}

machines::Picture Bridge::twin_picture() const {
  const auto state = shared_.get();
  return state ? twin_picture_of(*state, description_) : machines::Picture{};
}

std::vector<machines::Value> Bridge::values() const {
  const auto state = shared_.get();
  if (!state || state->samples == 0) return {};
  const auto count = [](std::uint64_t number) { return std::vector{static_cast<double>(number)}; };
  const State& s = *state;
  std::vector<machines::Value> values = {
      {"wheel speeds", "rad/s", {s.measured.front_right, s.measured.front_left}, ""},
      {"steering", "rad", {s.measured.rear_right, s.measured.rear_left}, ""},
      {"torques", "N m", {s.torques.begin(), s.torques.end()}, ""},
      {"pose", "m, rad", {s.X_odom_base.x, s.X_odom_base.y, s.X_odom_base.yaw}, ""},
      {"speed", "m/s, rad/s", {s.twist.vx, s.twist.w}, ""},
      {"distance", "m", {s.distance}, ""},
      {"slip", "m/s", {s.slip}, ""},
      {"activity", "", {}, name(s.activity)},
  };
  if (s.compared) values.push_back({"twin residual", "m, rad", {s.residual, s.residual_yaw}, ""});
  if (!s.input.empty()) values.push_back({"driven by", "", {}, std::string(s.input.view())});
  if (s.task_off) values.push_back({"task", "", {}, "off, as somebody else drove: stop, reset and arm begin it again"});
  if (s.gear > 0) values.push_back({"gear", "", {static_cast<double>(s.gear)}, ""});
  if (!s.stopped.empty()) values.push_back({"stopped", "", {}, std::string(s.stopped.view())});
  if (s.rejected > 0) values.push_back({"rejected", "", count(s.rejected), ""});
  if (s.timeouts > 0) values.push_back({"timeouts", "", count(s.timeouts), ""});
  return values;
}

}  // namespace tandem::raptorlift
