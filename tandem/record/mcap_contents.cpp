// SPDX-License-Identifier: Apache-2.0
#include "tandem/record/mcap_contents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "tandem/base/crc32.hpp"

namespace tandem::record {

namespace {

Result<mcap::Footer> footer_of(Source& source) {
  const std::uint64_t start = source.size() < mcap::tail_size ? 0 : source.size() - mcap::tail_size;
  const auto tail = source.read(start, mcap::tail_size);
  if (!tail) return tail.error();
  const bool marked = tail->size() == mcap::tail_size &&
                      std::equal(mcap::magic.begin(), mcap::magic.end(), tail->end() - mcap::magic.size());
  if (!marked)
    return problem_at(source, start, "expected Footer and magic at the end, got neither: the file was not closed");
  ByteReader frame(*tail);
  const auto op = frame.little<mcap::Op>();
  const auto length = frame.little<std::uint64_t>();
  mcap::Footer footer;
  if (op != mcap::Op::footer || length != 20 || !mcap::read(frame.bytes(20), footer)) {
    return problem_at(source, start,
                      fmt::format("expected a Footer record of 20 bytes, got {} of {}", mcap::name(op), length));
  }
  return footer;
}

// Takes what the summary says into the contents.
class SummaryReader {
 public:
  SummaryReader(Contents& contents, const ReadLimits& limits) : contents_(contents), descriptions_(limits) {}

  // What is wrong with it, or nothing.
  std::string take(mcap::Op op, Bytes content) {
    bool whole = true;
    if (op == mcap::Op::schema || op == mcap::Op::channel) {
      const auto verdict = descriptions_.judge(op, content);
      if (verdict == Descriptions::Verdict::known) return "";
      if (verdict == Descriptions::Verdict::too_large)
        return fmt::format("a {} record of {} bytes is too large", mcap::name(op), content.size());
      whole = op == mcap::Op::schema ? keep<mcap::Schema>(content, contents_.schemas)
                                     : keep<mcap::Channel>(content, contents_.channels);
      if (whole) descriptions_.keep(op, content);
    }
    if (op == mcap::Op::statistics) whole = counted = mcap::read(content, contents_.statistics);
    if (op == mcap::Op::attachment_index) whole = append(content, contents_.attachments);
    if (op == mcap::Op::metadata_index) whole = append(content, contents_.metadata);
    if (op == mcap::Op::chunk_index) return take_chunk(content);
    return whole ? "" : fmt::format("a {} record ends within its fields", mcap::name(op));
  }

  bool counted = false;

 private:
  template <typename Record>
  static bool keep(Bytes content, std::map<std::uint16_t, Record>& records) {
    Record record;
    if (!mcap::read(content, record)) return false;
    const std::uint16_t id = record.id;
    records.try_emplace(id, std::move(record));
    return true;
  }
  template <typename Record>
  static bool append(Bytes content, std::vector<Record>& records) {
    Record record;
    if (!mcap::read(content, record)) return false;
    records.push_back(std::move(record));
    return true;
  }
  std::string take_chunk(Bytes content) {
    mcap::ChunkIndex index;
    if (!mcap::read(content, index)) return "a ChunkIndex record ends within its fields";
    if (index.offset > contents_.file_size || index.length > contents_.file_size - index.offset) {
      return fmt::format("a chunk of {} bytes at byte {} is beyond the end of a file of {}", index.length, index.offset,
                         contents_.file_size);
    }
    Block block{.offset = index.offset,
                .length = index.length,
                .start = index.start,
                .end = index.end,
                .bare = false,
                .channels = {}};
    for (const auto& [channel, place] : index.message_indexes) block.channels.push_back(channel);
    std::sort(block.channels.begin(), block.channels.end());
    contents_.blocks.push_back(std::move(block));
    return "";
  }

  Contents& contents_;
  Descriptions descriptions_;
};

// Whether messages can be found by these alone; if not, why.
std::string insufficient(const Contents& contents, bool counted) {
  if (!counted) return "the summary has no Statistics";
  if (contents.blocks.empty() && contents.statistics.chunks > 0) return "the summary has no ChunkIndex";
  if (contents.blocks.empty() && contents.statistics.messages > 0) return "its messages are in no chunk";
  if (contents.channels.size() < contents.statistics.channels) {
    return fmt::format("the summary describes {} of {} channels", contents.channels.size(),
                       contents.statistics.channels);
  }
  for (const Block& block : contents.blocks) {
    for (const std::uint16_t channel : block.channels) {
      if (!contents.channels.contains(channel)) return fmt::format("the summary does not describe channel {}", channel);
    }
  }
  return "";
}

class ContentsScan final : public ScanVisitor {
 public:
  ContentsScan(const ReadOptions& options, Contents& contents) : options_(options), contents_(contents) {}

