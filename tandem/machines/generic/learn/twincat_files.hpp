// SPDX-License-Identifier: Apache-2.0
// The variables and types of a PLC project from its files: .tmc of TwinCAT 3, .tpy of TwinCAT 2 and 3.
#pragma once

#include <string>
#include <string_view>

#include "tandem/machines/generic/learn/plc_program.hpp"

namespace tandem::generic {

inline constexpr std::size_t largest_twincat_file = 64u << 20;  // bytes

// Total: any bytes. Tells the two formats apart by their content; the error names the file and, of XML, the line.
Result<PlcProgram> read_twincat_file(std::string_view text, const std::string& file);

}  // namespace tandem::generic
