// SPDX-License-Identifier: Apache-2.0
#include "tests/machines/orca/faults/truth_rig.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::orca::rig {
namespace {

constexpr Duration tick_time = 10ms;
constexpr Duration kept_words = 5s;
constexpr double rest_speed = 0.05;  // m/s

BodyOptions truth_body() {
  BodyOptions options;
  options.model.timestep = seconds(tick_time);
  options.hull.seafloor = -40;
  options.X_map_start = Pose(Eigen::Translation3d(0, 0, -3));
  return options;
}

net::UdpSocket bound_socket() {
  auto socket = net::UdpSocket::bind("127.0.0.1", 0);
  REQUIRE(socket.ok());
  return std::move(*socket);
}

}  // namespace

bool TruthRig::Voice::send_payload(const mavlink::MessageInfo& info, Bytes payload) {
  const Bytes frame = channel_.make(buffer_, info, payload);
  const Instant now = rig_.clock.now();
  rig_.to_machine.put(frame, now);
  rig_.said_.emplace_back(now, std::vector<std::uint8_t>(frame.begin(), frame.end()));
  while (now - rig_.said_.front().first > kept_words) rig_.said_.pop_front();
  return true;
}

TruthRig::TruthRig(const TruthOptions& options)
    : body(truth_body()), sensors({}, truth_body().hull), options_(options), socket_(bound_socket()), voice_(*this) {
  autopilot.emplace(autopilot_options(options.memory), outlets_, clock.now());
  std::vector<std::string> settings{"switch_sources=false"};
  settings.insert(settings.end(), options.settings.begin(), options.settings.end());
  const std::string url = fmt::format("mavlink://127.0.0.1:{}?link=udpout", socket_.local().port);
  auto owned = std::make_unique<Machine>(setup_for(url, clock, settings));
  bridge = owned.get();
  supervisor = std::make_unique<runtime::Supervisor>("sub", std::move(owned), clock, nullptr);
}

AutopilotOptions TruthRig::autopilot_options(const AutopilotMemory& memory) const {
  AutopilotOptions made;
  made.estimator.settle = 0.5;
  made.estimator.aiding_delay = 0.5;
  made.hull = truth_body().hull;
  made.memory = memory;
  return made;
}

bool TruthRig::connect() {
  next_cycle_ = Instant::max();  // the machine is in our hands
  {
    const std::jthread speaks([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        tick();
        std::this_thread::sleep_for(2ms);
      }
    });
    for (int i = 0; i < 100 && !live(); ++i) supervisor->step({});
  }
  next_cycle_ = clock.now();
  return live();
}

void TruthRig::hear() {
  std::array<std::uint8_t, 2048> room;
  while (const auto datagram = socket_.receive(room, Instant{})) {
    machine_at_ = datagram->from;
    to_vehicle.put(Bytes(room).first(datagram->size), clock.now());
  }
  to_vehicle.deliver(clock.now(), [this](const std::vector<std::uint8_t>& bytes) { handle(bytes); });
}

void TruthRig::handle(Bytes bytes) {
  mavlink::Parser parser;
  parser.feed(bytes);
  while (const auto frame = parser.next_of_last()) autopilot->handle(*frame, 0, clock.now());
}

void TruthRig::tick() {
  clock.advance(tick_time);
  hear();
  const Instant now = clock.now();
  if (options_.ground_station && now >= next_beat_) {
    next_beat_ = now + 1s;
    mavlink::FrameBuffer buffer;
    handle(mavlink::encode(buffer, {mavlink::Version::v2, beat_++, {255, 190}},
                           mavlink::Heartbeat{.type = 6, .autopilot = 8}));
  }
  if (vision && now >= next_look_) {
    next_look_ = now + 100ms;
    see();
  }
  REQUIRE(body.step());
  pulses_ = autopilot->step(sensors.sample(body.truth()), seconds(tick_time), now);
  body.pulses(pulses_);
  if (recording_) record();
  autopilot->poll(now, UtcTime{});
  to_machine.deliver(now, [this](const std::vector<std::uint8_t>& bytes) {
    if (machine_at_) static_cast<void>(socket_.send(bytes, *machine_at_).ok());
  });
}

