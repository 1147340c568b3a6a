// SPDX-License-Identifier: Apache-2.0
// The key `gripper`, which the machine and its virtual controller share.
#pragma once

#include "tandem/machines/options.hpp"

namespace tandem::ur3e {

inline bool has_gripper(const machines::Options& options) {
  const std::string& gripper = options.text("gripper");
  return gripper == "hande" || gripper == "true";
}

}  // namespace tandem::ur3e
