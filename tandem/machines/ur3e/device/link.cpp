// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/device/link.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "tandem/machines/ur3e/description.hpp"
#include "tandem/machines/ur3e/device/gate.hpp"
#include "tandem/net/round_trips.hpp"
#include "tandem/net/url.hpp"

namespace tandem::ur3e {
namespace {

constexpr double same_length = 1e-5;  // m, rad: a calibration moves frames by tenths of millimetres

const std::vector<std::string>& state_variables() {
  static const std::vector<std::string> names = {"timestamp",
                                                 "actual_q",
                                                 "actual_qd",
                                                 "actual_TCP_pose",
                                                 "actual_TCP_speed",
                                                 "actual_TCP_force",
                                                 "robot_mode",
                                                 "safety_mode",
                                                 "runtime_state",
                                                 "robot_status_bits",
                                                 "safety_status_bits",
                                                 "target_speed_fraction",
                                                 "speed_scaling",
                                                 "actual_digital_input_bits",
                                                 "actual_digital_output_bits",
                                                 "standard_analog_input0",
                                                 "standard_analog_input1",
                                                 "standard_analog_output0",
                                                 "standard_analog_output1"};
  return names;
}

bool differs(const ur::primary::KinematicsInfo& seen) {
  const auto far = [](double a, double b) { return std::abs(a - b) > same_length; };
  for (std::size_t i = 0; i < 6; ++i) {
    if (far(seen.a[i], arm_model.a[i]) || far(seen.d[i], arm_model.d[i]) || far(seen.alpha[i], arm_model.alpha[i]) ||
        far(seen.theta[i], 0))
      return true;
  }
  return false;
}

}  // namespace

Result<ControllerAddress> controller_address(const std::string& text) {
  ControllerAddress out;
  auto url = net::parse_url(text.find("://") == std::string::npos ? "rtde://" + text : text);
  if (!url) return std::move(url).error();
  if (url->scheme != "rtde")
    return Error{Fault::invalid, fmt::format("{}: expected rtde://HOST, got {}://", text, url->scheme)};
  if (auto known = url->only_keys({"dashboard", "primary", "secondary", "realtime", "gripper", "camera"}); !known)
    return within(text, std::move(known).error());
  out.host = url->host;
  out.rtde = url->port.value_or(ports::rtde);
  const std::pair<const char*, std::uint16_t*> wanted[] = {
      {"dashboard", &out.dashboard}, {"primary", &out.primary}, {"gripper", &out.gripper}};
  for (const auto& [key, place] : wanted) {
    auto port = url->number(key, *place, 1, 65535);
    if (!port) return within(text, std::move(port).error());
    *place = static_cast<std::uint16_t>(*port);
  }
  return out;
}

Result<Link> Link::connect(const ControllerAddress& address, double frequency, net::Tap* tap, Instant deadline,
                           std::span<const std::string> more) {
  const net::RoundTrips trips(deadline);
  auto rtde = ur::RtdeClient::connect(address.host, address.rtde, trips.next(), tap);
  if (!rtde) return std::move(rtde).error();
  auto primary = ur::PacketClient::connect(address.host, address.primary, trips.next(), tap);
  if (!primary) return within("primary port", std::move(primary).error());
  Link link(std::move(*rtde), std::move(*primary));
  if (auto ready = link.set_up(frequency, more, trips.next()); !ready) return std::move(ready).error();
  return link;
}

Result<void> Link::set_up(double frequency, std::span<const std::string> more, Instant deadline) {
  const net::RoundTrips trips(deadline);
  std::vector<std::string> names = state_variables();
  for (std::string& name : script::report_variables()) names.push_back(std::move(name));
  // Older controllers do not report the tool centre point; we then find it from pose and joints.
  std::vector<std::string> with_offset = names;
  with_offset.push_back("tcp_offset");
  std::vector<std::string> with_more = with_offset;
  with_more.insert(with_more.end(), more.begin(), more.end());
  auto outputs = rtde_.setup_outputs(with_more, frequency, trips.next());
  has_more_ = outputs.ok();
  if (!outputs && outputs.error().fault == Fault::not_found && !more.empty())
    outputs = rtde_.setup_outputs(with_offset, frequency, trips.next());
  has_tcp_offset_ = outputs.ok();
  if (!outputs && outputs.error().fault == Fault::not_found)
    outputs = rtde_.setup_outputs(names, frequency, trips.next());
  if (!outputs) return outputs;
  return rtde_.start(trips.next());
}

Result<void> Link::set_up_inputs(const net::RoundTrips& trips) {
  if (beat_recipe_ == 0) {
    const std::vector<std::string> beat = {fmt::format("input_int_register_{}", script::inputs::heartbeat)};
    auto recipe = rtde_.setup_inputs(beat, trips.next());
    if (!recipe) return std::move(recipe).error();
    beat_recipe_ = *recipe;
  }
  auto recipe = rtde_.setup_inputs(script::command_variables(), trips.next());
  if (!recipe) return std::move(recipe).error();
  command_recipe_ = *recipe;
  return {};
}

Result<std::optional<std::string>> Link::claim(Instant deadline) {
  std::optional<std::string> refused;
  if (command_recipe_ != 0) return refused;
  // Recipes are taken while no data flows.
  const net::RoundTrips trips(deadline);
  if (auto paused = rtde_.pause(trips.next()); !paused) return std::move(paused).error();
  if (auto claimed = set_up_inputs(trips); !claimed) {
    const Fault fault = claimed.error().fault;
    if (rtde_.fd() < 0 || fault == Fault::timeout || fault == Fault::closed) return std::move(claimed).error();
    refused = std::move(claimed).error().text;
  }
  if (auto started = rtde_.start(trips.next()); !started) return std::move(started).error();
  return refused;
}

net::TcpSocket Link::abandon() {
  net::TcpSocket socket = rtde_.abandon();
  if (socket.open()) socket.outlast_silence();
  return socket;
}

Result<void> Link::beat(Instant deadline) {
  variables_.inputs.input_int_register[script::inputs::heartbeat] = ++beats_;
  return rtde_.send(beat_recipe_, variables_, deadline);
}

Result<void> Link::write(const script::Write& write, std::int32_t sequence, Instant deadline) {
  script::place(write, sequence, variables_.inputs);
  return rtde_.send(command_recipe_, variables_, deadline);
}

void Link::end_program(std::int32_t sequence, std::int32_t identity) {
  const Instant deadline = system_clock().now() + write_within;
  [[maybe_unused]] const auto sent = write({.code = script::Code::end}, sequence, deadline);
  const ur::ControllerState& state = variables_.state;
  if (!hindrance(state) || state.output_int_register[script::outputs::identity] != identity) return;
  [[maybe_unused]] const auto stopped = upload("stop program", deadline);
}

Result<void> Link::read_primary(Instant deadline) {
  auto packet = primary_.receive(deadline);
  if (!packet) {
    // Part of a packet has come; the rest is read with the next piece.
    if (packet.error().fault == Fault::timeout) return {};
    return within("primary port", std::move(packet).error());
  }
  const auto decoded = ur::primary::decode(*packet);
  if (decoded) hear(*decoded);
  return {};
}

void Link::hear(const ur::primary::Packet& packet) {
  if (const auto* state = std::get_if<ur::primary::RobotState>(&packet)) {
    if (state->kinematics && !calibrated_) calibrated_ = differs(*state->kinematics);
    return;
  }
  const auto* message = std::get_if<ur::primary::RobotMessage>(&packet);
  if (message == nullptr) return;
  if (const auto* exception = std::get_if<ur::primary::RuntimeException>(&message->body))
    complaint_ = fmt::format("line {} of the control program: {}", exception->line, exception->text);
  if (const auto* error = std::get_if<ur::primary::ErrorCode>(&message->body))
    if (!error->text.empty() || error->code != 0)
      complaint_ = fmt::format("C{}A{} {}", error->code, error->argument, error->text);
}

std::string Link::take_complaint() { return std::exchange(complaint_, {}); }

}  // namespace tandem::ur3e
