// SPDX-License-Identifier: Apache-2.0
#include "tests/machines/orca/fake_vehicle.hpp"

#include <fmt/format.h>

#include "tandem/runtime/config/config.hpp"

namespace tandem::orca::rig {
namespace {

constexpr Duration fake_period = 20ms;

mavlink::Link open_fake(const Clock& clock, const FakeOptions& options) {
  mavlink::LinkAddress address;
  address.kind = options.tcp ? mavlink::LinkKind::tcp_in : mavlink::LinkKind::udp;
  address.bind_host = "127.0.0.1";
  address.learn = true;
  const mavlink::ChannelOptions channel{.own = options.own, .signing = options.signing, .clock = &clock};
  return std::move(*mavlink::Link::open(address, {.channel = channel}));
}

}  // namespace

FakeVehicle::FakeVehicle(Clock& clock, const FakeOptions& options)
    : clock_(clock),
      tcp_(options.tcp),
      link_(open_fake(clock, options)),
      commands_(options.own),
      missions_(mavlink::MissionServer::Options{.own = options.own}) {
  booted = clock.now().time_since_epoch() - 10s;
}

std::string FakeVehicle::url() const { return url_at(local()); }

std::string FakeVehicle::url_at(const net::Endpoint& door) const {
  return fmt::format("mavlink://127.0.0.1:{}?link={}", door.port, tcp_ ? "tcp" : "udpout");
}

std::uint32_t FakeVehicle::boot_ms() const {
  return static_cast<std::uint32_t>(milliseconds(clock_.now().time_since_epoch() - booted));
}

void FakeVehicle::step() {
  while (const auto frame = link_.receive(Instant{})) hear(*frame);
  const Instant now = clock_.now();
  if (heartbeat && now >= next_heartbeat_) {
    next_heartbeat_ = now + 1s;
    say(mavlink::Heartbeat{.type = mavlink::vehicle_type::submarine,
                           .autopilot = mavlink::autopilot::ardupilot,
                           .base_mode = static_cast<std::uint8_t>(armed ? 128 + 64 + 1 : 64 + 1),
                           .custom_mode = mode,
                           .system_status = mavlink::system_status::active});
  }
  if (!streams) return;
  say(mavlink::Attitude{.time_boot_ms = boot_ms(), .roll = roll, .pitch = pitch, .yaw = yaw});
  say(mavlink::RangeFinder{.distance = sonar});
  mavlink::EkfStatusReport report;
  report.flags = ekf_flags;
  say(report);
  if (positions) say(mavlink::LocalPositionNed{.time_boot_ms = boot_ms(), .x = x, .y = y, .z = z});
}

void FakeVehicle::hear(const mavlink::Frame& frame) {
  if (const auto request = commands_.handle(frame, clock_.now(), link_)) return obey(*request);
  if (missions_.handle(frame, clock_.now(), link_)) return;
  if (const auto delta = frame.as<mavlink::VisionPositionDelta>()) return deltas.push_back(*delta);
  if (const auto estimate = frame.as<mavlink::VisionPositionEstimate>()) return estimates.push_back(*estimate);
  if (const auto odometry = frame.as<mavlink::Odometry>()) return odometries.push_back(*odometry);
  if (const auto stick = frame.as<mavlink::ManualControl>()) return sticks.push_back(*stick);
  if (const auto target = frame.as<mavlink::SetPositionTargetLocalNed>()) return targets.push_back(*target);
  if (const auto parameter = frame.as<mavlink::ParamSet>()) {
    parameters.insert(std::string(parameter->param_id.view()));
    say(mavlink::ParamValue{
        .param_id = parameter->param_id, .param_value = parameter->param_value, .param_type = parameter->param_type});
  } else if (frame.is<mavlink::Heartbeat>()) {
    ++heartbeats;
  } else if (frame.is<mavlink::SetGpsGlobalOrigin>()) {
    ++origins;
    say(mavlink::GpsGlobalOrigin{.latitude = 1});
  } else if (!frame.is<mavlink::TimeSync>() && !frame.is<mavlink::ParamRequestRead>()) {
    ++others;
  }
}

void FakeVehicle::obey(const mavlink::CommandRequest& request) {
  mavlink::CommandResult result = mavlink::CommandResult::accepted;
  switch (request.command) {
    case mavlink::command::arm:
      (request.params[0] > 0.5 ? arms : disarms)++;
      if (request.params[0] > 0.5) result = arm_result;
      if (result == mavlink::CommandResult::accepted) armed = request.params[0] > 0.5;
      next_heartbeat_ = clock_.now() + 100ms;
      break;
    case mavlink::command::message_interval:
      streams_asked.insert(static_cast<std::uint32_t>(request.params[0]));
      break;
    case mavlink::command::ekf_source_set:
      source_sets.push_back(static_cast<int>(request.params[0]));
      break;
    case mavlink::command::do_mode:
      mode = static_cast<std::uint32_t>(request.params[1]);
      break;
    default:
      result = mavlink::CommandResult::unsupported;
  }
  if (acknowledges) commands_.acknowledge(request, result, link_);
}

machines::Setup setup_for(const std::string& device, Clock& clock, const std::vector<std::string>& settings) {
  machines::Setup setup;
  setup.name = "sub";
  setup.device = device;
  setup.options = runtime::options_from_settings(bridge_options(), settings);
  setup.clock = &clock;
  return setup;
}

Rig::Rig(const std::vector<std::string>& settings, const FakeOptions& options)
    : vehicle(clock, options), bridge(setup_for(vehicle.url(), clock, settings)) {
  sighting.tracking = Tracking::ok;
  sighting.map = 1;
  sighting.visual = {3.095, 0.01, 100};
}

bool Rig::connect() {
  std::jthread speaks([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      clock.advance(5ms);
      vehicle.step();
      std::this_thread::sleep_for(1ms);
    }
  });
  lost = !bridge.connect(clock.now() + 100s).ok();
  return !lost;
}

void Rig::run(Duration time) {
  for (Duration passed{}; passed < time && !lost; passed += fake_period) {
    clock.advance(fake_period);
    vehicle.step();
    if (++steps_ % 5 == 0 && slam_step >= 0) {
      sighting.received = clock.now();
      sighting.stamp = clock.utc().time_since_epoch();
      sighting.X_world_camera.position[0] += slam_step;
      bridge.commands().sightings.post(sighting);
    }
    const auto cycle = bridge.cycle(machines::Permit(armed, clock, Instant::max()));
    if (!cycle) {
      lost = true;
      whys.push_back(cycle.error().text);
      return;
    }
    last = *cycle;
    if (!last.why.empty()) whys.emplace_back(last.why.view());
    if (last.disarm) {
      ++disarms;
      armed = false;
    }
  }
}

bool Rig::told(std::string_view part) const {
  return std::ranges::any_of(whys, [part](const std::string& why) { return why.find(part) != std::string::npos; });
}

}  // namespace tandem::orca::rig
