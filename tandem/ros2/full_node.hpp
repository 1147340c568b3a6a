// SPDX-License-Identifier: Apache-2.0
// A node as ROS users expect every node to be: with parameters, a voice on /rosout, descriptions of its types, and
// simulated time when the parameter use_sim_time says so.
#pragma once

#include <functional>
#include <string_view>

#include "tandem/ros2/messages/type_description_interfaces.hpp"
#include "tandem/ros2/parameters/parameters.hpp"
#include "tandem/ros2/sim_clock.hpp"

namespace tandem::ros2 {

enum class LogLevel : std::uint8_t { debug = 10, info = 20, warn = 30, error = 40, fatal = 50 };

class FullNode : public Node {
 public:
  FullNode(Context& context, std::string_view name, std::string_view name_space = "/", Clock& clock = system_clock());

  // Monotonic time of the clock it was given, stamps in ROS time.
  SimClock& clock() { return clock_; }
  const SimClock& clock() const { return clock_; }
  Parameters& parameters() { return parameters_; }

  // Called when ROS time jumps; see SimClockOptions.
  void on_time_jump(std::function<void(Duration)> callback);
  // A line on /rosout. From any thread.
  void log(LogLevel level, std::string_view text) const;

 private:
  std::mutex jump_mutex_;
  std::function<void(Duration)> on_jump_;  // guarded
  SimClock clock_;
  Parameters parameters_;
  Publisher<rcl_interfaces::Log> rosout_;
  Service<type_description_interfaces::GetTypeDescription> descriptions_;
};

// What ~/get_type_description answers.
type_description_interfaces::GetTypeDescription::Response describe_type(
    const type_description_interfaces::GetTypeDescription::Request& request);

}  // namespace tandem::ros2
