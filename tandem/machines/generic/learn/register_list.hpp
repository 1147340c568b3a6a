// SPDX-License-Identifier: Apache-2.0
// The register list of a device, as manuals and spreadsheets have it, as signals.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tandem/machines/generic/learn/proposal.hpp"

namespace tandem::generic {

struct RegisterListOptions {
  std::string machine = "device";
  std::string device = "modbus://192.168.1.10:502?unit=1";
  std::optional<int> base;  // 0, 1 or 40001; none: as the addresses look
};

// Total: any bytes. Rows that cannot be understood are named in the file's remarks with their lines, and left out; an
// error when there is no column of addresses, or nothing that can be read.
Result<ProposedDevice> read_register_list(std::string_view csv, const std::string& file,
                                          const RegisterListOptions& options);

}  // namespace tandem::generic
