// SPDX-License-Identifier: Apache-2.0
#include "tandem/record/mcap_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "tandem/base/crc32.hpp"
#include "tandem/record/compression.hpp"

namespace tandem::record {

namespace {

constexpr std::uint64_t largest_bare_block = 1u << 20;  // bytes

Block no_block() {
  return {.offset = 0,
          .length = 0,
          .start = std::numeric_limits<std::uint64_t>::max(),
          .end = 0,
          .bare = true,
          .channels = {}};
}

// One reading of a file.
class Scanner {
 public:
  Scanner(Source& source, const ReadLimits& limits, ScanVisitor& visitor)
      : source_(source), limits_(limits), visitor_(visitor), descriptions_(limits) {}

  Result<std::uint64_t> run() {
    const auto start = source_.read(0, mcap::magic.size());
    if (!start) return start.error();
    crc_ = crc32(*start);
    at_ = mcap::magic.size();
    for (;;) {
      const auto more = record();
      if (!more) return more.error();
      if (!*more) break;
    }
    end_bare();
    return at_;
  }

 private:
  // One record at at_; false when it was the last that can be read.
  Result<bool> record() {
    if (at_ == source_.size()) return stop("expected DataEnd, got the end of the file");
    const auto frame_bytes = source_.read(at_, mcap::frame_size);
    if (!frame_bytes) return frame_bytes.error();
    ByteReader frame(*frame_bytes);
    const auto op = frame.little<mcap::Op>();
    const auto length = frame.little<std::uint64_t>();
    if (!frame.ok()) return stop(fmt::format("expected a record, got only {} bytes", frame_bytes->size()));
    if (op == mcap::Op{}) return stop("expected a record, got opcode 0");
    const std::uint64_t left = source_.size() - at_ - mcap::frame_size;
    if (length > left) return torn(op, length, left);
    if (op == mcap::Op::footer) return stop("expected DataEnd, got Footer");
    if (length > limits_.chunk) return too_large(op, length);
    const auto bytes = source_.read(at_, mcap::frame_size + length);
    if (!bytes) return bytes.error();
    if (bytes->size() != mcap::frame_size + length) return stop("the file became shorter while it was read");
    const Bytes content = bytes->subspan(mcap::frame_size);
    if (op == mcap::Op::data_end) return data_end(content);
    crc_ = crc32(*bytes, crc_);
    if (!take(op, content)) {
      problem(at_, fmt::format("expected a complete {} record, got one of {} bytes that ends within its fields",
                               mcap::name(op), length));
    }
    at_ += mcap::frame_size + length;
    visitor_.progress(static_cast<double>(at_) / static_cast<double>(source_.size()));
    return true;
  }

  // Not even read: a file may be far larger than the memory, and its holes cost nothing.
  bool too_large(mcap::Op op, std::uint64_t length) {
    end_bare();
    problem(at_, fmt::format("expected a {} record of at most {} bytes, got one of {}, which is skipped",
                             mcap::name(op), limits_.chunk, length));
    crc_known_ = false;
    at_ += mcap::frame_size + length;
    return true;
  }

  bool take(mcap::Op op, Bytes content) {
    const bool inner = op == mcap::Op::schema || op == mcap::Op::channel || op == mcap::Op::message;
    const std::uint64_t length = mcap::frame_size + content.size();
    if (!inner || bare_.length + length > largest_bare_block) end_bare();
    if (inner) {
      if (bare_.length == 0) bare_.offset = at_;
      bare_.length += length;
      return take_inner(op, content, bare_);
    }
    switch (op) {
      case mcap::Op::header:
        return pass<mcap::Header>(content, [&](const auto& each) { visitor_.header(each); });
      case mcap::Op::chunk:
        chunk(content);
        return true;
      case mcap::Op::attachment:
        if (!mcap::attachment_is_sound(content)) {
          problem(at_, "an Attachment fails its CRC and is lost");
          return true;
        }
        return pass<mcap::Attachment>(content, [&](const auto& each) { visitor_.attachment(each, at_, length); });
      case mcap::Op::metadata:
        return pass<mcap::Metadata>(content, [&](const auto& each) { visitor_.metadata(each, at_, length); });
      default:
        return true;
    }
  }

