// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <thread>

#include "tandem/base/latest.hpp"
#include "tandem/machines/em1500/description.hpp"
#include "tandem/machines/em1500/twin/twin.hpp"
#include "tandem/ros2/messages/diagnostic_msgs.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/node.hpp"
#include "tests/ros2/loopback.hpp"

using namespace tandem;
using namespace tandem::em1500;
using ros2::eventually;
using ros2::sensor_msgs::JointState;
using ros2::std_msgs::Float64MultiArray;

namespace {

machines::Options twin_settings() {
  machines::Options options;
  options.put("node", std::string("ads_em1500_node"));
  options.put("namespace", std::string("/"));
  options.put("tf_prefix", std::string());
  options.put("profile", std::string("original"));
  options.put("rotation_order", std::string("zyx"));
  options.put("signs", std::vector<double>{});
  options.put("offsets", std::vector<double>{});
  options.put("payload", 900.0);
  options.put("residual_alarm", 0.01);
  options.put("residual_time", 0.3);
  options.put("silence_alarm", 1.0);
  return options;
}

// A publisher of legs, the twin in its thread, and what the twin says.
struct Stage {
  Stage()
      : context(ros2::loopback_options()),
        node(context, "stage"),
        legs(node.advertise<Float64MultiArray>("/stewart/legs_em1500")),
        residual(node.subscribe<Float64MultiArray>("/stewart/twin/residual", ros2::Qos::standard(),
                                                   [this](const Float64MultiArray& message, const ros2::MessageInfo&) {
                                                     residual_size = message.data.size();
                                                     ++residuals;
                                                   })),
        joints(node.subscribe<JointState>(
            "/stewart/twin/joint_states", ros2::Qos::standard(),
            [this](const JointState& message, const ros2::MessageInfo&) { first_length = message.position.at(0); })),
        health(node.subscribe<ros2::diagnostic_msgs::DiagnosticArray>(
            "/diagnostics", ros2::Qos::standard(),
            [this](const ros2::diagnostic_msgs::DiagnosticArray& message, const ros2::MessageInfo&) {
              const auto& status = message.status.at(0);
              if (status.name == "ads_em1500_node: twin" && status.level == status.WARN) ++warnings;
            })),
        twin(make_twin(
            {.name = "platform", .device = "", .options = twin_settings(), .ros = &context, .clock = &system_clock()})),
        thread([this](std::stop_token stop) { twin->run(stop); }) {
    REQUIRE(eventually([this] { return legs.matched() == 1 && residual.matched() == 1 && joints.matched() == 1; }));
  }

  machines::Value value(std::string_view name) const {
    for (const auto& each : twin->values())
      if (each.name == name) return each;
    return {};
  }
  double number(std::string_view name) const {
    const auto found = value(name);
    return found.numbers.empty() ? -1 : found.numbers[0];
  }

  void send(double amplitude, double at, double wrong = 0) {
    Float64MultiArray message;
    message.data.assign(6, amplitude * std::sin(2 * M_PI * 0.5 * at));
    message.data[3] += wrong;
    legs.publish(message);
  }

  // A hundred times a second for so long, as the bridge does.
  void play(double length, double wrong = 0) {
    Instant next = system_clock().now();
    for (const double end = time + length; time < end; time += 0.01) {
      send(0.03, time, wrong);
      next += 10ms;
      system_clock().sleep_until(next);
    }
  }

  ros2::Context context;
  ros2::Node node;
  std::atomic<int> residuals{0};
  std::atomic<int> warnings{0};
  std::atomic<std::size_t> residual_size{0};
  std::atomic<double> first_length{0};
  double time = 0;
  ros2::Publisher<Float64MultiArray> legs;
  ros2::Subscription residual;
  ros2::Subscription joints;
  ros2::Subscription health;
  std::unique_ptr<machines::Twin> twin;
  std::jthread thread;
};

}  // namespace

TEST_CASE("the twin follows the topic and says so on its own topics") {
  Stage stage;
  stage.play(1.5);
  CHECK(eventually([&] { return stage.residuals > 50; }));
  CHECK(stage.residual_size == 6);
  CHECK(stage.number("samples") > 50);
  CHECK(stage.number("worst residual") < 0.005);
  CHECK(stage.value("alarm").text == "none");
  CHECK(std::abs(stage.first_length - neutral_length) < 0.04);
}

TEST_CASE("D9 messages that are not six finite numbers are counted and not followed") {
  Stage stage;
  stage.send(0, 0);
  REQUIRE(eventually([&] { return stage.number("samples") == 1; }));
  Float64MultiArray message;
  stage.legs.publish(message);
  message.data.assign(5, 0.1);
  stage.legs.publish(message);
  message.data.assign(7, 0.1);
  stage.legs.publish(message);
  message.data.assign(6, 0.1);
  message.data[5] = std::nan("");
  stage.legs.publish(message);
  message.data[5] = std::numeric_limits<double>::infinity();
  stage.legs.publish(message);
  CHECK(eventually([&] { return stage.number("rejected") == 5; }));
  CHECK(stage.number("samples") == 1);
}

TEST_CASE("a tampered topic and a silent one raise the alarm with their cause") {
  Stage stage;
  stage.play(0.5);
  stage.play(1.5, 0.5);  // leg 4 half a metre off: beyond its stroke
  CHECK(eventually([&] { return stage.value("alarm").text.find("leg 4") != std::string::npos; }));
  stage.play(3.0);
  CHECK(eventually([&] {
    stage.play(0.05);
    return stage.value("alarm").text == "none";
  }));
  CHECK(eventually([&] { return stage.value("alarm").text.find("no leg lengths published") != std::string::npos; }));
  CHECK(eventually([&] { return stage.warnings > 0; }));
}

TEST_CASE("there is no twin without ROS") {
  CHECK_THROWS_AS(make_twin({.name = "platform", .device = "", .options = twin_settings(), .clock = &system_clock()}),
                  std::invalid_argument);
}
