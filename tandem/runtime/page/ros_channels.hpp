// SPDX-License-Identifier: Apache-2.0
// The ROS side of the page: every topic, service and parameter that ROS has here, offered to viewers, and what viewers
// publish, call and set, done on ROS. A tap of the context whose samples it shows.
//
//   RosChannels channels;
//   options.tap = &channels;            // or one of several, through a SampleFan
//   ros2::Context context(options);
//   channels.fill(world);               // beside what is there already
//   web::Hub hub(world);
//   channels.attach(hub, context);
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tandem/ros2/sample_tap.hpp"
#include "tandem/web/hub/hub.hpp"

namespace tandem::ros2 {
class Context;
}

namespace tandem::runtime {

struct RosChannelsOptions {
  std::size_t ring_bytes = 16u << 20;
  Duration look = 500ms;            // the graph is looked at so often
  Duration linger = 5s;             // what no subscriber to any more stays subscribed for this long
  std::string node = "tandem_web";  // publishes and calls for viewers
  // Told before a publisher is opened for a viewer, and with an empty topic once it is.
  std::function<void(std::string_view topic)> viewer_publishes = {};
};

// Outlives the context and the server's run. Everything is of the server's thread but the three functions of the tap.
class RosChannels final : public ros2::SampleTap {
 public:
  explicit RosChannels(RosChannelsOptions options = {});
  ~RosChannels() override;  // and detaches

  std::uint32_t opened(const ros2::TappedTopic& topic) override;
  void closed(std::uint32_t handle) override;
  void passed(std::uint32_t handle, Bytes cdr, UtcTime stamp) noexcept override;

  // Puts its functions into the world. What is there already is asked for all that is not ours: other channels, other
  // services, other parameters; its tick runs first.
  void fill(web::World& world);

  // Before the server runs. Throws what ros2::Node throws.
  void attach(web::Hub& hub, ros2::Context& context);
  void detach();  // when the server has ended, before the hub does

  void tick();                    // fill() has put it into the world's
  std::uint64_t dropped() const;  // samples that found no place; any thread

 private:
  struct Attached;

  void look();
  void publish(const std::string& topic, Bytes cdr, UtcTime stamp);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tandem::runtime
