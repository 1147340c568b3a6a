// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/gunzip.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <memory>

namespace tandem {

Result<std::string> gunzip(Bytes packed, std::size_t largest) {
  struct Free {
    void operator()(libdeflate_decompressor* held) const { libdeflate_free_decompressor(held); }
  };
  const std::unique_ptr<libdeflate_decompressor, Free> decompressor(libdeflate_alloc_decompressor());
  if (!decompressor) return Error{Fault::invalid, "gzip: out of memory"};
  // The size in the file is anything's word: room grows with what really comes out.
  for (std::size_t room = std::min<std::size_t>(largest, 64 * 1024);; room = std::min(largest, 4 * room)) {
    std::string text(room, '\0');
    std::size_t size = 0;
    const auto outcome =
        libdeflate_gzip_decompress(decompressor.get(), packed.data(), packed.size(), text.data(), text.size(), &size);
    if (outcome == LIBDEFLATE_SUCCESS) {
      text.resize(size);
      return text;
    }
    if (outcome != LIBDEFLATE_INSUFFICIENT_SPACE) return Error{Fault::invalid, "expected gzip data, got other bytes"};
    if (room == largest) return Error{Fault::invalid, "gzip: too large when unpacked"};
  }
}

}  // namespace tandem
