// How often this thread has allocated. Programs that want to know are linked with allocations.cpp.
#pragma once

#include <cstddef>

extern thread_local std::size_t allocations;
