// SPDX-License-Identifier: Apache-2.0
// The parts of a description, each read from its own node. What refers to another signal is checked in references.hpp,
// once all are known.
#pragma once

#include <optional>
#include <string>

#include "tandem/machines/generic/description.hpp"
#include "tandem/machines/generic/schema/keys.hpp"

namespace tandem::generic {

// What holds for all signals of a file.
struct Context {
  Problems& problems;
  Protocol protocol = Protocol::modbus;
  int base = 0;
  modbus::WordOrder order = modbus::WordOrder::abcd;  // of 32 and 64 bits
  double cycle = 0.05;                                // s
  double watchdog = 0.5;                              // s
};

// Lower-case words with digits and _, and no word of expressions.
bool is_signal_name(std::string_view name);

Declaration read_signal(const yaml::Node& name, const yaml::Node& map, const Context& context);

// The place in a key; nothing where it is absent or wrong.
std::optional<At> take_place(Keys& keys, std::string_view key, const Context& context);
// Limits, rate and the others of `write`.
Output read_output(const yaml::Node& node, const Declaration& declaration, const Context& context);
// "message.sim" of a string with room for so many bytes: {constant: TEXT}
Sim read_text_sim(const yaml::Node& node, const std::string& owner, std::size_t room, Problems& problems);
// "pressure.sim"
Sim read_sim(const yaml::Node& node, const std::string& owner, Problems& problems);
// Whether a map of `sim` has the keys of one behaviour; else they are members of a structure.
bool is_behaviour(const yaml::Node& node);
std::vector<TimedFault> read_faults(const yaml::Node& node, const std::string& owner, Problems& problems);

// The type and what depends on it: length, order.
void read_type(Keys& keys, Declaration& declaration, const Context& context);
// The names of an enumeration, and of a bit field.
Names read_names(const yaml::Node& node, const std::string& owner, Problems& problems);
BitNames read_bits(const yaml::Node& node, const std::string& owner, Type type, Problems& problems);
// `range`: another way to say scale and offset, which are 1 and 0 so far.
void read_range(const yaml::Node& node, const std::string& owner, double& scale, double& offset, Problems& problems);
bool is_unit_text(std::string_view text);
bool is_integer_type(Type type);
// What fits the type, raw.
Range range_of_type(Type type);

}  // namespace tandem::generic
