// SPDX-License-Identifier: Apache-2.0
// Any bytes from a client to the virtual PLC: the answers are whole packets, and the next client is served.
#include <algorithm>
#include <cstdlib>

#include "tandem/protocols/ads/server/session.hpp"

namespace {

using namespace tandem;
using namespace tandem::ads;

void require(bool holds) {
  if (!holds) std::abort();
}

struct World {
  World() : table({4096, 256, 256}), plc(table) {
    table.types().structure("ST_Pose", {{"surge", "LREAL"}, {"sway", "LREAL"}, {"flags", "ARRAY [0..3] OF BOOL"}});
    table.add_at("MAIN.byByte", "ARRAY [0..27] OF BYTE", Area::memory, 0);
    table.add("MAIN.x", "ST_Pose");
    table.add("MAIN.n", "DINT");
    table.raise_version();
  }
  SymbolTable table;
  Plc plc;
};

// Every byte that a session sends belongs to a whole packet.
void require_packets(const std::vector<std::uint8_t>& out) {
  Framer framer(64u << 20);
  framer.feed(out);
  while (true) {
    const auto frame = framer.next();
    require(frame.ok());
    if (!*frame) break;
  }
  require(!framer.partial());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  World world;
  Framer framer(1 << 16);
  std::vector<std::uint8_t> out;
  const auto send = [&out](std::vector<std::uint8_t>& packet) {
    if (out.size() < (1u << 20)) out.insert(out.end(), packet.begin(), packet.end());
  };
  {
    Session session(world.plc);
    framer.feed({data, size});
    for (int i = 0; i < 256; ++i) {
      const auto frame = framer.next();
      if (!frame || !*frame) break;
      session.answer(**frame, out);
      session.first_samples(send);
      require_packets(out);
      out.clear();
    }
    for (int i = 0; i < 3; ++i) session.cycle(send);
    require_packets(out);
  }
  require(world.plc.device.handle_count() == 0);
  return 0;
}
