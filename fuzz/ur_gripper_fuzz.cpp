// SPDX-License-Identifier: Apache-2.0
// Any bytes to and from the gripper: every line is answered, values stay from 0 to 255, and values read are written
// alike.
#include <cstdlib>

#include "tandem/protocols/ur/gripper/gripper.hpp"

namespace {

using namespace tandem;
using namespace tandem::ur;
using namespace tandem::ur::gripper;

void require(bool holds) {
  if (!holds) std::abort();
}

struct Fingers final : Device {
  int read(Variable) const override { return last; }
  void write(Variable, int value) override {
    require(value >= 0 && value <= 255);
    last = value;
  }
  int last = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Fingers fingers;
  GripperSession session(fingers);
  net::Outbox out(64u << 20);
  const std::size_t half = size / 2;
  if (session.receive({data, half}, out)) session.receive({data + half, size - half}, out);

  LineFramer lines(longest_line);
  lines.feed({data, size});
  for (auto line = lines.next(); line && *line; line = lines.next()) {
    if (const auto value = parse_value(**line)) {
      const auto again = parse_value(text(value->first, value->second));
      require(again.ok() && *again == *value);
    }
    if (const auto request = parse_request(**line)) {
      std::string sent = text(*request);
      sent.pop_back();
      const auto again = parse_request(sent);
      require(again.ok() && text(*again) == text(*request));
    }
  }
  return 0;
}
