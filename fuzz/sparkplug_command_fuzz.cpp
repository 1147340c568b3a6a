// SPDX-License-Identifier: Apache-2.0
// Any bytes as a command to an edge node, on topics of its own and of others: nothing is stopped but a device that it
// has, by a live message on that device's own topic; nothing is armed whatever comes.
#include <array>
#include <cstdlib>
#include <string>

#include "tandem/protocols/sparkplug/session.hpp"

namespace {

using namespace tandem::sparkplug;

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const bool allowed = (data[0] & 1U) != 0, retained = (data[0] & 2U) != 0;
  const std::array<std::string, 4> topics = {"spBv1.0/g/NCMD/n", "spBv1.0/g/DCMD/n/lift", "spBv1.0/g/DCMD/n/crane",
                                             "spBv1.0/g/DCMD/other/lift"};
  const std::size_t topic = data[0] >> 2U & 3U;
  NodeOptions options;
  options.name = {"g", "n"};
  options.stop_command = allowed;
  Session session(options, data[0]);
  (void)session.greet(1);
  session.connected();
  const std::array<Snapshot, 1> devices = {{{"lift", true, {{"x", DataType::float64, "m", 1.0, false, false}}}}};
  std::size_t births = 0;
  const Send send = [&](const Outgoing& message) {
    births += message.topic == "spBv1.0/g/NBIRTH/n" ? 1 : 0;
    return true;
  };
  session.update(devices, 1000, send);
  require(births == 1);
  const Wanted wanted =
      session.command(topics[topic], std::string_view(reinterpret_cast<const char*>(data + 1), size - 1), retained);
  if (retained || !allowed || topic != 1) require(wanted.stops.empty());
  for (const std::string& stop : wanted.stops) require(stop == "lift");
  if (retained || topic != 0) require(!wanted.rebirth);
  session.update(devices, 3000, send);
  require(births == (wanted.rebirth ? 2U : 1U));
  return 0;
}
