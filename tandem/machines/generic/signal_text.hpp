// SPDX-License-Identifier: Apache-2.0
// Values of signals as people read them, in the unit of the file.
#pragma once

#include <string>

#include "tandem/machines/generic/signal.hpp"

namespace tandem::generic {

// "12.5 bar", "pressing", "door_closed, e_stop_ok", "[1, 2, 3] A"; of one that is not good "bad: no answer in time".
std::string signal_text(const Signal& signal, std::size_t index, const Readings& readings);
// The name of an enumeration's value, else the number.
std::string_view enumeration_text(const Signal& signal, std::int64_t raw, std::string& room);

// Of an array, each element: "[1]", "[0,2]".
std::vector<std::string> element_names(const Signal& signal);

}  // namespace tandem::generic
