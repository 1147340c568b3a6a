// SPDX-License-Identifier: Apache-2.0
// Any bytes as any message: a value or an error; and a value, written again, stays what it is.
#include <cstdlib>

#include "tandem/ros2/graph/discovery_info.hpp"
#include "tests/ros2/messages/any_message.hpp"

namespace tandem::ros2 {
namespace {

// Kept between the runs, warm as in a subscription.
struct Pair {
  std::unique_ptr<AnyMessage> message, again;
};

std::vector<Pair> make_pairs() {
  std::vector<Pair> pairs;
  for (auto& message : all_messages()) {
    std::unique_ptr<AnyMessage> again = message->fresh();
    pairs.push_back({std::move(message), std::move(again)});
  }
  return pairs;
}

void check(Pair& pair, Bytes bytes) {
  if (pair.message->read(bytes) != nullptr) return;
  std::vector<std::uint8_t> first, second;
  // Compared as bytes, since NaN is not equal to itself.
  const bool same =
      pair.message->write(first) && pair.again->read(first) == nullptr && pair.again->write(second) && first == second;
  if (!same) std::abort();
}

void check_graph(Bytes bytes) {
  const Result<DiscoveryInfo> info = decode_discovery_info(bytes);
  if (!info) return;
  for (const bool humble : {false, true}) {
    const std::vector<std::uint8_t> written = encode_discovery_info(*info, humble);
    const Result<DiscoveryInfo> again = decode_discovery_info(written);
    // A GUID that ends in zeros looks like the other form; whatever is read must still be written.
    if (again) static_cast<void>(encode_discovery_info(*again, humble));
  }
}

}  // namespace
}  // namespace tandem::ros2

// Two bytes choose the message, low byte first; the rest is its CDR with the header.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tandem::ros2;
  static std::vector<Pair> pairs = make_pairs();
  if (size < 2) return 0;
  const std::size_t which = (data[0] + 256U * data[1]) % (pairs.size() + 1);
  const tandem::Bytes bytes{data + 2, size - 2};
  if (which == pairs.size()) {
    check_graph(bytes);
  } else {
    check(pairs[which], bytes);
  }
  return 0;
}
