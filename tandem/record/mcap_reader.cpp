// SPDX-License-Identifier: Apache-2.0
#include "tandem/record/mcap_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tandem/base/nearest.hpp"
#include "tandem/record/mcap_contents.hpp"

namespace tandem::record {

namespace {

// The content of a record that an index lists; empty when there is none of its kind.
Result<Bytes> content_at(Source& source, const ReadLimits& limits, mcap::Op op, std::uint64_t offset,
                         std::uint64_t length) {
  if (length > limits.chunk + mcap::frame_size) {
    return problem_at(
        source, offset,
        fmt::format("expected a {} record of at most {} bytes, got one of {}", mcap::name(op), limits.chunk, length));
  }
  const auto bytes = source.read(offset, length);
  if (!bytes) return bytes.error();
  const bool framed = bytes->size() >= mcap::frame_size && bytes->front() == static_cast<std::uint8_t>(op);
  return framed ? bytes->subspan(mcap::frame_size) : Bytes{};
}

}  // namespace

Result<McapReader> McapReader::open(const std::string& path, const ReadOptions& options) {
  auto source = Source::open(path);
  if (!source) return std::move(source).error();
  return read(std::move(*source), options);
}

Result<McapReader> McapReader::read(Source from, const ReadOptions& options) {
  auto source = std::make_shared<Source>(std::move(from));
  if (!options.thorough) {
    auto contents = contents_by_summary(*source, options.limits);
    if (contents) {
      return McapReader(source, options.limits, std::make_shared<const Contents>(std::move(*contents)));
    }
  }
  auto contents = contents_by_scan(*source, options);
  if (!contents) return std::move(contents).error();
  return McapReader(source, options.limits, std::make_shared<const Contents>(std::move(*contents)));
}

const mcap::Schema* McapReader::schema(const mcap::Channel& channel) const {
  const auto found = contents_->schemas.find(channel.schema);
  return channel.schema == 0 || found == contents_->schemas.end() ? nullptr : &found->second;
}

std::set<std::uint16_t> McapReader::channels_of(std::string_view topic) const {
  std::set<std::uint16_t> ids;
  for (const auto& [id, channel] : contents_->channels) {
    if (channel.topic == topic) ids.insert(id);
  }
  return ids;
}

Cursor McapReader::messages(Selection selection) const {
  std::vector<Block> blocks;
  for (const Block& block : contents_->blocks) {
    if (block.end < selection.from || block.start > selection.to) continue;
    const bool wanted = selection.channels.empty() || block.channels.empty() ||
                        std::any_of(block.channels.begin(), block.channels.end(),
                                    [&](std::uint16_t id) { return selection.channels.contains(id); });
    if (wanted) blocks.push_back(block);
  }
  return Cursor(source_, limits_, std::move(selection), std::move(blocks));
}

Result<mcap::Attachment> McapReader::attachment(const mcap::AttachmentIndex& index,
                                                std::vector<std::uint8_t>& data) const {
  const auto content = content_at(*source_, limits_, mcap::Op::attachment, index.offset, index.length);
  if (!content) return content.error();
  mcap::Attachment attachment;
  if (!mcap::read(*content, attachment) || !mcap::attachment_is_sound(*content)) {
    return problem_at(*source_, index.offset,
                      fmt::format("expected the attachment '{}' of {} bytes with its CRC, got none",
                                  printable(index.name), index.length));
  }
  const std::size_t before = data.size();
  data.insert(data.end(), attachment.data.begin(), attachment.data.end());
  attachment.data = Bytes(data).subspan(before);
  return attachment;
}

Result<mcap::Metadata> McapReader::metadata(const mcap::MetadataIndex& index) const {
  const auto content = content_at(*source_, limits_, mcap::Op::metadata, index.offset, index.length);
  if (!content) return content.error();
  mcap::Metadata metadata;
  if (!mcap::read(*content, metadata)) {
    return problem_at(
        *source_, index.offset,
        fmt::format("expected the metadata '{}' of {} bytes, got none", printable(index.name), index.length));
  }
  return metadata;
}

mcap::Map McapReader::metadata(std::string_view name) const {
  mcap::Map values;
  for (const mcap::MetadataIndex& index : contents_->metadata) {
    if (index.name != name) continue;
    auto found = metadata(index);
    if (!found) continue;
    for (auto& [key, value] : found->values) values.insert_or_assign(key, std::move(value));
  }
  return values;
}

Cursor::Cursor(std::shared_ptr<Source> source, ReadLimits limits, Selection selection, std::vector<Block> blocks)
    : source_(std::move(source)), limits_(limits), selection_(std::move(selection)), blocks_(std::move(blocks)) {}

Result<void> Cursor::open(const Block& block) {
  auto opened = std::make_unique<Open>();
  opened->place = block.offset;
  if (auto read = block_records(*source_, block, limits_, opened->records); !read) return read;
  std::uint64_t stopped = 0;
  const bool whole = walk_records(opened->records, stopped, [&](mcap::Op op, std::uint64_t offset, Bytes content) {
    mcap::Message message;
    if (op != mcap::Op::message || !mcap::read(content, message)) return;
    if (message.log_time < selection_.from || message.log_time > selection_.to) return;
    if (!selection_.channels.empty() && !selection_.channels.contains(message.channel)) return;
    opened->entries.push_back({message.log_time, offset});
  });
  const auto earlier = [](const Entry& a, const Entry& b) { return a.time < b.time; };
  if (!std::is_sorted(opened->entries.begin(), opened->entries.end(), earlier)) {
    std::stable_sort(opened->entries.begin(), opened->entries.end(), earlier);
  }
  if (!opened->entries.empty()) {
    open_bytes_ += opened->records.size();
    push(std::move(opened));
  }
  if (!whole) {
    return problem_at(*source_, block.offset,
                      fmt::format("byte {} of the records here: expected a record, got none", stopped));
  }
  return {};
}

bool Cursor::later(const std::unique_ptr<Open>& a, const std::unique_ptr<Open>& b) {
  const std::uint64_t time_a = a->entries[a->at].time, time_b = b->entries[b->at].time;
  return time_a != time_b ? time_a > time_b : a->place > b->place;
}

void Cursor::push(std::unique_ptr<Open> block) {
  open_.push_back(std::move(block));
  std::push_heap(open_.begin(), open_.end(), later);
}

// Leaves the message given last.
void Cursor::step() {
  if (!current_) return;
  if (++current_->at < current_->entries.size()) {
    push(std::move(current_));
  } else {
    open_bytes_ -= current_->records.size();
    current_.reset();
  }
}

Result<std::optional<mcap::Message>> Cursor::next() {
  step();
  while (next_block_ < blocks_.size()) {
    const Block& block = blocks_[next_block_];
    if (!open_.empty() && block.start > open_.front()->entries[open_.front()->at].time) break;
    if (open_bytes_ > limits_.open) {
      next_block_ = blocks_.size();
      return problem_at(*source_, block.offset,
                        fmt::format("expected chunks that follow each other, got more than {} bytes of chunks at the "
                                    "same time",
                                    limits_.open));
    }
    ++next_block_;
    if (auto opened = open(block); !opened) return std::move(opened).error();
  }
  if (open_.empty()) return std::optional<mcap::Message>{};
  std::pop_heap(open_.begin(), open_.end(), later);
  current_ = std::move(open_.back());
  open_.pop_back();
  mcap::Message message;
  ByteReader frame(Bytes(current_->records).subspan(static_cast<std::size_t>(current_->entries[current_->at].offset)));
  frame.little<std::uint8_t>();
  static_cast<void>(mcap::read(frame.bytes(static_cast<std::size_t>(frame.little<std::uint64_t>())), message));
  return std::optional(message);
}

}  // namespace tandem::record
