// SPDX-License-Identifier: Apache-2.0
// RTPS messages as they come from the network. What passes the screen passes it again, unchanged, and is no longer.
#include <algorithm>
#include <cstdlib>

#include "tandem/ros2/rtps/acknacks.hpp"
#include "tandem/ros2/rtps/screen.hpp"

using namespace tandem;
using namespace tandem::ros2;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint8_t> copy, second_copy;
  const Screened once = screened(Bytes(data, size), copy);
  if (once.fault != nullptr) {
    require(once.message.empty());
    return 0;
  }
  require(once.message.size() <= size);
  const Screened twice = screened(once.message, second_copy);
  require(twice.fault == nullptr && std::ranges::equal(once.message, twice.message));
  // And so do its acknowledgements as Fast DDS is to see them.
  std::vector<std::uint8_t> changed(once.message.begin(), once.message.end());
  Acknacks acknacks(once.message);
  while (const auto acknack = acknacks.next()) translate(changed, *acknack, 1);
  require(screened(changed, second_copy).fault == nullptr);
  return 0;
}
