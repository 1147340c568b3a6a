// SPDX-License-Identifier: Apache-2.0
// Messages of VDA 5050 2.x as JSON. Nothing is ever null or NaN: what is not known is left out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tandem/base/clock.hpp"
#include "tandem/protocols/vda5050/messages.hpp"

namespace tandem::vda5050 {

// Who sends, with which version; every message begins with it.
struct Identity {
  Version version = Version::v2_1;
  std::string interface = "uagv", manufacturer, serial_number;

  // "uagv/v2/KIT/0001/order"
  std::string topic(std::string_view name) const;
};

// Of one message: headerId is counted per topic.
struct Stamp {
  std::uint32_t header_id = 0;
  UtcTime time{};
};

std::string write_state(const Identity& identity, const Stamp& stamp, const State& state);
std::string write_visualization(const Identity& identity, const Stamp& stamp, const State& state);
std::string write_connection(const Identity& identity, const Stamp& stamp, ConnectionState state);
std::string write_factsheet(const Identity& identity, const Stamp& stamp, const Factsheet& factsheet);

// For masters: the demonstration's and the tests'.
std::string write_order(const Identity& identity, const Stamp& stamp, const Order& order);
std::string write_instant_actions(const Identity& identity, const Stamp& stamp, const std::vector<Action>& actions);

std::string_view text_of(ActionStatus status);
std::string_view text_of(OperatingMode mode);
std::string_view text_of(EStop stop);
std::string_view text_of(ConnectionState state);
std::string_view text_of(ErrorLevel level);
std::string_view text_of(Blocking blocking);
std::string_view text_of(Scope scope);

}  // namespace tandem::vda5050
