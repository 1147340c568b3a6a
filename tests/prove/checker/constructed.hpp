// SPDX-License-Identifier: Apache-2.0
// Histories that were never lived: a truck that is armed, drives, and stops, as the recording of such a run would have
// it, and what can be planted in them.
#pragma once

#include <cstdint>
#include <vector>

#include "tandem/prove/checker/history.hpp"

namespace tandem::prove::checker::constructed {

using Octets = std::vector<std::uint8_t>;

// Modbus TCP, transaction `number`.
Octets write_speed(std::uint16_t number, double speed);          // FC16 of D0 to D15, speed limits in rad/s
Octets write_coil(std::uint16_t number, std::uint16_t address);  // on
Octets ask_feedback(std::uint16_t number);                       // FC3 of D16 to D23
Octets feedback(std::uint16_t number, double right, double left, double rear_right, double rear_left);

// 10 s: armed at 1 s, driving at 0.5 m/s from 2 to 4 s, stopped at 6 s, reset at 7 s, armed again at 8 s.
MachineHistory truck(const char* name = "truck");
History clean();

void add_frame(MachineHistory& machine, double t, Frame::Kind kind, Octets bytes);
void sort_frames(MachineHistory& machine);
// The truth goes on at this speed from `from` on, for so long, and stays where it gets to.
void push(MachineHistory& machine, double from, double lasts, double speed);

}  // namespace tandem::prove::checker::constructed
