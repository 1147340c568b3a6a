// SPDX-License-Identifier: Apache-2.0
// What only all signals together show: places that overlap, names that do not exist, behaviours in a circle.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "tandem/machines/generic/description.hpp"
#include "tandem/machines/generic/schema/keys.hpp"

namespace tandem::generic {

// Two signals at one place, two writers of one place; an output that is also read is a note.
void check_places(Description& description, Problems& problems);

// What a name in an option or an expression is: a signal, a bit of it, a member of a structure.
struct NamedValue {
  const Declaration* declaration = nullptr;  // null: no such name
  std::string unit;
  bool known = true;  // false: only the PLC's types decide
  bool is_text = false;
};
NamedValue named_value(const Description& description, const std::string& name);
// ": no signal 'valv'; did you mean 'valve'?"
std::string no_signal(const Description& description, const std::string& name);

// "zero", "follow ram": what an output does once its command is too old, as the file says it.
std::string idle_text(const Output& output);

// Single signals: whether one request reads them, whether `idle` can happen; those of `enable` become critical,
// positions in 32 bits are noted.
void check_signals(Description& description, Problems& problems);
// Structures of the file, and keys by member that they do not have. `types` is the place of that key.
void check_plc_types(const Description& description, const yaml::Place& types, Problems& problems);
// Structures that a virtual PLC would have to guess: what the file lacks, with what it knows of them.
void check_virtual_plc(const Description& description, Problems& problems);
std::optional<std::string> missing_plc_type(const Description& description, const Declaration& declaration);
// `follow`, `sim`, `enable`, `on_stop`.
void check_names(const Description& description, const yaml::Place& arm, Problems& problems);
// A cycle of behaviours without first_order, integrate or delay.
void check_cycles(const Description& description, Problems& problems);

}  // namespace tandem::generic
