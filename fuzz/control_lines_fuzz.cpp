// SPDX-License-Identifier: Apache-2.0
// Any bytes as a line to the control socket: one line of JSON as its answer, and no command that is none. And any bytes
// as the status that a client reads.
#include <algorithm>

#include "fuzz/control_stub.hpp"

using namespace tandem;
using namespace tandem::runtime;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::ControlStub stub;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string answer = answer_to(text, fuzz::control_client, stub);
  require(answer.ends_with('\n') && std::ranges::count(answer, '\n') == 1);
  fuzz::check_control_answer(answer);
  if (const auto status = status_from_json(std::string(text)))
    require(status_from_json(json_from_status(*status)).ok());
  return 0;
}
