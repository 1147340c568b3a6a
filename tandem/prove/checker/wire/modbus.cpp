// SPDX-License-Identifier: Apache-2.0
// Modbus TCP (Modbus Messaging on TCP/IP, V1.0b), of the truck and of the cable robot: docs/raptorlift.md and
// docs/cable_robot.md, "The PLC" and "The winches' registers".
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <optional>

#include "tandem/prove/checker/wire/pieces.hpp"
#include "tandem/prove/checker/wire/wire.hpp"

namespace tandem::prove::checker {
namespace {

constexpr std::size_t head = 7;  // transaction, protocol, length, unit
constexpr long longest = 260;

using Words = std::vector<std::uint16_t>;

Words words_in(Piece bytes) {
  Words words;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) words.push_back(big<std::uint16_t>(bytes, i));
  return words;
}

long size_of(Piece bytes) {
  if (bytes.size() < 6) return 0;
  const auto length = big<std::uint16_t>(bytes, 4);
  const long size = 6 + static_cast<long>(length);
  return big<std::uint16_t>(bytes, 2) != 0 || length < 2 || size > longest ? -1 : size;
}

// What a client writes and what it is told, connection by connection.
class Conversation {
 public:
  using OnWrite = std::function<void(double t, std::uint16_t address, const Words& words)>;
  using OnCoil = std::function<void(double t, std::uint16_t address, bool on)>;
  using OnRead = std::function<void(double t, std::uint16_t address, const Words& words)>;
  Conversation(Wire& wire, OnWrite write, OnCoil coil, OnRead read)
      : wire_(wire), write_(std::move(write)), coil_(std::move(coil)), read_(std::move(read)) {}

  void take(const std::vector<Frame>& frames) {
    for (const Frame& frame : frames) {
      if (frame.kind == Frame::opened) connections_[frame.connection] = {};
      if (frame.kind != Frame::in && frame.kind != Frame::out) continue;
      Connection& one = connections_[frame.connection];
      const bool lost = frame.kind == Frame::out
                            ? one.out.add(frame.bytes, size_of, [&](Piece adu) { ask(one, frame.t, adu); })
                            : one.in.add(frame.bytes, size_of, [&](Piece adu) { answer(one, frame.t, adu); });
      if (lost) ++wire_.malformed;
    }
  }

 private:
  struct Asked {
    std::uint8_t function = 0;
    std::uint16_t address = 0;
  };
  struct Connection {
    Stream out, in;
    std::map<std::uint16_t, Asked> asked;  // by transaction
  };

  void ask(Connection& one, double t, Piece adu) {
    ++wire_.packets;
    const auto function = adu[head];
    const auto address = big<std::uint16_t>(adu, head + 1);
    one.asked[big<std::uint16_t>(adu, 0)] = {function, address};
    if (function == 5) coil_(t, address, big<std::uint16_t>(adu, head + 3) == 0xFF00);
    if (function == 15)
      for (std::uint16_t i = 0; i < big<std::uint16_t>(adu, head + 3) && head + 6U + i / 8U < adu.size(); ++i)
        coil_(t, static_cast<std::uint16_t>(address + i), (adu[head + 6U + i / 8U] >> (i % 8) & 1) != 0);
    if (function == 6) write_(t, address, {big<std::uint16_t>(adu, head + 3)});
    if (function == 16 && adu.size() > head + 6) write_(t, address, words_in(adu.subspan(head + 6)));
    if (function == 23 && adu.size() > head + 10)
      write_(t, big<std::uint16_t>(adu, head + 5), words_in(adu.subspan(head + 10)));
  }

  // An answer to nothing, and a second one to the same, are nobody's.
  void answer(Connection& one, double t, Piece adu) {
    const auto asked = one.asked.find(big<std::uint16_t>(adu, 0));
    if (asked == one.asked.end()) return;
    const Asked request = asked->second;
    one.asked.erase(asked);
    ++wire_.packets;
    const bool reads = request.function == 3 || request.function == 4 || request.function == 23;
    if (reads && adu[head] == request.function && adu.size() > head + 2)
      read_(t, request.address, words_in(adu.subspan(head + 2)));
  }

  Wire& wire_;
  OnWrite write_;
  OnCoil coil_;
  OnRead read_;
  std::map<std::uint32_t, Connection> connections_;
};

// Two registers, low word first or high word first.
std::int32_t low_first(const Words& words, std::size_t at) {
  return at + 1 < words.size() ? static_cast<std::int32_t>(words[at] | static_cast<std::uint32_t>(words[at + 1]) << 16)
                               : 0;
}
std::int32_t high_first(const Words& words, std::size_t at) {
  return at + 1 < words.size() ? static_cast<std::int32_t>(words[at + 1] | static_cast<std::uint32_t>(words[at]) << 16)
                               : 0;
}

std::string said(const char* format, double value) {
  char text[80];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

Wire truck_wire(const std::vector<Frame>& frames) {
  Wire wire;
  const auto write = [&](double t, std::uint16_t address, const Words& words) {
    if (address != 0 || words.size() < 16) return;
    // Braking writes torque against the motion, and no speed.
    const double speed = 1e-4 * std::max(low_first(words, 0), low_first(words, 4));
    if (speed > 0) wire.demands.push_back({t, false, said("a speed limit of %.4f rad/s in D0 or D4", speed)});
  };
  const auto coil = [&](double t, std::uint16_t address, bool on) {
    if (on && address >= 8193 && address <= 8196)
      wire.demands.push_back({t, true, said("coil M%.0f on", address - 8192)});
  };
  const auto read = [&](double t, std::uint16_t address, const Words& words) {
    if (address != 16 || words.size() < 8) return;
    wire.readings.push_back({t,
                             {1e-4 * low_first(words, 0), -1e-4 * low_first(words, 2), -1e-4 * low_first(words, 4),
                              1e-4 * low_first(words, 6)}});
  };
  Conversation(wire, write, coil, read).take(frames);
  return wire;
}

Wire cables_wire(const std::vector<Frame>& frames) {
  constexpr double rest = 0.002;  // m/s: less is rounding of a set point that is held
  Wire wire;
  const auto write = [&](double t, std::uint16_t address, const Words& words) {
    if (address != 0 || words.size() < 4) return;
    if (words[2] != 0) wire.demands.push_back({t, true, said("winches enabled, mode %.0f", words[1])});
    double fastest = 0;
    for (std::size_t at = 4; at + 5 < words.size(); at += 6)
      fastest = std::max(fastest, std::abs(1e-6 * high_first(words, at + 2)));
    if (words[2] != 0 && words[1] != 0 && fastest > rest)
      wire.demands.push_back({t, false, said("a cable speed of %.4f m/s", fastest)});
  };
  const auto read = [&](double t, std::uint16_t address, const Words& words) {
    if (address != 200 || words.size() < 8 + 7 * 6) return;
    Reading reading{t, {}};
    for (std::size_t at = 8; at + 6 < words.size(); at += 7) reading.values.push_back(1e-7 * high_first(words, at));
    for (std::size_t at = 8; at + 6 < words.size(); at += 7) reading.values.push_back(1e-6 * high_first(words, at + 2));
    wire.readings.push_back(std::move(reading));
  };
  Conversation(
      wire, write, [](double, std::uint16_t, bool) {}, read)
      .take(frames);
  return wire;
}

}  // namespace tandem::prove::checker
