// SPDX-License-Identifier: Apache-2.0
// A submarine's mix of messages into frames and back, beside the usual way of doing it: a state machine that takes one
// byte after the other and a checksum that does the same. At least two million messages a second and core, both ways.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "bench/side_by_side.hpp"
#include "tandem/protocols/mavlink/codec/parser.hpp"
#include "tandem/protocols/mavlink/link/channel.hpp"
#include "tandem/protocols/mavlink/messages/all.hpp"

namespace {

using namespace tandem;
using namespace tandem::mavlink;

constexpr double wanted_rate = 2e6;  // messages/s

struct Mix {
  Heartbeat heartbeat{.type = 12, .autopilot = 3, .base_mode = 209, .custom_mode = 2, .system_status = 4};
  Attitude attitude{12345, 0.01F, -0.02F, 1.5F, 0.1F, 0.2F, 0.3F};
  LocalPositionNed position{12345, 1.5F, -2.5F, 3.5F, 0.1F, 0.2F, -0.3F};
  GlobalPositionInt global{12345, 476302000, -1223982391, -3500, -3500, 10, 20, -30, 9000};
  VisionPositionDelta delta{1000000, 50000, {0.01F, -0.02F, 0.03F}, {0.1F, 0.2F, -0.3F}, 80};
  RangeFinder range{1.5F, 0};
  EkfStatusReport ekf{.flags = 367, .velocity_variance = 0.1F};
  ServoOutputRaw servos{.time_usec = 5, .servo1_raw = 1500, .servo6_raw = 1600};
  ScaledPressure2 pressure{12345, 1013.25F, 0, 1500};
  RawImu imu{.time_usec = 99, .xacc = 1, .yacc = -2, .zacc = -1000};
  SysStatus status{.load = 300, .voltage_battery = 16000};
  TimeSync sync{0, 123456789};

  template <typename Visitor>
  void each(Visitor&& visitor) const {
    visitor(attitude), visitor(position), visitor(delta), visitor(range), visitor(imu), visitor(attitude);
    visitor(servos), visitor(pressure), visitor(position), visitor(global), visitor(attitude), visitor(ekf);
    visitor(heartbeat), visitor(status), visitor(sync), visitor(attitude);
  }
  static constexpr std::size_t size = 16;
};

// The reference: everything byte by byte.
class ByteWise {
 public:
  template <Message M>
  static std::size_t encode_frame(std::uint8_t* out, std::uint8_t sequence, const M& message) {
    std::uint8_t* const payload = out + header_v2;
    write_payload(message, std::span<std::uint8_t, layout<M>.full_size>(payload, layout<M>.full_size));
    std::size_t size = layout<M>.full_size;
    while (size > 1 && payload[size - 1] == 0) --size;
    const std::uint8_t header[] = {start_v2,
                                   static_cast<std::uint8_t>(size),
                                   0,
                                   0,
                                   sequence,
                                   1,
                                   1,
                                   static_cast<std::uint8_t>(M::wire_id),
                                   static_cast<std::uint8_t>(M::wire_id >> 8),
                                   static_cast<std::uint8_t>(M::wire_id >> 16)};
    std::copy(std::begin(header), std::end(header), out);
    std::uint16_t crc = crc_start;
    for (std::size_t i = 1; i < header_v2 + size; ++i) crc = crc_add(crc, out[i]);
    crc = crc_add(crc, layout<M>.crc_extra);
    out[header_v2 + size] = static_cast<std::uint8_t>(crc);
    out[header_v2 + size + 1] = static_cast<std::uint8_t>(crc >> 8);
    return header_v2 + size + crc_size;
  }

  // True when this byte completes a frame.
  bool take(std::uint8_t byte) {
    if (size_ == 0) {
      if (byte != start_v2) return false;
      frame_[size_++] = byte;
      crc_ = crc_start;
      return false;
    }
    frame_[size_++] = byte;
    if (size_ <= header_v2 || size_ <= header_v2 + frame_[1]) {
      crc_ = crc_add(crc_, byte);
      return false;
    }
    if (size_ < header_v2 + frame_[1] + crc_size) return false;
    const MessageInfo* const info = all_messages().find(id());
    const std::size_t end = size_;
    size_ = 0;
    if (info == nullptr) return false;
    crc_ = crc_add(crc_, info->crc_extra);
    return frame_[end - 2] == (crc_ & 0xFF) && frame_[end - 1] == crc_ >> 8;
  }
  std::uint32_t id() const { return static_cast<std::uint32_t>(frame_[7] | (frame_[8] << 8) | (frame_[9] << 16)); }
  Bytes payload() const { return {frame_.data() + header_v2, frame_[1]}; }

