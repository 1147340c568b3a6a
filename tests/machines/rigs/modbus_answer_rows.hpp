// SPDX-License-Identifier: Apache-2.0
// Faults M of the answers of a Modbus device, as rows to play on the rig of any bridge on Modbus.
#pragma once

#include "tandem/protocols/modbus/client.hpp"
#include "tandem/protocols/modbus/device_faults.hpp"
#include "tests/machines/rigs/modbus_rig.hpp"

namespace tandem::kit {

// Another client beside the bridge, straight to the device.
template <typename Rig>
modbus::Client intruder(Rig& rig) {
  auto client = modbus::Client::connect({"127.0.0.1", port_of(rig.device->url()), 1}, soon());
  REQUIRE(client);
  return std::move(*client);
}

template <typename Rig>
struct AnswerFaults {
  using Row = ModbusRow<Rig>;
  using Effect = typename Row::Effect;
  using Faults = modbus::DeviceFaults;
  using Kind = Faults::Kind;

  static void heal(Rig& rig) {
    for (std::size_t kind = 0; kind < Faults::kind_count; ++kind) rig.faults.next(static_cast<Kind>(kind), 0);
    rig.faults.function(0);
  }

  static Row late_answer() {  // M01
    return {.strike =
                [](Rig& rig) {
                  rig.faults.delay(400ms);
                  const std::uint64_t timeouts = rig.link.state().timeouts;
                  spoil(rig, Faults::late_answer, 1, 3);
                  wait_for(rig, Faults::late_answer);
                  CHECK_MESSAGE(eventually([&] { return rig.link.state().late >= 1; }), rig.link.all());
                  CHECK(rig.link.flows(10));
                  CHECK(rig.link.state().timeouts - timeouts <= 4);  // those that waited behind it, no other
                },
            .effect = Effect::none,
            .lift = heal};
  }

  // M02, M04, M06: an answer that cannot be costs its own request, and the bridge goes on.
  static Row one_answer(Kind kind, std::uint8_t function) {
    return {.strike =
                [=](Rig& rig) {
                  spoil(rig, kind, 1, function);
                  wait_for(rig, kind);
                },
            .effect = Effect::none,
            .lift = heal};
  }

  // M02, M03: an answer that ends the connection, for a cause with this part.
  static Row fatal_answer(Kind kind, std::string_view shows) {
    return {.strike = [=](Rig& rig) { spoil(rig, kind, 1); }, .shows = {shows}, .lift = heal};
  }

  static Row busy() {  // M05
    return {.strike =
                [](Rig& rig) {
                  rig.faults.exception(modbus::ExceptionCode::busy);
                  spoil(rig, Faults::exception_answer, 3);
                  wait_for(rig, Faults::exception_answer, 3);
                },
            .effect = Effect::none,
            .lift = heal};
  }

  static Row refusing(modbus::ExceptionCode code) {  // M05
    return {.strike =
                [=](Rig& rig) {
                  rig.faults.exception(code);
                  spoil(rig, Faults::exception_answer, Faults::always);
                },
            .effect = Effect::disarm,
            .shows = {modbus::name(code)},
            .lift = heal};
  }

  static Row wrong_echo() {  // M07
    return {.strike =
                [](Rig& rig) {
                  spoil(rig, Faults::wrong_echo, 1, 16);
                  wait_for(rig, Faults::wrong_echo);
                },
            .effect = Effect::disarm,
            .shows = {"outcome of a write unknown"},
            .lift = heal,
            .idle = false};
  }

  static Row closed_connection() {  // M11
    return {.strike =
                [](Rig& rig) {
                  spoil(rig, Faults::close_connection, 1);
                  wait_for(rig, Faults::close_connection);
                },
            .lift = heal};
  }

 private:
  // Strikes the next answers of one function; 0: of any.
  static void spoil(Rig& rig, Kind kind, int count, std::uint8_t function = 0) {
    rig.faults.function(function);
    rig.faults.next(kind, count);
  }
  static void wait_for(Rig& rig, Kind kind, int count = 1) {
    CHECK_MESSAGE(eventually([&] { return rig.faults.happened(kind) >= count; }), rig.link.all());
  }
};

}  // namespace tandem::kit
