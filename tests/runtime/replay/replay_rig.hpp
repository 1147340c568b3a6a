// SPDX-License-Identifier: Apache-2.0
// A machine on a device, with everything that passed on its sockets and everything that it published kept.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tandem/ros2/node.hpp"
#include "tandem/ros2/sample_tap.hpp"
#include "tandem/runtime/recording/field_tap.hpp"
#include "tandem/runtime/replay/device.hpp"
#include "tandem/runtime/supervision/supervisor.hpp"

namespace tandem::runtime {

using FieldFrames = std::vector<ros2::tandem_msgs::FieldFrame>;

// Keeps frames as a recording would: through their bytes.
class FrameLog final : public net::Tap {
 public:
  void opened(const net::Flow& flow, Instant stamp) noexcept override { keep(flow, 0, {}, stamp); }
  void passed(const net::Flow& flow, net::Direction direction, Bytes bytes, Instant stamp) noexcept override {
    keep(flow, direction == net::Direction::in ? 1 : 2, bytes, stamp);
  }
  void closed(const net::Flow& flow, net::Ending ending, Instant stamp) noexcept override {
    keep(flow, static_cast<std::uint8_t>(3 + static_cast<int>(ending)), {}, stamp);
  }
  FieldFrames frames() const;

 private:
  void keep(const net::Flow& flow, std::uint8_t kind, Bytes bytes, Instant stamp) noexcept;

  FileClock clock_{system_clock()};
  mutable std::mutex mutex_;
  FieldFrames frames_;
};

// By topic, in order; the stamp of a header is made zero.
using Samples = std::map<std::string, std::vector<std::vector<std::uint8_t>>>;

class SampleLog final : public ros2::SampleTap {
 public:
  std::uint32_t opened(const ros2::TappedTopic& topic) override;
  void closed(std::uint32_t) override {}
  void passed(std::uint32_t handle, Bytes cdr, UtcTime stamp) noexcept override;
  Samples samples() const;
  std::size_t count(const std::string& topic) const;

 private:
  mutable std::mutex mutex_;
  std::vector<ros2::TappedTopic> topics_;
  Samples samples_;
};

// One machine of this type on that device, under its supervisor.
class MachineRun {
 public:
  MachineRun(const std::string& type, const std::string& device, const std::vector<std::string>& settings);
  ~MachineRun() { stop(); }
  void stop();
  bool arm() { return static_cast<bool>(supervisor_->latch().arm("test")); }

  FrameLog frames;
  SampleLog samples;
  LinkStatus status() const { return supervisor_->status(); }
  std::vector<std::string> events() const;  // "lost: ..."
  bool told(const std::string& words) const;

 private:
  std::unique_ptr<ros2::Context> context_;
  mutable std::mutex mutex_;
  std::vector<std::string> events_;
  std::unique_ptr<Supervisor> supervisor_;
  std::jthread thread_;
};

// The virtual device of a type, running.
class DeviceRun {
 public:
  DeviceRun(const std::string& type, const std::vector<std::string>& settings);
  explicit DeviceRun(std::unique_ptr<machines::VirtualDevice> device);
  std::string url() const { return device_->url(); }

 private:
  std::unique_ptr<machines::VirtualDevice> device_;
  std::jthread thread_;
};

FieldRecording recording_of(const FieldFrames& frames, const std::string& type, const std::string& device);

std::size_t different_ones(const std::vector<std::vector<std::uint8_t>>& samples);

// The part of `again` that is found in `first`, in order, 0 to 1.
double found_again(const std::vector<std::vector<std::uint8_t>>& first,
                   const std::vector<std::vector<std::uint8_t>>& again);

}  // namespace tandem::runtime
