// SPDX-License-Identifier: Apache-2.0
// The records of a chunk, compressed and back.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"

namespace tandem::record {

// Zstandard, its memory kept from one chunk to the next. What hardly shrinks is not worth the time: after a chunk that
// saved less than an eighth, the next ones are left as they are, until another one is tried.
class Compressor {
 public:
  static constexpr int chunks_left_alone = 31;

  // `left_alone`: how many chunks are not tried after such a one.
  explicit Compressor(int level, int left_alone = chunks_left_alone);
  ~Compressor();
  Compressor(Compressor&&) noexcept;
  Compressor& operator=(Compressor&&) noexcept;

  struct Stored {
    Bytes bytes;  // one frame that says how large its content is, or the records; valid until the next call
    bool compressed = false;
  };
  // Nothing when Zstandard refuses.
  std::optional<Stored> compress(Bytes records);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Makes `records` exactly `size` bytes of what `compression` ("", "zstd") made of them. `size` is a claim of the file:
// the memory is taken only when so few bytes can become this many.
Result<void> decompress(std::string_view compression, Bytes stored, std::uint64_t size,
                        std::vector<std::uint8_t>& records);
// As much as can be had from a chunk that is not all there, at most `size` bytes.
void decompress_torn(std::string_view compression, Bytes stored, std::uint64_t size,
                     std::vector<std::uint8_t>& records);

}  // namespace tandem::record
