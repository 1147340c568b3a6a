// SPDX-License-Identifier: Apache-2.0
// How much memory this process has in use.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <fstream>

#include "tandem/base/sanitizers.hpp"

#ifdef TANDEM_ADDRESS_SANITIZER
#include <sanitizer/allocator_interface.h>
#endif

namespace tandem {

// AddressSanitizer keeps up to 256 MiB of freed memory aside, so there what is allocated counts.
inline std::ptrdiff_t resident_bytes() {
#ifdef TANDEM_ADDRESS_SANITIZER
  return static_cast<std::ptrdiff_t>(__sanitizer_get_current_allocated_bytes());
#else
  std::ifstream file("/proc/self/statm");
  std::ptrdiff_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
#endif
}

}  // namespace tandem
