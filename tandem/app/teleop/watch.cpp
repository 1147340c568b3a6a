// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/teleop/watch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "tandem/runtime/control/client.hpp"

namespace tandem::app {
namespace {

constexpr Duration look_period = 500ms;
constexpr Duration answer_limit = 1s;

}  // namespace

TeleopWatch::Machine find_driven(const runtime::SystemStatus& status, const std::string& type,
                                 const std::string& name) {
  const runtime::MachineStatus* found = nullptr;
  std::vector<std::string> names;
  for (const auto& each : status.machines) {
    if (each.type != type) continue;
    names.push_back(each.name);
    if (name.empty() || each.name == name) found = &each;
  }
  if (name.empty() && names.size() > 1)
    return {"", "",
            fmt::format("several machines of type {}: choose one with --name ({})", type, fmt::join(names, ", "))};
  if (found == nullptr)
    return {"", "", fmt::format("the running tandem has no {}{}{}", type, name.empty() ? "" : " called ", name)};
  const bool live = found->state == "live";
  return {found->name, found->arm, live ? found->arm_cause : fmt::format("{}: {}", found->state, found->cause),
          found->node};
}

std::string advice(const TeleopWatch::Machine& machine) {
  if (machine.name.empty()) return fmt::format("arm state unknown: {}", machine.cause);
  const std::string& name = machine.name;
  const std::string why = machine.cause.empty() ? "" : fmt::format(" ({})", machine.cause);
  if (machine.arm == "armed") return fmt::format("{} is armed: keys move it", name);
  if (machine.arm == "stopped")
    return fmt::format("{0} is stopped{1}; `tandem reset {0}`, then `tandem arm {0}` enable driving", name, why);
  return fmt::format("{0} is not armed{1}; `tandem arm {0}` enables driving", name, why);
}

TeleopWatch::TeleopWatch(std::string control, std::string type, std::string name, Stop stop_elsewhere)
    : control_(std::move(control)),
      type_(std::move(type)),
      name_(std::move(name)),
      stop_elsewhere_(std::move(stop_elsewhere)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

void TeleopWatch::ask_for_stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_wanted_ = true;
  }
  wakes_.notify_all();
}

std::optional<TeleopWatch::Machine> TeleopWatch::machine() const {
  const std::lock_guard lock(mutex_);
  return machine_;
}

std::vector<std::string> TeleopWatch::take_answers() {
  const std::lock_guard lock(mutex_);
  return std::exchange(answers_, {});
}

void TeleopWatch::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested() || stop_wanted_) {
    const bool wanted = std::exchange(stop_wanted_, false);
    lock.unlock();
    if (wanted) stop_machine();
    if (!stop.stop_requested()) look();
    lock.lock();
    wakes_.wait_for(lock, stop, look_period, [this] { return stop_wanted_; });
  }
}

void TeleopWatch::look() {
  const auto status = runtime::ask_status(control_, answer_limit);
  Machine seen = status ? find_driven(*status, type_, name_) : Machine{"", "", status.error().text};
  const std::lock_guard lock(mutex_);
  machine_ = std::move(seen);
}

// By the control socket where the machine is on it, else by ROS.
void TeleopWatch::stop_machine() {
  const auto known = machine();
  Result<std::string> done = known && !known->name.empty()
                                 ? runtime::ask_text(control_, "stop", known->name, answer_limit)
                                 : Result<std::string>(Error{Fault::not_found, "no control socket"});
  if (!done) done = stop_elsewhere_();
  const std::lock_guard lock(mutex_);
  answers_.push_back(done ? *done : fmt::format("THE STOP WAS NOT ACCEPTED: {}", done.error().text));
}

}  // namespace tandem::app
