// How much memory this process has in use.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <fstream>

namespace tandem {

inline std::ptrdiff_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::ptrdiff_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

}  // namespace tandem
