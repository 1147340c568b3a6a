// SPDX-License-Identifier: Apache-2.0
// tf echo, tree, monitor.
#include <fmt/format.h>
#include <unistd.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "tandem/app/commands/option_checks.hpp"
#include "tandem/app/ros/commands.hpp"
#include "tandem/ros2/tf/listener.hpp"
#include "tandem/ros2/tf/tree.hpp"

namespace tandem::app::ros {
namespace {

struct TfOptions {
  std::string target, source;
  double rate = 1;  // Hz
  bool once = false;
  std::optional<double> for_seconds;
};

// Without the sign of what is printed as zero.
double tidy(double value) { return std::abs(value) < 0.0005 ? 0.0 : value; }

std::string transform_text(const ros2::geometry_msgs::TransformStamped& stamped) {
  const auto& p = stamped.transform.translation;
  const auto& q = stamped.transform.rotation;
  const Eigen::Matrix3d R = Eigen::Quaterniond(q.w, q.x, q.y, q.z).normalized().toRotationMatrix();
  const double pitch = std::atan2(-R(2, 0), std::hypot(R(2, 1), R(2, 2)));
  const double roll = std::atan2(R(2, 1), R(2, 2)), yaw = std::atan2(R(1, 0), R(0, 0));
  constexpr double degrees = 180 / std::numbers::pi;
  std::string out = fmt::format(
      "At time {}.{:09}\n- Translation: [{:.3f}, {:.3f}, {:.3f}]\n"
      "- Rotation: in Quaternion (xyzw) [{:.3f}, {:.3f}, {:.3f}, {:.3f}]\n"
      "- Rotation: in RPY (radian) [{:.3f}, {:.3f}, {:.3f}]\n- Rotation: in RPY (degree) [{:.3f}, {:.3f}, {:.3f}]\n"
      "- Matrix:\n",
      stamped.header.stamp.sec, stamped.header.stamp.nanosec, tidy(p.x), tidy(p.y), tidy(p.z), tidy(q.x), tidy(q.y),
      tidy(q.z), tidy(q.w), tidy(roll), tidy(pitch), tidy(yaw), tidy(roll * degrees), tidy(pitch * degrees),
      tidy(yaw * degrees));
  const double position[] = {p.x, p.y, p.z};
  for (int row = 0; row < 3; ++row) {
    out += fmt::format(" {:6.3f} {:6.3f} {:6.3f} {:6.3f}\n", tidy(R(row, 0)), tidy(R(row, 1)), tidy(R(row, 2)),
                       tidy(position[row]));
  }
  return out + fmt::format(" {:6.3f} {:6.3f} {:6.3f} {:6.3f}\n", 0.0, 0.0, 0.0, 1.0);
}

// True while the command goes on.
bool goes_on(Session& session, const TfOptions& options, Instant start, Duration wait) {
  const bool late = options.for_seconds && system_clock().now() >= start + duration_of(*options.for_seconds);
  return !late && !session.wait(wait);
}

int echo(Session& session, const TfOptions& options) {
  ros2::TfBuffer buffer;
  const ros2::TfListener listener(session.node(), buffer);
  const Instant start = system_clock().now();
  Instant next = start, remarked = start;
  bool seen = false;
  while (goes_on(session, options, start, 10ms)) {
    const Instant now = system_clock().now();
    if (now < next) continue;
    const auto found = buffer.lookup(options.target, options.source);
    if (found) {
      session.print(transform_text(*found));
      if (options.once) return success;
      seen = true;
      next = now + duration_of(1 / options.rate);
    } else if (now > remarked + 2s) {
      session.remark(found.error().text);
      remarked = now;
    }
  }
  if (seen || session.interrupted()) return success;
  const auto found = buffer.lookup(options.target, options.source);
  return found ? success : fail(found.error().text);
}

std::string tree_text(Session& session, const ros2::TfBuffer& buffer) {
  return to_text(tf_tree(buffer, system_clock().now(), session.context().graph()));
}

int tree(Session& session, const TfOptions& options) {
  ros2::TfBuffer buffer;
  const ros2::TfListener listener(session.node(), buffer);
  session.wait(duration_of(options.for_seconds.value_or(2)));
  const std::string text = tree_text(session, buffer);
  if (text.empty()) return session.over() ? success : fail("no frames received on /tf or /tf_static");
  session.print(text);
  return success;
}

int monitor(Session& session, const TfOptions& options) {
  ros2::TfBuffer buffer;
  const ros2::TfListener listener(session.node(), buffer);
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  const Instant start = system_clock().now();
  while (goes_on(session, options, start, 1s)) {
    const std::string text = tree_text(session, buffer);
    if (text.empty()) continue;
    session.print(terminal ? "\x1b[H\x1b[2J" + text : text + "---\n");
  }
  return success;
}

}  // namespace

void add_tf_commands(Commands& commands) {
  const auto options = std::make_shared<TfOptions>();
  CLI::App* tf = commands.group("tf", "echo, tree, monitor");
  const auto for_option = [&](CLI::App* command, const char* help) {
    command->add_option("--for", options->for_seconds, help)->type_name("SECONDS")->check(seconds_check());
  };
  CLI::App* command =
      commands.add(tf, "echo", "print the transform of the source frame in the target frame",
                   "  tandem ros tf echo map base_link\n  tandem ros tf echo stewart_base stewart_top -r 10\n",
                   [options](Session& session) { return echo(session, *options); });
  command->add_option("TARGET", options->target, "target frame")->required();
  command->add_option("SOURCE", options->source, "source frame")->required();
  command->add_option("-r,--rate", options->rate, "rate (Hz)")
      ->check(number_check(0.001, 1000.0))
      ->capture_default_str();
  command->add_flag("--once", options->once, "exit after the first transform");
  for_option(command, "exit after SECONDS");

  command = commands.add(tf, "tree", "print all frames and their problems", "  tandem ros tf tree\n",
                         [options](Session& session) { return tree(session, *options); });
  for_option(command, "time to listen (s); default: 2");

  command =
      commands.add(tf, "monitor", "print rate and delay of every frame, once per second", "  tandem ros tf monitor\n",
                   [options](Session& session) { return monitor(session, *options); });
  for_option(command, "exit after SECONDS");
}

}  // namespace tandem::app::ros
