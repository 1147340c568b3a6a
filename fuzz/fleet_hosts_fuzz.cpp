// SPDX-License-Identifier: Apache-2.0
// Any bytes as hosts.yaml, and as a token file: hosts or a FileError, a token or an Error, nothing else.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "tandem/runtime/fleet/hosts.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    for (const auto& host : tandem::runtime::parse_hosts(text, "hosts.yaml"))
      if (host.name.empty() || host.place.host.empty() || host.place.port == 0) std::abort();
  } catch (const tandem::yaml::FileError&) {
  }
  // What goes into a header of a request has no line end.
  if (const auto token = tandem::runtime::token_from(text); token && token->find_first_of("\r\n") != std::string::npos)
    std::abort();
  return 0;
}
