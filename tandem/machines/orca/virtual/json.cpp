// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "tandem/base/frames.hpp"
#include "tandem/base/transforms.hpp"

namespace tandem::orca {
namespace {

constexpr std::uint16_t magic_16 = 18458, magic_32 = 29569;
constexpr std::size_t frame_head = 8, largest_frame = 72;
constexpr double most_rate = 10000;  // Hz; who asks for more is answered in steps of this
constexpr std::uint32_t fresh = 1;   // counts up to this are those of an ArduSub that has just begun

net::UdpSocket opened(const JsonSettings& settings) {
  auto socket = net::UdpSocket::bind(settings.listen, settings.port);
  if (!socket) throw std::runtime_error(socket.error().text);
  return std::move(*socket);
}

void write_vector(std::string& out, std::string_view name, const Eigen::Vector3d& v) {
  fmt::format_to(std::back_inserter(out), "\"{}\":[{},{},{}]", name, v.x(), v.y(), v.z());
}

double range_for_ardusub(const SonarReading& sonar, const Sonar& limits) {
  if (sonar.echo == Echo::good) return sonar.distance;
  return sonar.echo == Echo::near ? 0 : limits.most + 1;
}

}  // namespace

Result<ServoFrame> servo_frame_from(Bytes datagram) {
  ByteReader reader(datagram);
  const auto magic = reader.little<std::uint16_t>();
  ServoFrame frame;
  frame.rate = reader.little<std::uint16_t>();
  frame.count = reader.little<std::uint32_t>();
  if (magic != magic_16 && magic != magic_32)
    return Error{Fault::invalid, fmt::format("servo frame: expected magic {} or {}, got {} in {} bytes", magic_16,
                                             magic_32, magic, datagram.size())};
  frame.servos = magic == magic_16 ? 16 : 32;
  const std::size_t size = frame_head + 2 * frame.servos;
  if (datagram.size() != size)
    return Error{Fault::invalid,
                 fmt::format("servo frame of magic {}: expected {} bytes, got {}", magic, size, datagram.size())};
  if (frame.rate == 0) return Error{Fault::invalid, "servo frame: expected a frame rate above 0 Hz, got 0 Hz"};
  for (std::size_t i = 0; i < frame.servos; ++i) frame.pulses[i] = reader.little<std::uint16_t>();
  return frame;
}

void write_answer(std::string& out, const Truth& truth, const SonarReading& sonar, const Sonar& limits) {
  const Eigen::Quaterniond q = ned_frd_from_enu_flu(Eigen::Quaterniond(truth.X_map_base.linear()));
  out.clear();
  fmt::format_to(std::back_inserter(out), "\n{{\"timestamp\":{},\"imu\":{{", truth.time);
  write_vector(out, "gyro", frd_from_flu(truth.angular));
  out += ',';
  write_vector(out, "accel_body", frd_from_flu(truth.specific_force));
  out += "},";
  write_vector(out, "position", ned_from_enu(truth.X_map_base.translation()));
  out += ',';
  write_vector(out, "attitude", rpy_from_rotation(q.toRotationMatrix()));
  fmt::format_to(std::back_inserter(out), ",\"quaternion\":[{},{},{},{}],", q.w(), q.x(), q.y(), q.z());
  write_vector(out, "velocity", ned_from_enu(truth.velocity));
  fmt::format_to(std::back_inserter(out), ",\"rng_1\":{}}}\n", range_for_ardusub(sonar, limits));
}

JsonPhysics::JsonPhysics(const JsonSettings& settings)
    : socket_(opened(settings)),
      longest_step_(settings.body.model.timestep),
      silence_(settings.silence),
      body_(settings.body),
      sensors_(settings.sensors, settings.body.hull) {
  answer_.reserve(1024);
}

Result<void> JsonPhysics::poll(Instant deadline) {
  std::array<std::uint8_t, largest_frame> buffer;
  do {
    net::Watch watch{.fd = socket_.fd()};
    auto ready = net::wait({&watch, 1}, deadline);
    if (!ready) return std::move(ready).error();
    if (*ready == 0) return {};
    auto datagram = socket_.receive(buffer, Instant{});
    if (datagram) {
      auto served = serve(Bytes(buffer).first(datagram->size), datagram->from);
      if (!served) return served;
    } else if (datagram.error().fault == Fault::invalid) {
      ++counters_.refused;
    } else if (datagram.error().fault != Fault::timeout) {
      return std::move(datagram).error();
    }
  } while (now() < deadline);
  return {};
}

Result<void> JsonPhysics::serve(Bytes datagram, const net::Endpoint& from) {
  const auto frame = servo_frame_from(datagram);
  if (!frame) {
    ++counters_.refused;
    return {};
  }
  const Reply reply = judge(*frame, from);
  if (reply == Reply::none) return {};
  if (reply == Reply::step) advance(*frame);
  if (!body_.cause().empty()) return Error{Fault::device, fmt::format("physics of the Orca: {}", body_.cause())};
  // ArduSub asks again when an answer does not come.
  if (!socket_.send(as_bytes(answer_), from)) ++counters_.unsent;
  return {};
}

// What to do with a frame, by who sends it and its count.
JsonPhysics::Reply JsonPhysics::judge(const ServoFrame& frame, const net::Endpoint& from) {
  const Instant present = now();
  const bool same = peer_ && peer_->from == from;
  if (peer_ && !same && frame.count > fresh && present - peer_->heard < silence_)
    return ++counters_.strangers, Reply::none;
  const std::uint32_t ahead = peer_ ? frame.count - peer_->count : 0;  // modulo 2^32: 0 follows the largest
  const bool back = ahead > UINT32_MAX / 2;
  const bool again = frame.count <= fresh || (peer_ && present - peer_->heard >= silence_);
  if (!same || (back && again)) {
    if (peer_) ++counters_.restarts;
    body_.reset();
    sensors_.reset();
    peer_ = Peer{from, frame.count, 0, present};
  } else {
    if (back) {
      ++counters_.late;
      return Reply::none;
    }
    peer_->heard = present;
    if (ahead == 0) {
      ++counters_.repeats;
      return Reply::again;
    }
    counters_.missed += ahead - 1;
    peer_->count = frame.count;
  }
  pace(frame.rate);
  return Reply::step;
}

// The rate that is asked for is kept to the last Hz. ArduSub takes the one that it is answered in for its own and goes
// from there towards SIM_RATE_HZ by 1 Hz a frame: who rounds never lets it arrive.
void JsonPhysics::pace(std::uint16_t rate) {
  if (rate == peer_->rate) return;
  peer_->rate = rate;
  const double period = 1 / std::min<double>(rate, most_rate);
  steps_ = std::max(1, static_cast<int>(std::ceil(period / longest_step_ - 1e-9)));
  const double step = period / steps_;
  if (step != body_.timestep()) body_.timestep(step);
}

void JsonPhysics::advance(const ServoFrame& frame) {
  Pulses pulses;
  std::copy_n(frame.pulses.begin(), pulses.size(), pulses.begin());
  body_.pulses(pulses);
  for (int i = 0; i < steps_; ++i)
    if (!body_.step()) return;
  sensors_.sample(body_.truth());
  write_answer(answer_, body_.truth(), sensors_.readings().sonar, sensors_.options().sonar);
  ++counters_.frames;
}

}  // namespace tandem::orca
