// SPDX-License-Identifier: Apache-2.0
// Any bytes as a Sparkplug payload: an error, or a payload that is written and read again as the same.
#include <cstdlib>
#include <string>

#include "tandem/protocols/sparkplug/payload.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tandem::sparkplug;
  const auto payload = decode(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!payload) return 0;
  const std::string once = encode(*payload);
  const auto again = decode(once);
  // Values may be written longer than they came, so only what is within the limit comes back.
  if (!again) {
    if (once.size() <= largest_payload) std::abort();
    return 0;
  }
  if (again->metrics.size() != payload->metrics.size() || encode(*again) != once) std::abort();
  return 0;
}
