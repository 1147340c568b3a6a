// SPDX-License-Identifier: Apache-2.0
// A file that grows by whole pieces: one that cannot be written leaves nothing of itself behind.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"

namespace tandem::record {

class GrowingFile {
 public:
  // Fault::busy when it exists already.
  static Result<GrowingFile> create(const std::string& path);
  GrowingFile(GrowingFile&& other) noexcept;
  GrowingFile& operator=(GrowingFile&&) = delete;
  ~GrowingFile();

  // The pieces, one after the other.
  Result<void> append(std::initializer_list<Bytes> pieces);
  Result<void> append(Bytes bytes) { return append({bytes}); }
  Result<void> sync();  // until it is on the disk, and with what came of it before that was not reported
  // Has a thread of its own bring it there, and does not wait: a disk may take seconds. The answer is what has come of
  // it so far.
  Result<void> sync_soon();

  std::uint64_t size() const { return size_; }
  std::uint32_t crc() const { return crc_; }  // of everything in it
  const std::string& path() const { return path_; }

 private:
  struct Syncer;
  GrowingFile(std::string path, int file);

  std::string path_;
  int file_;
  std::unique_ptr<Syncer> syncer_;
  std::uint64_t size_ = 0;
  std::uint32_t crc_ = 0;
};

// "run.mcap: 4096 bytes could not be written: No space left on device"; Fault::busy for a full disk and for a file that
// is there already.
Error file_error(const std::string& path, const std::string& what, int code);

}  // namespace tandem::record
