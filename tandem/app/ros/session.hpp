// SPDX-License-Identifier: Apache-2.0
// One run of `tandem ros`: on DDS until it is done, or interrupted, or no one reads what it prints.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/app/commands.hpp"
#include "tandem/app/terminal/signals.hpp"
#include "tandem/ros2/node.hpp"

namespace tandem::app::ros {

struct SessionOptions {
  std::optional<int> domain;        // none: as the environment says
  std::optional<double> spin_time;  // s, to wait for discovery; none: until nothing new shows
};

class Session {
 public:
  // Throws std::runtime_error when the environment makes no sense or DDS does not start.
  explicit Session(const SessionOptions& options);

  ros2::Context& context() { return *context_; }
  // Made when it is first asked for; hidden, as those of ros2 are.
  ros2::Node& node();

  // The graph, once discovery has settled.
  ros2::Graph discover();

  // True when it is time to end: a signal came, or standard output is closed.
  bool wait(Duration time);
  bool over() const { return interrupted_ || closed_; }
  bool interrupted() const { return interrupted_; }

  // To standard output, at once.
  void print(std::string_view text);
  // To standard error, a line.
  void remark(std::string_view text) const;
  // What DDS has to say since the last call (QoS that does not match), as remarks.
  void tell_events();

 private:
  Signals signals_;  // before the threads of DDS
  SessionOptions options_;
  Instant started_;
  std::unique_ptr<ros2::Context> context_;
  std::optional<ros2::Node> node_;
  bool interrupted_ = false;
  bool closed_ = false;
};

// "chatter" and "/chatter" are the same here. Throws std::invalid_argument for what is no name.
std::string full_name(std::string_view name);

}  // namespace tandem::app::ros
