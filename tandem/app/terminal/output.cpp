// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/terminal/output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "tandem/app/app.hpp"

namespace tandem::app {

namespace {

int reported(int error, int code) {
  if (error == EPIPE) return code;
  std::fputs(fmt::format("tandem: standard output: {}; its end is missing\n", std::strerror(error)).c_str(), stderr);
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
  return reported(errno == 0 ? EIO : errno, code);
}

}  // namespace tandem::app
