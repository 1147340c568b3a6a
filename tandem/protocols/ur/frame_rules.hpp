// SPDX-License-Identifier: Apache-2.0
// How a replay takes recorded bytes of a robot controller's sockets apart and fits them to another client.
#pragma once

#include "tandem/net/frame_rules.hpp"

namespace tandem::ur {

const net::FrameRules& rtde_frame_rules();
const net::FrameRules& line_frame_rules();    // dashboard and gripper
const net::FrameRules& packet_frame_rules();  // primary, secondary and real-time interface: bytes as they are

}  // namespace tandem::ur
