// SPDX-License-Identifier: Apache-2.0
// Any bytes as a project file of TwinCAT: a description that the reader takes, or an error.
#include <cstddef>
#include <cstdint>

#include "fuzz/learned.hpp"
#include "tandem/machines/generic/learn/twincat_files.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tandem::generic;
  if (size > 64 * 1024) return 0;
  const auto program = read_twincat_file({reinterpret_cast<const char*>(data), size}, "a.tmc");
  if (!program) {
    if (!program.error().text.starts_with("a.tmc:")) std::abort();
    return 0;
  }
  for (const char* match : {"*", "*.f*", "MAIN.*"}) {
    if (const auto device = propose(*program, {{match}, "plc", "ads://127.0.0.1"})) check_learned(*device);
  }
  return 0;
}
