// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/text_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>

#include "tandem/base/nearest.hpp"

namespace tandem::generic {

std::string beside(const std::string& path, const std::string& file) {
  const std::filesystem::path relative(path);
  if (relative.is_absolute()) return path;
  return (std::filesystem::path(file).parent_path() / relative).lexically_normal().string();
}

Result<std::string> read_text(const std::string& path, std::size_t most) {
  const auto failed = [&](Fault fault, std::string_view why) {
    return Error{fault, fmt::format("{}: cannot be read: {}", printable(path, 200), why)};
  };
  if (path.find('\0') != path.npos) return failed(Fault::invalid, "NUL in its name");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> opened(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!opened) return failed(Fault::not_found, std::strerror(errno));
  std::string text;
  char room[65536];
  errno = 0;
  while (const std::size_t count = std::fread(room, 1, sizeof room, opened.get())) {
    text.append(room, count);
    if (text.size() > most)
      return Error{Fault::invalid, fmt::format("{}: expected at most {} bytes, got more", printable(path, 200), most)};
  }
  if (std::ferror(opened.get()) != 0) return failed(Fault::invalid, std::strerror(errno));
  return text;
}

}  // namespace tandem::generic
