#include "tandem/machines/cable_robot/ros.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "tandem/ros2/conversions.hpp"
#include "tandem/ros2/names.hpp"

namespace tandem::cable_robot {
namespace {

using ros2::diagnostic_msgs::DiagnosticStatus;
using ros2::geometry_msgs::PoseStamped;

constexpr Duration between_refusals = 200ms;  // lines on /rosout

bool due(Instant& next, Instant now, Duration period) {
  if (now < next) return false;
  next = now - next > period ? now + period : next + period;
  return true;
}

}  // namespace

Ros::Setup Ros::setup_from(const machines::Setup& setup, const Times& times, Commander commander) {
  const machines::Options& options = setup.options;
  Setup ros;
  ros.node = options.text("node");
  if (auto good = ros2::check_node_name(ros.node); !good) throw std::invalid_argument(good.error().text);
  ros.name_space = options.text("namespace");
  if (auto good = ros2::full_namespace(ros.name_space); !good) throw std::invalid_argument(good.error().text);
  ros.hardware = fmt::format("{} at {}", setup.name, setup.device);
  ros.platform_frame = options.text("platform_frame");
  ros.tf = options.flag("tf");
  ros.orders.profile = options.text("profile") == "cdpr" ? Profile::cdpr : Profile::seed;
  if (commander == Commander::tensions && ros.orders.profile != Profile::cdpr)
    throw std::invalid_argument("control: tensions needs profile: cdpr, as cable_command is a topic of that one");
  ros.orders.commander = commander;
  ros.orders.stamped = options.text("desired_pose_type") == "PoseStamped";
  ros.orders.frame = options.text("frame");
  ros.orders.oldest_stamp = duration_of(options.number("stamp_timeout"));
  ros.orders.command_timeout = duration_of(options.number("command_timeout"));
  ros.orders.log_interval = duration_of(times.log);
  ros.publish_period = duration_of(1 / options.number("publish_hz"));
  ros.markers_period = duration_of(1 / options.number("markers_hz"));
  ros.stale_after = duration_of(times.feedback);
  return ros;
}

PoseTopic pose_topic_from(const Ros::Setup& setup) {
  const auto topic = ros2::full_topic_name(pose_topic(setup.orders.profile), setup.name_space, setup.node);
  if (!topic) throw std::invalid_argument(topic.error().text);
  return {*topic, setup.orders.profile == Profile::seed && setup.orders.stamped, setup.orders.frame};
}

Ros::Ros(ros2::Context& context, const Setup& setup, const cables::Robot& robot, Clock& clock,
         const Latest<State>& shared, Orders& orders)
    : node_(context, setup.node, setup.name_space, clock),
      clock_(clock),
      publish_period_(setup.publish_period),
      markers_period_(setup.markers_period),
      log_interval_(setup.orders.log_interval),
      states_publisher_(node_.advertise<ros2::sensor_msgs::JointState>("cable_states")),
      tensions_publisher_(node_.advertise<ros2::std_msgs::Float64MultiArray>("cable_tensions")),
      markers_publisher_(node_.advertise<ros2::visualization_msgs::MarkerArray>("cable_markers")),
      pose_publisher_(
          node_.advertise<PoseStamped>(setup.orders.profile == Profile::cdpr ? "pf_state" : "platform_pose")),
      set_point_publisher_(node_.advertise<PoseStamped>("platform_set_point")),
      markers_(robot, setup.orders.frame),
      orders_(node_, setup.orders, robot, orders),
      diagnostics_(
          node_, node_.clock(),
          [this, &shared, part = setup.node + ": robot", hardware = setup.hardware, stale_after = setup.stale_after] {
            State state = shared.get().value_or(State{});
            if (state.quality == Quality::live && clock_.now() - state.live_at > 2 * stale_after) {
              state.quality = Quality::stale;
              state.why = "the last sample is too old";
            }
            DiagnosticStatus status = diagnosis(state, part, hardware);
            status.values.push_back({"commands refused", fmt::format("{}", orders_.refused())});
            status.values.push_back({"last refusal", orders_.last_refusal()});
            return std::vector{status};
          }) {
  if (setup.tf) tf_.emplace(node_);
  states_.header.frame_id = pose_.header.frame_id = set_point_.header.frame_id = setup.orders.frame;
  transform_.header.frame_id = setup.orders.frame;
  transform_.child_frame_id = setup.platform_frame;
}

void Ros::publish(const State& state, Instant received) {
  const Instant now = clock_.now();
  log(state, now);
  const bool numbers = due(next_publish_, now, publish_period_), shapes = due(next_markers_, now, markers_period_);
  if (!numbers && !shapes) return;
  const Stamp stamp = ros2::message_from(node_.clock().utc() - (now - received));
  if (shapes) markers_publisher_.publish(markers_.update(state, stamp));
  if (!numbers) return;
  fill(states_, state, stamp);
  states_publisher_.publish(states_);
  fill(tensions_, state.tensions, state.cables);
  tensions_publisher_.publish(tensions_);
  fill(set_point_, state.set_point, stamp);
  set_point_publisher_.publish(set_point_);
  if (!state.pose_known) return;
  fill(pose_, state.pose, stamp);
  pose_publisher_.publish(pose_);
  fill(transform_, state.pose, stamp);
  if (tf_) tf_->send(transform_);
}

void Ros::log(const State& state, Instant now) {
  if (state.refused != told_refused_ && now >= next_refusal_) {
    told_refused_ = state.refused;
    next_refusal_ = now + between_refusals;
    node_.log(ros2::LogLevel::warn, state.refusal.view());
  }
  if (state.stopped.view() != told_stop_) {
    told_stop_ = state.stopped.view();
    const bool broken = state.finding > Finding::slack;
    node_.log(broken ? ros2::LogLevel::error : ros2::LogLevel::info,
              fmt::format("{}: {}", name(state.activity), told_stop_));
  }
  if (!state.enabled || now < next_log_) return;
  next_log_ = now + log_interval_;
  const PoseNumbers& p = state.pose;
  node_.log(
      ros2::LogLevel::info,
      fmt::format(
          "{} ({}): at {:.3f} {:.3f} {:.3f} m, {:.2f} mm from the set point{}", name(state.activity),
          state.input.view(), p[0], p[1], p[2], 1e3 * state.tracking_error,
          state.margin_cable < 0 ? "" : fmt::format(", margin {:.1f} N of cable{}", state.margin, state.margin_cable)));
}

}  // namespace tandem::cable_robot
