// SPDX-License-Identifier: Apache-2.0
// The threads of a running tandem: which there are, and how they end.
#include <pthread.h>

#include <algorithm>
#include <exception>

#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/sim_clock.hpp"
#include "tandem/runtime/page/page.hpp"
#include "tandem/runtime/recording/recorder.hpp"
#include "tandem/runtime/sparkplug/edge_node.hpp"
#include "tandem/runtime/system.hpp"

namespace tandem::runtime {
namespace {

constexpr std::ptrdiff_t fewest_shared = 8;  // machines, of those that can share a worker

}  // namespace

void System::start() {
  {
    const std::lock_guard lock(ros_words_->mutex);
    ros_words_->system = this;
  }
  make_workers();
  for (std::size_t i = 0; i < units_.size(); ++i) start(units_[i], i);
  for (const auto& worker : device_workers_)
    launch("virtual devices", true, [&worker](const std::stop_token& stop) { worker->run(stop); });
  for (const auto& worker : workers_)
    launch("worker", false, [&worker](const std::stop_token& stop) { worker->run(stop); });
  if (ros_ && publishes_clock_) launch("clock", true, [this](const std::stop_token& stop) { publish_clock(stop); });
  if (scribe_) launch("recording", true, [this](const std::stop_token& stop) { scribe_->run(stop); });
  if (edge_node_)
    launch(
        "sparkplug", true, [this](const std::stop_token& stop) { edge_node_->run(stop); }, Time::real);
  if (page_)
    launch(
        "page", true, [this](const std::stop_token& stop) { page_->run(stop); }, Time::real);
}

// One for each core, where there are so many machines that threads would cost more than their cycles.
void System::make_workers() {
  const auto shared = std::ranges::count_if(units_, [](const Unit& unit) { return unit.supervisor->can_share(); });
  if (shared < fewest_shared) return;
  for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
    workers_.push_back(std::make_unique<Worker>(*options_.clock));
    device_workers_.push_back(std::make_unique<DeviceWorker>([this](const Event& event) { tell(event); }));
  }
}

void System::start(Unit& unit, std::size_t index) {
  const std::string& name = unit.supervisor->name();
  if (auto* device = unit.virtual_device.get()) {
    const std::string task = name + ": virtual device";
    auto* shared = dynamic_cast<machines::SharedDevice*>(device);
    if (shared != nullptr && !device_workers_.empty()) {
      device_workers_[index % device_workers_.size()]->add(task, *shared);
    } else {
      launch(task, true, [device](const std::stop_token& stop) { device->run(stop); });
    }
  }
  if (auto* twin = unit.twin.get())
    launch(name + ": twin", false, [twin](const std::stop_token& stop) { twin->run(stop); });
  if (auto* companion = unit.companion.get())
    launch(name + ": companion", false, [companion](const std::stop_token& stop) { companion->run(stop); });
  Supervisor::Share share;
  Supervisor* const supervisor = unit.supervisor.get();
  if (supervisor->can_share() && !workers_.empty())
    share = [supervisor, worker = workers_[index % workers_.size()].get()](const std::stop_token& stop) {
      worker->host(*supervisor, stop);
    };
  launch(name, false,
         [supervisor, share = std::move(share)](const std::stop_token& stop) { supervisor->run(stop, share); });
}

void System::publish_clock(const std::stop_token& stop) const {
  ros2::FullNode node(*ros_, "tandem_clock", "/", *options_.clock);
  const ros2::ClockPublisher clock(node);
  for (Instant next = options_.clock->now(); !stop.stop_requested(); next += 10ms) {
    clock.publish(options_.clock->utc());
    options_.clock->sleep_until(next);
  }
}

void System::launch(std::string name, bool outlives_machines, std::function<void(const std::stop_token&)> body,
                    Time time) {
  tasks_.push_back(std::make_unique<Task>());
  Task& task = *tasks_.back();
  task.name = std::move(name);
  task.outlives_machines = outlives_machines;
  task.time = time;
  auto whole = [this, &task, body = std::move(body)](const std::stop_token& stop) {
    ::pthread_setname_np(::pthread_self(), task.name.substr(0, 15).c_str());  // for top -H; more does not fit
    try {
      body(stop);
    } catch (const std::exception& error) {
      tell({task.name, "faulted", error.what(), true});
    }
    task.done.store(true, std::memory_order_release);
  };
  task.thread = time == Time::real ? Thread::beside(std::move(whole)) : Thread(task.name, std::move(whole));
}

std::vector<std::string> System::stop(Duration limit) {
  // Machines take leave of their devices over links as they are without us.
  for (const Unit& unit : made())
    if (unit.injector) unit.injector->clear("the end of tandem");
  const Instant now = options_.clock->now();
  for (const bool outlives_machines : {false, true})
    wait_for(outlives_machines, now + (outlives_machines ? limit : limit * 2 / 3));
  std::vector<std::string> hanging;
  for (const auto& task : tasks_) {
    if (!task->done.load(std::memory_order_acquire)) hanging.push_back(task->name);
  }
  return hanging;
}

void System::wait_for(bool outlives_machines, Instant deadline) {
  const auto waited_for = [&](const auto& task) { return task->outlives_machines == outlives_machines; };
  for (const auto& task : tasks_) {
    if (waited_for(task)) task->thread.request_stop();
  }
  const auto done = [&](Time time) {
    return std::all_of(tasks_.begin(), tasks_.end(), [&](const auto& task) {
      return !waited_for(task) || task->time != time || task->done.load(std::memory_order_acquire);
    });
  };
  // How long the others take in real time is not to be seen in stepped time: it waits for them.
  const Instant latest = real_now() + (deadline - options_.clock->now());
  while (SteppedTime::takes_part() && !done(Time::real) && real_now() < latest) std::this_thread::sleep_for(1ms);
  while ((!done(Time::stepped) || !done(Time::real)) && options_.clock->now() < deadline)
    options_.clock->sleep_until(options_.clock->now() + 2ms);
}

}  // namespace tandem::runtime
