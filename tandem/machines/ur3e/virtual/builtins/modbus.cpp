// SPDX-License-Identifier: Apache-2.0
// Modbus signals of a program: they are stored and can be read back; nothing is sent to any device.
#include <fmt/format.h>

#include <map>

#include "tandem/machines/ur3e/virtual/builtins/builtins.hpp"
#include "tandem/machines/ur3e/virtual/controller.hpp"

namespace tandem::ur3e {
namespace {

using urscript::Builtins;
using urscript::Call;
using urscript::None;
using urscript::Outcome;
using urscript::Value;

constexpr std::size_t most_signals = 256, longest_name = 20;
constexpr std::int32_t most_values = 123;

// As modbus_get_error gives it: no connection, in the upper half of the word when both kinds are asked for.
constexpr std::int32_t disconnected = -2;
enum class Source : std::uint8_t { combined, device, connection };

struct Signal {
  bool digital = false;
  bool output = false;
  std::vector<std::int32_t> values;  // 0 and 1 of a digital one
  double added = 0;                  // s; invalid since then, as no device answers
};

class Signals {
 public:
  explicit Signals(Controller& controller) : controller_(controller) {}

  Outcome add(const Value& name, bool digital, bool output, std::int32_t count) {
    const auto text = urscript::text_of(name);
    if (!text) return text.error();
    if (text->empty() || text->size() > longest_name)
      return Error{Fault::invalid,
                   fmt::format("signal_name: expected 1 to {} characters, got {}", longest_name, text->size())};
    if (table_.size() >= most_signals && !table_.contains(*text))
      return Error{Fault::busy, fmt::format("expected at most {} signals", most_signals)};
    table_.insert_or_assign(
        std::string(*text),
        Signal{digital, output, std::vector<std::int32_t>(static_cast<std::size_t>(count)), controller_.now()});
    if (!said_)
      controller_.say(
          ur::primary::Text{"Modbus signals are stored; this virtual controller does not contact a device"});
    said_ = true;
    return Value(None{});
  }

  Result<Signal*> find(const Value& name) {
    const auto text = urscript::text_of(name);
    if (!text) return text.error();
    const auto found = table_.find(*text);
    if (found != table_.end()) return &found->second;
    return Error{Fault::not_found, fmt::format("expected a signal that modbus_add_signal has added, got '{}'",
                                               text->substr(0, longest_name))};
  }

  Outcome erase(const Value& name) {
    const auto text = urscript::text_of(name);
    if (!text) return text.error();
    if (const auto found = table_.find(*text); found != table_.end()) table_.erase(found);
    return Value(None{});
  }

 private:
  Controller& controller_;
  std::map<std::string, Signal, std::less<>> table_;
  bool said_ = false;
};

Outcome status(const Signal& signal) {
  const auto value = [&](std::int32_t each) { return signal.digital ? Value(each != 0) : Value(each); };
  if (signal.values.size() == 1) return value(signal.values[0]);
  std::vector<Value> values;
  for (const std::int32_t each : signal.values) values.push_back(value(each));
  return Value::make_list(std::move(values));
}

Outcome write(Signal& signal, const Value& value, bool digital) {
  if (signal.digital != digital || !signal.output)
    return Error{Fault::invalid, fmt::format("expected a {} output signal", digital ? "digital" : "register")};
  const auto read = [digital](const Value& each) -> Result<std::int32_t> {
    if (!digital) return integer_in(each, 0, 65535);
    const auto on = urscript::truth_of(each);
    if (!on) return on.error();
    return std::int32_t{*on ? 1 : 0};
  };
  const std::vector<Value> one{value};
  const std::vector<Value>& all = value.list() != nullptr ? *value.list() : one;
  if (all.empty() || all.size() > signal.values.size())
    return Error{Fault::invalid, fmt::format("expected 1 to {} values, got {}", signal.values.size(), all.size())};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto number = read(all[i]);
    if (!number) return number.error();
    signal.values[i] = *number;
  }
  return Value(None{});
}

}  // namespace

void add_modbus(Builtins& builtins, Controller& controller) {
  const auto signals = std::make_shared<Signals>(controller);
  constexpr auto stored = urscript::Effect::stored;
  builtins.add_limited(
      "modbus_add_signal", stored,
      {"IP",
       "slave_number",
       "signal_address",
       "signal_type",
       "signal_name",
       {"sequential_mode", false},
       {"register_count", 1}},
      [signals](Call& call) -> Outcome {
        const auto address = urscript::text_of(call[0]);
        const auto slave = integer_in(call[1], 0, 255);
        const auto place = integer_in(call[2], 0, 65535);
        const auto type = urscript::integer_of(call[3]);
        const auto count = integer_in(call[6], 1, most_values);
        if (const auto error = first_error(address, slave, place, type, count)) return *error;
        if ((*type < 0 || *type > 3) && *type != 15 && *type != 16)
          return Error{Fault::invalid, fmt::format("signal_type: expected 0 to 3, 15 or 16, got {}", *type)};
        const bool digital = *type <= 1 || *type == 15;
        return signals->add(call[4], digital, *type != 0 && *type != 2, *count);
      });
  builtins.add_limited("modbus_add_rw_signal", stored,
                       {"IP",
                        "slave_number",
                        "read_address",
                        "read_register_count",
                        "write_address",
                        "write_register_count",
                        "signal_name",
                        {"sequential_mode", false}},
                       [signals](Call& call) -> Outcome {
                         const auto reads = integer_in(call[3], 1, most_values);
                         const auto writes = integer_in(call[5], 1, most_values);
                         if (const auto error = first_error(reads, writes)) return *error;
                         return signals->add(call[6], false, true, std::max(*reads, *writes));
                       });
  builtins.add_limited("modbus_delete_signal", stored, {"signal_name"},
                       [signals](Call& call) -> Outcome { return signals->erase(call[0]); });
  builtins.add_limited("modbus_get_signal_status", stored, {"signal_name", {"is_secondary_program", false}},
                       [signals](Call& call) -> Outcome {
                         const auto signal = signals->find(call[0]);
                         return signal ? status(**signal) : Outcome(signal.error());
                       });
  const auto writer = [&](const char* name, const char* value, bool digital) {
    builtins.add_limited(name, stored, {"signal_name", value, {"is_secondary_program", false}},
                         [signals, digital](Call& call) -> Outcome {
                           const auto signal = signals->find(call[0]);
                           return signal ? write(**signal, call[1], digital) : Outcome(signal.error());
                         });
  };
  writer("modbus_set_output_register", "register_value", false);
  writer("modbus_set_output_signal", "digital_value", true);
  builtins.add("modbus_get_error", {"signal_name", {"error_source", 0}}, [signals](Call& call) -> Outcome {
    const auto signal = signals->find(call[0]);
    const auto source = integer_in(call[1], 0, 2);
    if (const auto error = first_error(signal, source)) return *error;
    switch (static_cast<Source>(*source)) {
      case Source::combined:
        return Value(disconnected * 0x10000);
      case Source::device:
        return Value(std::int32_t{0});  // none that could have had one
      case Source::connection:
        return Value(disconnected);
    }
    return Value(None{});
  });
  builtins.add("modbus_get_time_since_signal_invalid", {"signal_name"}, [signals, &controller](Call& call) -> Outcome {
    const auto signal = signals->find(call[0]);
    return signal ? Outcome(Value(controller.now() - (*signal)->added)) : Outcome(signal.error());
  });
}

}  // namespace tandem::ur3e
