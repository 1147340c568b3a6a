// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/warehouse/demo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "tandem/app/warehouse/footprint.hpp"
#include "tandem/app/warehouse/hall.hpp"
#include "tandem/machines/raptorlift/virtual/device.hpp"
#include "tandem/runtime/registry.hpp"

namespace tandem::warehouse {
namespace {

constexpr Duration broker_pause = 5s;  // between its end and its next start
constexpr Duration between_reports = 30s;

std::size_t bays_for(std::size_t trucks) { return trucks + std::max<std::size_t>(2, trucks / 6); }

BrokerProcess started_broker() {
  auto broker = BrokerProcess::start();
  if (!broker) throw std::runtime_error(broker.error().text);
  return *std::move(broker);
}

std::string serial_of(std::size_t truck) { return fmt::format("{:04}", truck + 1); }

}  // namespace

std::vector<std::string> truck_names(std::size_t count) {
  std::vector<std::string> names;
  const std::size_t width = std::to_string(count).size();
  for (std::size_t i = 1; i <= count; ++i) names.push_back(fmt::format("truck{:0{}}", i, width));
  return names;
}

FleetDemo::FleetDemo(std::size_t trucks, std::span<const std::string> settings, const runtime::Registry& registry)
    : map_(make_warehouse(bays_for(trucks))), names_(truck_names(trucks)), broker_(started_broker()) {
  const machines::MachineType* const type = registry.find("raptorlift");
  if (type == nullptr) throw std::invalid_argument("--fleet: expected the machine raptorlift, got none");
  config_.ros.enabled = false;  // the fleet is reached over MQTT
  config_.mqtt.url = broker_.url();
  for (std::size_t i = 0; i < trucks; ++i) {
    std::vector<std::string> own{"vda5050=true",    "manufacturer=Tandem",  "map_id=hall",
                                 "log_interval=60", "feedback_timeout=0.5", fmt::format("serial=\"{}\"", serial_of(i))};
    own.insert(own.end(), settings.begin(), settings.end());
    config_.machines.push_back(
        {names_[i], type, "", true, true, runtime::options_from_settings(type->options, own), {"demo", 0, 0}});
  }
}

FleetDemo::~FleetDemo() { leave(); }

void FleetDemo::join(const runtime::System& system) {
  system_ = &system;
  DispatcherOptions options;
  options.broker = config_.mqtt;
  for (std::size_t i = 0; i < names_.size(); ++i) options.serials.push_back(serial_of(i));
  dispatcher_ =
      std::make_unique<Dispatcher>(map_, std::move(options), [this](std::size_t truck) { return place_of(truck); });
  problems_.resize(names_.size());
  reported_ = system_clock().now();
  shown_ = dispatcher_.get();
}

void FleetDemo::leave() {
  if (dispatcher_) dispatcher_->end();
}

// The physics' truth: each truck began in a bay of its own.
std::optional<PlanarPose> FleetDemo::place_of(std::size_t truck) const {
  const auto* device = dynamic_cast<const raptorlift::VirtualDevice*>(system_->virtual_device(names_[truck]));
  if (device == nullptr) return std::nullopt;
  return map_.nodes[map_.bays[truck]].pose * device->truth().axle;
}

std::vector<runtime::Event> FleetDemo::look() {
  std::vector<runtime::Event> events;
  if (!dispatcher_) return events;
  watch_broker(events);
  judge(events);
  const Traffic traffic = dispatcher_->traffic();
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (traffic.problems[i] == problems_[i]) continue;
    problems_[i] = traffic.problems[i];
    if (!problems_[i].empty()) events.push_back({names_[i], "order", problems_[i], true});
  }
  if (const Instant now = system_clock().now(); now - reported_ >= between_reports) {
    reported_ = now;
    events.push_back({"", "fleet", summary()});
  }
  return events;
}

void FleetDemo::judge(std::vector<runtime::Event>& events) {
  std::vector<Footprint> covered;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const auto place = place_of(i);
    if (!place) return;
    covered.push_back(footprint(*place));
  }
  bool touching = false;
  for (std::size_t a = 0; a < covered.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const double apart = gap(covered[a], covered[b]);
      nearest_ = std::min(nearest_, apart);
      if (apart > 0) continue;
      touching = true;
      if (!touching_) events.push_back({names_[a], "touch", "touches " + names_[b], true});
    }
  }
  touches_ += touching && !touching_;
  touching_ = touching;
}

void FleetDemo::watch_broker(std::vector<runtime::Event>& events) {
  const Instant now = system_clock().now();
  if (const auto end = broker_.take_end()) {
    broker_ended_ = now;
    events.push_back({"", "broker",
                      fmt::format("ended by {}; trucks drive to the end of what is released; started again in {:.0f} s",
                                  *end, seconds(broker_pause)),
                      true});
  }
  if (!broker_ended_ || now - *broker_ended_ < broker_pause) return;
  broker_ended_.reset();
  if (const auto begun = broker_.restart(); !begun) {
    broker_ended_ = now;
    events.push_back({"", "broker", begun.error().text, true});
    return;
  }
  events.push_back({"", "broker", fmt::format("mosquitto, process {}, on {}", broker_.process(), broker_.url())});
}

Traffic FleetDemo::traffic() const {
  const Dispatcher* const dispatcher = shown_.load();
  if (dispatcher != nullptr) return dispatcher->traffic();
  Traffic none;
  none.edges.resize(map_.edges.size());
  none.problems.resize(names_.size());
  return none;
}

std::string FleetDemo::summary() const {
  const Traffic traffic = this->traffic();
  const std::string apart = nearest_ > 1e6 ? "" : fmt::format(", nearest two trucks {:.2f} m apart", nearest_);
  return fmt::format("{} trucks, {} ready; {} trips by {} VDA 5050 orders and updates; {} collisions{}", names_.size(),
                     traffic.ready, traffic.trips, traffic.orders, touches_, apart);
}

std::string_view FleetDemo::name() const { return hall_name; }
machines::Scene FleetDemo::scene() const { return hall_scene(map_); }

machines::Picture FleetDemo::picture() const { return hall_picture(traffic().edges); }

}  // namespace tandem::warehouse
