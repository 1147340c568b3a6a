// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "tandem/base/frames.hpp"
#include "tandem/base/latest.hpp"
#include "tandem/base/transforms.hpp"
#include "tandem/machines/orca/virtual/autopilot/autopilot.hpp"
#include "tandem/machines/orca/virtual/faults.hpp"
#include "tandem/machines/orca/virtual/port.hpp"
#include "tandem/machines/orca/virtual/seen.hpp"

namespace tandem::orca {
namespace {

constexpr Duration most_made_up = 50ms;   // of simulated time in one turn; what the host held up for longer is lost
constexpr int most_frames_per_turn = 64;  // of one link, so that a flood does not stop the body

std::vector<std::string> link_addresses(const VirtualDeviceSetup& setup) {
  const auto call = [&](std::uint16_t port) { return fmt::format("udp://{}:0@127.0.0.1:{}", setup.listen, port); };
  std::vector<std::string> addresses;
  if (setup.standard_ports) {
    addresses = {call(ground_port), call(bridge_port)};
  } else {
    addresses = {fmt::format("udpin:{}:0", setup.listen)};
  }
  if (setup.called != 0) addresses.push_back(call(setup.called));
  const std::uint16_t tcp = setup.standard_ports && setup.port == 0 ? tcp_port : setup.port;
  addresses.push_back(fmt::format("tcpin:{}:{}", setup.listen, tcp));
  return addresses;
}

AutopilotOptions autopilot_options(const VirtualDeviceSetup& setup) {
  AutopilotOptions options;
  options.estimator.aiding_delay = setup.aiding_delay;
  options.estimator.declination = setup.sensors.field.declination;
  options.hull = setup.body.hull;
  options.sonar = setup.sensors.sonar;
  options.faults = setup.faults;
  return options;
}

// One thread: frames of all links, then the body up to the present, then what is due goes out.
class VirtualVehicle final : public VirtualDevice {
 public:
  explicit VirtualVehicle(const VirtualDeviceSetup& setup)
      : setup_(setup),
        clock_(setup.clock != nullptr ? *setup.clock : static_cast<Clock&>(system_clock())),
        body_(setup.body),
        sensors_(setup.sensors, setup.body.hull),
        step_(duration_of(body_.timestep())),
        stepped_(clock_.now()) {
    std::uint8_t number = 0;
    for (const std::string& address : link_addresses(setup)) {
      PortOptions options{
          .own = {vehicle_system, vehicle_component}, .clock = &clock_, .faults = setup.faults, .plug = setup.plug};
      if (setup.signing_key) options.signing = mavlink::SigningOptions{.key = *setup.signing_key, .link = number++};
      auto port = VirtualPort::open(address, options);
      if (!port) throw std::runtime_error(fmt::format("virtual Orca: {}", port.error().text));
      ports_.push_back(std::move(*port));
    }
    watches_.reserve(64);
    start();
  }

  std::string url() const override {
    if (setup_.standard_ports) return fmt::format("mavlink://127.0.0.1:{}?link=udpin", bridge_port);
    return fmt::format("mavlink://{}:{}?link=udpout", host(), ports_.front()->local().port);
  }
  // A MAVLink vehicle sends to others first.
  std::string listening() const override {
    if (!setup_.standard_ports) return machines::VirtualDevice::listening();
    return fmt::format("sends to UDP {} and {} of 127.0.0.1 and serves TCP {}:{}; device of a machine: {}", ground_port,
                       bridge_port, setup_.listen, ports_.back()->local().port, url());
  }
  std::string tcp_url() const override {
    return fmt::format("mavlink://{}:{}?link=tcp", host(), ports_.back()->local().port);
  }

  void run(std::stop_token stop) override {
    stepped_ = clock_.now();
    while (!stop.stop_requested()) {
      receive();
      advance();
      autopilot_->poll(clock_.now(), clock_.utc());
      misbehave();
      rest();
    }
  }

  Truth truth() const override { return truth_from(seen_.get().value_or(Seen{})); }
  Pose estimate() const override { return believed_from(seen_.get().value_or(Seen{})); }

 private:
  std::string host() const { return setup_.listen == "0.0.0.0" ? "127.0.0.1" : setup_.listen; }

  void start() {
    outlets_.clear();
    for (auto& port : ports_) outlets_.push_back(port.get());
    AutopilotOptions options = autopilot_options(setup_);
    if (autopilot_) options.memory = autopilot_->memory();
    autopilot_ = std::make_unique<Autopilot>(options, outlets_, clock_.now());
    show();
  }

  void receive() {
    for (std::size_t i = 0; i < ports_.size(); ++i) {
      for (int frames = 0; frames < most_frames_per_turn; ++frames) {
        const auto frame = ports_[i]->receive();
        if (!frame) break;
        autopilot_->handle(*frame, i, clock_.now());
      }
    }
  }

  void advance() {
    const Instant now = clock_.now();
    if (stepped_ + step_ > now) return;
    stepped_ = std::max(stepped_, now - most_made_up);
    for (; stepped_ + step_ <= now; stepped_ += step_) {
      if (!body_.step()) body_.reset();  // the physics has tripped
      body_.pulses(autopilot_->step(sensors_.sample(body_.truth()), seconds(step_), now));
    }
    autopilot_->witness(body_.truth());
    show();
  }

  void show() {
    const Estimate& estimate = autopilot_->estimate();
    const Pose X_map_believed =
        tandem::pose_from(enu_from_ned(estimate.position), enu_flu_from_ned_frd(estimate.q_ned_frd).toRotationMatrix());
    seen_.put(seen_from(body_.truth(), X_map_believed));
  }

  void misbehave() {
    VehicleFaults* const faults = setup_.faults;
    if (faults != nullptr && faults->due(VehicleFaults::disconnect)) ports_.back()->reopen();
    const bool restarts = faults != nullptr && faults->due(VehicleFaults::restart);
    if (restarts || autopilot_->restart_wanted()) {
      body_.pulses(still);
      for (auto& port : ports_) port->reopen();
      start();
    }
  }

  // Until something comes, or the next step is due.
  void rest() {
    watches_.clear();
    Instant wake = now() + std::max<Duration>(Duration::zero(), stepped_ + step_ - clock_.now());
    for (auto& port : ports_) wake = std::min(wake, port->watch(watches_));
    static_cast<void>(net::wait(watches_, wake));
  }

  VirtualDeviceSetup setup_;
  Clock& clock_;
  Body body_;
  VirtualSensors sensors_;
  Duration step_;
  Instant stepped_;  // the body's time has come this far
  std::vector<std::unique_ptr<VirtualPort>> ports_;
  std::vector<mavlink::Outlet*> outlets_;
  std::vector<net::Watch> watches_;
  std::unique_ptr<Autopilot> autopilot_;
  Latest<Seen> seen_;
};

}  // namespace

std::optional<machines::TrueMotion> VirtualDevice::true_motion() const {
  const Truth truth = this->truth();
  const Eigen::Vector3d position = truth.X_map_base.translation();
  return machines::TrueMotion{{position.x(), position.y(), position.z()}, truth.velocity.norm()};
}

std::unique_ptr<VirtualDevice> make_virtual_device(const VirtualDeviceSetup& setup) {
  if (!(setup.aiding_delay >= 0 && setup.aiding_delay <= 600))
    throw std::invalid_argument(fmt::format("aiding_delay: expected 0 to 600 s, got {}", setup.aiding_delay));
  return std::make_unique<VirtualVehicle>(setup);
}

}  // namespace tandem::orca
