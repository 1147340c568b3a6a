// SPDX-License-Identifier: Apache-2.0
#include "tandem/prove/stage/stall_watch.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>

namespace tandem::prove {
namespace {

constexpr Duration period = 5ms, usual = 1ms, tolerated = 15ms;
constexpr int share = 8;  // of the time: lateness that is forgiven again

// An answer passes four threads on its way, each of which may be late by a little: what counts is their sum.
void watch(Marks& marks, unsigned core, const std::stop_token& stop) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  // Where that is not allowed it runs wherever it may.
  (void)::pthread_setaffinity_np(::pthread_self(), sizeof cores, &cores);
  Duration sum{};
  for (Instant next = now() + period; !stop.stop_requested(); next = std::max(next, now()) + period) {
    std::this_thread::sleep_until(next);
    const Duration late = now() - next;
    sum = std::max(Duration{}, sum - period / share);
    if (late <= usual) continue;
    sum = std::min(sum + late, std::max(late, 10 * tolerated));
    if (sum > tolerated) marks.say("stall", seconds(sum));
  }
}

}  // namespace

StallWatch::StallWatch(Marks& marks) {
  for (unsigned core = 0; core < std::max(1U, std::thread::hardware_concurrency()); ++core)
    threads_.emplace_back([&marks, core](const std::stop_token& stop) { watch(marks, core, stop); });
}

}  // namespace tandem::prove
