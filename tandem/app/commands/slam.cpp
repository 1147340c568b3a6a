// SPDX-License-Identifier: Apache-2.0
// slam: a camera followed by its images.
#include <fmt/format.h>

#include <cstdio>
#include <thread>

#include "tandem/app/commands.hpp"
#include "tandem/app/ros/session.hpp"
#include "tandem/machines/orca/companion/slam_node.hpp"

namespace tandem::app {
namespace {

constexpr Duration slam_look_every = 200ms;

// A line when something changes: what it waits for, what it tracks, why images are refused.
class SlamReport {
 public:
  SlamReport(ros::Session& session, const orca::SlamNode& slam, std::string image)
      : session_(session), slam_(slam), image_(std::move(image)) {}

  void tell() {
    const orca::SlamCounts counts = slam_.counts();
    if (counts.images == 0)
      say(fmt::format("waiting for images on {}", image_), state_);
    else if (counts.state == vision::TrackingState::not_ready)
      say("waiting for camera_info", state_);
    else
      say(fmt::format("map {}: {}", counts.map, vision::name(counts.state)), state_);
    if (const std::string trouble = slam_.trouble(); !trouble.empty()) say("refused: " + trouble, trouble_);
  }
  void farewell() {
    const orca::SlamCounts counts = slam_.counts();
    session_.print(fmt::format("{} images, {} dropped, {} refused\n", counts.images, counts.dropped, counts.refused));
  }

 private:
  void say(const std::string& text, std::string& before) {
    if (text == before) return;
    before = text;
    session_.print(text + "\n");
  }

  ros::Session& session_;
  const orca::SlamNode& slam_;
  std::string image_, state_, trouble_;
};

}  // namespace

int slam(const SlamArguments& arguments) {
  try {
    ros::Session session({arguments.domain, std::nullopt});
    orca::SlamOptions options;
    options.name_space = arguments.name_space;
    options.image_topic = arguments.image;
    options.info_topic = arguments.info;
    orca::SlamNode node(session.context(), options);
    const Instant end = arguments.for_seconds ? now() + duration_of(*arguments.for_seconds) : Instant::max();
    std::jthread looking([&node](std::stop_token stop) { node.run(std::move(stop)); });
    SlamReport report(session, node, arguments.image);
    while (!session.over() && now() < end) {
      report.tell();
      session.tell_events();
      session.wait(slam_look_every);
    }
    looking.request_stop();
    looking.join();
    report.farewell();
    return success;
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

}  // namespace tandem::app