  void header(const mcap::Header& header) override { contents_.header = header; }
  void schema(const mcap::Schema& schema) override { contents_.schemas.try_emplace(schema.id, schema); }
  void channel(const mcap::Channel& channel) override { contents_.channels.try_emplace(channel.id, channel); }
  void torn() override { torn_ = true; }
  void message(const mcap::Message& message) override {
    if (torn_) return static_cast<void>(++contents_.torn_messages);
    mcap::Statistics& count = contents_.statistics;
    count.start = count.messages == 0 ? message.log_time : std::min(count.start, message.log_time);
    count.end = std::max(count.end, message.log_time);
    ++count.messages;
    ++count.channel_messages[message.channel];
  }
  void attachment(const mcap::Attachment& each, std::uint64_t offset, std::uint64_t length) override {
    contents_.attachments.push_back(
        {offset, length, each.log_time, each.create_time, each.data.size(), each.name, each.media_type});
  }
  void metadata(const mcap::Metadata& each, std::uint64_t offset, std::uint64_t length) override {
    contents_.metadata.push_back({offset, length, each.name});
  }
  void block(const Block& block) override { contents_.blocks.push_back(block); }
  void chunk(std::uint64_t offset, std::uint64_t length) override { chunks_.emplace(offset, length); }
  void problem(const Problem& problem) override {
    if (contents_.problems.size() < options_.limits.problems) contents_.problems.push_back(problem);
  }
  void progress(double fraction) override {
    if (options_.progress) options_.progress(fraction);
  }

  void finish_counts() {
    mcap::Statistics& count = contents_.statistics;
    count.schemas = static_cast<std::uint16_t>(contents_.schemas.size());
    count.channels = static_cast<std::uint32_t>(contents_.channels.size());
    count.attachments = static_cast<std::uint32_t>(contents_.attachments.size());
    count.metadata = static_cast<std::uint32_t>(contents_.metadata.size());
    count.chunks = static_cast<std::uint32_t>(chunks_.size());
  }
  // How a summary differs from what is there; nothing when it does not.
  std::string difference(const Contents& summary) const {
    const mcap::Statistics &said = summary.statistics, &counted = contents_.statistics;
    // Of schemas and channels it may report more: such as nothing was said on.
    const std::array<std::tuple<std::string_view, std::uint64_t, std::uint64_t>, 8> counts = {{
        {"messages", said.messages, counted.messages},
        {"schemas", std::min(said.schemas, counted.schemas), counted.schemas},
        {"channels", std::min(said.channels, counted.channels), counted.channels},
        {"attachments", said.attachments, counted.attachments},
        {"metadata", said.metadata, counted.metadata},
        {"chunks", said.chunks, counted.chunks},
        {"ns at the first message", counted.messages == 0 ? 0 : said.start, counted.start},
        {"ns at the last message", counted.messages == 0 ? 0 : said.end, counted.end},
    }};
    for (const auto& [what, claim, truth] : counts) {
      if (claim != truth) return fmt::format("the summary has {} {}, the data {}", claim, what, truth);
    }
    for (const auto& [channel, claim] : said.channel_messages) {
      const auto found = counted.channel_messages.find(channel);
      const std::uint64_t truth = found == counted.channel_messages.end() ? 0 : found->second;
      if (claim != truth)
        return fmt::format("the summary has {} messages of channel {}, the data {}", claim, channel, truth);
    }
    for (const Block& block : summary.blocks) {
      if (!chunks_.contains({block.offset, block.length}))
        return fmt::format("the summary has a chunk of {} bytes at byte {}, the data none", block.length, block.offset);
    }
    if (differ(summary.schemas, contents_.schemas)) return "the summary and the data differ in a schema";
    if (differ(summary.channels, contents_.channels)) return "the summary and the data differ in a channel";
    return "";
  }

 private:
  template <typename Records>
  static bool differ(const Records& some, const Records& others) {
    return std::any_of(some.begin(), some.end(), [&](const auto& each) {
      const auto found = others.find(each.first);
      return found != others.end() && found->second != each.second;
    });
  }

