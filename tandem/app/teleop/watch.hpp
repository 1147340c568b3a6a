// SPDX-License-Identifier: Apache-2.0
// Looks at the machine that is driven by keys, and asks it to stop, on a thread of its own: keys never wait for it.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/runtime/supervision/status.hpp"

namespace tandem::app {

class TeleopWatch {
 public:
  struct Machine {
    std::string name;    // in the configuration; empty when there is none
    std::string arm;     // disarmed, armed, stopped; empty: not known
    std::string cause;   // why it is so, or why nothing is known
    std::string node{};  // on ROS; empty: not known
    friend bool operator==(const Machine&, const Machine&) = default;
  };
  // The other way to a machine whose control socket is not on this computer; answers in words.
  using Stop = std::function<Result<std::string>()>;

  // `name` may be empty: then the only machine of that type is meant.
  TeleopWatch(std::string control, std::string type, std::string name, Stop stop_elsewhere);

  // Returns at once.
  void ask_for_stop();
  std::optional<Machine> machine() const;  // nothing before the first look
  // What came of asking for a stop, in words.
  std::vector<std::string> take_answers();

 private:
  void run(const std::stop_token& stop);
  void look();
  void stop_machine();

  const std::string control_, type_, name_;
  const Stop stop_elsewhere_;
  mutable std::mutex mutex_;
  std::condition_variable_any wakes_;
  bool stop_wanted_ = false;  // guarded, as are all of these
  std::optional<Machine> machine_;
  std::vector<std::string> answers_;
  std::jthread thread_;  // last: it uses the above
};

// Which machine of the status is meant, or why none is.
TeleopWatch::Machine find_driven(const runtime::SystemStatus& status, const std::string& type, const std::string& name);
// Whether it will obey, and what to do where it will not: it is never armed from here.
std::string advice(const TeleopWatch::Machine& machine);

}  // namespace tandem::app
