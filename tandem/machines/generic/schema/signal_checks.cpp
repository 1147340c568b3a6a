// SPDX-License-Identifier: Apache-2.0
// What follows for single signals once the whole file is known.
#include <fmt/format.h>

#include <algorithm>

#include "tandem/machines/generic/expression.hpp"
#include "tandem/machines/generic/outputs.hpp"
#include "tandem/machines/generic/schema/checks.hpp"

namespace tandem::generic {
namespace {

void check_joint(const Description& description, const Declaration& signal, Problems& problems) {
  if (signal.sim && signal.sim->kind == Sim::Kind::joint && !description.robot)
    problems.add(signal.place, fmt::format("{}.sim.joint: expected `robot` with a URDF, got none", signal.name));
}

// A value is never cut in two requests.
void check_words(const Description& description, const Declaration& signal, Problems& problems) {
  const auto* place = std::get_if<ModbusPlace>(&signal.at);
  if (place == nullptr || place->table == ModbusTable::coil || place->table == ModbusTable::discrete) return;
  const std::size_t bytes = signal.type == Type::text ? signal.text_length : bytes_of(signal.type);
  const std::size_t words = std::max<std::size_t>(1, (bytes + 1) / 2);
  if (words > static_cast<std::size_t>(description.limits.words))
    problems.add(signal.place,
                 fmt::format("{}: expected limits.words of at least {}, so that one request reads it, got {}",
                             signal.name, words, description.limits.words));
}

// Commands of an output without a watchdog never age, and what follows an old one never comes.
void check_idle(const Declaration& signal, Problems& problems) {
  if (!signal.write || signal.write->idle == Output::Idle::hold) return;
  if (signal.write->level == Output::Level::pulse)
    return problems.add(signal.place,
                        fmt::format("{}: idle: {} never happens, as a pulse ends by itself; remove `idle`", signal.name,
                                    idle_text(*signal.write)));
  if (signal.write->watchdog) return;
  problems.add(
      signal.place,
      fmt::format("{}: idle: {} never happens without `watchdog`; add `watchdog: 500 ms`, or write `idle: hold`",
                  signal.name, idle_text(*signal.write)));
}

// A control that could not be on the page.
void check_show(const Declaration& signal, Problems& problems) {
  if (signal.show != Show::slider && signal.show != Show::button) return;
  const bool slider = signal.show == Show::slider;
  const auto expected = [&](const std::string& what) {
    problems.add(signal.place,
                 fmt::format("{}.show: {}: expected {}", signal.name, slider ? "slider" : "button", what));
  };
  if (!signal.write) return expected("an output, got a signal without `write`");
  const Output& output = *signal.write;
  const bool number = output.level == Output::Level::number && signal.type != Type::bit;
  if (number != slider) return expected(slider ? "a number, got a bit" : "a bit, got a number");
  if (slider && output.watchdog && *output.watchdog < shortest_set_point)
    expected(
        fmt::format("a watchdog of at least {} s, as a slider sends once, got {} s; without `show` the page jogs it",
                    number_text(shortest_set_point), number_text(*output.watchdog)));
}

// Of a structure only the member counts, which the expression watches itself.
void mark_critical(Description& description) {
  const auto parsed = Expression::parse(description.enable);
  if (!parsed) return;
  for (const std::string& name : parsed->names()) {
    const NamedValue value = named_value(description, name);
    for (Declaration& each : description.signals) {
      const bool whole = value.known || each.name == name;
      if (&each == value.declaration && whole && !each.critical) each.critical = true;
    }
  }
}

void note_digits(Description& description, const Declaration& signal) {
  const bool mm = signal.unit == "mm", um = signal.unit == "um";
  if (signal.type != Type::float32 || signal.hidden || (!mm && !um)) return;
  description.notes.push_back(
      fmt::format("{}: {}: a 32-bit REAL has 7 digits, steps of 0.06 {} at {}; LREAL (float64) has 16",
                  signal.place.text(), signal.name, signal.unit, mm ? "1 km" : "1 m"));
}

}  // namespace

void check_signals(Description& description, Problems& problems) {
  for (const Declaration& each : description.signals) {
    check_joint(description, each, problems);
    check_words(description, each, problems);
    check_idle(each, problems);
    check_show(each, problems);
    note_digits(description, each);
  }
  mark_critical(description);
}

}  // namespace tandem::generic
