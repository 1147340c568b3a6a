// SPDX-License-Identifier: Apache-2.0
#include "tandem/record/mcap_writer.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <new>
#include <optional>
#include <tuple>
#include <utility>

#include "tandem/base/crc32.hpp"
#include "tandem/record/growing_file.hpp"
#include "tandem/record/mcap_scan.hpp"

namespace tandem::record {

// What the writer knows of a channel.
struct OutChannel {
  mcap::Channel record;
  bool described = false;  // in the file, or in the open chunk
  bool silent = false;     // to be described without a message of it too
  std::uint64_t messages = 0;
  std::vector<mcap::IndexEntry> index;  // of the open chunk
  bool sorted = true;
};

struct OutSchema {
  mcap::Schema record;
  bool described = false;
};

struct McapWriter::Impl {
  Impl(GrowingFile made, WriterOptions choice)
      : options(std::move(choice)), file(std::move(made)), compressor(options.level) {
    chunk.reserve(options.chunk_bytes + options.chunk_bytes / 8);
  }

  std::uint16_t schema(const ChannelInfo& info);
  void describe(OutChannel& channel, std::vector<std::uint8_t>& into);
  void describe_silent(std::vector<std::uint8_t>& into);
  Result<void> index_records(const ReadyChunk& ready, std::uint32_t& crc);
  void note(const mcap::Message& message, std::uint64_t offset);
  void begin_chunk() { chunk_start = std::numeric_limits<std::uint64_t>::max(), chunk_end = 0, chunk_messages = 0; }
  Result<void> compress_and_append(mcap::ChunkIndex& index);
  Result<void> append_chunk(const ReadyChunk& ready, std::uint32_t crc, mcap::ChunkIndex& index);
  Result<void> close_chunk(const mcap::ChunkIndex& index, Result<void> appended);
  void write_indexes(mcap::ChunkIndex& index);
  void keep_chunk(const mcap::ChunkIndex& index);
  void forget_chunk();
  void clear_chunk();
  std::vector<std::uint8_t> summary(std::uint64_t start) const;

  WriterOptions options;
  GrowingFile file;
  Compressor compressor;
  std::vector<OutSchema> schemas;    // id - 1
  std::vector<OutChannel> channels;  // id - 1
  std::map<std::tuple<std::string, std::string, std::string>, std::uint16_t> schema_ids;
  std::map<std::tuple<std::string, std::string, std::uint16_t, mcap::Map>, std::uint16_t> channel_ids;

  bool silent_left = false;  // channels to be described without a message

  std::vector<std::uint8_t> chunk, out, indexes;
  std::vector<std::uint16_t> new_schemas, new_channels, used;  // in the open chunk
  std::uint64_t chunk_start = std::numeric_limits<std::uint64_t>::max(), chunk_end = 0, chunk_messages = 0;

