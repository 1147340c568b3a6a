// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/units.hpp"

#include <array>
#include <numbers>

namespace tandem::generic {
namespace {

constexpr double turn = 2 * std::numbers::pi, degree = std::numbers::pi / 180;
using enum Dimension;

// Factors of NIST SP 811.
constexpr auto units = std::to_array<Unit>({
    {"m", "m", 1, 0, length},
    {"mm", "m", 1e-3, 0, length},
    {"cm", "m", 1e-2, 0, length},
    {"um", "m", 1e-6, 0, length},
    {"km", "m", 1e3, 0, length},
    {"in", "m", 0.0254, 0, length},
    {"rad", "rad", 1, 0, angle},
    {"mrad", "rad", 1e-3, 0, angle},
    {"deg", "rad", degree, 0, angle},
    {"s", "s", 1, 0, time},
    {"ms", "s", 1e-3, 0, time},
    {"min", "s", 60, 0, time},
    {"h", "s", 3600, 0, time},
    {"kg", "kg", 1, 0, mass},
    {"g", "kg", 1e-3, 0, mass},
    {"t", "kg", 1e3, 0, mass},
    {"N", "N", 1, 0, force},
    {"kN", "N", 1e3, 0, force},
    {"N.m", "N.m", 1, 0, torque},
    {"Pa", "Pa", 1, 0, pressure},
    {"kPa", "Pa", 1e3, 0, pressure},
    {"MPa", "Pa", 1e6, 0, pressure},
    {"bar", "Pa", 1e5, 0, pressure},
    {"mbar", "Pa", 100, 0, pressure},
    {"psi", "Pa", 6894.757293168361, 0, pressure},
    {"A", "A", 1, 0, current},
    {"mA", "A", 1e-3, 0, current},
    {"V", "V", 1, 0, voltage},
    {"mV", "V", 1e-3, 0, voltage},
    {"kV", "V", 1e3, 0, voltage},
    {"W", "W", 1, 0, power},
    {"kW", "W", 1e3, 0, power},
    {"Hz", "Hz", 1, 0, frequency},
    {"kHz", "Hz", 1e3, 0, frequency},
    {"rpm", "rad/s", turn / 60, 0, angular_speed},
    {"rad/s", "rad/s", 1, 0, angular_speed},
    {"deg/s", "rad/s", degree, 0, angular_speed},
    {"m/s", "m/s", 1, 0, speed},
    {"mm/s", "m/s", 1e-3, 0, speed},
    {"m/min", "m/s", 1.0 / 60, 0, speed},
    {"km/h", "m/s", 1 / 3.6, 0, speed},
    {"m3", "m3", 1, 0, volume},
    {"L", "m3", 1e-3, 0, volume},
    {"m3/s", "m3/s", 1, 0, flow},
    {"m3/h", "m3/s", 1.0 / 3600, 0, flow},
    {"L/min", "m3/s", 1e-3 / 60, 0, flow},
    {"Cel", "Cel", 1, 0, temperature},
    {"K", "Cel", 1, -273.15, temperature},
    {"%", "%", 1, 0, ratio},
    {"1", "1", 1, 0, ratio},
});

}  // namespace

std::optional<Unit> unit_named(std::string_view text) {
  for (const Unit& unit : units) {
    if (unit.text == text) return unit;
  }
  return std::nullopt;
}

}  // namespace tandem::generic
