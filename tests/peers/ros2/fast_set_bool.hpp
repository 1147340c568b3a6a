// SPDX-License-Identifier: Apache-2.0
// std_srvs/srv/SetBool in CDR, written by hand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tandem::ros2 {

inline constexpr const char* set_bool = "std_srvs::srv::dds_::SetBool";

inline std::vector<std::uint8_t> set_bool_request(bool data) { return {0, 1, 0, 0, data}; }

// success, and "on" or "off" behind its length, which is aligned to 4.
inline std::vector<std::uint8_t> set_bool_response(bool success) {
  if (success) return {0, 1, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 'o', 'n', 0};
  return {0, 1, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 'o', 'f', 'f', 0};
}

// A payload may end with up to three bytes that only round it up.
inline bool is_payload(const std::vector<std::uint8_t>& bytes, const std::vector<std::uint8_t>& expected) {
  return bytes.size() >= expected.size() && bytes.size() < expected.size() + 4 &&
         std::equal(expected.begin(), expected.end(), bytes.begin());
}

inline std::vector<std::uint8_t> answer_set_bool(const std::vector<std::uint8_t>& request) {
  return set_bool_response(request.size() > 4 && request[4] == 1);
}

}  // namespace tandem::ros2
