// SPDX-License-Identifier: Apache-2.0
// The records of an MCAP file (version 0), each as a plain struct, and their bytes both ways.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tandem/base/bytes.hpp"

namespace tandem::record::mcap {

inline constexpr std::array<std::uint8_t, 8> magic = {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};
inline constexpr std::size_t frame_size = 9;              // before every record: opcode, length
inline constexpr std::size_t tail_size = 20 + 9 + 8;      // footer with its frame, and the magic at the end
inline constexpr std::size_t message_head_size = 9 + 22;  // of a message with its frame, before its data

enum class Op : std::uint8_t {
  header = 0x01,
  footer,
  schema,
  channel,
  message,
  chunk,
  message_index,
  chunk_index,
  attachment,
  attachment_index,
  statistics,
  metadata,
  metadata_index,
  summary_offset,
  data_end,
};
std::string name(Op op);  // "Chunk"; "record 0x80" for those of others

using Map = std::map<std::string, std::string>;

struct Header {
  std::string profile{}, library{};
};
struct Footer {
  std::uint64_t summary_start = 0, summary_offset_start = 0;  // 0: none
  std::uint32_t summary_crc = 0;                              // here and below, 0: not calculated
};
struct Schema {
  std::uint16_t id = 0;  // never 0
  std::string name{}, encoding{}, data{};
  bool operator==(const Schema&) const = default;
};
struct Channel {
  std::uint16_t id = 0;
  std::uint16_t schema = 0;  // 0: none
  std::string topic{}, encoding{};
  Map metadata{};
  bool operator==(const Channel&) const = default;
};
struct Message {
  std::uint16_t channel = 0;
  std::uint32_t sequence = 0;
  std::uint64_t log_time = 0, publish_time = 0;  // ns since 1970
  Bytes data{};                                  // lent by the caller
};
struct Chunk {
  std::uint64_t start = 0, end = 0;  // least and greatest log time of its messages, ns
  std::uint64_t size = 0;            // bytes of its records, uncompressed
  std::uint32_t crc = 0;             // of them
  std::string compression{};         // "", "zstd", "lz4"
  std::uint64_t stored_size = 0;     // bytes of its records as they are in the file
  Bytes stored{};                    // as many of those as are there
};
using IndexEntry = std::pair<std::uint64_t, std::uint64_t>;  // log time, offset in the uncompressed records
struct MessageIndex {
  std::uint16_t channel = 0;
  std::vector<IndexEntry> entries{};
};
struct ChunkIndex {
  std::uint64_t start = 0, end = 0;                                        // ns
  std::uint64_t offset = 0, length = 0;                                    // of the chunk with its frame
  std::vector<std::pair<std::uint16_t, std::uint64_t>> message_indexes{};  // channel, offset
  std::uint64_t message_index_length = 0;
  std::string compression{};
  std::uint64_t stored_size = 0, size = 0;
};
struct Attachment {
  std::uint64_t log_time = 0, create_time = 0;
  std::string name{}, media_type{};
  Bytes data{};
  std::uint32_t crc = 0;  // of everything before it
};
struct AttachmentIndex {
  std::uint64_t offset = 0, length = 0, log_time = 0, create_time = 0, data_size = 0;
  std::string name{}, media_type{};
};
struct Statistics {
  std::uint64_t messages = 0;
  std::uint16_t schemas = 0;
  std::uint32_t channels = 0, attachments = 0, metadata = 0, chunks = 0;
  std::uint64_t start = 0, end = 0;  // ns
  std::map<std::uint16_t, std::uint64_t> channel_messages{};
};
struct Metadata {
  std::string name{};
  Map values{};
};
struct MetadataIndex {
  std::uint64_t offset = 0, length = 0;
  std::string name{};
};
struct SummaryOffset {
  std::uint8_t group = 0;
  std::uint64_t start = 0, length = 0;
};

// The content of a record, without its frame. False: it ends within a field. What stands after the last field is
// passed over, since records may grow.
bool read(Bytes content, Header& record);
bool read(Bytes content, Footer& record);
bool read(Bytes content, Schema& record);
bool read(Bytes content, Channel& record);
bool read(Bytes content, Message& record);
bool read(Bytes content, Chunk& record);  // also true when `stored` is short of `stored_size`
bool read(Bytes content, MessageIndex& record);
bool read(Bytes content, ChunkIndex& record);
bool read(Bytes content, Attachment& record);
bool read(Bytes content, AttachmentIndex& record);
bool read(Bytes content, Statistics& record);
bool read(Bytes content, Metadata& record);
bool read(Bytes content, MetadataIndex& record);
// Whether the CRC at the end of an attachment is that of its content, or none.
bool attachment_is_sound(Bytes content);

// The record with its frame.
void write(ByteWriter& to, const Header& record);
void write(ByteWriter& to, const Schema& record);
void write(ByteWriter& to, const Channel& record);
void write(ByteWriter& to, const Chunk& record);  // all of `stored`
void write(ByteWriter& to, const MessageIndex& record);
void write(ByteWriter& to, const ChunkIndex& record);
void write(ByteWriter& to, const Attachment& record);  // calculates the CRC
void write(ByteWriter& to, const AttachmentIndex& record);
void write(ByteWriter& to, const Statistics& record);
void write(ByteWriter& to, const Metadata& record);
void write(ByteWriter& to, const MetadataIndex& record);
void write(ByteWriter& to, const SummaryOffset& record);
void write_data_end(ByteWriter& to, std::uint32_t data_crc);
// Frame and all but the data of a message.
std::array<std::uint8_t, message_head_size> message_head(const Message& record, std::size_t data_size);

}  // namespace tandem::record::mcap
