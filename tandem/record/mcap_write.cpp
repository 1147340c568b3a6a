// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/crc32.hpp"
#include "tandem/record/mcap.hpp"

namespace tandem::record::mcap {

namespace {

// Opcode and length around what is written while it lives.
class Frame {
 public:
  Frame(ByteWriter& to, Op op) : to_(to) {
    to.byte(static_cast<std::uint8_t>(op));
    to.little<std::uint64_t>(0);
    start_ = to.size();
  }
  Frame(const Frame&) = delete;
  ~Frame() { to_.little_at(start_ - 8, static_cast<std::uint64_t>(to_.size() - start_)); }
  std::size_t start() const { return start_; }

 private:
  ByteWriter& to_;
  std::size_t start_ = 0;
};

template <typename... Numbers>
void put(ByteWriter& to, Numbers... numbers) {
  to.little(numbers...);
}

void put_string(ByteWriter& to, std::string_view text) {
  to.little(static_cast<std::uint32_t>(text.size()));
  to.text(text);
}

template <typename Entries, typename Each>
void put_entries(ByteWriter& to, const Entries& entries, Each each) {
  const std::size_t at = to.size();
  to.little<std::uint32_t>(0);
  for (const auto& entry : entries) each(entry);
  to.little_at(at, static_cast<std::uint32_t>(to.size() - at - 4));
}

void put_map(ByteWriter& to, const Map& map) {
  put_entries(to, map, [&](const auto& entry) {
    put_string(to, entry.first);
    put_string(to, entry.second);
  });
}

// Pairs of numbers.
template <typename Entries>
void put_pairs(ByteWriter& to, const Entries& entries) {
  put_entries(to, entries, [&](const auto& entry) { put(to, entry.first, entry.second); });
}

}  // namespace

void write(ByteWriter& to, const Header& record) {
  const Frame frame(to, Op::header);
  put_string(to, record.profile);
  put_string(to, record.library);
}

void write(ByteWriter& to, const Schema& record) {
  const Frame frame(to, Op::schema);
  put(to, record.id);
  put_string(to, record.name);
  put_string(to, record.encoding);
  put_string(to, record.data);
}

void write(ByteWriter& to, const Channel& record) {
  const Frame frame(to, Op::channel);
  put(to, record.id, record.schema);
  put_string(to, record.topic);
  put_string(to, record.encoding);
  put_map(to, record.metadata);
}

void write(ByteWriter& to, const Chunk& record) {
  const Frame frame(to, Op::chunk);
  put(to, record.start, record.end, record.size, record.crc);
  put_string(to, record.compression);
  put(to, static_cast<std::uint64_t>(record.stored.size()));
  to.bytes(record.stored);
}

void write(ByteWriter& to, const MessageIndex& record) {
  const Frame frame(to, Op::message_index);
  put(to, record.channel);
  put_pairs(to, record.entries);
}

void write(ByteWriter& to, const ChunkIndex& record) {
  const Frame frame(to, Op::chunk_index);
  put(to, record.start, record.end, record.offset, record.length);
  put_pairs(to, record.message_indexes);
  put(to, record.message_index_length);
  put_string(to, record.compression);
  put(to, record.stored_size, record.size);
}

void write(ByteWriter& to, const Attachment& record) {
  std::vector<std::uint8_t> content;
  ByteWriter in(content);
  put(in, record.log_time, record.create_time);
  put_string(in, record.name);
  put_string(in, record.media_type);
  put(in, static_cast<std::uint64_t>(record.data.size()));
  in.bytes(record.data);
  const Frame frame(to, Op::attachment);
  to.bytes(content);
  put(to, crc32(content));
}

void write(ByteWriter& to, const AttachmentIndex& record) {
  const Frame frame(to, Op::attachment_index);
  put(to, record.offset, record.length, record.log_time, record.create_time, record.data_size);
  put_string(to, record.name);
  put_string(to, record.media_type);
}

void write(ByteWriter& to, const Statistics& record) {
  const Frame frame(to, Op::statistics);
  put(to, record.messages, record.schemas, record.channels, record.attachments, record.metadata, record.chunks,
      record.start, record.end);
  put_pairs(to, record.channel_messages);
}

void write(ByteWriter& to, const Metadata& record) {
  const Frame frame(to, Op::metadata);
  put_string(to, record.name);
  put_map(to, record.values);
}

void write(ByteWriter& to, const MetadataIndex& record) {
  const Frame frame(to, Op::metadata_index);
  put(to, record.offset, record.length);
  put_string(to, record.name);
}

void write(ByteWriter& to, const SummaryOffset& record) {
  const Frame frame(to, Op::summary_offset);
  put(to, record.group, record.start, record.length);
}

void write_data_end(ByteWriter& to, std::uint32_t data_crc) {
  const Frame frame(to, Op::data_end);
  put(to, data_crc);
}

std::array<std::uint8_t, message_head_size> message_head(const Message& record, std::size_t data_size) {
  std::array<std::uint8_t, message_head_size> head{};
  std::size_t at = 0;
  const auto add = [&](auto value) {
    if constexpr (std::endian::native != std::endian::little) value = detail::reversed(value);
    std::memcpy(head.data() + at, &value, sizeof value);
    at += sizeof value;
  };
  add(static_cast<std::uint8_t>(Op::message));
  add(static_cast<std::uint64_t>(data_size + message_head_size - frame_size));
  add(record.channel);
  add(record.sequence);
  add(record.log_time);
  add(record.publish_time);
  return head;
}

}  // namespace tandem::record::mcap
