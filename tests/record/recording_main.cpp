// SPDX-License-Identifier: Apache-2.0
// Records numbered messages at about a thousand in a second until somebody ends it; that is what it is for. Its longest
// pause between two of them, in seconds, stands in a file beside it: how long the machine had no time for it.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

#include "tandem/record/recorder.hpp"

int main(int argc, char** argv) {
  using namespace tandem;
  if (argc != 2) return 2;
  record::Recorder recorder({.file = argv[1], .metadata = {}});
  const record::ChannelId id = recorder.channel({"/number", "json", "", "", "", {}});
  std::puts("recording");
  std::fflush(stdout);
  constexpr int most = 60000;  // a minute, should nobody come
  Duration longest{};
  Instant before = now();
  for (int i = 0; i < most; ++i) {
    const Instant time_now = now();
    if (time_now - before > longest) {
      longest = time_now - before;
      std::ofstream(std::string(argv[1]) + ".pause") << seconds(longest);
    }
    before = time_now;
    const std::string text = std::to_string(i);
    const UtcTime time = system_clock().utc();
    recorder.put(id, time, time, as_bytes(text));
    std::this_thread::sleep_for(1ms);
  }
}
