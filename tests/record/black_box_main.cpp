// SPDX-License-Identifier: Apache-2.0
// Puts numbered messages into a black box, writes a file for an event that is never over, and goes on until somebody
// ends it; that is what it is for.
#include <string>
#include <thread>

#include "tandem/record/black_box.hpp"

int main(int argc, char** argv) {
  using namespace tandem;
  if (argc != 2) return 2;
  record::BlackBox box({.longest_after = 1h});
  const record::ChannelId id = box.channel({"/number", "json", "", "", "", {}});
  constexpr int event = 500, most = 60000;  // a minute, should nobody come
  for (int i = 0; i < most; ++i) {
    const std::string text = std::to_string(i);
    const UtcTime time = system_clock().utc();
    box.put(id, time, time, as_bytes(text));
    if (i == event) (void)box.write(argv[1], {{"cause", "snapshot"}}, 1h);
    std::this_thread::sleep_for(1ms);
  }
}
