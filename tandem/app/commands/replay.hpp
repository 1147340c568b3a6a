// SPDX-License-Identifier: Apache-2.0
// `tandem replay`: a recording again, as ROS topics and on the page, or as the device.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tandem/app/commands.hpp"

namespace CLI {
class App;
}

namespace tandem::app {

struct ReplayArguments {
  std::string file;
  std::string as = "ros";  // "ros": topics and page; "page": only that; "device"
  std::string machine;     // empty: the only one
  std::string listen = "127.0.0.1";
  std::optional<int> port;  // none: the recorded ones; 0: free ones
  double speed = 1;
  bool fast = false, loop = false, hold = false, clock = false;
  bool all_topics = false;        // ros: also what others published
  std::vector<std::string> also;  // of that only these topics
  std::string web;                // address, "off", or empty: the usual one
  bool plain = false;             // the page beyond loopback without TLS
  std::optional<double> for_seconds;
};
int replay(const ReplayArguments& arguments, const runtime::Registry& registry);

// Adds the command to the program. The answer is the command, and what runs it.
std::pair<CLI::App*, std::function<int()>> add_replay(CLI::App& program, const runtime::Registry& registry);

}  // namespace tandem::app
