// SPDX-License-Identifier: Apache-2.0
// How often this thread has allocated. Programs that want to know are linked with allocations.cpp.
#pragma once

#include <atomic>
#include <cstddef>

extern thread_local std::size_t allocations;
// What is larger fails, in any thread, as if memory had run out.
extern std::atomic<std::size_t> largest_allocation;  // bytes
