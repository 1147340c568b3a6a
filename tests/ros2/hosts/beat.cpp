// SPDX-License-Identifier: Apache-2.0
// One host of the test of several: beat NAME RANGE DOMAIN [PEER...]. With the range "server", as super client of
// discovery servers, or "client": their addresses, which have the ids 0, 1, ... if they do not begin with "ID@".
// Publishes its name 20 times a second, and prints
// every 100 ms whom it hears: "NAME COUNT AGE LONGEST_GAP" each, ms; "NAME!" is what it said once, latched. "reset" on
// its input forgets the gaps; it ends with its input.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/node.hpp"

namespace {

using namespace tandem;

struct Heard {
  int count = 0;
  Instant last{};
  Duration longest{};
};

class Ears {
 public:
  void hear(const std::string& name, Instant now) {
    const std::lock_guard lock(mutex_);
    Heard& heard = all_[name];
    if (heard.count++ > 0) heard.longest = std::max(heard.longest, now - heard.last);
    heard.last = now;
  }
  void reset() {
    const std::lock_guard lock(mutex_);
    for (auto& [name, heard] : all_) heard.longest = {};
  }
  std::string text(Instant now) {
    const std::lock_guard lock(mutex_);
    std::string text;
    for (const auto& [name, heard] : all_) {
      text += fmt::format("{} {} {:.0f} {:.0f} ", name, heard.count, seconds(now - heard.last) * 1e3,
                          seconds(heard.longest) * 1e3);
    }
    return text;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Heard> all_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) return std::fprintf(stderr, "beat NAME off|localhost|subnet|system_default DOMAIN [PEER...]\n"), 2;
  const std::string name = arguments[1], range = arguments[2];
  ros2::ContextOptions options;
  options.range = range == "subnet"      ? ros2::DiscoveryRange::subnet
                  : range == "localhost" ? ros2::DiscoveryRange::localhost
                  : range == "off"       ? ros2::DiscoveryRange::off
                                         : ros2::DiscoveryRange::system_default;
  options.domain = std::stoi(arguments[3]);
  if (range == "server" || range == "client") {
    for (int i = 4; i < count; ++i) {
      const std::string_view text = arguments[i];
      const std::size_t at = text.find('@');
      const int id = at == std::string_view::npos ? i - 4 : std::stoi(arguments[i]);
      options.servers.push_back(ros2::server_from(text.substr(at + 1), id).value());
    }
    options.super_client = range == "server";
  } else {
    options.static_peers.assign(arguments + 4, arguments + count);
  }
  options.on_event = [](const ros2::Event& event) { fmt::print(stderr, "event: {}\n", event.text); };
  ros2::Context context(options);
  ros2::Node node(context, name);
  Ears ears;
  const auto subscription = node.subscribe<ros2::std_msgs::String>(
      "/beat", ros2::Qos::standard(), [&](const ros2::std_msgs::String& message, const ros2::MessageInfo& info) {
        if (message.data != name) ears.hear(message.data, info.received);
      });
  const auto latched = node.subscribe<ros2::std_msgs::String>(
      "/state", ros2::Qos::latched(), [&](const ros2::std_msgs::String& message, const ros2::MessageInfo& info) {
        if (message.data != name) ears.hear(message.data + "!", info.received);
      });
  const auto publisher = node.advertise<ros2::std_msgs::String>("/beat");
  const auto state = node.advertise<ros2::std_msgs::String>("/state", ros2::Qos::latched());
  state.publish({name});
  for (int tick = 0;; ++tick) {
    publisher.publish({name});
    if (tick % 2 == 0) fmt::print("{}\n", ears.text(std::chrono::steady_clock::now())), std::fflush(stdout);
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (poll(&input, 1, 50) == 0) continue;
    char word[64];
    if (read(STDIN_FILENO, word, sizeof word) <= 0) return 0;
    ears.reset();
  }
}
