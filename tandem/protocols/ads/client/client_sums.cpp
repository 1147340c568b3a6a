// SPDX-License-Identifier: Apache-2.0
// Client: many writes or questions in one request.
#include <fmt/format.h>

#include <algorithm>

#include "tandem/protocols/ads/client/client.hpp"

namespace tandem::ads {
namespace {

// Rows, then data, written into the packet itself.
struct SumWriteRequest {
  std::span<const SumWriteItem> items;
};

void encode(ByteWriter& writer, const SumWriteRequest& request) {
  std::size_t data = 0;
  for (const SumWriteItem& item : request.items) data += item.data.size();
  const auto count = static_cast<std::uint32_t>(request.items.size());
  writer.little(group::sum_write, count, 4 * count, static_cast<std::uint32_t>(12 * request.items.size() + data));
  for (const SumWriteItem& item : request.items) writer.little(item.group, item.offset, length_of(item.data));
  for (const SumWriteItem& item : request.items) writer.bytes(item.data);
}

struct SumLookUpRequest {
  std::uint32_t group = 0;
  std::span<const SumLookUpItem> items;
  std::uint32_t expected = 0;  // most bytes of the answer
};

void encode(ByteWriter& writer, const SumLookUpRequest& request) {
  std::size_t names = 0;
  for (const SumLookUpItem& item : request.items) names += item.name.size() + 1;
  const auto count = static_cast<std::uint32_t>(request.items.size());
  writer.little(group::sum_read_write, count, request.expected,
                static_cast<std::uint32_t>(16 * request.items.size() + names));
  for (const SumLookUpItem& item : request.items)
    encode(writer,
           SumReadWriteRow{request.group, 0, item.read_length, static_cast<std::uint32_t>(item.name.size() + 1)});
  for (const SumLookUpItem& item : request.items) {
    writer.text(item.name);
    writer.byte(0);
  }
}

}  // namespace

Result<void> Client::sum_write(std::span<SumWriteItem> items, Instant deadline) {
  if (items.empty()) return {};
  const auto count = static_cast<std::uint32_t>(items.size());
  const Purpose purpose{Command::read_write, group::sum_write, count, true};
  const auto begun = exchange_.begin(purpose, SumWriteRequest{items}, deadline);
  const auto results = at_most(4 * items.size(), begun, deadline);
  if (!results) return results.error();
  ByteReader reader(*results);
  // An answer that is too short: whether the rest was written is not known.
  for (SumWriteItem& item : items) item.result = reader.little<std::uint32_t>();
  if (reader.done()) return {};
  return exchange_.rejected(*begun,
                            fmt::format("expected {} results in {} bytes, got {}", count, 4 * count, results->size()));
}

Result<void> Client::sum_look_up(std::uint32_t group, std::span<SumLookUpItem> items, Instant deadline) {
  if (items.empty()) return {};
  std::uint64_t expected = 8 * items.size();
  for (const SumLookUpItem& item : items) expected += item.read_length;
  const Purpose purpose{Command::read_write, group::sum_read_write, static_cast<std::uint32_t>(items.size())};
  const SumLookUpRequest request{group, items,
                                 static_cast<std::uint32_t>(std::min<std::uint64_t>(expected, 0xFFFF'FFFF))};
  const auto begun = exchange_.begin(purpose, request, deadline);
  const auto answer = at_most(request.expected, begun, deadline);
  if (!answer) return answer.error();
  ByteReader heads(*answer);
  const Bytes all = heads.bytes(8 * items.size());
  ByteReader rows(all);
  for (SumLookUpItem& item : items) {
    item.result = rows.little<std::uint32_t>();
    const auto length = rows.little<std::uint32_t>();
    const Bytes data = length <= item.read_length ? heads.bytes(length) : (heads.fail(), Bytes{});
    item.answer.assign(data.begin(), data.end());
  }
  if (heads.ok() && rows.done()) return {};
  return exchange_.rejected(*begun, fmt::format("{} bytes with inconsistent lengths", answer->size()));
}

}  // namespace tandem::ads
