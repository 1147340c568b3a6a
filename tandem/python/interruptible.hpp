// SPDX-License-Identifier: Apache-2.0
// Calls that take their time, without Python's lock and open to Ctrl-C.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <future>
#include <utility>

namespace tandem::python {

// Runs `call` in a thread of its own while this one looks for signals every 50 ms, as only the main thread of Python
// may. On Ctrl-C `stop` is called, which must make `call` return, and KeyboardInterrupt is raised after it has.
template <typename Call, typename Stop>
auto interruptible(Call call, Stop stop) {
  auto done = std::async(std::launch::async, std::move(call));
  bool interrupted = false;
  {
    const pybind11::gil_scoped_release released;
    while (!interrupted && done.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
      const pybind11::gil_scoped_acquire held;
      interrupted = PyErr_CheckSignals() != 0;
    }
    if (interrupted) {
      stop();
      done.wait();
    }
  }
  if (interrupted) throw pybind11::error_already_set();
  return done.get();
}

template <typename Call>
auto interruptible(Call call) {
  return interruptible(std::move(call), [] {});
}

}  // namespace tandem::python
