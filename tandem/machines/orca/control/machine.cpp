// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/control/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tandem/machines/orca/ros/topics.hpp"

namespace tandem::orca {
namespace {

constexpr Duration listen_slice = 10ms;  // what an order may wait for at most
constexpr int most_slices = 5;           // of a cycle
constexpr int most_frames = 500;         // heard in a slice; a flood waits, and is dropped by the socket
constexpr int farewells = 3;
constexpr Duration farewell_every = 30ms;
constexpr int most_old_frames = 4096;  // dropped after a pause
constexpr Duration oldest_order = 1s;  // what was wanted before such a pause is not done after it

}  // namespace

Machine::Machine(const machines::Setup& setup)
    : clock_(*setup.clock),
      address_(link_address_from(setup.device)),
      link_options_(link_options_from(setup)),
      autopilot_options_(autopilot_options_from(setup.options)),
      message_(vision_message_from(setup.options)),
      switch_sources_(setup.options.flag("switch_sources")),
      stale_after_(duration_of(setup.options.number("stale_after"))),
      publish_every_(duration_of(1 / setup.options.number("frame_rate"))),
      gate_(vision_options_from(setup.options)),
      helm_(helm_options_from(setup.options)) {
  const Topics::Setup ros = Topics::setup_from(setup);
  if (setup.ros == nullptr) return;
  ros_ = std::make_unique<Topics>(*setup.ros, ros, clock_, shared_, commands_, lines_);
  jog_ = jog_topic_from(ros);
  camera_topic_ = camera_topic_from(ros);
}

Machine::~Machine() { disconnect(); }

ros2::FullNode* Machine::ros_node() { return ros_ ? &ros_->node() : nullptr; }

// Until the vehicle's heartbeat. The link stays open between attempts, or a heartbeat that comes in between would be
// missed.
Result<void> Machine::connect(Instant deadline) {
  if (!link_) {
    auto opened = mavlink::Link::open(address_, link_options_);
    if (!opened) return within("mavlink", std::move(opened).error());
    link_.emplace(std::move(*opened));
  }
  autopilot_.emplace(autopilot_options_);
  gate_.restart();
  anchors_.forget();
  helm_.forget();
  source_command_ = 0;
  state_.source_set = 0;
  disarm_.reset();
  released_ = disarm_told_ = met_ = false;
  const Instant real_deadline = now() + (deadline - clock_.now());
  while (clock_.now() < deadline && now() < real_deadline) {
    refuse_orders("the vehicle is not connected");
    if (const auto order = commands_.disarming.take()) answer({order->number, false, "the vehicle is not connected"});
    autopilot_->poll(clock_.now(), *link_);
    if (const auto frame = link_->receive(std::min(now() + 20ms, real_deadline)))
      autopilot_->handle(*frame, clock_.now(), *link_);
    if (autopilot_->presence(clock_.now()) != mavlink::Presence::live) continue;
    met_ = true;
    turn_at_ = clock_.now();
    connections_ = link_->connections();
    if (std::exchange(owes_disarm_, false) && autopilot_->vehicle().armed)
      helm_.disarm(clock_.now(), autopilot_->commands(), autopilot_->as_pilot(*link_));
    autopilot_->poll(clock_.now(), *link_);  // streams are asked for at once
    state_.vehicle = autopilot_->vehicle();
    share(Quality::stale, "connected; no attitude yet");
    return {};
  }
  std::string why = fmt::format("waiting for a heartbeat from {}/{} at {}", autopilot_options_.vehicle.system,
                                autopilot_options_.vehicle.component, address_.text());
  if (const auto other = autopilot_->stranger(); other.system != 0)
    why += fmt::format("; another autopilot is present: {}/{}", other.system, other.component);
  why += link_notes();
  if (!link_->trouble().empty()) why += "; " + link_->trouble();
  share(Quality::stale, why);
  return Error{Fault::timeout, why};
}

std::string Machine::link_notes() const {
  std::string notes;
  const auto parsed = link_->parser_counters();
  const auto& counters = link_->channel().counters();
  if (parsed.other_definition > 0)
    notes += fmt::format("; dialect: the autopilot has another definition of message {}", parsed.last_other_definition);
  if (autopilot_ && autopilot_->demands_signing(clock_.now()))
    notes += "; signing: required by the vehicle; set signing_key to the file with its key";
  if (counters.unsigned_or_forged > 0)
    notes +=
        fmt::format("; signing: {} frames refused, unsigned or signed with another key", counters.unsigned_or_forged);
  if (counters.with_our_address > 0) {
    notes += fmt::format("; another sender uses {}/{}: choose another source_system", autopilot_options_.own.system,
                         autopilot_options_.own.component);
  }
  return notes;
}

void Machine::disconnect() noexcept {
  if (!std::exchange(met_, false)) return;
  owes_disarm_ = helm_.activity() != Activity::idle;
  for (int i = 0; i < farewells && helm_.farewell(autopilot_->as_pilot(*link_)); ++i) {
    const Instant until = now() + farewell_every;
    while (now() < until && link_->receive(until)) {
      // What is still said is of no interest.
    }
  }
  helm_.forget();
  autopilot_.reset();
  link_.reset();
  if (state_.quality == Quality::live) share(Quality::stale, "disconnected");
}

Result<machines::Cycle> Machine::cycle(const machines::Permit& permit) {
  machines::Cycle cycle;
  bool sampled = false;
  for (int slice = 0; slice < most_slices && !sampled; ++slice) {
    if (!more_waits_) await(listen_slice);
    sampled = listen();
    const Instant now = clock_.now();
    see(now);
    take_orders(now);
    steer(permit, now);
    tell_sources(now);
    autopilot_->poll(now, *link_);
    answer_questions(now);
  }
  const Instant now = clock_.now();
  if (autopilot_->presence(now) == mavlink::Presence::lost) {
    share(Quality::stale, "no heartbeat from the vehicle for 5 s");
    return Error{Fault::timeout, "no heartbeat from the vehicle for 5 s"};
  }
  judge(cycle, sampled, now);
  cycle.solved = clock_.now();
  publish(now);
  cycle.published = clock_.now();
  return cycle;
}

void Machine::steer(const machines::Permit& permit, Instant now) {
  const bool steered = helm_.activity() == Activity::arming || helm_.activity() == Activity::armed;
  // Of two vehicles with one address neither is steered; what was armed is disarmed.
  const machines::Permit granted = autopilot_->doubled(now) ? machines::Permit() : permit;
  if (auto trouble =
          helm_.step(granted, autopilot_->vehicle(), now, autopilot_->commands(), autopilot_->as_pilot(*link_)))
    disarm_ = std::move(*trouble) + (autopilot_->demands_signing(now) ? "; it requires signing: set signing_key" : "");
  if (helm_.activity() == Activity::arming) disarm_told_ = false;
  if (steered && helm_.activity() == Activity::disarming && !disarm_told_) released_ = true;
}

void Machine::await(Duration most) {
  watches_.clear();
  const Instant wake = link_->watch(watches_);
  if (commands_.bell.fd() >= 0) watches_.push_back({.fd = commands_.bell.fd()});
  static_cast<void>(net::wait(watches_, std::min(now() + most, wake)).ok());  // whatever it was is read next
  commands_.bell.silence();
}

// True when an attitude came. A flood is cut, so that the rest of the cycle has its turn.
bool Machine::listen() {
  const Instant before = std::exchange(turn_at_, clock_.now());
  if (turn_at_ - before > stale_after_) wake_up(turn_at_ - before);
  int count = 0;
  for (; count < most_frames; ++count) {
    const auto frame = link_->receive(Instant{});
    if (!frame) break;
    autopilot_->handle(*frame, clock_.now(), *link_);
  }
  more_waits_ = count == most_frames;
  if (std::exchange(connections_, link_->connections()) != link_->connections()) {
    autopilot_->relinked();
    // Others may call on UDP, or at a port of ours; elsewhere it was the vehicle that was gone.
    const bool only_the_vehicle = address_.kind == mavlink::LinkKind::tcp || address_.kind == mavlink::LinkKind::serial;
    if (only_the_vehicle) disarm_ = "the connection was lost and re-established";
  }
  const auto events = autopilot_->take_events();
  heed(events, clock_.now());
  return events.attitude;
}

// This process was paused. What waits at the socket is from before: a socket that is full keeps the oldest.
void Machine::wake_up(Duration pause) {
  for (int count = 0; count < most_old_frames && link_->receive(Instant{}); ++count) {
    // As if lost on the way: what matters is said again.
  }
  if (pause > oldest_order) refuse_orders("too old: this process was paused");
}

void Machine::heed(const Link::Events& events, Instant now) {
  const Vehicle& vehicle = autopilot_->vehicle();
  if (events.sonar) gate_.hear_sonar(vehicle.sonar, pose_from(vehicle.X_map_base).linear(), now);
  if (events.jumped) anchors_.forget();
  if (events.rebooted) {
    gate_.restart();
    anchors_.forget();
    // Restarted it is disarmed; but anyone who plays old frames to us looks the same.
    for (int i = 0; i < farewells; ++i) helm_.farewell(autopilot_->as_pilot(*link_));
    helm_.forget(true);
    source_command_ = 0;
    state_.source_set = 0;
    disarm_ = "the autopilot was restarted";
  }
  if (events.button) {
    gate_.forget();
    anchors_.forget();
    if (ros_) ros_->reset_slam();
  }
  if (events.said && ros_) ros_->say(vehicle.severity, vehicle.text);
}

void Machine::judge(machines::Cycle& cycle, bool sampled, Instant now) {
  const Vehicle& vehicle = autopilot_->vehicle();
  if (const auto* sender = link_->channel().senders().find(autopilot_options_.vehicle))
    autopilot_->note_loss(sender->loss());
  state_.vehicle = vehicle;
  const auto& counters = link_->channel().counters();
  state_.impostors = counters.with_our_address;
  state_.unsigned_or_forged = counters.unsigned_or_forged;
  const auto parsed = link_->parser_counters();
  state_.damaged = parsed.bad_checksum;
  state_.other_definition = parsed.other_definition;
  state_.activity = helm_.activity();
  state_.flags = wait_flags(now);
  state_.waiting = waiting_for(now);
  helm_.see(state_.waiting);
  state_.stage = helm_.stage();
  cycle.readable = std::max(vehicle.attitude_at, vehicle.heartbeat_at);
  cycle.quality = sampled ? Quality::live : Quality::stale;
  const Duration age = now - vehicle.attitude_at;
  if (autopilot_->doubled(now)) {
    cycle.quality = Quality::invalid;
    cycle.why = fmt::format("two vehicles answer as {}/{}: the boot time jumps back and forth",
                            autopilot_options_.vehicle.system, autopilot_options_.vehicle.component);
  } else if (autopilot_->presence(now) != mavlink::Presence::live) {
    cycle.quality = Quality::stale;
    cycle.why = "no heartbeat from the vehicle for 3 s";
  } else if (vehicle.attitude_at == Instant{} || age > stale_after_) {
    cycle.quality = Quality::stale;
    cycle.why = (vehicle.attitude_at == Instant{} ? std::string("connected; no attitude yet")
                                                  : fmt::format("no attitude for {:.1f} s", seconds(age))) +
                link_notes();
  } else if (autopilot_->late()) {
    cycle.quality = Quality::stale;
    cycle.why = fmt::format("high latency: round trip of {:.1f} s", seconds(vehicle.round_trip));
  }
  const bool steered = helm_.activity() == Activity::arming || helm_.activity() == Activity::armed;
  if (!cycle.why.empty() && steered && !disarm_) disarm_ = std::string(cycle.why.view());
  if (cycle.quality == Quality::live) {
    ++state_.samples;
    state_.live_at = vehicle.attitude_at;
  }
  if (disarm_) {
    cycle.disarm = true;
    trouble_ = *std::exchange(disarm_, std::nullopt);
    cycle.why = trouble_;
  }
  // Between two samples nothing has changed: the last one holds until it is stale.
  share(cycle.why.empty() && state_.samples > 0 ? Quality::live : cycle.quality, cycle.why);
  end_outputs(cycle);
}

// A permit may lapse while the latch stays armed, as after a short pause. Once the vehicle was disarmed for it, it must
// not be armed again by itself, so the latch is informed.
void Machine::end_outputs(machines::Cycle& cycle) {
  if (std::exchange(released_, false) && !cycle.disarm) {
    cycle.disarm = true;
    if (cycle.why.empty()) cycle.why = "the permit expired";
  }
  if (!cycle.disarm) return;
  disarm_told_ = true;
  helm_.told();
}

void Machine::publish(Instant now) {
  if (!ros_ || state_.quality != Quality::live || now < next_publish_) return;
  next_publish_ = std::max(next_publish_ + publish_every_, now);
  ros_->publish_vehicle(state_, state_.vehicle.attitude_at);
}

void Machine::share(Quality quality, std::string_view why) {
  state_.quality = quality;
  state_.why = why;
  shared_.put(state_);
}

}  // namespace tandem::orca
