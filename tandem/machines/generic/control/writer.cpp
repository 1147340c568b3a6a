// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/control/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <tuple>

#include "tandem/protocols/ads/client/exchange.hpp"
#include "tandem/protocols/modbus/client_session.hpp"

namespace tandem::generic {
namespace {

constexpr std::size_t no_outlet = std::numeric_limits<std::size_t>::max();
constexpr int most_unanswered = 3;  // of switching off

// By place; ADS has no neighbours, its writes are one sum.
std::tuple<int, int, int> order_of(const Declaration& signal) {
  const auto* place = std::get_if<ModbusPlace>(&signal.at);
  if (place == nullptr) return {};
  return {static_cast<int>(place->table), place->address, place->bit};
}

bool lies_behind(const Declaration& first, const Declaration& second) {
  const auto* a = std::get_if<ModbusPlace>(&first.at);
  const auto* b = std::get_if<ModbusPlace>(&second.at);
  if (a == nullptr || b == nullptr) return a == b;  // ADS both
  if (a->table != b->table || a->bit >= 0 || b->bit >= 0) return false;
  const std::size_t size = a->table == ModbusTable::coil ? 1 : (bytes_of(first.type) + 1) / 2;
  return a->address + size == b->address;
}

// The device has answered that it will not, or nothing was sent; anything else may have been carried out.
bool was_refused(const Error& error) {
  return !modbus::outcome_unknown(error) && !ads::outcome_unknown(error) && error.fault != Fault::timeout &&
         error.fault != Fault::closed;
}

ReadBack read_back_of(const OutputInfo& info, double every) {
  return {info.raw_step() / 2 + info.rules.tolerance, every};
}

}  // namespace

Writer::Writer(const Description& description, const std::vector<OutputInfo>& outputs)
    : of_declaration_(description.signals.size(), no_outlet),
      joins_(description.signals.size(), false),
      cycle_(description.cycle) {
  const auto declared = [&](std::size_t outlet) -> const Declaration& {
    return description.signals[outlets_[outlet].info->declaration];
  };
  for (const OutputInfo& info : outputs) {
    const double every = std::max(description.signals[info.declaration].every.value_or(cycle_), cycle_);
    of_declaration_[info.declaration] = outlets_.size();
    in_line_.push_back(outlets_.size());
    auto own = std::make_unique<OutputInfo>(info);
    const OutputInfo& known = *own;
    outlets_.push_back({.declared = &info,
                        .info = std::move(own),
                        .point = SetPoint(known, cycle_),
                        .back = read_back_of(known, every),
                        .present = {},
                        .confirm = {},
                        .followed = {},
                        .every = every,
                        .written = {}});
  }
  std::ranges::stable_sort(in_line_, {}, [&](std::size_t i) { return order_of(declared(i)); });
  for (std::size_t i = 1; i < in_line_.size(); ++i)
    joins_[outlets_[in_line_[i]].info->declaration] = lies_behind(declared(in_line_[i - 1]), declared(in_line_[i]));
  due_.reserve(outlets_.size());
  for (const auto& [name, wanted] : description.on_stop) {
    const auto found = std::ranges::find(outputs, name, &OutputInfo::name);
    if (found == outputs.end())
      throw std::invalid_argument(fmt::format("on_stop: expected the name of an output, got '{}'", name));
    const auto judged = accepted(*found, wanted);
    if (!judged) throw std::invalid_argument("on_stop: " + judged.error().text);
    wanted_on_stop_.push_back({found->declaration, *judged});
    on_stop_.push_back({found->declaration, found->on_wire(*judged)});
  }
}

// A file for ADS may leave the type to the PLC; it decides what a value becomes on the wire.
void Writer::learn(Outlet& outlet, const std::vector<Signal>& signals) const {
  *outlet.info = *outlet.declared;
  if (outlet.present) *outlet.info = on_device(*outlet.declared, signals[outlet.present->signal].type);
  outlet.point = SetPoint(*outlet.info, cycle_);
  outlet.back = read_back_of(*outlet.info, outlet.every);
}

void Writer::bind(const std::vector<Signal>& signals) {
  for (Outlet& outlet : outlets_) {
    const OutputInfo& info = *outlet.info;
    outlet.present = find_signal(signals, info.name);
    learn(outlet, signals);
    outlet.confirm = info.rules.confirm ? find_signal(signals, info.name + ".confirm") : outlet.present;
    outlet.followed.reset();
    if (!info.rules.follow.empty()) outlet.followed = find_signal(signals, info.rules.follow);
  }
  for (std::size_t i = 0; i < on_stop_.size(); ++i)
    on_stop_[i].value = outlets_[of_declaration_[on_stop_[i].declaration]].info->on_wire(wanted_on_stop_[i].value);
  begin();
}

void Writer::begin() {
  for (Outlet& outlet : outlets_) {
    outlet.point.forget();
    outlet.back.forget();
    outlet.written.reset();
    outlet.unanswered = 0;
  }
  due_.clear();
}

double Writer::value(const std::optional<SignalReference>& reference, const Readings& readings) {
  return reference ? value_of(*reference, readings) : std::numeric_limits<double>::quiet_NaN();
}

Result<void> Writer::take(std::size_t output, const Command& command, Instant now, const Readings& readings) {
  Outlet& outlet = outlets_[output];
  // A pulse is written whatever the device was left with.
  const bool anew = !outlet.point.active() || outlet.info->rules.level == Output::Level::pulse;
  auto taken = outlet.point.take(command, now, value(outlet.present, readings));
  if (taken && anew) {
    outlet.written.reset();
    outlet.back.forget();
  }
  return taken;
}

const std::vector<Write>& Writer::step(Instant now, const Readings& readings) {
  due_.clear();
  for (const std::size_t i : in_line_) {
    Outlet& outlet = outlets_[i];
    const auto wanted = outlet.point.step(now, value(outlet.followed, readings));
    if (wanted && outlet.written != wanted) due_.push_back({outlet.info->declaration, *wanted});
    if (!wanted) outlet.back.forget();
  }
  return due_;
}

std::span<const Write> Writer::group(std::size_t begin) const {
  std::size_t end = begin + 1;
  // A neighbour joins only its own predecessor: where that is not due, there is a hole.
  for (; end < due_.size() && joins_[due_[end].declaration]; ++end) {
    const std::size_t last = of_declaration_[due_[end - 1].declaration], next = of_declaration_[due_[end].declaration];
    const auto at = std::ranges::find(in_line_, next);
    if (at == in_line_.begin() || *(at - 1) != last) break;
  }
  return std::span(due_).subspan(begin, end - begin);
}

std::optional<std::string> Writer::note(std::span<const Write> writes, std::span<const Written> outcomes, Instant at) {
  std::optional<std::string> why;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    Outlet& outlet = outlets_[of_declaration_[writes[i].declaration]];
    const auto outcome = std::ranges::find(outcomes, writes[i].declaration, &Written::declaration);
    if (outcome != outcomes.end() && outcome->outcome) {
      outlet.written = writes[i].value;
      outlet.unanswered = 0;
      if (outlet.info->rules.level != Output::Level::pulse) outlet.back.sent(writes[i].value, at);
      continue;
    }
    const Error missing{Fault::invalid, "the link gave no outcome"};
    auto failure = failed(outlet, writes[i].value, outcome == outcomes.end() ? missing : outcome->outcome.error());
    if (!why) why = std::move(failure);
  }
  return why;
}

// Switching off is sent again, as nothing worse can come of it; anything else may have been carried out once already.
std::optional<std::string> Writer::failed(Outlet& outlet, double value, const Error& error) {
  const OutputInfo& info = *outlet.info;
  const std::string what = fmt::format("{} = {}", info.name, value_text(info, value));
  if (was_refused(error)) return fmt::format("the device refused {}: {}", what, error.text);
  outlet.written.reset();
  if (value == 0 && ++outlet.unanswered < most_unanswered) return std::nullopt;
  return fmt::format("it is unknown whether {} was written: {}", what, error.text);
}

std::optional<std::string> Writer::read_back(Instant now, const Readings& readings) {
  for (Outlet& outlet : outlets_) {
    if (!outlet.confirm || !outlet.point.active()) continue;
    const Reading& reading = readings.of[outlet.confirm->signal];
    if (outlet.back.differs(reading, value_of(*outlet.confirm, readings), now))
      return outlet.back.difference(*outlet.info);
  }
  return std::nullopt;
}

std::size_t Writer::active() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(outlets_, [](const Outlet& outlet) { return outlet.point.active(); }));
}

}  // namespace tandem::generic
