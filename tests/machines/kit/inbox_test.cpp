// SPDX-License-Identifier: Apache-2.0
// Commands from ROS on loopback: which are taken, which are refused and how that is counted and said.
#include "tandem/machines/kit/ros/inbox.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tandem/base/latest.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::machines {
namespace {

using ros2::eventually;
using ros2::geometry_msgs::TwistStamped;

TwistStamped driving(double speed, UtcTime stamp) {
  TwistStamped twist;
  twist.header.stamp = ros2::message_from(stamp);
  twist.twist.linear.x = speed;
  return twist;
}

struct Rig {
  explicit Rig(const ros2::CommandRules& rules, const std::string& closed = "") {
    lines.heard_by([this](bool, std::string_view text) {
      const std::lock_guard lock(mutex);
      said.emplace_back(text);
    });
    inbox.hear<TwistStamped>(
        "cmd_vel", rules,
        [this](const TwistStamped& message, Instant) -> Result<void> {
          if (!std::isfinite(message.twist.linear.x)) return Error{Fault::invalid, "linear.x is not finite"};
          commands.post(message.twist.linear.x);
          return {};
        },
        closed);
  }
  // Sends until `done`.
  template <typename Done>
  bool send(const ros2::Publisher<TwistStamped>& publisher, double speed, Duration age, Done done) {
    return eventually([&] {
      publisher.publish(driving(speed, system_clock().utc() - age));
      return done();
    });
  }
  std::size_t lines_said() {
    const std::lock_guard lock(mutex);
    return said.size();
  }

  const ros2::ContextOptions options = ros2::loopback_options();
  ros2::Context here{options}, there{options};
  ros2::FullNode node{here, "lift"};
  ros2::Node teleop{there, "teleop"};
  Lines lines;
  std::mutex mutex;
  std::vector<std::string> said;  // guarded
  Mailbox<double> commands;
  Refusals refusals{node, lines, 60s};
  Inbox inbox{node, refusals};
};

}  // namespace

TEST_CASE("D10 a command with an old stamp is refused and the last good one stays") {
  Rig rig({.longest_silence = 60s});
  const auto publisher = rig.teleop.advertise<TwistStamped>("cmd_vel");
  std::optional<double> taken;
  REQUIRE(rig.send(publisher, 0.5, 0s, [&] { return (taken = rig.commands.take()).has_value(); }));
  CHECK(*taken == 0.5);
  CHECK(rig.refusals.last().empty());
  CHECK(rig.send(publisher, 9.0, 1h, [&] { return rig.refusals.count() > 0; }));
  CHECK(rig.refusals.last().starts_with("cmd_vel: refused: its stamp is 3600."));
  while (const auto late = rig.commands.take()) CHECK(*late == 0.5);
}

TEST_CASE("a command that the machine cannot carry out is refused by its field") {
  Rig rig({.longest_silence = 60s});
  const auto publisher = rig.teleop.advertise<TwistStamped>("cmd_vel");
  CHECK(rig.send(publisher, std::nan(""), 0s, [&] { return rig.refusals.count() > 0; }));
  CHECK(rig.refusals.last() == "cmd_vel: refused: linear.x is not finite");
  CHECK_FALSE(rig.commands.take().has_value());
  rig.refusals.forget_last();
  CHECK(rig.refusals.last().empty());
  CHECK(rig.refusals.count() > 0);
}

TEST_CASE("every refusal counts and one line is logged in the interval") {
  Rig rig({.longest_silence = 60s}, "another controller drives");
  const auto publisher = rig.teleop.advertise<TwistStamped>("cmd_vel");
  CHECK(rig.send(publisher, 0.5, 0s, [&] { return rig.refusals.count() >= 5; }));
  CHECK(rig.refusals.last() == "cmd_vel: refused: another controller drives");
  CHECK(rig.lines_said() == 1);
  CHECK_FALSE(rig.commands.take().has_value());
}

TEST_CASE("D23 a publisher that falls silent no longer commands and another one does") {
  Rig rig({.longest_silence = 500ms});
  const auto first = rig.teleop.advertise<TwistStamped>("cmd_vel");
  REQUIRE(rig.send(first, 0.5, 0s, [&] { return rig.commands.take().has_value(); }));
  const auto second = rig.teleop.advertise<TwistStamped>("cmd_vel");
  CHECK(eventually([&] {
    first.publish(driving(0.5, system_clock().utc()));
    second.publish(driving(0.7, system_clock().utc()));
    return rig.inbox.ignored() > 0;
  }));
  while (const auto owners = rig.commands.take()) CHECK(*owners == 0.5);
  CHECK(rig.send(second, 0.7, 0s, [&] { return rig.commands.take() == 0.7; }));
  CHECK(rig.refusals.count() == 0);
}

}  // namespace tandem::machines
