// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/control/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "tandem/machines/generic/device/judge.hpp"
#include "tandem/machines/generic/ros/topics.hpp"
#include "tandem/machines/generic/topic_names.hpp"

namespace tandem::generic {
namespace {

constexpr double least_stale = 0.1;     // s
constexpr double no_link_limit = 1e9;   // s: a lost link disarms, and latches nothing
constexpr Duration least_wait = 500ms;  // for the answers of one scan
constexpr std::string_view link_away = "disconnected";

// Between two answers that are expected: of the signals that are read most often.
double answer_period(const Description& description) {
  double shortest = 60;
  for (const Declaration& signal : description.signals)
    shortest = std::min(shortest, std::max(signal.every.value_or(description.cycle), description.cycle));
  return description.signals.empty() ? description.cycle : shortest;
}

double stale_after(const Description& description) { return std::max(least_stale, 3 * answer_period(description)); }

std::optional<Urdf> urdf_of(const Description& description) {
  if (!description.robot) return std::nullopt;
  auto urdf = urdf_from_file(description.robot->urdf);
  if (!urdf) throw std::invalid_argument(urdf.error().text);
  return std::move(*urdf);
}

}  // namespace

Machine::Machine(const machines::Setup& setup, std::shared_ptr<const Description> description,
                 std::unique_ptr<Link> link)
    : PolledMachine(*setup.clock, description->cycle, stale_after(*description), no_link_limit),
      description_(std::move(description)),
      name_(setup.name),
      urdf_(urdf_of(*description_)),
      commands_(outputs_of(*description_)),
      writer_(*description_, commands_.outputs()),
      guards_(*description_),
      link_(std::move(link)),
      written_(commands_.outputs().size()) {
  outcomes_.reserve(written_.size());
  if (setup.ros != nullptr) {
    const NodeName name = node_name(*description_);
    const Topics::Setup ros{.node = name.node,
                            .name_space = name.name_space,
                            .tf_prefix = description_->tf_prefix,
                            .machine = setup.name,
                            .hardware = fmt::format("{} at {}", setup.name, setup.device),
                            .stale_after = 2 * duration_of(stale_after(*description_))};
    ros_ = std::make_unique<Topics>(*setup.ros, ros, *description_, urdf_ ? &*urdf_ : nullptr, clock_, shared_,
                                    shared_readings_, commands_, lines_);
  }
  refusals_log_.emplace(clock_, ros_node(), &lines_);
  if (!link_->signals().empty()) learn_signals();
}

Machine::~Machine() { disconnect(); }

ros2::FullNode* Machine::ros_node() { return ros_ ? &ros_->node() : nullptr; }

// The link has found its signals, or found others.
void Machine::learn_signals() {
  signals_ = std::make_shared<const std::vector<Signal>>(link_->signals());
  if (readings_.of.size() != signals_->size()) readings_.resize(*signals_);
  shared_readings_.reset(signals_, written_.size());
  writer_.bind(*signals_);
  guards_.bind(*signals_);
  if (ros_) ros_->offer(signals_);
}

Result<void> Machine::connect(Instant deadline) {
  disconnect();
  auto connected = connect_link(*link_, deadline);
  say_notes();
  if (!connected) return connected;
  readings_.resize(link_->signals());  // what was read before says nothing of now
  learn_signals();
  return connected;
}

// Nothing is written here: outputs keep what they have, and the heartbeat ends.
void Machine::disconnect() noexcept {
  link_->disconnect();
  commands_.see_armed(false);
  writer_.begin();
  armed_ = was_armed_ = stoppable_ = state_.armed = false;
  if (signals_) {
    for (std::size_t i = 0; i < signals_->size(); ++i) set_quality(readings_.of[i], SignalQuality::stale, link_away);
    share_readings(true);
    if (ros_) ros_->publish_signals(readings_);
  }
  if (state_.quality == Quality::live) share(Quality::stale, link_away);
}

Error Machine::lost(Error error) {
  share(Quality::stale, error.text);
  return error;
}

Result<machines::Cycle> Machine::cycle(const machines::Permit& permit) {
  see(permit);
  wait_for_turn();
  const auto sample = read();
  if (!sample) return lost(sample.error());
  machines::Cycle cycle = handle(*sample);
  if (moves()) {
    if (auto wrote = write(permit); !wrote) return lost(wrote.error());
    shared_.put(state_);
  }
  share_readings(false);
  say_notes();
  tell(cycle);
  return cycle;
}

Result<Sample> Machine::read() {
  const Instant begun = clock_.now();
  const Instant deadline = begun + std::max<Duration>(least_wait, 3 * period());
  const auto scan = link_->scan(begun, readings_, deadline);
  if (!scan) return scan.error();
  if (scan->signals_changed) {
    learn_signals();
    if (armed_) end("the signals of the device changed");
  }
  const Instant now = clock_.now();
  age(now);
  state_.link = link_->counters();
  Sample sample;
  if (scan->answered > 0) answered_ = scan->readable != Instant{} ? scan->readable : now;
  sample.received = answered_;
  if (scan->answered == 0 && scan->requests > 0) {
    sample.received = {};
    sample.quality = Quality::stale;
    sample.why = "no signal was answered";
  } else if (answered_ == Instant{}) {
    sample.quality = Quality::stale;
    sample.why = "no signal was read yet";
  }
  return sample;
}

// Links judge what they ask for; this is about what they do not get to.
void Machine::age(Instant now) {
  for (std::size_t i = 0; i < signals_->size(); ++i) {
    Reading& reading = readings_.of[i];
    if (reading.quality != SignalQuality::good && reading.quality != SignalQuality::uncertain) continue;
    const double limit = std::max(least_stale, 3 * (*signals_)[i].period);
    if (now - reading.received > duration_of(limit)) set_quality(reading, SignalQuality::stale, "no answer in time");
  }
}

machines::Verdict Machine::judge(const Sample&) { return {}; }

void Machine::observe(const Sample& sample) { believe(sample.received); }

void Machine::publish(Instant received) {
  if (ros_) ros_->publish(readings_, received);
}

void Machine::share_readings(bool wait) {
  for (std::size_t i = 0; i < written_.size(); ++i) written_[i] = writer_.written(i);
  shared_readings_.put(readings_, written_, wait);
}

void Machine::say_notes() {
  for (const Note& note : link_->take_notes())
    machines::log_line(ros_node(), lines_, note.warning ? ros2::LogLevel::warn : ros2::LogLevel::info, note.text);
}

}  // namespace tandem::generic
