// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tandem/base/crc32.hpp"
#include "tandem/record/mcap.hpp"

namespace tandem::record::mcap {

namespace {

std::string take_string(ByteReader& from) { return std::string(from.text(from.little<std::uint32_t>())); }

// A reader of the body of a map or an array, whose length in bytes is before it.
ByteReader take_list(ByteReader& from) { return ByteReader(from.bytes(from.little<std::uint32_t>())); }

// Calls each() until the body of the list is used up; false when its last entry is not whole.
template <typename Each>
bool take_entries(ByteReader& from, Each each) {
  ByteReader list = take_list(from);
  while (from.ok() && list.ok() && list.remaining() > 0) each(list);
  return list.ok();
}

bool take_map(ByteReader& from, Map& map) {
  return take_entries(from, [&](ByteReader& list) {
    std::string key = take_string(list);
    std::string value = take_string(list);
    if (list.ok()) map.insert_or_assign(std::move(key), std::move(value));
  });
}

template <typename... Numbers>
void take(ByteReader& from, Numbers&... numbers) {
  ((numbers = from.little<Numbers>()), ...);
}

}  // namespace

std::string name(Op op) {
  static constexpr std::array<std::string_view, 15> names = {
      "Header",     "Footer",       "Schema",        "Channel",       "Message",
      "Chunk",      "MessageIndex", "ChunkIndex",    "Attachment",    "AttachmentIndex",
      "Statistics", "Metadata",     "MetadataIndex", "SummaryOffset", "DataEnd"};
  const auto number = static_cast<unsigned>(op);
  if (number >= 1 && number <= names.size()) return std::string(names[number - 1]);
  return fmt::format("record {:#04x}", number);
}

bool read(Bytes content, Header& record) {
  ByteReader from(content);
  record.profile = take_string(from);
  record.library = take_string(from);
  return from.ok();
}

bool read(Bytes content, Footer& record) {
  ByteReader from(content);
  take(from, record.summary_start, record.summary_offset_start, record.summary_crc);
  return from.ok();
}

bool read(Bytes content, Schema& record) {
  ByteReader from(content);
  take(from, record.id);
  record.name = take_string(from);
  record.encoding = take_string(from);
  record.data = take_string(from);
  return from.ok();
}

bool read(Bytes content, Channel& record) {
  ByteReader from(content);
  take(from, record.id, record.schema);
  record.topic = take_string(from);
  record.encoding = take_string(from);
  record.metadata.clear();
  return take_map(from, record.metadata) && from.ok();
}

bool read(Bytes content, Message& record) {
  ByteReader from(content);
  take(from, record.channel, record.sequence, record.log_time, record.publish_time);
  record.data = from.rest();
  return from.ok();
}

bool read(Bytes content, Chunk& record) {
  ByteReader from(content);
  take(from, record.start, record.end, record.size, record.crc);
  record.compression = take_string(from);
  take(from, record.stored_size);
  record.stored = from.bytes(static_cast<std::size_t>(std::min<std::uint64_t>(record.stored_size, from.remaining())));
  return from.ok();
}

bool read(Bytes content, MessageIndex& record) {
  ByteReader from(content);
  take(from, record.channel);
  record.entries.clear();
  return take_entries(from,
                      [&](ByteReader& list) {
                        IndexEntry entry;
                        take(list, entry.first, entry.second);
                        if (list.ok()) record.entries.push_back(entry);
                      }) &&
         from.ok();
}

bool read(Bytes content, ChunkIndex& record) {
  ByteReader from(content);
  take(from, record.start, record.end, record.offset, record.length);
  record.message_indexes.clear();
  const bool whole = take_entries(from, [&](ByteReader& list) {
    std::pair<std::uint16_t, std::uint64_t> entry;
    take(list, entry.first, entry.second);
    if (list.ok()) record.message_indexes.push_back(entry);
  });
  take(from, record.message_index_length);
  record.compression = take_string(from);
  take(from, record.stored_size, record.size);
  return whole && from.ok();
}

bool read(Bytes content, Attachment& record) {
  ByteReader from(content);
  take(from, record.log_time, record.create_time);
  record.name = take_string(from);
  record.media_type = take_string(from);
  record.data = from.bytes(from.little<std::uint64_t>());
  take(from, record.crc);
  return from.ok();
}

bool read(Bytes content, AttachmentIndex& record) {
  ByteReader from(content);
  take(from, record.offset, record.length, record.log_time, record.create_time, record.data_size);
  record.name = take_string(from);
  record.media_type = take_string(from);
  return from.ok();
}

bool read(Bytes content, Statistics& record) {
  ByteReader from(content);
  take(from, record.messages, record.schemas, record.channels, record.attachments, record.metadata, record.chunks,
       record.start, record.end);
  record.channel_messages.clear();
  const bool whole = take_entries(from, [&](ByteReader& list) {
    const auto channel = list.little<std::uint16_t>();
    const auto count = list.little<std::uint64_t>();
    if (list.ok()) record.channel_messages[channel] = count;
  });
  return whole && from.ok();
}

bool read(Bytes content, Metadata& record) {
  ByteReader from(content);
  record.name = take_string(from);
  record.values.clear();
  return take_map(from, record.values) && from.ok();
}

bool read(Bytes content, MetadataIndex& record) {
  ByteReader from(content);
  take(from, record.offset, record.length);
  record.name = take_string(from);
  return from.ok();
}

bool attachment_is_sound(Bytes content) {
  Attachment attachment;
  if (!read(content, attachment)) return false;
  if (attachment.crc == 0) return true;
  const auto before = static_cast<std::size_t>(attachment.data.data() + attachment.data.size() - content.data());
  return crc32(content.first(before)) == attachment.crc;
}

}  // namespace tandem::record::mcap
