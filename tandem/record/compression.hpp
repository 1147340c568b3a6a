// SPDX-License-Identifier: Apache-2.0
// The records of a chunk, compressed and back.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"

namespace tandem::record {

// Zstandard, its memory kept from one chunk to the next.
class Compressor {
 public:
  explicit Compressor(int level);
  ~Compressor();
  Compressor(Compressor&&) noexcept;
  Compressor& operator=(Compressor&&) noexcept;
  // Appends one frame that says how large its content is; false when Zstandard refuses.
  bool append(Bytes records, std::vector<std::uint8_t>& to);

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