  template <typename Record, typename Tell>
  static bool pass(Bytes content, Tell tell) {
    Record record;
    if (!mcap::read(content, record)) return false;
    tell(record);
    return true;
  }

  bool take_inner(mcap::Op op, Bytes content, Block& block) {
    if (op == mcap::Op::schema || op == mcap::Op::channel) return describe(op, content);
    if (op != mcap::Op::message) return true;
    return pass<mcap::Message>(content, [&](const mcap::Message& each) {
      block.start = std::min(block.start, each.log_time);
      block.end = std::max(block.end, each.log_time);
      const auto place = std::lower_bound(block.channels.begin(), block.channels.end(), each.channel);
      if (place == block.channels.end() || *place != each.channel) block.channels.insert(place, each.channel);
      visitor_.message(each);
    });
  }

  bool describe(mcap::Op op, Bytes content) {
    const auto verdict = descriptions_.judge(op, content);
    if (verdict == Descriptions::Verdict::known) return true;
    if (verdict == Descriptions::Verdict::too_large) {
      problem(at_,
              fmt::format("expected a {} record of at most {} bytes and {} in total, got one of {}, which is skipped",
                          mcap::name(op), limits_.description, limits_.descriptions, content.size()));
      return true;
    }
    const bool whole = op == mcap::Op::schema
                           ? pass<mcap::Schema>(content, [&](const auto& each) { visitor_.schema(each); })
                           : pass<mcap::Channel>(content, [&](const auto& each) { visitor_.channel(each); });
    if (whole) descriptions_.keep(op, content);
    return whole;
  }

  void end_bare() {
    if (!bare_.channels.empty()) visitor_.block(bare_);
    bare_ = no_block();
  }

  void chunk(Bytes content) {
    const auto sound = chunk_records(content, limits_, records_);
    if (!sound) return problem(at_, "a chunk is lost: " + sound.error().text);
    Block block = no_block();
    block.offset = at_;
    block.length = mcap::frame_size + content.size();
    block.bare = false;
    if (const auto wrong = walk(block)) problem(at_, *wrong);
    if (!block.channels.empty()) visitor_.block(block);
    visitor_.chunk(block.offset, block.length);
  }

  // records_; what is wrong with them, if anything.
  std::optional<std::string> walk(Block& block) {
    std::uint64_t stopped = 0;
    std::optional<std::string> wrong;
    const bool whole = walk_records(records_, stopped, [&](mcap::Op op, std::uint64_t offset, Bytes content) {
      if (take_inner(op, content, block) || wrong) return;
      wrong = fmt::format("byte {} of the chunk's records: a {} record ends within its fields", offset, mcap::name(op));
    });
    if (!whole && !wrong) {
      wrong = fmt::format("byte {} of the chunk's records: expected a record, got {} other bytes", stopped,
                          records_.size() - stopped);
    }
    return wrong;
  }

  // The last record is not all there. Of a chunk its first messages may be.
  Result<bool> torn(mcap::Op op, std::uint64_t length, std::uint64_t left) {
    std::string found;
    if (op == mcap::Op::chunk) {
      const auto bytes = source_.read(at_ + mcap::frame_size, std::min(left, limits_.chunk));
      if (!bytes) return bytes.error();
      mcap::Chunk chunk;
      if (mcap::read(*bytes, chunk)) {
        end_bare();
        decompress_torn(chunk.compression, chunk.stored, std::min(chunk.size, limits_.chunk), records_);
        Block block = no_block();
        visitor_.torn();
        walk(block);
        found = fmt::format("; of its {} bytes of records {} could be read", chunk.size, records_.size());
      }
    }
    return stop(fmt::format("expected a {} record of {} bytes, got {} bytes before the end of the file{}",
                            mcap::name(op), length, left, found));
  }

  bool data_end(Bytes content) {
    const auto expected = ByteReader(content).little<std::uint32_t>();
    if (content.size() != 4) return stop(fmt::format("expected DataEnd of 4 bytes, got one of {}", content.size()));
    if (expected != 0 && crc_known_ && expected != crc_) {
      problem(0,
              fmt::format("the data up to byte {} fail their CRC: expected {:08x}, got {:08x}", at_, expected, crc_));
    }
    return false;
  }

