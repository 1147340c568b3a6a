// SPDX-License-Identifier: Apache-2.0
// Any bytes as a recording: read by the summary and from front to back, every message of it, within bounds.
#include <cstdlib>

#include "tandem/record/mcap_reader.hpp"

namespace tandem::record {
namespace {

constexpr ReadLimits tight{.chunk = 1u << 20, .open = 4u << 20, .problems = 10};

void read_everything(Bytes bytes, bool thorough) {
  ReadOptions options;
  options.limits = tight;
  options.thorough = thorough;
  const auto reader = McapReader::read(Source(bytes, "fuzz"), options);
  if (!reader) return;
  const Contents& contents = reader->contents();
  if (contents.whole && !contents.problems.empty()) std::abort();
  Cursor cursor = reader->messages();
  std::uint64_t last = 0;
  std::size_t errors = 0, messages = 0;
  for (;;) {
    const auto next = cursor.next();
    if (!next) {
      if (++errors > contents.blocks.size()) std::abort();  // each block fails once at most
      continue;
    }
    if (!*next) break;
    // By time, where the blocks were timed by what is in them.
    if (!contents.indexed && (*next)->log_time < last) std::abort();
    last = (*next)->log_time;
    ++messages;
  }
  // Of a chunk that is damaged behind its first messages they are told both times.
  if (!contents.indexed && messages > contents.statistics.messages) std::abort();
  // What is counted can be read.
  if (!contents.indexed && errors == 0 && messages != contents.statistics.messages) std::abort();
  std::vector<std::uint8_t> data;
  for (const auto& index : contents.attachments) static_cast<void>(reader->attachment(index, data).ok());
  for (const auto& index : contents.metadata) static_cast<void>(reader->metadata(index).ok());
  for (const auto& [id, channel] : contents.channels) static_cast<void>(reader->schema(channel));
}

}  // namespace
}  // namespace tandem::record

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const tandem::Bytes bytes(data, size);
  tandem::record::read_everything(bytes, false);
  tandem::record::read_everything(bytes, true);
  return 0;
}
