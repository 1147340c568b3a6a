// SPDX-License-Identifier: Apache-2.0
#include "tests/machines/orca/sub_rig.hpp"

#include <fmt/format.h>

#include <limits>

namespace tandem::orca::rig {
namespace {

constexpr Duration stop_takes = 1500ms;  // at most, from the latch to the last frame, on a busy computer

net::FaultProxy sub_proxy_to(const net::Endpoint& upstream, Line line) {
  auto proxy = net::FaultProxy::start({.upstream = upstream, .udp = line == Line::udp});
  REQUIRE(proxy.ok());
  return std::move(*proxy);
}

std::vector<std::string> with_patience(std::vector<std::string> settings) {
  settings.insert(settings.begin(), "stale_after=1.2");  // host and sanitizer may be slow
  return settings;
}

bool moves_it(const mavlink::Frame& frame) {
  if (const auto sticks = frame.as<mavlink::ManualControl>())
    return sticks->x != 0 || sticks->y != 0 || sticks->r != 0 || sticks->z != 500;
  if (const auto command = frame.as<mavlink::CommandLong>())
    return command->command == mavlink::command::arm && command->param1 > 0.5F;
  return frame.is<mavlink::SetPositionTargetLocalNed>();
}

}  // namespace

void MotionRecorder::passed(const net::Flow&, net::Direction direction, Bytes bytes, Instant stamp) noexcept {
  if (direction != net::Direction::out) return;
  if (latch_->status().state == runtime::ArmState::armed) armed_at_ = stamp;
  while (true) {
    while (const auto frame = parser_.next()) {
      if (!moves_it(*frame)) continue;
      ++motions;
      if (stamp - armed_at_ > stop_takes) ++violations;
    }
    if (bytes.empty()) return;
    bytes = bytes.subspan(parser_.feed(bytes));
  }
}

SubLine::SubLine(Line line_)
    : line(line_), vehicle(system_clock(), {.tcp = line_ == Line::tcp}), proxy(sub_proxy_to(vehicle.local(), line_)) {
  vehicle_thread_ = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      if (vehicle_runs) {
        const std::lock_guard lock(mutex);
        vehicle.step();
      }
      pass(20ms);
    }
  });
}

SubRig::SubRig(Line line_, const std::vector<std::string>& settings)
    : SubLine(line_),
      SupervisedLink(setup_for(vehicle.url_at(proxy.endpoint()), system_clock(), with_patience(settings))) {
  pilot_thread_ = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      bridge->commands().twist.post({{0.5, 0, 0}, 0, now()});
      pass(10ms);
    }
  });
}

bool SubRig::steered(Duration limit) {
  std::size_t before = 0;
  {
    const std::lock_guard lock(mutex);
    before = vehicle.sticks.size();
  }
  return eventually(
      [&] {
        const std::lock_guard lock(mutex);
        return vehicle.armed && vehicle.sticks.size() > before && vehicle.sticks.back().x == 500;
      },
      limit);
}

bool SubRig::rests() {
  return eventually([&] {
    const std::lock_guard lock(mutex);
    return !vehicle.armed;
  });
}

bool SubRig::arm() {
  return arm_until([&] { return steered(300ms); });
}

double SubRig::value(std::string_view name) const {
  for (const machines::Value& value : bridge->values())
    if (value.name == name && !value.numbers.empty()) return value.numbers.front();
  return std::numeric_limits<double>::quiet_NaN();
}

namespace {

void play_on(const LineRow& row, Line line) {
  const char* const line_name = line == Line::udp ? "udp" : "tcp";
  CAPTURE(line_name);
  SubRig rig(line);
  rig.start();
  REQUIRE_MESSAGE(rig.flows(), rig.all());
  REQUIRE_MESSAGE(rig.arm(), rig.all());
  const std::size_t descriptors = open_descriptors(), threads = running_threads();
  rig.forget();
  row.strike(rig);
  for (const std::string_view part : row.shows)
    CHECK_MESSAGE(eventually([&] { return rig.said(part); }), "expected a cause with '" << part << "':" << rig.all());
  if (row.effect == LineRow::Effect::none) {
    CHECK_MESSAGE(rig.flows(20), rig.all());
    CHECK_MESSAGE(rig.armed(), rig.all());
    CHECK_MESSAGE(rig.steered(), rig.all());
  }
  if (row.effect == LineRow::Effect::disarm) CHECK_MESSAGE(eventually([&] { return !rig.armed(); }), rig.all());
  if (row.lift) row.lift(rig);
  CHECK_MESSAGE(rig.flows(), "not live again: " << rig.status().cause.view() << rig.all());
  if (row.effect == LineRow::Effect::disarm) {
    CHECK_MESSAGE(rig.rests(), rig.all());
    pass(300ms);
    CHECK_FALSE(rig.armed());
    CHECK_MESSAGE(rig.rests(), rig.all());
  }
  CHECK_MESSAGE(rig.arm(), rig.all());
  CHECK_MESSAGE(rig.recorder.violations == 0, rig.all());
  CHECK(rig.status().state != runtime::LinkState::faulted);
  CHECK(open_descriptors() <= descriptors + 8);
  CHECK(running_threads() <= threads);
}

}  // namespace

void play(const LineRow& row) {
  for (const Line line : row.lines) play_on(row, line);
}

}  // namespace tandem::orca::rig
