// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/virtual/io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tandem::ur3e {
namespace {

constexpr std::uint32_t output_domain_bit = 2;  // of analog_io_types: inputs are bits 0 and 1, outputs 2 and 3

Result<std::uint64_t> bit_of(DigitalGroup group, std::int32_t index) {
  if (index < 0 || index >= group.count)
    return Error{Fault::invalid, fmt::format("expected a number of 0 to {}, got {}", group.count - 1, index)};
  if (group.tool_follows && index >= standard_bits.count) return bit_of(tool_bits, index - standard_bits.count);
  return std::uint64_t{1} << (group.first + static_cast<std::uint32_t>(index));
}

Result<void> check_analog(std::int32_t index) {
  if (index == 0 || index == 1) return {};
  return Error{Fault::invalid, fmt::format("expected analogue 0 or 1, got {}", index)};
}

// Of the masked bits.
std::uint64_t merged(std::uint64_t bits, std::uint64_t mask, std::uint64_t values, std::uint32_t shift) {
  mask <<= shift;
  return (bits & ~mask) | ((values << shift) & mask);
}

double part_of(double value, bool voltage) { return voltage ? value / 10 : (value - 0.004) / 0.016; }

}  // namespace

void Io::written(const ur::Recipe& recipe, double now) {
  const ur::Concerns concerns = recipe.concerns();
  ur::ControllerState& state = variables_.state;
  ur::ControllerInputs& in = variables_.inputs;
  std::uint64_t& out = state.actual_digital_output_bits;
  using ur::Concern;
  if (has(concerns, Concern::speed_slider) && in.speed_slider_mask != 0 && std::isfinite(in.speed_slider_fraction))
    state.target_speed_fraction = std::clamp(in.speed_slider_fraction, 0.0, 1.0);
  if (has(concerns, Concern::standard_digital))
    out = merged(out, in.standard_digital_output_mask, in.standard_digital_output, standard_bits.first);
  if (has(concerns, Concern::configurable_digital))
    out = merged(out, in.configurable_digital_output_mask, in.configurable_digital_output, configurable_bits.first);
  if (has(concerns, Concern::tool_digital))
    out = merged(out, in.tool_digital_output_mask & 3u, in.tool_digital_output, tool_bits.first);
  state.actual_configurable_digital_output_bits = out >> configurable_bits.first & 0xff;
  if (has(concerns, Concern::standard_analog))
    for (std::uint32_t i = 0; i < 2; ++i) {
      if ((in.standard_analog_output_mask >> i & 1) == 0) continue;
      const std::uint32_t domain = std::uint32_t{1} << (output_domain_bit + i);
      state.analog_io_types = (in.standard_analog_output_type >> i & 1) != 0 ? state.analog_io_types | domain
                                                                             : state.analog_io_types & ~domain;
      state.standard_analog_output[i] = scaled(in.standard_analog_output[i], output_domain_bit + i);
    }
  for (Watchdog& watchdog : watchdogs_)
    if (std::ranges::find(recipe.fields(), watchdog.field) != recipe.fields().end()) watchdog.fed = now;
}

double Io::scaled(double part, std::uint32_t domain_bit) const {
  if (!std::isfinite(part)) part = 0;
  part = std::clamp(part, 0.0, 1.0);
  return (variables_.state.analog_io_types >> domain_bit & 1) != 0 ? part * 10 : 0.004 + part * 0.016;
}

Result<bool> Io::digital_input(DigitalGroup group, std::int32_t index) const {
  const auto bit = bit_of(group, index);
  if (!bit) return bit.error();
  return (variables_.state.actual_digital_input_bits & *bit) != 0;
}

Result<bool> Io::digital_output(DigitalGroup group, std::int32_t index) const {
  const auto bit = bit_of(group, index);
  if (!bit) return bit.error();
  return (variables_.state.actual_digital_output_bits & *bit) != 0;
}

Result<void> Io::digital_output(DigitalGroup group, std::int32_t index, bool on) {
  const auto bit = bit_of(group, index);
  if (!bit) return bit.error();
  std::uint64_t& bits = variables_.state.actual_digital_output_bits;
  bits = on ? bits | *bit : bits & ~*bit;
  variables_.state.actual_configurable_digital_output_bits = bits >> configurable_bits.first & 0xff;
  return {};
}

Result<double> Io::analog_input(std::int32_t index) const {
  if (auto good = check_analog(index); !good) return good.error();
  return variables_.state.standard_analog_input[static_cast<std::size_t>(index)];
}

Result<double> Io::analog_output_level(std::int32_t index) const {
  if (auto good = check_analog(index); !good) return good.error();
  return variables_.state.standard_analog_output[static_cast<std::size_t>(index)];
}

Result<double> Io::analog_output(std::int32_t index) const {
  if (auto good = check_analog(index); !good) return good.error();
  const bool voltage = (variables_.state.analog_io_types >> (index + 2) & 1) != 0;
  return part_of(variables_.state.standard_analog_output[static_cast<std::size_t>(index)], voltage);
}

Result<void> Io::analog_output(std::int32_t index, double part) {
  if (auto good = check_analog(index); !good) return good;
  if (!(part >= 0 && part <= 1))
    return Error{Fault::invalid, fmt::format("expected a part of the range, 0 to 1, got {}", part)};
  variables_.state.standard_analog_output[static_cast<std::size_t>(index)] =
      scaled(part, output_domain_bit + static_cast<std::uint32_t>(index));
  return {};
}

Result<void> Io::analog_output_domain(std::int32_t index, std::int32_t domain) {
  if (auto good = check_analog(index); !good) return good;
  if (domain != 0 && domain != 1)
    return Error{Fault::invalid, fmt::format("expected 0 for current or 1 for voltage, got {}", domain)};
  const std::uint32_t bit = std::uint32_t{1} << (output_domain_bit + static_cast<std::uint32_t>(index));
  std::uint32_t& types = variables_.state.analog_io_types;
  const auto part = analog_output(index);
  types = domain == 1 ? types | bit : types & ~bit;
  return analog_output(index, std::clamp(*part, 0.0, 1.0));
}

Result<void> Io::watch(std::string_view variable, double least_frequency, std::string_view action, double now) {
  const auto field = ur::field_named(variable);
  if (!field || !ur::fields()[*field].input)
    return Error{Fault::not_found, fmt::format("unknown RTDE input '{}'", variable.substr(0, 64))};
  if (!std::isfinite(least_frequency) || least_frequency < 0)
    return Error{Fault::invalid, fmt::format("expected a frequency of 0 Hz or more, got {}", least_frequency)};
  const std::string word(action);
  if (word != "IGNORE" && word != "ignore" && word != "PAUSE" && word != "pause" && word != "STOP" && word != "stop")
    return Error{Fault::invalid, fmt::format("expected ignore, pause or stop, got '{}'", word.substr(0, 64))};
  std::erase_if(watchdogs_, [&](const Watchdog& dog) { return dog.field == *field; });
  Action what = Action::stop;
  if (word[0] == 'i' || word[0] == 'I') what = Action::ignore;
  if (word[0] == 'p' || word[0] == 'P') what = Action::pause;
  if (least_frequency == 0 || what == Action::ignore) return {};
  watchdogs_.push_back({*field, 1 / least_frequency, what, now});
  return {};
}

Io::Action Io::overdue(double now) const {
  Action worst = Action::ignore;
  for (const Watchdog& watchdog : watchdogs_)
    if (now - watchdog.fed > watchdog.period + 1e-6) worst = std::max(worst, watchdog.action);
  return worst;
}

}  // namespace tandem::ur3e
