// SPDX-License-Identifier: Apache-2.0
// Loaded before the C library (LD_PRELOAD): the wall clock of a program is TANDEM_TEST_CLOCK_SHIFT seconds ahead. The
// monotonic clock is not touched.
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>

namespace {

time_t shift() {
  static const time_t seconds = [] {
    const char* const text = std::getenv("TANDEM_TEST_CLOCK_SHIFT");
    return text == nullptr ? time_t{0} : static_cast<time_t>(std::atol(text));
  }();
  return seconds;
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const long result = ::syscall(SYS_clock_gettime, clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += shift();
  return static_cast<int>(result);
}

extern "C" int gettimeofday(timeval* time, void* zone) noexcept {
  const long result = ::syscall(SYS_gettimeofday, time, zone);
  if (result == 0) time->tv_sec += shift();
  return static_cast<int>(result);
}
