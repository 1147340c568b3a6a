// SPDX-License-Identifier: Apache-2.0
#include "tandem/prove/stage/stall_watch.hpp"

#include <pthread.h>
#include <sched.h>

namespace tandem::prove {
namespace {

constexpr Duration period = 5ms, tolerated = 20ms;

void watch(Marks& marks, unsigned core, const std::stop_token& stop) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  // Where that is not allowed it runs wherever it may.
  (void)::pthread_setaffinity_np(::pthread_self(), sizeof cores, &cores);
  for (Instant next = now() + period; !stop.stop_requested(); next = std::max(next, now()) + period) {
    std::this_thread::sleep_until(next);
    const Duration late = now() - next;
    if (late > tolerated) marks.say("stall", seconds(late));
  }
}

}  // namespace

StallWatch::StallWatch(Marks& marks) {
  for (unsigned core = 0; core < std::max(1U, std::thread::hardware_concurrency()); ++core)
    threads_.emplace_back([&marks, core](const std::stop_token& stop) { watch(marks, core, stop); });
}

}  // namespace tandem::prove
