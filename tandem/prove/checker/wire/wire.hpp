// SPDX-License-Identifier: Apache-2.0
// What the bytes of a machine's field protocol say: what was asked of the device, and what the device answered. Decoded
// from the protocols' own documents and docs/MACHINE.md, without the code that wrote them.
#pragma once

#include <string>
#include <vector>

#include "tandem/prove/checker/history.hpp"

namespace tandem::prove::checker {

// Something that moves the device, or lets it move.
struct Demand {
  double t = 0;
  bool enables = false;  // motors on, armed, a program uploaded; else: motion
  std::string what;      // "speed limit of 0.52 rad/s (D0)"
};

// A sample of the device, in the units and the order of published_values().
struct Reading {
  double t = 0;
  std::vector<double> values;
};

struct Wire {
  std::vector<Demand> demands;
  std::vector<Reading> readings;
  std::size_t packets = 0;    // understood, both directions
  std::size_t malformed = 0;  // connections whose bytes stopped making sense
};

Wire wire_of(std::string_view type, const std::vector<Frame>& frames);

Wire truck_wire(const std::vector<Frame>& frames);      // Modbus TCP
Wire cables_wire(const std::vector<Frame>& frames);     // Modbus TCP
Wire arm_wire(const std::vector<Frame>& frames);        // RTDE and the primary port
Wire submarine_wire(const std::vector<Frame>& frames);  // MAVLink in datagrams
Wire platform_wire(const std::vector<Frame>& frames);   // ADS

}  // namespace tandem::prove::checker
