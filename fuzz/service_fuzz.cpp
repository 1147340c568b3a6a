// SPDX-License-Identifier: Apache-2.0
// What strangers put around a service and into the graph: the header of a call, its body, marks, and node lists.
#include <cstdlib>

#include "tandem/ros2/calls/service_wire.hpp"
#include "tandem/ros2/graph/discovery_info.hpp"
#include "tandem/ros2/messages/action_msgs.hpp"
#include "tandem/ros2/messages/rcl_interfaces.hpp"
#include "tandem/ros2/types/cdr.hpp"

using namespace tandem;
using namespace tandem::ros2;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

template <Message M>
void decode_and_back(Bytes bytes) {
  M message, again;
  if (!decode(bytes, message)) return;
  std::vector<std::uint8_t> out;
  if (!encode(message, out)) return;
  require(decode(out, again).ok());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes bytes(data, size);
  std::vector<std::uint8_t> payload(bytes.begin(), bytes.end());
  CallId id;
  if (take_call_id(payload, id) == nullptr) {
    const Bytes body = Bytes(payload).subspan(call_id_size);
    require(with_call_id(body, id) == std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
    decode_and_back<rcl_interfaces::SetParameters::Request>(body);
    decode_and_back<rcl_interfaces::ListParameters::Request>(body);
    decode_and_back<action_msgs::CancelGoal::Request>(body);
    decode_and_back<action_msgs::GoalStatusArray>(body);
  }
  if (const auto info = decode_discovery_info(bytes)) {
    for (const bool humble : {false, true}) {
      const auto again = decode_discovery_info(encode_discovery_info(*info, humble));
      require(!again || again->nodes.size() <= info->nodes.size() + 1);
    }
  }
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  require(user_data_value(text, "typehash").size() <= size);
  return 0;
}
