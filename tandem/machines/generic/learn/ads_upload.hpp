// SPDX-License-Identifier: Apache-2.0
// The variables and types of a running PLC, as it describes them itself. Reads only.
#pragma once

#include <string>

#include "tandem/base/clock.hpp"
#include "tandem/machines/generic/learn/plc_program.hpp"

namespace tandem::generic {

// `device`: ads://HOST[:TCP_PORT][?net_id=A.B.C.D.E.F&port=851&own=...]. Each round trip has as long as the first one,
// until `deadline`.
Result<PlcProgram> upload_program(const std::string& device, Instant deadline);

}  // namespace tandem::generic