  mcap::Statistics statistics;
  std::vector<std::uint8_t> chunk_indexes, attachment_indexes, metadata_indexes;  // as they will be written
  std::uint64_t lost = 0;
};

std::uint16_t McapWriter::Impl::schema(const ChannelInfo& info) {
  if (info.schema_name.empty()) return 0;
  const auto next = static_cast<std::uint16_t>(schemas.size() + 1);
  const auto [found, fresh] = schema_ids.try_emplace({info.schema_name, info.schema_encoding, info.schema}, next);
  if (fresh) schemas.push_back({{next, info.schema_name, info.schema_encoding, info.schema}});
  return found->second;
}

// Writes schema and channel where the file does not have them yet.
void McapWriter::Impl::describe(OutChannel& channel, std::vector<std::uint8_t>& into) {
  ByteWriter to(into);
  if (const std::uint16_t id = channel.record.schema; id != 0 && !schemas[id - 1u].described) {
    mcap::write(to, schemas[id - 1u].record);
    schemas[id - 1u].described = true;
    new_schemas.push_back(id);
  }
  mcap::write(to, channel.record);
  channel.described = true;
  new_channels.push_back(channel.record.id);
}

// Before a message and never alone: a chunk of nothing else would be one without times.
void McapWriter::Impl::describe_silent(std::vector<std::uint8_t>& into) {
  if (!std::exchange(silent_left, false)) return;
  for (OutChannel& channel : channels) {
    if (channel.silent && !channel.described) describe(channel, into);
  }
}

Result<void> McapWriter::Impl::compress_and_append(mcap::ChunkIndex& index) {
  const auto stored = options.compressed ? compressor.compress(chunk) : Compressor::Stored{chunk, false};
  if (!stored) return Error{Fault::busy, file.path() + ": no memory to compress a chunk"};
  return append_chunk({.start = chunk_messages == 0 ? 0 : chunk_start,
                       .end = chunk_end,
                       .size = chunk.size(),
                       .compressed = stored->compressed,
                       .stored = stored->bytes},
                      crc32(chunk), index);
}

// Behind what is in `out`, with the indexes of its channels behind it.
Result<void> McapWriter::Impl::append_chunk(const ReadyChunk& ready, std::uint32_t crc, mcap::ChunkIndex& index) {
  const mcap::Chunk record{.start = ready.start,
                           .end = ready.end,
                           .size = ready.size,
                           .crc = crc,
                           .compression = ready.compressed ? "zstd" : "",
                           .stored_size = ready.stored.size(),
                           .stored = {}};
  const std::size_t before = out.size();
  ByteWriter to(out);
  mcap::write(to, record);  // without what is stored, which is written from where it is
  to.little_at<std::uint64_t>(out.size() - 8, ready.stored.size());
  const std::uint64_t length = out.size() - before + ready.stored.size();
  to.little_at<std::uint64_t>(before + 1, length - mcap::frame_size);
  index = {.start = record.start,
           .end = record.end,
           .offset = file.size() + before,
           .length = length,
           .message_indexes = {},
           .message_index_length = 0,
           .compression = record.compression,
           .stored_size = ready.stored.size(),
           .size = record.size};
  write_indexes(index);
  return file.append({out, ready.stored, indexes});
}

// Counts its messages and notes where they are; describes their channels in `out`.
Result<void> McapWriter::Impl::index_records(const ReadyChunk& ready, std::uint32_t& crc) {
  if (auto made = decompress(ready.compressed ? "zstd" : "", ready.stored, ready.size, chunk); !made) return made;
  crc = crc32(chunk);
  describe_silent(out);
  std::uint64_t stopped = 0;
  bool known = true;
  const bool whole = walk_records(chunk, stopped, [&](mcap::Op op, std::uint64_t offset, Bytes content) {
    mcap::Message message;
    known = known && op == mcap::Op::message && mcap::read(content, message) && message.channel > 0 &&
            message.channel <= channels.size();
    if (!known) return;
    OutChannel& channel = channels[message.channel - 1U];
    if (!channel.described) describe(channel, out);
    note(message, offset);
    ++chunk_messages;
  });
  if (whole && known) return {};
  return Error{Fault::invalid, fmt::format("{}: expected a chunk of messages on channels 1 to {}, got another",
                                           file.path(), channels.size())};
}

// A message of the chunk whose record begins at this byte of it.
void McapWriter::Impl::note(const mcap::Message& message, std::uint64_t offset) {
  OutChannel& channel = channels[message.channel - 1U];
  if (channel.index.empty()) used.push_back(message.channel);
  channel.sorted = channel.sorted && (channel.index.empty() || channel.index.back().first <= message.log_time);
  channel.index.emplace_back(message.log_time, offset);
  chunk_start = std::min(chunk_start, message.log_time);
  chunk_end = std::max(chunk_end, message.log_time);
}

void McapWriter::Impl::write_indexes(mcap::ChunkIndex& index) {
  ByteWriter to(indexes);
  std::sort(used.begin(), used.end());
  for (const std::uint16_t id : used) {
    OutChannel& channel = channels[id - 1u];
    if (!channel.sorted) std::stable_sort(channel.index.begin(), channel.index.end());
    index.message_indexes.emplace_back(id, index.offset + index.length + indexes.size());
    mcap::MessageIndex record{id, std::move(channel.index)};
    mcap::write(to, record);
    channel.index = std::move(record.entries);
  }
  index.message_index_length = indexes.size();
}

void McapWriter::Impl::keep_chunk(const mcap::ChunkIndex& index) {
  ByteWriter to(chunk_indexes);
  mcap::write(to, index);
  statistics.start = statistics.messages == 0 ? index.start : std::min(statistics.start, index.start);
  if (chunk_messages > 0) statistics.end = std::max(statistics.end, index.end);
  statistics.messages += chunk_messages;
  ++statistics.chunks;
  for (const std::uint16_t id : used) channels[id - 1u].messages += channels[id - 1u].index.size();
}

void McapWriter::Impl::forget_chunk() {
  for (const std::uint16_t id : new_schemas) schemas[id - 1u].described = false;
  for (const std::uint16_t id : new_channels) channels[id - 1u].described = false;
  silent_left = true;
  lost += chunk_messages;
}

void McapWriter::Impl::clear_chunk() {
  for (const std::uint16_t id : used) {
    channels[id - 1u].index.clear();
    channels[id - 1u].sorted = true;
  }
  used.clear();
  new_schemas.clear();
  new_channels.clear();
  chunk.clear();
  out.clear();
  indexes.clear();
  begin_chunk();
}

// From here to the end of the file.
std::vector<std::uint8_t> McapWriter::Impl::summary(std::uint64_t start) const {
  std::vector<std::uint8_t> bytes, offsets;
  ByteWriter to(bytes), offsets_to(offsets);
  const auto group = [&](mcap::Op op, auto fill) {
    const std::size_t before = bytes.size();
    fill();
    if (bytes.size() == before) return;
    mcap::write(offsets_to, mcap::SummaryOffset{static_cast<std::uint8_t>(op), start + before, bytes.size() - before});
  };
  mcap::Statistics all = statistics;
  group(mcap::Op::schema, [&] {
    for (const OutSchema& each : schemas) {
      if (each.described) mcap::write(to, each.record), ++all.schemas;
    }
  });
  group(mcap::Op::channel, [&] {
    for (const OutChannel& each : channels) {
      if (!each.described) continue;
      mcap::write(to, each.record);
      ++all.channels;
      all.channel_messages[each.record.id] = each.messages;
    }
  });
  group(mcap::Op::statistics, [&] { mcap::write(to, all); });
  group(mcap::Op::chunk_index, [&] { to.bytes(chunk_indexes); });
  group(mcap::Op::attachment_index, [&] { to.bytes(attachment_indexes); });
  group(mcap::Op::metadata_index, [&] { to.bytes(metadata_indexes); });
  const std::uint64_t offset_start = start + bytes.size();
  to.bytes(offsets);
  to.byte(static_cast<std::uint8_t>(mcap::Op::footer));
  to.little<std::uint64_t>(20);
  to.little(start);
  to.little(offset_start);
  to.little(crc32(bytes));
  to.bytes(mcap::magic);
  return bytes;
}

McapWriter::McapWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
McapWriter::McapWriter(McapWriter&&) noexcept = default;
McapWriter& McapWriter::operator=(McapWriter&&) noexcept = default;
McapWriter::~McapWriter() = default;

Result<McapWriter> McapWriter::create(const std::string& path, const WriterOptions& options) {
  auto file = GrowingFile::create(path);
  if (!file) return std::move(file).error();
  auto impl = std::make_unique<Impl>(std::move(*file), options);
  ByteWriter to(impl->out);
  to.bytes(mcap::magic);
  mcap::write(to, mcap::Header{options.profile, options.library});
  if (auto written = impl->file.append(impl->out); !written) {
    ::unlink(path.c_str());  // an empty file is no recording, and would keep its name taken
    return std::move(written).error();
  }
  impl->out.clear();
  return McapWriter(std::move(impl));
}

Result<std::uint16_t> McapWriter::channel(const ChannelInfo& info) {
  constexpr std::size_t most = std::numeric_limits<std::uint16_t>::max();
  if (impl_->channels.size() >= most || impl_->schemas.size() >= most) {
    return Error{Fault::busy, fmt::format("{}: {}: all {} channels are in use", path(), info.topic, most)};
  }
  const std::uint16_t schema = impl_->schema(info);
  const auto next = static_cast<std::uint16_t>(impl_->channels.size() + 1);
  const auto [found, fresh] = impl_->channel_ids.try_emplace({info.topic, info.encoding, schema, info.metadata}, next);
  if (fresh) {
    impl_->channels.push_back(
        {.record = {next, schema, info.topic, info.encoding, info.metadata}, .silent = info.silent, .index = {}});
    impl_->silent_left = impl_->silent_left || info.silent;
  }
  return found->second;
}

Result<void> McapWriter::message(const mcap::Message& head, std::initializer_list<Bytes> pieces) {
  Impl& in = *impl_;
  if (head.channel == 0 || head.channel > in.channels.size()) {
    return Error{Fault::not_found, fmt::format("{}: no channel {}", path(), head.channel)};
  }
  in.describe_silent(in.chunk);
  OutChannel& channel = in.channels[head.channel - 1u];
  if (!channel.described) in.describe(channel, in.chunk);
  std::size_t size = 0;
  for (const Bytes& piece : pieces) size += piece.size();
  in.note(head, in.chunk.size());
  const auto first = mcap::message_head(head, size);
  in.chunk.insert(in.chunk.end(), first.begin(), first.end());
  for (const Bytes& piece : pieces) in.chunk.insert(in.chunk.end(), piece.begin(), piece.end());
  ++in.chunk_messages;
  return in.chunk.size() < in.options.chunk_bytes ? Result<void>{} : flush();
}

Result<void> McapWriter::attachment(const mcap::Attachment& attachment) {
  if (auto flushed = flush(); !flushed) return flushed;
  Impl& in = *impl_;
  ByteWriter to(in.out);
  mcap::write(to, attachment);
  const mcap::AttachmentIndex index{.offset = in.file.size(),
                                    .length = in.out.size(),
                                    .log_time = attachment.log_time,
                                    .create_time = attachment.create_time,
                                    .data_size = attachment.data.size(),
                                    .name = attachment.name,
                                    .media_type = attachment.media_type};
  auto written = in.file.append(in.out);
  in.out.clear();
  if (!written) return written;
  ByteWriter to_index(in.attachment_indexes);
  mcap::write(to_index, index);
  ++in.statistics.attachments;
  return {};
}

Result<void> McapWriter::metadata(const mcap::Metadata& metadata) {
  if (auto flushed = flush(); !flushed) return flushed;
  Impl& in = *impl_;
  ByteWriter to(in.out);
  mcap::write(to, metadata);
  const mcap::MetadataIndex index{in.file.size(), in.out.size(), metadata.name};
  auto written = in.file.append(in.out);
  in.out.clear();
  if (!written) return written;
  ByteWriter to_index(in.metadata_indexes);
  mcap::write(to_index, index);
  ++in.statistics.metadata;
  return {};
}

Result<void> McapWriter::Impl::close_chunk(const mcap::ChunkIndex& index, Result<void> appended) {
  if (appended) {
    keep_chunk(index);
  } else {
    forget_chunk();
  }
  clear_chunk();
  return appended;
}

Result<void> McapWriter::flush() {
  Impl& in = *impl_;
  if (in.chunk.empty()) return {};
  mcap::ChunkIndex index;
  const auto appended = [&]() -> Result<void> {
    try {
      return in.compress_and_append(index);
    } catch (const std::bad_alloc&) {
      return Error{Fault::busy, path() + ": no memory to write a chunk"};
    }
  };
  return in.close_chunk(index, appended());
}

Result<void> McapWriter::chunk(const ReadyChunk& ready) {
  if (auto flushed = flush(); !flushed) return flushed;
  Impl& in = *impl_;
  mcap::ChunkIndex index;
  const auto appended = [&]() -> Result<void> {
    try {
      std::uint32_t crc = 0;
      if (auto indexed = in.index_records(ready, crc); !indexed) return indexed;
      return in.append_chunk(ready, crc, index);
    } catch (const std::bad_alloc&) {
      return Error{Fault::busy, path() + ": no memory to write a chunk"};
    }
  };
  return in.close_chunk(index, appended());
}

Result<void> McapWriter::sync_soon() { return impl_->file.sync_soon(); }

Result<void> McapWriter::finish() {
  Impl& in = *impl_;
  if (auto flushed = flush(); !flushed) return flushed;
  ByteWriter to(in.out);
  mcap::write_data_end(to, in.file.crc());
  to.bytes(in.summary(in.file.size() + in.out.size()));
  auto written = in.file.append(in.out);
  in.out.clear();
  return written ? in.file.sync() : written;
}

std::uint64_t McapWriter::size() const { return impl_->file.size(); }
std::uint64_t McapWriter::waiting() const { return impl_->chunk.size(); }
std::uint64_t McapWriter::waiting_messages() const { return impl_->chunk_messages; }
std::uint64_t McapWriter::messages() const { return impl_->statistics.messages + impl_->chunk_messages; }
std::uint64_t McapWriter::lost() const { return impl_->lost; }
const std::string& McapWriter::path() const { return impl_->file.path(); }

}  // namespace tandem::record
