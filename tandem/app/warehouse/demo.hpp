// SPDX-License-Identifier: Apache-2.0
// `tandem demo --fleet N`: a broker, N virtual forklifts that take orders, and the master that gives them. Judged by
// where the trucks really are.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tandem/app/warehouse/broker_process.hpp"
#include "tandem/app/warehouse/dispatcher.hpp"
#include "tandem/runtime/supervision/event.hpp"
#include "tandem/runtime/system.hpp"

namespace tandem::warehouse {

inline constexpr std::size_t most_trucks = 100;

// "truck1", or "truck01" where there are ten and more.
std::vector<std::string> truck_names(std::size_t count);

class FleetDemo final : public runtime::Ground {
 public:
  // Starts the broker; throws std::runtime_error if that cannot be, std::invalid_argument for invalid settings.
  // `settings` are "key=value", for every truck.
  FleetDemo(std::size_t trucks, std::span<const std::string> settings, const runtime::Registry& registry);
  ~FleetDemo() override;

  const runtime::Config& config() const { return config_; }
  const BrokerProcess& broker() const { return broker_; }
  // Once: the master begins. The system has to live until leave().
  void join(const runtime::System& system);
  void leave();
  // Every few hundred milliseconds: what there is to report. Starts the broker again when it has ended.
  std::vector<runtime::Event> look();
  // In one line: trips, orders, and how near the trucks really came to each other.
  std::string summary() const;
  bool touched() const { return touches_ > 0; }
  Traffic traffic() const;
  // X_hall_axle by the physics' truth; none before the truck is made.
  std::optional<PlanarPose> place_of(std::size_t truck) const;

  std::string_view name() const override;
  machines::Scene scene() const override;
  machines::Picture picture() const override;

 private:
  void judge(std::vector<runtime::Event>& events);
  void watch_broker(std::vector<runtime::Event>& events);

  const Map map_;
  const std::vector<std::string> names_;
  BrokerProcess broker_;
  runtime::Config config_;
  const runtime::System* system_ = nullptr;
  std::unique_ptr<Dispatcher> dispatcher_;
  std::atomic<const Dispatcher*> shown_{nullptr};
  std::optional<Instant> broker_ended_;
  Instant reported_{};
  std::vector<std::string> problems_;
  double nearest_ = 1e9;  // m, between two trucks since the start
  std::size_t touches_ = 0;
  bool touching_ = false;
};

}  // namespace tandem::warehouse