  const ReadOptions& options_;
  Contents& contents_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> chunks_;  // offset, length
  bool torn_ = false;
};

void sort_blocks(Contents& contents) {
  std::stable_sort(contents.blocks.begin(), contents.blocks.end(),
                   [](const Block& a, const Block& b) { return a.start < b.start; });
}

Result<void> read_header(Source& source, Contents& contents) {
  const auto bytes = source.read(0, 64u << 10);
  if (!bytes) return bytes.error();
  if (!is_marked(*bytes)) return problem_at(source, 0, "expected the magic of an MCAP file, got other bytes");
  ByteReader frame(bytes->subspan(mcap::magic.size()));
  const auto op = frame.little<mcap::Op>();
  const auto length = frame.little<std::uint64_t>();
  if (op == mcap::Op::header && length <= frame.remaining() &&
      mcap::read(frame.bytes(static_cast<std::size_t>(length)), contents.header)) {
    return {};
  }
  return problem_at(source, mcap::magic.size(),
                    fmt::format("expected a Header record, got {} of {} bytes", mcap::name(op), length));
}

}  // namespace

Result<Contents> contents_by_summary(Source& source, const ReadLimits& limits) {
  Contents contents;
  contents.file_size = source.size();
  if (auto header = read_header(source, contents); !header) return std::move(header).error();
  const auto footer = footer_of(source);
  if (!footer) return footer.error();
  const std::uint64_t tail = source.size() - mcap::tail_size;
  const std::uint64_t start = footer->summary_start == 0 ? tail : footer->summary_start;
  if (start == tail && footer->summary_crc == 0)
    return Error{Fault::unsupported, source.name() + ": there is no summary"};
  if (start > tail || tail - start > limits.chunk) {
    return problem_at(
        source, tail,
        fmt::format("expected a summary of at most {} bytes before it, got one at byte {}", limits.chunk, start));
  }
  const auto bytes = source.read(start, source.size() - start);
  if (!bytes) return bytes.error();
  const Bytes covered = bytes->first(bytes->size() - mcap::magic.size() - 4);
  if (footer->summary_crc != 0 && crc32(covered) != footer->summary_crc) {
    return problem_at(
        source, start,
        fmt::format("the summary fails its CRC: expected {:08x}, got {:08x}", footer->summary_crc, crc32(covered)));
  }
  if (footer->summary_start == 0) return Error{Fault::unsupported, source.name() + ": there is no summary"};
  SummaryReader reader(contents, limits);
  std::uint64_t stopped = 0;
  std::string wrong;
  const Bytes records = bytes->first(static_cast<std::size_t>(tail - start));
  const bool whole = walk_records(records, stopped, [&](mcap::Op op, std::uint64_t, Bytes content) {
    if (wrong.empty()) wrong = reader.take(op, content);
  });
  if (wrong.empty() && !whole) wrong = "expected a record, got none";
  if (wrong.empty() && reader.counted && !contents.blocks.empty() &&
      contents.blocks.size() != contents.statistics.chunks) {
    wrong = fmt::format("{} ChunkIndex records for {} chunks", contents.blocks.size(), contents.statistics.chunks);
  }
  if (!wrong.empty()) return problem_at(source, start + stopped, "the summary: " + wrong);
  if (const std::string why = insufficient(contents, reader.counted); !why.empty()) {
    return Error{Fault::unsupported, fmt::format("{}: {}", source.name(), why)};
  }
  contents.whole = contents.indexed = true;
  sort_blocks(contents);
  return contents;
}

Result<Contents> contents_by_scan(Source& source, const ReadOptions& options) {
  // A file may do without a summary, but not with a wrong one.
  const auto summary = contents_by_summary(source, options.limits);
  Contents contents;
  contents.file_size = source.size();
  ContentsScan visitor(options, contents);
  const auto end = scan(source, options.limits, visitor);
  if (!end) return end.error();
  visitor.finish_counts();
  if (contents.problems.empty()) {
    const bool wrong = !summary && summary.error().fault == Fault::invalid;
    const std::string why = summary ? visitor.difference(*summary) : "";
    if (wrong) contents.problems.push_back({*end, summary.error().text});
    if (!why.empty()) contents.problems.push_back({*end, problem_at(source, *end, why).text});
  }
  for (const auto& [channel, count] : contents.statistics.channel_messages) {
    if (contents.channels.contains(channel)) continue;
    contents.problems.push_back({0, fmt::format("{}: {} messages of channel {} are lost: the channel is not described",
                                                source.name(), count, channel)});
    if (contents.problems.size() >= options.limits.problems) break;
  }
  contents.whole = contents.problems.empty();
  sort_blocks(contents);
  return contents;
}

}  // namespace tandem::record
