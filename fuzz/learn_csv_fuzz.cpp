// SPDX-License-Identifier: Apache-2.0
// Any bytes as a register list: a file that the reader takes, or an error that names the list.
#include <cstddef>
#include <cstdint>
#include <optional>

#include "fuzz/learned.hpp"
#include "tandem/machines/generic/learn/register_list.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tandem::generic;
  if (size == 0 || size > 32 * 1024) return 0;
  RegisterListOptions options;
  constexpr int bases[] = {0, 1, 40001};
  if (data[0] % 4 < 3) options.base = bases[data[0] % 4];
  const auto device = read_register_list({reinterpret_cast<const char*>(data + 1), size - 1}, "list.csv", options);
  if (device) {
    check_learned(*device);
  } else if (!device.error().text.starts_with("list.csv:")) {
    std::abort();
  }
  return 0;
}
