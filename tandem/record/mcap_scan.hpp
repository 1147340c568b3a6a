// SPDX-License-Identifier: Apache-2.0
// Reads an MCAP file from front to back, without its summary, as far as it is sound: whole files, files that were never
// ended, and damaged ones. Any bytes may come.
#pragma once

#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/record/mcap.hpp"
#include "tandem/record/source.hpp"

namespace tandem::record {

struct ReadLimits {
  std::uint64_t chunk = 512u << 20;  // bytes of the records of one chunk, uncompressed; and of any record in the file
  std::uint64_t open = 1u << 30;     // bytes of all chunks that are read at the same time since their times overlap
  // Bytes of one Schema or Channel record, and of all that differ: they are kept, and a small file may hold gigabytes
  // of them in chunks that shrink well.
  std::uint64_t description = 16u << 20, descriptions = 64u << 20;
  std::size_t problems = 100;  // that are reported one by one
};

// What is wrong in a file, and where: "run.mcap: byte 4711: expected ..., got ...".
struct Problem {
  std::uint64_t offset = 0;
  std::string text;
};

// A part of the file that holds messages: a chunk, or a run of records outside of any chunk.
struct Block {
  std::uint64_t offset = 0, length = 0;   // in the file
  std::uint64_t start = 0, end = 0;       // log times, ns
  bool bare = false;                      // no chunk
  std::vector<std::uint16_t> channels{};  // none: not known
};

// Which Schema and Channel records are kept: the first of each id, as long as the limits hold.
class Descriptions {
 public:
  explicit Descriptions(const ReadLimits& limits) : limits_(limits) {}
  enum class Verdict { fresh, known, too_large };
  Verdict judge(mcap::Op op, Bytes content) const;
  void keep(mcap::Op op, Bytes content);  // one that is fresh, and whole

 private:
  const ReadLimits& limits_;
  std::uint64_t size_ = 0;  // bytes of those that are kept
  std::set<std::pair<mcap::Op, std::uint16_t>> known_;
};

// Told of everything in the order of the file. What is not overridden is passed over.
class ScanVisitor {
 public:
  virtual ~ScanVisitor() = default;

  virtual void header(const mcap::Header&) {}
  virtual void schema(const mcap::Schema&) {}    // the first of an id
  virtual void channel(const mcap::Channel&) {}  // the first of an id
  virtual void message(const mcap::Message&) {}
  virtual void attachment(const mcap::Attachment&, std::uint64_t /*offset*/, std::uint64_t /*length*/) {}
  virtual void metadata(const mcap::Metadata&, std::uint64_t /*offset*/, std::uint64_t /*length*/) {}
  // After the messages of it. Not for one that is torn or damaged, or holds no messages.
  virtual void block(const Block&) {}
  // Of every chunk that is sound.
  virtual void chunk(std::uint64_t /*offset*/, std::uint64_t /*length*/) {}
  // The file ends within a chunk: what follows are its first messages, which only this reading finds.
  virtual void torn() {}
  virtual void problem(const Problem&) {}
  virtual void progress(double /*fraction*/) {}
};

// An error only when it is no MCAP file at all, or cannot be read. The answer: the byte where reading ended. That is
// the end of the data section of a file that is sound, or the first byte that makes no sense.
Result<std::uint64_t> scan(Source& source, const ReadLimits& limits, ScanVisitor& visitor);

// Calls each(op, offset, content) for all records; false at the first that is not whole, whose offset is then
// `stopped`.
template <typename Each>
bool walk_records(Bytes records, std::uint64_t& stopped, Each&& each) {
  std::size_t at = 0;
  while (at < records.size()) {
    ByteReader frame(records.subspan(at));
    const auto op = frame.little<mcap::Op>();
    const auto length = frame.little<std::uint64_t>();
    if (!frame.ok() || length > frame.remaining() || op == mcap::Op{}) return stopped = at, false;
    const Bytes content = frame.bytes(static_cast<std::size_t>(length));
    each(op, at, content);
    at += mcap::frame_size + content.size();
  }
  return stopped = at, true;
}

// The records of a chunk whose content this is, checked by their CRC.
Result<void> chunk_records(Bytes content, const ReadLimits& limits, std::vector<std::uint8_t>& records);
// The same of any block.
Result<void> block_records(Source& source, const Block& block, const ReadLimits& limits,
                           std::vector<std::uint8_t>& records);

// Whether they begin as an MCAP file does.
bool is_marked(Bytes bytes);
Error problem_at(const Source& source, std::uint64_t offset, const std::string& text);

}  // namespace tandem::record
