// SPDX-License-Identifier: Apache-2.0
// Any bytes as JSON of a ROS message, and as CDR on its way into JSON: an end without a crash, and what is good comes
// back as the same text.
#include <cstdlib>
#include <string_view>
#include <vector>

#include "tandem/ros2/messages/registry.hpp"
#include "tandem/runtime/page/ros_json.hpp"

namespace tandem::runtime {
namespace {

void check_json(const ros2::DynamicType& type, std::string_view json) {
  const auto cdr = cdr_from_json(type, json, UtcTime{});
  if (cdr && !json_from_cdr(type, *cdr)) std::abort();
}

void check_cdr(const ros2::DynamicType& type, Bytes cdr) {
  const auto json = json_from_cdr(type, cdr);
  if (!json) return;
  const auto again = cdr_from_json(type, *json);
  if (!again) {
    // U+FFFD is longer than what it stands for, and may not fit into a bounded text.
    if (json->find("\xEF\xBF\xBD") == std::string::npos) std::abort();
    return;
  }
  const auto same = json_from_cdr(type, *again);
  if (!same || *same != *json) std::abort();
}

}  // namespace
}  // namespace tandem::runtime

// The first two bytes choose the type and the direction; the rest is the message.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tandem;
  if (size < 2) return 0;
  static const std::vector<std::string> names = ros2::known_types();
  const std::size_t which = data[0] + 256u * (data[1] & 0x7Fu);
  const auto type = ros2::make_dynamic_type(*ros2::find_type(names[which % names.size()]));
  if (!type) std::abort();
  if ((data[1] & 0x80u) != 0) {
    runtime::check_cdr(*type, {data + 2, size - 2});
  } else {
    runtime::check_json(*type, {reinterpret_cast<const char*>(data + 2), size - 2});
  }
  return 0;
}