 private:
  std::array<std::uint8_t, longest_frame + 1> frame_{};
  std::size_t size_ = 0;
  std::uint16_t crc_ = 0;
};

// Reads the message, whichever of the mix it is, and gives something of it.
double read_any(std::uint32_t id, Bytes payload) {
  switch (id) {
    case Attitude::wire_id:
      return read_payload<Attitude>(payload).yaw;
    case LocalPositionNed::wire_id:
      return read_payload<LocalPositionNed>(payload).z;
    case VisionPositionDelta::wire_id:
      return read_payload<VisionPositionDelta>(payload).confidence;
    case RangeFinder::wire_id:
      return read_payload<RangeFinder>(payload).distance;
    case RawImu::wire_id:
      return read_payload<RawImu>(payload).zacc;
    case ServoOutputRaw::wire_id:
      return read_payload<ServoOutputRaw>(payload).servo6_raw;
    case ScaledPressure2::wire_id:
      return read_payload<ScaledPressure2>(payload).press_abs;
    case GlobalPositionInt::wire_id:
      return read_payload<GlobalPositionInt>(payload).hdg;
    case EkfStatusReport::wire_id:
      return read_payload<EkfStatusReport>(payload).flags;
    case Heartbeat::wire_id:
      return read_payload<Heartbeat>(payload).type;
    case SysStatus::wire_id:
      return read_payload<SysStatus>(payload).load;
    case TimeSync::wire_id:
      return static_cast<double>(read_payload<TimeSync>(payload).ts1 & 1);
    default:
      return 0;
  }
}

[[noreturn]] void fail(const char* why) {
  fmt::print("{}\n", why);
  std::exit(1);
}

constexpr std::size_t rounds = 200;  // mixes of one window

}  // namespace

int main() {
  const Mix mix;
  std::vector<std::uint8_t> stream;
  FrameBuffer buffer;
  std::uint8_t sequence = 0;
  for (std::size_t i = 0; i < rounds; ++i) {
    mix.each([&](const auto& message) {
      const Bytes frame = encode(buffer, {Version::v2, sequence++, {1, 1}}, message);
      stream.insert(stream.end(), frame.begin(), frame.end());
    });
  }
  const std::size_t messages = rounds * Mix::size;
  std::uint64_t checked = 0;
  double sum = 0;

  const auto encode_peer = [&] {
    for (std::size_t i = 0; i < rounds; ++i)
      mix.each(
          [&](const auto& message) { checked += ByteWise::encode_frame(buffer.data.data(), sequence++, message); });
  };
  const auto encode_ours = [&] {
    for (std::size_t i = 0; i < rounds; ++i)
      mix.each([&](const auto& message) {
        checked += encode(buffer, {Version::v2, sequence++, {1, 1}}, message).size();
      });
  };
  const auto decode_peer = [&] {
    ByteWise parser;
    std::size_t found = 0;
    for (const std::uint8_t byte : stream) {
      if (!parser.take(byte)) continue;
      sum += read_any(parser.id(), parser.payload());
      ++found;
    }
    if (found != messages) fail("the reference lost a frame");
  };
  // The whole way of a link: parser, sequence numbers, admission.
  const auto decode_ours = [&] {
    Parser parser;
    Channel channel({.own = {255, 190}});
    std::size_t found = 0;
    Bytes left = stream;
    while (!left.empty()) {
      left = left.subspan(parser.feed(left));
      while (const auto frame = parser.next()) {
        if (!channel.admit(*frame)) continue;
        sum += read_any(frame->id, frame->payload);
        ++found;
      }
    }
    if (found != messages) fail("a frame was lost");
  };
  const auto encoded = bench::side_by_side(messages, encode_peer, encode_ours, 300);
  const auto decoded = bench::side_by_side(messages, decode_peer, decode_ours, 300);
  const bool ratios = bench::print({{"encode a message into a frame", encoded, 1.5, "byte-wise codec"},
                                    {"decode a frame into a message", decoded, 1.5, "byte-wise codec"}});
  const double encode_rate = 1 / encoded.ours;
  const double decode_rate = 1 / decoded.ours;
  benchmark::DoNotOptimize(checked);
  benchmark::DoNotOptimize(sum);
  fmt::print("\n{:.1f} million messages a second into frames, {:.1f} million back; {:.0f} million wanted\n",
             1e-6 * encode_rate, 1e-6 * decode_rate, 1e-6 * wanted_rate);
  bench::report_at_least("messages into frames", 1e-6 * encode_rate, "million/s", 1e-6 * wanted_rate);
  bench::report_at_least("messages out of frames", 1e-6 * decode_rate, "million/s", 1e-6 * wanted_rate);
  return ratios && encode_rate >= wanted_rate && decode_rate >= wanted_rate ? 0 : 1;
}
