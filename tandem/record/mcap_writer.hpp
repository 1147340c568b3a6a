// SPDX-License-Identifier: Apache-2.0
// Writes an MCAP file: messages gather in a chunk, which goes to the disk whole or not at all; the summary comes last.
// Whatever happens, everything up to the last chunk that was flushed can be read.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>

#include "tandem/base/result.hpp"
#include "tandem/record/compression.hpp"
#include "tandem/record/mcap.hpp"
#include "tandem/record/sink.hpp"

namespace tandem::record {

struct WriterOptions {
  std::string profile{};  // "ros2" where every channel is of ROS
  std::string library = "tandem";
  bool compressed = true;
  int level = 1;                       // of Zstandard
  std::size_t chunk_bytes = 1u << 20;  // uncompressed; then a chunk ends by itself
};

// A chunk that was made before there was a file for it: nothing but messages of the file's channels, by their ids.
struct ReadyChunk {
  std::uint64_t start = 0, end = 0;  // least and greatest log time of its messages, ns
  std::uint64_t size = 0;            // bytes of its records, uncompressed
  bool compressed = false;
  Bytes stored{};  // as the file will have them
};

// Not for several threads.
class McapWriter {
 public:
  // A new file; Fault::busy when it exists. On an error there is none.
  static Result<McapWriter> create(const std::string& path, const WriterOptions& options = {});
  McapWriter(McapWriter&&) noexcept;
  McapWriter& operator=(McapWriter&&) noexcept;
  ~McapWriter();  // without finish() there is no summary

  // The same info gives the same id. Fault::busy when all 65,535 are taken.
  Result<std::uint16_t> channel(const ChannelInfo& info);
  // The pieces are the data. Fails only where a chunk that is full does not reach the disk.
  Result<void> message(const mcap::Message& head, std::initializer_list<Bytes> pieces);
  Result<void> message(const mcap::Message& message) { return this->message(message, {message.data}); }
  // Behind the descriptions of those of its channels that the file does not have yet. As flush() where it fails.
  Result<void> chunk(const ReadyChunk& ready);
  Result<void> attachment(const mcap::Attachment& attachment);
  Result<void> metadata(const mcap::Metadata& metadata);

  // Ends the chunk and writes it. Where that fails, its messages are gone, lost() reports
  // them, the file ends before it as if it had never been, and the next one may succeed.
  Result<void> flush();
  // Has what was written brought to the disk, and does not wait for it; what has come of it so far.
  Result<void> sync_soon();
  // Ends the file. Nothing may be written afterwards.
  Result<void> finish();

  std::uint64_t size() const;              // bytes in the file
  std::uint64_t waiting() const;           // bytes in the open chunk
  std::uint64_t waiting_messages() const;  // in the open chunk
  std::uint64_t messages() const;          // in the file, and waiting
  std::uint64_t lost() const;              // messages
  const std::string& path() const;

 private:
  struct Impl;
  explicit McapWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tandem::record
