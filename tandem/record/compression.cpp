// SPDX-License-Identifier: Apache-2.0
#include "tandem/record/compression.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>

#include "tandem/base/nearest.hpp"

namespace tandem::record {

struct Compressor::Impl {
  Impl(int level, int to_leave) : context(ZSTD_createCCtx()), leave(to_leave) {
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
  }
  Impl(const Impl&) = delete;
  ~Impl() { ZSTD_freeCCtx(context); }

  ZSTD_CCtx* context;
  const int leave;  // chunks alone, after one that was not worthwhile
  std::vector<std::uint8_t> frame;
  int left_alone = 0;  // chunks that are not tried
};

Compressor::Compressor(int level, int left_alone) : impl_(std::make_unique<Impl>(level, left_alone)) {}
Compressor::~Compressor() = default;
Compressor::Compressor(Compressor&&) noexcept = default;
Compressor& Compressor::operator=(Compressor&&) noexcept = default;

std::optional<Compressor::Stored> Compressor::compress(Bytes records) {
  Impl& in = *impl_;
  if (in.left_alone > 0) {
    --in.left_alone;
    return Stored{records, false};
  }
  const std::size_t most = ZSTD_compressBound(records.size());
  if (in.frame.size() < most) in.frame.resize(most);
  const std::size_t size = ZSTD_compress2(in.context, in.frame.data(), most, records.data(), records.size());
  if (ZSTD_isError(size) != 0) return std::nullopt;
  const bool worthwhile = size <= records.size() - records.size() / 8;
  if (!worthwhile) in.left_alone = in.leave;
  return Stored{Bytes(in.frame).first(size), true};
}

Result<void> decompress(std::string_view compression, Bytes stored, std::uint64_t size,
                        std::vector<std::uint8_t>& records) {
  if (compression.empty()) {
    if (stored.size() != size) {
      return Error{Fault::invalid, fmt::format("expected {} bytes uncompressed, got {}", size, stored.size())};
    }
    records.assign(stored.begin(), stored.end());
    return {};
  }
  if (compression != "zstd") {
    return Error{Fault::unsupported, fmt::format("expected records compressed by zstd or not at all, got '{}'; "
                                                 "write the file again with `mcap compress --compression zstd`",
                                                 printable(compression, 32))};
  }
  // A block of 128 KiB takes at least four bytes.
  if (size / (1u << 15) > stored.size()) {
    return Error{Fault::invalid, fmt::format("{} compressed bytes cannot become {}", stored.size(), size)};
  }
  records.resize(static_cast<std::size_t>(size));
  const std::size_t made = ZSTD_decompress(records.data(), records.size(), stored.data(), stored.size());
  if (ZSTD_isError(made) != 0) {
    return Error{Fault::invalid, fmt::format("expected {} bytes from zstd, got: {}", size, ZSTD_getErrorName(made))};
  }
  if (made != size) return Error{Fault::invalid, fmt::format("expected {} bytes from zstd, got {}", size, made)};
  return {};
}

void decompress_torn(std::string_view compression, Bytes stored, std::uint64_t size,
                     std::vector<std::uint8_t>& records) {
  records.clear();
  if (compression.empty()) {
    const Bytes part = stored.first(static_cast<std::size_t>(std::min<std::uint64_t>(size, stored.size())));
    records.assign(part.begin(), part.end());
  }
  if (compression != "zstd") return;
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
  ZSTD_inBuffer in{stored.data(), stored.size(), 0};
  while (records.size() < size) {
    const std::size_t before = records.size();
    const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(size - before, 1u << 17));
    records.resize(before + room);
    ZSTD_outBuffer out{records.data() + before, room, 0};
    const std::size_t left = ZSTD_decompressStream(context.get(), &out, &in);
    records.resize(before + out.pos);
    if (ZSTD_isError(left) != 0 || left == 0 || out.pos == 0) return;
  }
}

}  // namespace tandem::record
