// Any bytes as any message: a value or an error; and a value, written again, stays what it is.
#include <cstdlib>

#include "tandem/ros2/cdr.hpp"
#include "tandem/ros2/discovery_info.hpp"
#include "tandem/ros2/messages/all.hpp"

namespace tandem::ros2 {
namespace {

template <Message M>
void check(Bytes bytes) {
  static M message, again;  // warm, as in a subscription
  if (!decode(bytes, message)) return;
  std::vector<std::uint8_t> first, second;
  // Compared as bytes, since NaN is not equal to itself.
  if (!encode(message, first) || !decode(first, again) || !encode(again, second) || first != second) std::abort();
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

template <typename... M>
void choose(std::size_t which, Bytes bytes, std::type_identity<std::tuple<M...>>) {
  constexpr void (*checks[])(Bytes) = {check<M>..., check_graph};
  checks[which % std::size(checks)](bytes);
}

}  // namespace
}  // namespace tandem::ros2

// The first byte chooses the message; the rest is its CDR with the header.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tandem::ros2;
  if (size > 0) choose(data[0], {data + 1, size - 1}, std::type_identity<AllMessages>{});
  return 0;
}
