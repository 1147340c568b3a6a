// SPDX-License-Identifier: Apache-2.0
// The virtual PLC of a described conveyor, for other people's ADS clients: prints its port, counts parts, lets belt 1
// follow its set point, and ends when standard input does.
#include <poll.h>

#include <cstdio>

#include "tests/machines/generic/ads_rig.hpp"

int main() {
  using namespace tandem;
  generic::test::AdsPlc plc(generic::test::conveyor());
  plc.run([](generic::AdsFront& front) {
    front.put_text(generic::find_signal(front.signals(), "message")->signal, "l\xC3\xA4uft");
  });
  std::printf("listening %s\n", plc.url.substr(plc.url.rfind(':') + 1).c_str());
  std::fflush(stdout);
  pollfd input{0, POLLIN, 0};
  for (int parts = 0; ::poll(&input, 1, 10) == 0; ++parts) {
    plc.run([parts](generic::AdsFront& front) {
      const auto at = [&front](std::string_view name) { return *generic::find_signal(front.signals(), name); };
      front.put(at("count").signal, 0, parts);
      const auto speed = at("belts[1].fSpeed");
      if (const auto set = front.take_written(at("speed_1").signal, 0)) front.put(speed.signal, speed.element, *set);
    });
  }
  return 0;
}
