// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/terminal/output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>

#include "tandem/app/app.hpp"

namespace tandem::app {

namespace {

// `error` is 0 where an earlier write failed, whose cause stdio does not keep.
int reported(int error, int code) {
  if (error == EPIPE) return code;
  const std::string why = error == 0 ? "a write failed (is the disk full?)" : std::strerror(error);
  std::fputs(fmt::format("tandem: standard output: {}; its end is missing\n", why).c_str(), stderr);
  return code == success ? static_cast<int>(failure) : code;
}

}  // namespace

int with_whole_output(const std::function<int()>& command) {
  int code = failure;
  try {
    code = command();
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) != 0) return reported(error.code().value(), failure);
    std::fputs(fmt::format("tandem: {}\n", error.what()).c_str(), stderr);
    return failure;
  }
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && std::ferror(stdout) == 0) return code;
  return reported(errno, code);
}

}  // namespace tandem::app