  bool stop(const std::string& text) {
    problem(at_, text);
    return false;
  }

  void problem(std::uint64_t offset, const std::string& text) {
    visitor_.problem({offset, problem_at(source_, offset, text).text});
  }

  Source& source_;
  const ReadLimits& limits_;
  ScanVisitor& visitor_;
  Descriptions descriptions_;
  std::uint64_t at_ = 0;
  std::uint32_t crc_ = 0;  // of everything before at_
  bool crc_known_ = true;
  Block bare_ = no_block();
  std::vector<std::uint8_t> records_;
};

}  // namespace

bool is_marked(Bytes bytes) {
  return bytes.size() >= mcap::magic.size() && std::equal(mcap::magic.begin(), mcap::magic.end(), bytes.begin());
}

Error problem_at(const Source& source, std::uint64_t offset, const std::string& text) {
  return {Fault::invalid, fmt::format("{}: byte {}: {}", source.name(), offset, text)};
}

Descriptions::Verdict Descriptions::judge(mcap::Op op, Bytes content) const {
  if (known_.contains({op, ByteReader(content).little<std::uint16_t>()})) return Verdict::known;
  const bool fits = content.size() <= limits_.description && content.size() <= limits_.descriptions - size_;
  return fits ? Verdict::fresh : Verdict::too_large;
}

void Descriptions::keep(mcap::Op op, Bytes content) {
  size_ += content.size();
  known_.emplace(op, ByteReader(content).little<std::uint16_t>());
}

Result<std::uint64_t> scan(Source& source, const ReadLimits& limits, ScanVisitor& visitor) {
  const auto start = source.read(0, mcap::magic.size());
  if (!start) return start.error();
  if (!is_marked(*start)) {
    return problem_at(
        source, 0,
        fmt::format("expected an MCAP file, {:02x}, got {:02x}", fmt::join(mcap::magic, " "), fmt::join(*start, " ")));
  }
  return Scanner(source, limits, visitor).run();
}

Result<void> chunk_records(Bytes content, const ReadLimits& limits, std::vector<std::uint8_t>& records) {
  mcap::Chunk chunk;
  if (!mcap::read(content, chunk) || chunk.stored.size() != chunk.stored_size) {
    return Error{Fault::invalid,
                 fmt::format("expected a complete Chunk record, got one of {} bytes that ends within its fields",
                             content.size())};
  }
  if (chunk.size > limits.chunk) {
    return Error{Fault::unsupported,
                 fmt::format("expected a chunk of at most {} bytes, got {}", limits.chunk, chunk.size)};
  }
  if (auto made = decompress(chunk.compression, chunk.stored, chunk.size, records); !made) return made;
  if (chunk.crc != 0 && crc32(records) != chunk.crc) {
    return Error{Fault::invalid,
                 fmt::format("its records fail their CRC: expected {:08x}, got {:08x}", chunk.crc, crc32(records))};
  }
  return {};
}

Result<void> block_records(Source& source, const Block& block, const ReadLimits& limits,
                           std::vector<std::uint8_t>& records) {
  if (block.length > limits.chunk + mcap::frame_size) {
    return problem_at(source, block.offset,
                      fmt::format("expected a chunk of at most {} bytes, got {}", limits.chunk, block.length));
  }
  const auto bytes = source.read(block.offset, block.length);
  if (!bytes) return bytes.error();
  if (bytes->size() != block.length) {
    return problem_at(source, block.offset, fmt::format("expected {} bytes, got {}", block.length, bytes->size()));
  }
  if (block.bare) {
    records.assign(bytes->begin(), bytes->end());
    return {};
  }
  ByteReader frame(*bytes);
  const auto op = frame.little<mcap::Op>();
  const auto length = frame.little<std::uint64_t>();
  if (op != mcap::Op::chunk || length != frame.remaining()) {
    return problem_at(
        source, block.offset,
        fmt::format("expected a Chunk record of {} bytes, got {} of {}", frame.remaining(), mcap::name(op), length));
  }
  if (auto read = chunk_records(frame.rest(), limits, records); !read) {
    return problem_at(source, block.offset, "a chunk cannot be read: " + read.error().text);
  }
  return {};
}

}  // namespace tandem::record
