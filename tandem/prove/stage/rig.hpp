// SPDX-License-Identifier: Apache-2.0
// One virtual device with a fault proxy before each of its ports: what a machine meets on the stage.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tandem/base/thread.hpp"
#include "tandem/net/faults/proxy.hpp"
#include "tandem/net/plug.hpp"
#include "tandem/prove/schedule/plan.hpp"
#include "tandem/prove/stage/marks.hpp"
#include "tandem/runtime/config/config.hpp"

namespace tandem::prove {

class Rig {
 public:
  // The machine as a configuration has it, with a virtual device; `namespace` and the like are in its options.
  // Throws std::runtime_error when a port cannot be had.
  Rig(const runtime::MachineConfig& config, std::uint64_t seed);
  ~Rig();

  const std::string& name() const { return config_.name; }
  const machines::MachineType& type() const { return *config_.type; }
  std::string url() const;  // of the proxies
  // From now on what passes at the device is recorded.
  void record(Marks& marks);
  void forget();  // the recording ends

  // A fault or a trouble of the device, until lift(). Any thread, one at a time.
  void strike(const Action& action);
  void lift(const Action& action);

  // Any thread; nothing while there is no device.
  std::optional<machines::TrueMotion> truth() const;

 private:
  // Passes on to a tap that comes later than the proxies.
  class LateTap final : public net::Tap {
   public:
    void opened(const net::Flow& flow, Instant stamp) noexcept override;
    void passed(const net::Flow& flow, net::Direction direction, Bytes bytes, Instant stamp) noexcept override;
    void closed(const net::Flow& flow, net::Ending ending, Instant stamp) noexcept override;
    std::atomic<net::Tap*> to{nullptr};
  };
  struct Port {
    std::string key;  // in the device's URL; empty: the URL's own port
    net::FaultProxy proxy;
  };
  void make_device();
  void end_device();
  std::vector<std::pair<std::string, std::uint16_t>> ports_of_device() const;
  void cut_off();
  void connect_again();

  const runtime::MachineConfig config_;
  LateTap tap_;
  std::unique_ptr<DeviceTap> recorded_;
  mutable std::mutex mutex_;
  net::Plug plug_;
  std::unique_ptr<machines::VirtualDevice> device_;  // guarded; looks at the plug
  Thread thread_;
  std::vector<Port> ports_;
};

}  // namespace tandem::prove
