// SPDX-License-Identifier: Apache-2.0
// Bytes that are read from anywhere within them: a file, or memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"

namespace tandem::record {

class Source {
 public:
  // As large as it is now; what is added later is not seen.
  static Result<Source> open(const std::string& path);
  Source(Bytes memory, std::string name) : name_(std::move(name)), size_(memory.size()), memory_(memory) {}
  Source(Source&& other) noexcept;
  Source& operator=(Source&&) = delete;
  ~Source();

  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }
  // Valid until the next read. Fewer than asked for only at the end.
  Result<Bytes> read(std::uint64_t offset, std::uint64_t size);

 private:
  Source(std::string name, int file, std::uint64_t size) : name_(std::move(name)), size_(size), file_(file) {}
  Result<void> load(std::uint64_t offset, std::size_t size);

  std::string name_;
  std::uint64_t size_ = 0;
  Bytes memory_{};
  int file_ = -1;
  std::vector<std::uint8_t> window_{};  // of the file
  std::uint64_t window_start_ = 0;
};

}  // namespace tandem::record
