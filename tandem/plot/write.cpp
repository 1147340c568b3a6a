// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "tandem/base/nearest.hpp"
#include "tandem/plot/figure.hpp"

namespace tandem::plot {

namespace {

Error not_written(const std::string& path, const std::string& why) {
  return {Fault::invalid, fmt::format("{}: expected a file that can be written, got: {}", printable(path, 200), why)};
}

}  // namespace

Result<Format> format_of(const std::string& path) {
  if (path.ends_with(".svg")) return Format::svg;
  if (path.ends_with(".png")) return Format::png;
  return Error{Fault::unsupported, fmt::format("{}: expected a name that ends in .svg or .png", printable(path, 200))};
}

Result<void> write_file(const std::string& path, const std::string& bytes) {
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem)) return not_written(path, "a folder of that name");
  const std::string beside = fmt::format("{}.{}.part", path, ::getpid());
  std::FILE* file = std::fopen(beside.c_str(), "wb");
  if (file == nullptr) return not_written(path, std::strerror(errno));
  const bool whole = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  const int after_write = errno;
  const bool closed = std::fclose(file) == 0;
  if (whole && closed && std::rename(beside.c_str(), path.c_str()) == 0) return {};
  const int why = whole ? errno : after_write;
  std::remove(beside.c_str());
  return not_written(path, std::strerror(why));
}

Result<void> write(const Figure& figure, const std::string& path) {
  const auto format = format_of(path);
  if (!format) return format.error();
  const auto bytes = bytes_of(figure, *format);
  if (!bytes) return within(printable(path, 200), bytes.error());
  return write_file(path, *bytes);
}

}  // namespace tandem::plot
