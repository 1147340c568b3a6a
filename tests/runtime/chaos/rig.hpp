// SPDX-License-Identifier: Apache-2.0
// A running tandem without ROS, and what tests ask of it.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <thread>

#include "tandem/runtime/control/client.hpp"
#include "tandem/runtime/system.hpp"
#include "tests/deadline.hpp"

namespace tandem::runtime::chaos {

struct Rig {
  std::string path = fmt::format("/tmp/tandem-chaos-{}/control.sock", getpid());
  mutable std::mutex mutex;
  std::vector<Event> events;
  std::unique_ptr<System> system;

  Rig(const std::string& machines, const Registry& registry) {
    const ConfigText text{"test.yaml", "ros: { enabled: false }\nmachines:\n" + machines};
    SystemOptions options;
    options.version = "test";
    options.control = path;
    options.supervision.longest_pause = 5s;  // a noisy computer is no paused process
    options.on_event = [this](const Event& event) {
      const std::lock_guard lock(mutex);
      events.push_back(event);
    };
    system = std::make_unique<System>(parse_config({&text, 1}, registry), options);
    system->start();
  }
  MachineStatus machine() const { return system->status().machines.at(0); }
  Report report() const { return ask_chaos_reports(path, machine().name)->at(0); }
  Result<std::string> say(std::string_view command) const { return ask_text(path, command, machine().name); }
  Result<std::string> chaos(std::string_view terms, bool i_know = false) const {
    return ask_chaos(path, terms, machine().name, i_know);
  }
  bool told(std::string_view kind, std::string_view part) const {
    const std::lock_guard lock(mutex);
    return std::ranges::any_of(
        events, [&](const Event& event) { return event.kind == kind && event.text.find(part) != std::string::npos; });
  }
  template <typename Holds>
  static bool until(Holds holds, Duration limit = 60s) {
    for (const Instant end = in(limit); now() < end; std::this_thread::sleep_for(5ms))
      if (holds()) return true;
    return holds();
  }
  bool live() const {
    const MachineStatus status = machine();
    return status.state == "live" && status.quality == "live";
  }
  bool becomes_live() const {
    return until([&] { return live(); });
  }
  // A link may be lost again for a moment while a computer is busy.
  bool becomes_armed() const {
    return until([&] { return say("arm").ok() && machine().arm == "armed"; });
  }
  bool over() const {
    return until([&] { return !report().measuring; });
  }
};

}  // namespace tandem::runtime::chaos