void TruthRig::see() {
  const Pose& X_now = body.truth().X_map_base;
  if (X_before_) {
    const Eigen::Vector3d moved = X_now.linear().transpose() * (X_now.translation() - X_before_->translation());
    const Eigen::Vector3f frd = frd_from_flu(moved).cast<float>();
    mavlink::FrameBuffer buffer;
    handle(mavlink::encode(
        buffer, {mavlink::Version::v2, beat_++, {201, 197}},
        mavlink::VisionPositionDelta{
            .time_delta_usec = 100'000, .position_delta = {frd.x(), frd.y(), frd.z()}, .confidence = 90}));
  }
  X_before_ = X_now;
}

void TruthRig::run(Duration time) {
  for (const Instant end = clock.now() + time; clock.now() < end;) {
    tick();
    if (clock.now() < next_cycle_) continue;
    next_cycle_ = clock.now() + cycle_time;
    if (twist) {
      twist->at = clock.now();
      bridge->commands().twist.post(*twist);
    }
    if (machine_runs && linked()) supervisor->step({});
  }
}

bool TruthRig::fly(Mode mode, double least_speed) {
  const auto comes = [&](auto condition, Duration limit) {
    for (const Instant end = clock.now() + limit; clock.now() < end; run(100ms))
      if (condition()) return true;
    return condition();
  };
  const auto flies = [&] {
    if (autopilot->pilot().mode() == mode) return true;
    bridge->commands().mode.post({mode, 1});  // refused until it knows its attitude, and for some modes its place
    run(500ms);
    return false;
  };
  if (!comes(flies, 20s)) return false;
  const auto steered = [&] {
    if (!latch_armed()) static_cast<void>(supervisor->latch().arm("test").ok());
    return autopilot->pilot().armed() && speed() >= least_speed;
  };
  if (!comes(steered, 60s)) return false;
  run(2s);
  return speed() >= least_speed;
}

// Thrusters 1 and 2 push astern with longer pulses, 3 and 4 ahead; what they do for the heading cancels out.
double TruthRig::push() const {
  return -(pulses_[0] - pwm_stop) - (pulses_[1] - pwm_stop) + (pulses_[2] - pwm_stop) + (pulses_[3] - pwm_stop);
}

void TruthRig::begin_loss() {
  recording_ = Recording{};  // clang refuses emplace() of a nested type with initialisers
  recording_->begin = recording_->moved_at = clock.now();
  recording_->last = body.truth().X_map_base.translation().head<2>();
  recording_->push = push();
}

void TruthRig::record() {
  const Eigen::Vector2d place = body.truth().X_map_base.translation().head<2>();
  const Instant now = clock.now();
  recording_->way += (place - recording_->last).norm();
  recording_->last = place;
  if (push() > 0.5 * recording_->push) recording_->motion.thrust = seconds(now - recording_->begin);
  if (speed() <= rest_speed) return;
  recording_->moved_at = now;
  recording_->motion.way = recording_->way;
  recording_->motion.rest = seconds(now - recording_->begin);
}

TruthRig::Motion TruthRig::coast(Duration limit) {
  const Instant end = clock.now() + limit;
  while (clock.now() < end && clock.now() - recording_->moved_at < 1s) run(tick_time);
  Motion motion = recording_->motion;
  motion.rested = clock.now() - recording_->moved_at >= 1s;
  motion.armed = autopilot->pilot().armed();
  recording_.reset();
  return motion;
}

void TruthRig::restart_autopilot() {
  const AutopilotMemory memory = autopilot->memory();
  body.pulses(still);
  autopilot.reset();
  autopilot.emplace(autopilot_options(memory), outlets_, clock.now());
}

void TruthRig::replay(Duration last) {
  const auto words = said_;
  for (const auto& [at, bytes] : words)
    if (clock.now() - at <= last) to_machine.put(bytes, clock.now());
}

}  // namespace tandem::orca::rig
