// SPDX-License-Identifier: Apache-2.0
// Beckhoff ADS over AMS/TCP (infosys, "AMS/ADS over TCP/IP"). Tandem reads a platform and writes nothing to it but the
// release of its own handles (docs/em1500.md).
#include <cstdio>
#include <map>
#include <string>

#include "tandem/prove/checker/wire/pieces.hpp"
#include "tandem/prove/checker/wire/wire.hpp"

namespace tandem::prove::checker {
namespace {

constexpr std::size_t head = 6 + 32;  // AMS/TCP header, AMS header
constexpr std::uint16_t read = 2, write = 3, write_control = 5, notification = 8, read_write = 9;
constexpr std::uint32_t release_handle = 0xF006, sum_read = 0xF080, sum_write = 0xF081;
constexpr std::size_t pose_size = 48;

long size_of(Piece bytes) {
  if (bytes.size() < 6) return 0;
  const auto length = little<std::uint32_t>(bytes, 2);
  return little<std::uint16_t>(bytes, 0) != 0 || length < 32 || length > 1 << 20 ? -1 : 6 + static_cast<long>(length);
}

class Plc {
 public:
  explicit Plc(Wire& wire) : wire_(wire) {}

  void take(const Frame& frame) {
    if (frame.kind == Frame::opened) connections_[frame.connection] = {};
    if (frame.kind != Frame::in && frame.kind != Frame::out) return;
    Connection& one = connections_[frame.connection];
    Stream& stream = frame.kind == Frame::out ? one.out : one.in;
    const bool lost = stream.add(frame.bytes, size_of, [&](Piece packet) {
      ++wire_.packets;
      const Piece data = packet.subspan(std::min(head, packet.size()));
      const auto command = little<std::uint16_t>(packet, 22);
      const auto invoke = little<std::uint32_t>(packet, 34);
      if (frame.kind == Frame::out)
        ask(one, frame.t, command, invoke, data);
      else
        answer(one, frame.t, command, invoke, data);
    });
    if (lost) ++wire_.malformed;
  }

 private:
  struct Connection {
    Stream out, in;
    std::map<std::uint32_t, std::vector<std::uint32_t>> sums;  // sizes asked for, by invoke id
  };

  void demand(double t, const char* what, std::uint32_t group) {
    char text[80];
    std::snprintf(text, sizeof text, "%s, index group 0x%X", what, group);
    wire_.demands.push_back({t, false, text});
  }

  void ask(Connection& one, double t, std::uint16_t command, std::uint32_t invoke, Piece data) {
    const auto group = little<std::uint32_t>(data, 0);
    if (command == write && group != release_handle) demand(t, "a write", group);
    if (command == write_control) demand(t, "a change of the PLC's state", group);
    if (command == read_write && group == sum_write) demand(t, "a sum write", group);
    if (command != read_write || group != sum_read) return;
    std::vector<std::uint32_t> sizes;
    for (std::size_t at = 16; at + 12 <= data.size(); at += 12) sizes.push_back(little<std::uint32_t>(data, at + 8));
    one.sums[invoke] = std::move(sizes);
  }

  void answer(Connection& one, double t, std::uint16_t command, std::uint32_t invoke, Piece data) {
    if (command == notification) return notify(t, data);
    if (command == read && little<std::uint32_t>(data, 4) == pose_size && data.size() >= 8 + pose_size)
      sample(t, data.subspan(8, pose_size));
    const auto sizes = one.sums.find(invoke);
    if (command != read_write || sizes == one.sums.end()) return;
    std::size_t at = 8 + 4 * sizes->second.size();
    for (const std::uint32_t size : sizes->second) {
      if (size == pose_size && at + size <= data.size()) sample(t, data.subspan(at, size));
      at += size;
    }
    one.sums.erase(sizes);
  }

  void notify(double t, Piece data) {
    const auto stamps = little<std::uint32_t>(data, 4);
    std::size_t at = 8;
    for (std::uint32_t i = 0; i < stamps && at + 12 <= data.size(); ++i) {
      const auto samples = little<std::uint32_t>(data, at + 8);
      at += 12;
      for (std::uint32_t k = 0; k < samples && at + 8 <= data.size(); ++k) {
        const std::size_t size = little<std::uint32_t>(data, at + 4);
        at += 8;
        if (size > data.size() - at) return;
        if (size == pose_size) sample(t, data.subspan(at, size));
        at += size;
      }
    }
  }

  // docs/frames.md, profile `original`: x is minus surge, y is sway, z is 1.205 m plus heave.
  void sample(double t, Piece pose) {
    wire_.readings.push_back(
        {t, {-little<double>(pose, 0), little<double>(pose, 8), 1.205 + little<double>(pose, 16)}});
  }

  Wire& wire_;
  std::map<std::uint32_t, Connection> connections_;
};

}  // namespace

Wire platform_wire(const std::vector<Frame>& frames) {
  Wire wire;
  Plc plc(wire);
  for (const Frame& frame : frames) plc.take(frame);
  return wire;
}

Wire wire_of(std::string_view type, const std::vector<Frame>& frames) {
  if (type == "raptorlift") return truck_wire(frames);
  if (type == "cable_robot") return cables_wire(frames);
  if (type == "ur3e") return arm_wire(frames);
  if (type == "orca") return submarine_wire(frames);
  if (type == "em1500") return platform_wire(frames);
  return {};
}

}  // namespace tandem::prove::checker
