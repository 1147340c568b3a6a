// SPDX-License-Identifier: Apache-2.0
// Any bytes from a client to a Modbus server: the answers are whole frames, one per request, however the bytes arrive.
#include <cstdlib>

#include "tandem/protocols/modbus/memory_device.hpp"
#include "tandem/protocols/modbus/server_session.hpp"

namespace {

using namespace tandem;
using namespace tandem::modbus;

void require(bool holds) {
  if (!holds) std::abort();
}

struct Plc : MemoryDevice {
  Plc() {
    add(Table::coils, 0, 16);
    alias(Table::coils, 8192, 0, 5);
    add(Table::discrete_inputs, 3, 9);
    add(Table::holding_registers, 0, 140);
    add(Table::input_registers, 65000, 536);
    status = 1;
    id = "\x01\xFFid";
    objects = {{0, "vendor"}, {1, std::string(200, 'x')}, {2, std::string(255, 'y')}, {130, "own"}};
    units = {0, 1, 255};
  }
};

void require_frames(Bytes out, std::uint64_t count) {
  Framer framer;
  std::uint64_t seen = 0;
  while (!out.empty()) {
    out = out.subspan(framer.feed(out));
    while (true) {
      const auto frame = framer.next();
      require(frame.ok());
      if (!*frame) break;
      require(decode_answer((*frame)->pdu).ok());
      ++seen;
    }
  }
  require(!framer.partial() && seen == count);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece = 1u + data[0];
  const Bytes stream(data + 1, size - 1);
  Plc whole_plc;
  Session whole(whole_plc);
  std::vector<std::uint8_t> out;
  const bool good = whole.receive(stream, out).ok();
  require_frames(out, whole.requests());

  Plc split_plc;
  Session split(split_plc);
  std::vector<std::uint8_t> same;
  bool split_good = true;
  for (std::size_t at = 0; at < stream.size() && split_good; at += piece)
    split_good = split.receive(stream.subspan(at, std::min(piece, stream.size() - at)), same).ok();
  require(split_good == good && same == out);
  return 0;
}
