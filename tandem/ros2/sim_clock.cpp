// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/sim_clock.hpp"

#include <algorithm>

#include "tandem/ros2/graph/publisher_name.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::ros2 {
namespace {

constexpr std::size_t most_others = 8;
}  // namespace

ClockPublisher::ClockPublisher(Node& node)
    : publisher_(node.advertise<rosgraph_msgs::Clock>("/clock", Qos::standard(10))) {}

bool ClockPublisher::publish(UtcTime time) const { return publisher_.publish({message_from(time)}); }

SimClock::SimClock(Clock& below, SimClockOptions options)
    : below_(below), options_(std::move(options)), follows_(options_.follow) {}

void SimClock::listen(Node& node) {
  {
    const std::scoped_lock lock(listen_mutex_);
    node_ = &node;
  }
  hear(follows());
}

// As other nodes do, who subscribe to /clock only while they need it.
void SimClock::hear(bool on) {
  const std::scoped_lock lock(listen_mutex_);
  if (node_ == nullptr || on == subscription_.has_value()) return;
  if (!on) return subscription_.reset();
  subscription_ = node_->subscribe<rosgraph_msgs::Clock>(
      "/clock", Qos::clock(),
      [this](const rosgraph_msgs::Clock& message, const MessageInfo& info) { take(utc_from(message.clock), info); });
}

UtcTime SimClock::utc() const {
  if (!follows()) return below_.utc();
  const std::int64_t simulated = simulated_.load(std::memory_order_acquire);
  return simulated == unknown ? UtcTime{} : UtcTime(Duration(simulated));
}

bool SimClock::known() const { return !follows() || simulated_.load(std::memory_order_acquire) != unknown; }

void SimClock::follow(bool on) {
  Duration jump{};
  {
    const std::scoped_lock lock(mutex_);
    if (follows() == on) return;
    const UtcTime before = utc();
    follows_.store(on, std::memory_order_relaxed);
    jump = utc() - before;
  }
  hear(on);
  if (options_.on_jump) options_.on_jump(jump);
}

void SimClock::take(UtcTime time, const MessageInfo& info) {
  Duration jump{};
  {
    const std::scoped_lock lock(mutex_);
    if (!believes(info)) return;
    ++status_.taken;
    const std::int64_t simulated = time.time_since_epoch().count();
    const std::int64_t before = simulated_.exchange(simulated, std::memory_order_acq_rel);
    if (before == unknown || simulated >= before) return;
    jump = Duration(simulated - before);
    ++status_.jumps_back;
    status_.last_jump_back = jump;
    if (!follows()) return;
  }
  if (options_.on_jump) options_.on_jump(jump);
}

bool SimClock::believes(const MessageInfo& info) {
  const Instant now = below_.now();
  const bool silent = status_.taken == 0 || now - heard_ > options_.publisher_gone;
  if (info.publisher == status_.publisher && status_.taken > 0) {
    // One that was overtaken on the way is no jump back.
    if (info.sequence <= sequence_ && !silent) return false;
  } else if (!silent) {
    ++status_.ignored;
    if (other_heard_ && now - *other_heard_ > options_.publisher_gone) status_.others.clear();
    other_heard_ = now;
    const bool is_listed = std::ranges::find(status_.others, info.publisher) != status_.others.end();
    if (!is_listed) status_.others.push_back(info.publisher);
    if (status_.others.size() > most_others) status_.others.erase(status_.others.begin());
    return false;
  }
  status_.publisher = info.publisher;
  std::erase(status_.others, info.publisher);
  sequence_ = info.sequence;
  heard_ = now;
  return true;
}

SimClockStatus SimClock::status() const {
  const std::scoped_lock lock(mutex_);
  return status_;
}

std::string SimClock::finding(const Graph& graph) const {
  const std::scoped_lock lock(mutex_);
  const bool competes =
      other_heard_ && !status_.others.empty() && below_.now() - *other_heard_ <= options_.publisher_gone;
  if (!competes) return "";
  std::vector<std::string> names;
  for (const Gid& other : status_.others) names.push_back(publisher_name(other, graph));
  return fmt::format("/clock has several publishers: {} is used, {} ignored ({} messages in total)",
                     publisher_name(status_.publisher, graph), fmt::join(names, ", "), status_.ignored);
}

}  // namespace tandem::ros2
