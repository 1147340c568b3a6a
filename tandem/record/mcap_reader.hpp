// SPDX-License-Identifier: Apache-2.0
// Reads MCAP files: what is in them by their summary, or where there is none by reading everything; then messages in
// the order of their log times.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/record/mcap_scan.hpp"

namespace tandem::record {

struct Contents {
  mcap::Header header;
  std::map<std::uint16_t, mcap::Schema> schemas;
  std::map<std::uint16_t, mcap::Channel> channels;
  mcap::Statistics statistics;      // counted, where the file does not say
  std::uint64_t torn_messages = 0;  // at its end, that only repair() can save; not counted above
  std::vector<Block> blocks;        // by their first time
  std::vector<mcap::AttachmentIndex> attachments;
  std::vector<mcap::MetadataIndex> metadata;
  std::uint64_t file_size = 0;    // bytes
  bool whole = false;             // it was ended as it should be, and nothing is wrong as far as it was read
  bool indexed = false;           // by its summary; else everything was read
  std::vector<Problem> problems;  // the first few
};

struct ReadOptions {
  ReadLimits limits{};
  bool thorough = false;                      // read everything although there is a summary
  std::function<void(double)> progress = {};  // of reading everything, 0 to 1
};

struct Selection {
  std::set<std::uint16_t> channels{};  // none: all
  std::uint64_t from = 0;              // log time, ns
  std::uint64_t to = std::numeric_limits<std::uint64_t>::max();
};

// Messages by log time; those of one time in the order of the file.
class Cursor {
 public:
  // The next message, valid until the next call; nothing at the end. After an error that names an invalid chunk
  // read the next call goes on behind it.
  Result<std::optional<mcap::Message>> next();

 private:
  friend class McapReader;
  struct Entry {
    std::uint64_t time = 0, offset = 0;
  };
  // A block that is being read.
  struct Open {
    std::uint64_t place = 0;  // in the file
    std::vector<std::uint8_t> records;
    std::vector<Entry> entries;
    std::size_t at = 0;
  };
  static bool later(const std::unique_ptr<Open>& a, const std::unique_ptr<Open>& b);
  Cursor(std::shared_ptr<Source> source, ReadLimits limits, Selection selection, std::vector<Block> blocks);
  Result<void> open(const Block& block);
  void push(std::unique_ptr<Open> block);
  void step();

  std::shared_ptr<Source> source_;
  ReadLimits limits_;
  Selection selection_;
  std::vector<Block> blocks_;  // that may hold such messages, by their first time
  std::size_t next_block_ = 0;
  std::vector<std::unique_ptr<Open>> open_;  // a heap, the earliest in front
  std::unique_ptr<Open> current_;            // holds the message given last
  std::uint64_t open_bytes_ = 0;
};

class McapReader {
 public:
  // An error when it is no MCAP file or cannot be read at all; what else is wrong is in contents().problems.
  static Result<McapReader> open(const std::string& path, const ReadOptions& options = {});
  static Result<McapReader> read(Source source, const ReadOptions& options = {});

  const Contents& contents() const { return *contents_; }
  // Where the channel's schema is known.
  const mcap::Schema* schema(const mcap::Channel& channel) const;
  std::set<std::uint16_t> channels_of(std::string_view topic) const;

  Cursor messages(Selection selection = {}) const;
  // The data are appended to `data`, and lent by it.
  Result<mcap::Attachment> attachment(const mcap::AttachmentIndex& index, std::vector<std::uint8_t>& data) const;
  Result<mcap::Metadata> metadata(const mcap::MetadataIndex& index) const;
  // All metadata of this name, the later over the earlier; nothing when there is none.
  mcap::Map metadata(std::string_view name) const;

 private:
  McapReader(std::shared_ptr<Source> source, ReadLimits limits, std::shared_ptr<const Contents> contents)
      : source_(std::move(source)), limits_(limits), contents_(std::move(contents)) {}

  std::shared_ptr<Source> source_;
  ReadLimits limits_;
  std::shared_ptr<const Contents> contents_;
};

}  // namespace tandem::record
