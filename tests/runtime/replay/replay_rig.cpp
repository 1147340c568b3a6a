// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/replay/replay_rig.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tandem/ros2/messages/registry.hpp"
#include "tandem/ros2/types/cdr.hpp"
#include "tandem/runtime/config/config.hpp"
#include "tandem/runtime/registry.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::runtime {
namespace {

const machines::MachineType& replay_type(const std::string& name) {
  const auto* type = all_machines().find(name);
  REQUIRE(type != nullptr);
  return *type;
}

// Of a type that is described by a file, the only setting is that file.
std::shared_ptr<const machines::OwnConfig> own_of(const machines::MachineType& type,
                                                  const std::vector<std::string>& settings) {
  if (type.read_file == nullptr) return nullptr;
  REQUIRE(settings.size() == 1);
  return type.read_file(settings[0]).config;
}

machines::Options options_of(const machines::MachineType& type, const std::vector<std::string>& settings) {
  return options_from_settings(type.options, type.read_file == nullptr ? settings : std::vector<std::string>());
}

// One domain for the whole process.
const ros2::ContextOptions& replay_domain() {
  static const ros2::ContextOptions options = ros2::loopback_options();
  return options;
}

bool has_header(const std::string& type) {
  const auto* support = ros2::find_type(type);
  return support != nullptr && !support->description.fields.empty() &&
         support->description.fields.front().nested == "std_msgs/msg/Header";
}

}  // namespace

void FrameLog::keep(const net::Flow& flow, std::uint8_t kind, Bytes bytes, Instant stamp) noexcept {
  std::array<std::uint8_t, largest_field_head> buffer;
  const Bytes head = field_head(flow, kind, bytes.size(), clock_.utc(stamp), buffer);
  std::vector<std::uint8_t> whole(head.begin(), head.end());
  whole.insert(whole.end(), bytes.begin(), bytes.end());
  const std::lock_guard lock(mutex_);
  if (!ros2::decode(whole, frames_.emplace_back())) frames_.pop_back();
}

FieldFrames FrameLog::frames() const {
  const std::lock_guard lock(mutex_);
  return frames_;
}

std::uint32_t SampleLog::opened(const ros2::TappedTopic& topic) {
  const std::lock_guard lock(mutex_);
  topics_.push_back(topic);
  return static_cast<std::uint32_t>(topics_.size() - 1);
}

void SampleLog::passed(std::uint32_t handle, Bytes cdr, UtcTime) noexcept {
  std::vector<std::uint8_t> kept(cdr.begin(), cdr.end());
  const std::lock_guard lock(mutex_);
  const ros2::TappedTopic& topic = topics_[handle];
  if (topic.direction != net::Direction::out) return;
  if (kept.size() >= 12 && has_header(topic.type)) std::fill(kept.begin() + 4, kept.begin() + 12, std::uint8_t{0});
  samples_[topic.topic].push_back(std::move(kept));
}

Samples SampleLog::samples() const {
  const std::lock_guard lock(mutex_);
  return samples_;
}

std::size_t SampleLog::count(const std::string& topic) const {
  const std::lock_guard lock(mutex_);
  const auto found = samples_.find(topic);
  return found == samples_.end() ? 0 : found->second.size();
}

MachineRun::MachineRun(const std::string& type, const std::string& device, const std::vector<std::string>& settings) {
  ros2::ContextOptions options = replay_domain();
  options.tap = &samples;
  context_ = std::make_unique<ros2::Context>(options);
  const machines::MachineType& known = replay_type(type);
  machines::Setup setup{type, device, options_of(known, settings), context_.get(), &system_clock(), &frames};
  setup.own = own_of(known, settings);
  auto machine = known.make(setup);
  supervisor_ = std::make_unique<Supervisor>(type, std::move(machine), system_clock(), [this](const Event& event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(fmt::format("{}: {}", event.kind, event.text));
  });
  thread_ = std::jthread([this](const std::stop_token& stop) { supervisor_->run(stop); });
}

void MachineRun::stop() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

std::vector<std::string> MachineRun::events() const {
  const std::lock_guard lock(mutex_);
  return events_;
}

bool MachineRun::told(const std::string& words) const {
  const auto all = events();
  return std::ranges::any_of(all, [&](const std::string& one) { return one.find(words) != std::string::npos; });
}

DeviceRun::DeviceRun(const std::string& type, const std::vector<std::string>& settings)
    : DeviceRun([&] {
        const machines::MachineType& known = replay_type(type);
        machines::VirtualSetup setup;
        setup.standard_ports = false;
        setup.options = options_of(known, settings);
        setup.own = own_of(known, settings);
        setup.clock = &system_clock();
        return known.make_virtual(setup);
      }()) {}

DeviceRun::DeviceRun(std::unique_ptr<machines::VirtualDevice> device) : device_(std::move(device)) {
  thread_ = std::jthread([this](const std::stop_token& stop) { device_->run(stop); });
}

FieldRecording recording_of(const FieldFrames& frames, const std::string& type, const std::string& device) {
  ConversationBuilder builder;
  for (const auto& frame : frames) {
    const auto added = builder.add(frame);
    INFO((added ? std::string() : added.error().text));
    REQUIRE(added);
  }
  return {type, type, device, builder.take()};
}

std::size_t different_ones(const std::vector<std::vector<std::uint8_t>>& samples) {
  return std::set(samples.begin(), samples.end()).size();
}

double found_again(const std::vector<std::vector<std::uint8_t>>& first,
                   const std::vector<std::vector<std::uint8_t>>& again) {
  std::size_t found = 0;
  auto from = first.begin();
  for (const auto& sample : again) {
    const auto place = std::find(from, first.end(), sample);
    if (place == first.end()) continue;
    from = place + 1;
    ++found;
  }
  return again.empty() ? 0 : static_cast<double>(found) / static_cast<double>(again.size());
}

}  // namespace tandem::runtime
