// SPDX-License-Identifier: Apache-2.0
#include "tests/prove/checker/constructed.hpp"

#include <algorithm>
#include <cmath>

namespace tandem::prove::checker::constructed {
namespace {

void put(Octets& into, std::uint16_t word) {
  into.push_back(static_cast<std::uint8_t>(word >> 8));
  into.push_back(static_cast<std::uint8_t>(word & 255));
}
// An int32 of two registers, low word first.
void put_value(Octets& into, double value) {
  const auto raw = static_cast<std::uint32_t>(static_cast<std::int32_t>(std::llround(value * 10000)));
  put(into, static_cast<std::uint16_t>(raw & 0xFFFF));
  put(into, static_cast<std::uint16_t>(raw >> 16));
}
Octets adu(std::uint16_t number, const Octets& pdu) {
  Octets bytes;
  put(bytes, number);
  put(bytes, 0);
  put(bytes, static_cast<std::uint16_t>(pdu.size() + 1));
  bytes.push_back(1);
  bytes.insert(bytes.end(), pdu.begin(), pdu.end());
  return bytes;
}

constexpr double radius = 0.1715, speed = 0.5;  // m, m/s
constexpr double first = 2, last = 4;           // s of driving
bool drives(double t) { return t >= first && t < last; }

}  // namespace

Octets write_speed(std::uint16_t number, double wanted) {
  Octets pdu{16, 0, 0, 0, 16, 32};
  for (int value = 0; value < 8; ++value) put_value(pdu, value == 0 || value == 2 ? wanted : 0);
  return adu(number, pdu);
}
Octets write_coil(std::uint16_t number, std::uint16_t address) {
  Octets pdu{5};
  put(pdu, address);
  put(pdu, 0xFF00);
  return adu(number, pdu);
}
Octets ask_feedback(std::uint16_t number) { return adu(number, {3, 0, 16, 0, 8}); }
Octets feedback(std::uint16_t number, double right, double left, double rear_right, double rear_left) {
  Octets pdu{3, 16};
  for (const double value : {right, -left, -rear_right, rear_left}) put_value(pdu, value);
  return adu(number, pdu);
}

void add_frame(MachineHistory& machine, double t, Frame::Kind kind, Octets bytes) {
  machine.frames.push_back({t, 1, kind, std::move(bytes)});
}
void sort_frames(MachineHistory& machine) { std::ranges::stable_sort(machine.frames, {}, &Frame::t); }

void push(MachineHistory& machine, double from, double lasts, double pushed) {
  for (Truth& truth : machine.truth) truth.position[0] += pushed * std::clamp(truth.t - from, 0.0, lasts);
}

MachineHistory truck(const char* name) {
  MachineHistory machine;
  machine.name = name;
  machine.type = "raptorlift";
  machine.frames.push_back({0.1, 1, Frame::opened, {}});
  double place = 0;
  for (int step = 0; step < 1000; ++step) {
    const double t = 0.01 * step;
    machine.truth.push_back({t, {place, 0}, drives(t) ? speed : 0});
    if (drives(t)) place += 0.01 * speed;
    if (t < 0.2) continue;
    const double wheel = drives(t) ? speed / radius : 0;
    const auto number = static_cast<std::uint16_t>(2 * step);
    const bool enabled = (t > 1.1 && t < 6.1) || t > 8.1;
    if (enabled) add_frame(machine, t, Frame::out, write_speed(static_cast<std::uint16_t>(number + 1), wheel));
    add_frame(machine, t, Frame::out, ask_feedback(number));
    add_frame(machine, t + 0.001, Frame::in, feedback(number, wheel, wheel, 0.1, 0.12));
    const double rounded = 1e-4 * std::round(wheel * 10000);
    machine.published.push_back({t + 0.002, {rounded, rounded, 0.1, 0.12}});
  }
  for (int i = 2; i < 100; ++i) {
    const double t = 0.1 * i + 0.05;
    const char* arm = t < 1.05   ? "disarmed"
                      : t < 6.05 ? "armed"
                      : t < 7.05 ? "stopped"
                      : t < 8.05 ? "disarmed"
                                 : "armed";
    machine.statuses.push_back({t, "live", "live", arm});
  }
  machine.deeds = {{1, 1.01, "arm", "direct", true},
                   {2, 4, "move", "", true},
                   {6, 6.01, "stop", "socket", true},
                   {7, 7.01, "reset", "direct", true},
                   {8, 8.01, "arm", "service", true}};
  for (const Deed& deed : machine.deeds)
    if (deed.verb != "move") machine.commands.push_back({deed.t + 0.005, deed.verb, deed.by, true});
  return machine;
}

History clean() {
  History history;
  history.length = 10;
  history.machines.push_back(truck());
  return history;
}

}  // namespace tandem::prove::checker::constructed
