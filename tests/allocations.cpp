// SPDX-License-Identifier: Apache-2.0
// Replaces the global operator new by one that counts.
#include "tests/allocations.hpp"

#include <cstdlib>
#include <limits>
#include <new>

thread_local std::size_t allocations = 0;
std::atomic<std::size_t> largest_allocation = std::numeric_limits<std::size_t>::max();

void* operator new(std::size_t size) {
  ++allocations;
  if (size > largest_allocation.load(std::memory_order_relaxed)) throw std::bad_alloc();
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
