// SPDX-License-Identifier: Apache-2.0
// A MAVLink signing key in a file that only its owner may read, and beside it the time that signing has reached.
#pragma once

#include <string>

#include "tandem/base/result.hpp"
#include "tandem/protocols/mavlink/codec/signing.hpp"

namespace tandem::orca {

// The file holds 64 hexadecimal digits. "FILE.time" is read and written beside it, so that a clock that was put back
// between two runs cannot make old frames count again. The key never appears in an error.
Result<mavlink::SigningOptions> signing_from_file(const std::string& file);

}  // namespace tandem::orca
