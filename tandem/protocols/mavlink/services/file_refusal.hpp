// SPDX-License-Identifier: Apache-2.0
// The file transfer of an autopilot that has no files: refused in the words of the protocol, so that the requester does
// without at once instead of waiting.
#pragma once

#include "tandem/protocols/mavlink/codec/frame.hpp"
#include "tandem/protocols/mavlink/link/outlet.hpp"

namespace tandem::mavlink {

// True when the frame was about files and meant for us; then it is answered.
bool refuse_files(const Frame& frame, const Address& own, Outlet& outlet);

}  // namespace tandem::mavlink
