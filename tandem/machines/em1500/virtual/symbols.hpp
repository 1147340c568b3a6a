// SPDX-License-Identifier: Apache-2.0
// The variables of the virtual PLC's program: those of the real project, and those of the laboratory's state machine.
#pragma once

#include <cstdint>

#include "tandem/machines/em1500/description.hpp"
#include "tandem/machines/em1500/virtual/motion.hpp"
#include "tandem/protocols/ads/server/symbol_table.hpp"

namespace tandem::em1500 {

// Of one platform in ST_Feedback, and in ST_Control.
struct PlatformFeedback {
  Axes position{};
  Axes velocity{};
  Axes acceleration{};
};
struct PlatformControl {
  Axes position{};
  Axes velocity{};
};

// Declares everything in the table when made; then where each variable is.
struct VirtualSymbols {
  explicit VirtualSymbols(ads::SymbolTable& table);
  // Looks all of them up again, after an online change moved them.
  void bind(const ads::SymbolTable& table);

  ads::Binding<PlcPose> pose;
  ads::Binding<std::int32_t> rx_counter;
  ads::Binding<std::int32_t> tx_counter;
  ads::Binding<std::uint8_t> timed_out;
  ads::Binding<double> time;
  ads::Binding<double> period;
  ads::Binding<std::uint8_t> enable;            // clients write it
  ads::Binding<PlatformFeedback> feedback;      // of this platform, in rxEtherCatBridge
  ads::Binding<PlatformControl> control;        // of this platform, in txEtherCatBridge; clients write it
  ads::Binding<std::int32_t> state;             // LabState
  ads::Binding<std::int32_t> status;            // LabStatus
  ads::Binding<std::int32_t> command;           // LabCommand; clients write it, -1 again once it is taken
  ads::Binding<std::int32_t> mode;              // LabMode; clients write it
  ads::Binding<GeneratorParameters> generator;  // clients write it
  ads::Binding<std::array<double, 6>> legs;     // displacements from neutral, m
};

}  // namespace tandem::em1500
