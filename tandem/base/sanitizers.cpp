// SPDX-License-Identifier: Apache-2.0
// What the sanitizers are to overlook, in programs that are built with them: faults of others, each of them named.
#include "tandem/base/sanitizers.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
#if defined(TANDEM_ADDRESS_SANITIZER)
// Debian's Fast DDS frees a statistics object of its own with the size of its base class, at every reader's end. It is
// harmless, and the only one; any other error of memory still stops the program.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "new_delete_type_mismatch=0"; }
// What fontconfig keeps until the end of the process.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig"; }
#endif

#if defined(TANDEM_THREAD_SANITIZER)
// The thread sanitizer does not see pthread_mutex_clocklock, with which Fast DDS takes its timed mutexes, and so counts
// their locks wrongly. Data races are still reported everywhere.
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() { return "mutex:libfastrtps.so\ndeadlock:libfastrtps.so\n"; }
#endif
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
