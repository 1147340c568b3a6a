#include "tandem/machines/raptorlift/ros.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "tandem/machines/raptorlift/urdf.hpp"
#include "tandem/machines/ros_names.hpp"
#include "tandem/ros2/conversions.hpp"
#include "tandem/ros2/names.hpp"

namespace tandem::raptorlift {
namespace {

using ros2::diagnostic_msgs::DiagnosticStatus;

constexpr const char* controller_node = "ackermann_steering_controller";
constexpr const char* bridge_node = "hardware_bridge";  // as the original calls it

}  // namespace

Ros::Setup Ros::setup_from(const machines::Setup& setup, const Description& description, const Times& times,
                           Commander commander) {
  const machines::Options& options = setup.options;
  Setup ros;
  ros.node = node_name_from(options);
  if (auto good = ros2::check_node_name(ros.node); !good) throw std::invalid_argument(good.error().text);
  ros.name_space = options.text("namespace");
  if (auto good = ros2::full_namespace(ros.name_space); !good) throw std::invalid_argument(good.error().text);
  ros.hardware = fmt::format("{} at {}", setup.name, setup.device);
  const std::string prefix = machines::tf_prefix_from(options);
  ros.odom_frame = prefix + options.text("odom_frame");
  ros.base_frame = prefix + options.text("base_frame");
  ros.tf = options.flag("tf");
  ros.links = options.flag("links");
  ros.footprint = has_footprint(options.text("base_frame"));
  ros.orders.prefix = prefix;
  ros.orders.description = description;
  ros.orders.commander = commander;
  ros.orders.units.per_radian = options.text("joint_velocity") == "m_per_s" ? description.geometry.wheel_radius : 1.0;
  ros.orders.cmd_vel_stamped = options.flag("cmd_vel_stamped");
  ros.orders.reference_timeout = duration_of(times.reference);
  ros.orders.command_timeout = duration_of(times.command);
  ros.stale_after = duration_of(times.feedback);
  ros.log_interval = duration_of(times.log);
  return ros;
}

Commander commander_from(const machines::Options& options) {
  return options.text("control") == "internal" ? Commander::internal : Commander::joint_commands;
}

std::string node_name_from(const machines::Options& options) {
  const std::string& name = options.text("node");
  return commander_from(options) == Commander::joint_commands && name == controller_node ? bridge_node : name;
}

bool has_footprint(std::string_view base_frame) { return base_frame != "base_link"; }

JogTopic jog_topic_from(const Ros::Setup& setup) {
  const auto topic = ros2::full_topic_name(source(VelocityInput::cmd_vel).topic, setup.name_space, setup.node);
  if (!topic) throw std::invalid_argument(topic.error().text);
  return {*topic, setup.orders.cmd_vel_stamped};
}

Ros::Controller::Controller(ros2::FullNode& node, const Setup& setup)
    : joints_publisher(node.advertise<ros2::sensor_msgs::JointState>("joint_states")),
      odometry_publisher(node.advertise<ros2::nav_msgs::Odometry>("~/odometry")),
      odom_publisher(node.advertise<ros2::nav_msgs::Odometry>("odom")),
      tf_odometry_publisher(node.advertise<ros2::tf2_msgs::TFMessage>("~/tf_odometry")),
      status_publisher(node.advertise<ros2::control_msgs::SteeringControllerStatus>("~/controller_state")) {
  if (setup.tf) tf.emplace(node);
  if (setup.links) {
    links = links_at_rest(setup.orders.description, setup.orders.prefix);
    links.base.header.stamp = ros2::message_from(node.clock().utc());
    links_tf.emplace(node);
    static_tf.emplace(node);
    if (setup.footprint) static_tf->send(links.base);
  }
  odometry.header.frame_id = setup.odom_frame;
  odometry.child_frame_id = setup.base_frame;
  transforms.transforms.resize(1);
  transforms.transforms[0].header.frame_id = setup.odom_frame;
  transforms.transforms[0].child_frame_id = setup.base_frame;
}

void Ros::Controller::publish(const State& state, const Stamp& stamp) {
  fill(odometry, state, stamp);
  odometry_publisher.publish(odometry);
  odom_publisher.publish(odometry);
  fill(transforms.transforms[0], state, stamp);
  tf_odometry_publisher.publish(transforms);
  if (tf) tf->send(transforms.transforms[0]);
  if (links_tf) {
    fill(links, state, stamp);
    links_tf->send(links.wheels);
  }
  fill(status, state, stamp);
  status_publisher.publish(status);
}

Ros::Ros(ros2::Context& context, const Setup& setup, Clock& clock, const Latest<State>& shared, Orders& orders)
    : node_(context, setup.node, setup.name_space, clock),
      clock_(clock),
      units_(setup.orders.units),
      log_interval_(setup.log_interval),
      joints_publisher_(node_.advertise<ros2::sensor_msgs::JointState>("raptorlift/joint_states")),
      description_publisher_(node_.advertise<ros2::std_msgs::String>("robot_description", ros2::Qos::latched())),
      orders_(node_, setup.orders, orders),
      diagnostics_(
          node_, node_.clock(),
          [this, &shared, part = setup.node + ": truck", hardware = setup.hardware, stale_after = setup.stale_after] {
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
  if (setup.orders.commander == Commander::internal) controller_.emplace(node_, setup);
  ros2::std_msgs::String text;
  text.data = urdf(setup.orders.description, {}, setup.orders.prefix);
  description_publisher_.publish(text);
  for (const std::string_view joint : joint_names) joints_.name.push_back(setup.orders.prefix + std::string(joint));
}

void Ros::publish(const State& state, Instant received) {
  const Instant now = clock_.now();
  const Stamp stamp = ros2::message_from(node_.clock().utc() - (now - received));
  fill(joints_, state, stamp, units_);
  joints_publisher_.publish(joints_);
  if (controller_) {
    controller_->joints_publisher.publish(joints_);
    controller_->publish(state, stamp);
  }
  if (state.activity != Activity::idle) log(state, now);
}

void Ros::log(const State& state, Instant now) {
  if (now < next_log_) return;
  next_log_ = now + log_interval_;
  node_.log(ros2::LogLevel::info,
            fmt::format("{} ({}): wheels {:.3f} {:.3f} rad/s, wanted {:.3f} {:.3f}; steering {:.3f} {:.3f} rad, wanted "
                        "{:.3f} {:.3f}; torques {:.1f} {:.1f} {:.1f} {:.1f} N m",
                        name(state.activity), state.input.view(), state.measured.front_right, state.measured.front_left,
                        state.targets.front_right, state.targets.front_left, state.measured.rear_right,
                        state.measured.rear_left, state.targets.rear_right, state.targets.rear_left, state.torques[0],
                        state.torques[1], state.torques[2], state.torques[3]));
}

}  // namespace tandem::raptorlift
