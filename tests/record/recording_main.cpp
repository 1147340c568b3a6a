// Records numbered messages at about a thousand in a second until somebody ends it; that is what it is for.
#include <cstdio>
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
  for (int i = 0; i < most; ++i) {
    const std::string text = std::to_string(i);
    const UtcTime time = system_clock().utc();
    recorder.put(id, time, time, as_bytes(text));
    std::this_thread::sleep_for(1ms);
  }
}
