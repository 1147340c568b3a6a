// SPDX-License-Identifier: Apache-2.0
// The services that users of ur_robot_driver know: the dashboard, inputs and outputs, payload, speed slider.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "tandem/base/latest.hpp"
#include "tandem/machines/kit/ros/refusals.hpp"
#include "tandem/machines/ur3e/goals.hpp"
#include "tandem/protocols/ur/dashboard/dashboard.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/ur_msgs.hpp"

namespace tandem::ur3e {

class Peripherals;

// What our program is sent for the request; the error says what is wrong with it.
Result<script::Write> write_from(const ros2::ur_msgs::SetIO::Request& request);
Result<script::Write> write_from(const ros2::ur_msgs::SetPayload::Request& request);

class RosServices {
 public:
  RosServices(ros2::FullNode& node, const Latest<State>& state, Commands& commands, machines::Refusals& refusals);

  // Whom to ask from now on.
  void side(Peripherals& side) { side_ = &side; }

 private:
  template <typename S>
  void serve(std::string_view name, std::function<void(const typename S::Request&, const ros2::Reply<S>&)> handler);
  void serve_dashboard();
  void serve_io();
  void trigger(const std::string& name, ur::dashboard::Verb verb);
  // One of the dashboard's questions: `read` takes what is asked for out of the answer.
  template <typename S>
  void question(std::string_view name, ur::dashboard::Verb verb,
                std::function<void(const std::string& answer, typename S::Response&)> read);
  void ask(ur::dashboard::Command command, std::function<void(Result<std::string>)> answer);
  void tell_program(const Result<script::Write>& write, std::function<void(Result<void>)> finished);
  bool armed() const;

  ros2::FullNode& node_;
  const Latest<State>& state_;
  Commands& commands_;
  machines::Refusals& refusals_;
  std::atomic<Peripherals*> side_{nullptr};
  std::vector<std::unique_ptr<ros2::AnyService>> services_;  // last: their handlers use the above
};

}  // namespace tandem::ur3e
