// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>
#include <csignal>

#include "tandem/base/crc32.hpp"
#include "tandem/record/repair.hpp"
#include "tests/record/recording.hpp"

namespace tandem::record {
namespace {

struct Sample {
  std::vector<Kept> messages;        // in the order of the file, which is that of time
  std::vector<std::uint8_t> bytes;   // of the file
  std::vector<std::size_t> flushed;  // bytes of the file when so many messages (times `per_chunk`) were in it
  std::size_t per_chunk = 4;
};

Sample sample(const Folder& folder, bool compressed) {
  Sample sample;
  std::mt19937_64 random(3);
  const std::string path = folder / "sample.mcap";
  auto writer = McapWriter::create(path, {.compressed = compressed});
  REQUIRE(writer.ok());
  REQUIRE(writer->metadata({"about", {{"a", "b"}}}).ok());
  for (std::uint32_t i = 0; i < 12; ++i) {
    std::string data(8 + random() % 30, '\0');
    for (char& c : data) c = static_cast<char>(random());
    sample.messages.push_back({"/t" + std::to_string(i % 3), i, 1000 + i, 1000 + i, data});
    REQUIRE(write_kept(*writer, sample.messages.back()).ok());
    if ((i + 1) % sample.per_chunk == 0) {
      REQUIRE(writer->flush().ok());
      sample.flushed.push_back(writer->size());
    }
  }
  REQUIRE(writer->finish().ok());
  sample.bytes = file_bytes(path);
  std::filesystem::remove(path);
  return sample;
}

bool is_beginning_of(const std::vector<Kept>& part, const std::vector<Kept>& whole) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

TEST_CASE("a recording cut at any byte keeps every chunk before the cut and is repaired") {
  const Folder folder;
  for (const bool compressed : {true, false}) {
    const Sample file = sample(folder, compressed);
    for (std::size_t cut = 0; cut < file.bytes.size(); ++cut) {
      CAPTURE(cut);
      const Bytes part = Bytes(file.bytes).first(cut);
      const auto reader = McapReader::read(Source(part, "cut.mcap"));
      if (cut < mcap::magic.size()) {
        REQUIRE_FALSE(reader.ok());
        continue;
      }
      REQUIRE(reader.ok());
      REQUIRE_FALSE(reader->contents().whole);
      REQUIRE_FALSE(reader->contents().problems.empty());
      const auto chunks = static_cast<std::size_t>(
          std::count_if(file.flushed.begin(), file.flushed.end(), [&](std::size_t size) { return size <= cut; }));
      const auto read = read_all(*reader);
      REQUIRE(is_beginning_of(read, file.messages));
      REQUIRE(read.size() >= chunks * file.per_chunk);
      REQUIRE(reader->contents().statistics.messages == read.size());
      // Writing to the disk takes time: not for every cut.
      if (cut % 7 != 0 && cut + 40 < file.bytes.size()) continue;
      write_bytes(folder / "cut.mcap", part);
      const auto repaired = repair(folder / "cut.mcap", folder / "whole.mcap");
      REQUIRE(repaired.ok());
      REQUIRE_FALSE(repaired->whole);
      REQUIRE_FALSE(repaired->problems.empty());
      const auto again = McapReader::open(folder / "whole.mcap");
      REQUIRE(again.ok());
      REQUIRE(again->contents().whole);
      const auto kept = read_all(*again);
      REQUIRE(kept.size() == repaired->messages);
      REQUIRE(is_beginning_of(kept, file.messages));
      REQUIRE(kept.size() == read.size() + reader->contents().torn_messages);
      std::filesystem::remove(folder / "whole.mcap");
    }
  }
}

TEST_CASE("messages of a torn chunk that are all there are repaired") {
  const Folder folder;
  const Sample file = sample(folder, false);
  // Three bytes before the end of the last message of the second chunk, whose indexes follow.
  std::vector<std::uint8_t> last(file.messages[7].data.begin(), file.messages[7].data.end());
  const auto found = std::search(file.bytes.begin(), file.bytes.end(), last.begin(), last.end());
  REQUIRE(found != file.bytes.end());
  const auto cut = static_cast<std::size_t>(found - file.bytes.begin()) + last.size() - 3;
  write_bytes(folder / "torn.mcap", Bytes(file.bytes).first(cut));
  const auto repaired = repair(folder / "torn.mcap", folder / "whole.mcap");
  REQUIRE(repaired.ok());
  CHECK(repaired->messages == 7);
  CHECK(repaired->metadata == 1);
  CHECK(repaired->unread > 0);
  CHECK(repaired->problems.back().text.find("Chunk") != std::string::npos);
  const auto again = McapReader::open(folder / "whole.mcap");
  REQUIRE(again.ok());
  CHECK(read_all(*again) == std::vector<Kept>(file.messages.begin(), file.messages.begin() + 7));
}

TEST_CASE("a large compressed chunk gives its first half when its second is torn off") {
  const Folder folder;
  auto writer = McapWriter::create(folder / "a.mcap", {.chunk_bytes = 64u << 20});
  REQUIRE(writer.ok());
  std::mt19937_64 random(4);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    std::string data(1000, '\0');
    for (char& c : data) c = static_cast<char>(random());
    REQUIRE(write_kept(*writer, {"/a", i, i, i, data}).ok());
  }
  REQUIRE(writer->flush().ok());
  const auto bytes = file_bytes(folder / "a.mcap");
  write_bytes(folder / "torn.mcap", Bytes(bytes).first(bytes.size() / 2));
  const auto repaired = repair(folder / "torn.mcap", folder / "whole.mcap");
  REQUIRE(repaired.ok());
  CHECK(repaired->messages > 300);
  CHECK(repaired->messages < 520);
}

TEST_CASE("a whole recording needs no repair and gets none") {
  const Folder folder;
  const Sample file = sample(folder, true);
  write_bytes(folder / "good.mcap", file.bytes);
  const auto repaired = repair(folder / "good.mcap", folder / "new.mcap");
  REQUIRE(repaired.ok());
  CHECK(repaired->whole);
  CHECK_FALSE(std::filesystem::exists(folder / "new.mcap"));
  write_bytes(folder / "taken.mcap", as_bytes("mine"));
  CHECK_FALSE(repair(folder / "good.mcap", folder / "taken.mcap").ok());
  CHECK(file_bytes(folder / "taken.mcap").size() == 4);
  CHECK_FALSE(repair(folder / "nowhere.mcap", folder / "new.mcap").ok());
  CHECK(repaired_name("run.mcap") == "run_repaired.mcap");
  CHECK(repaired_name("run") == "run_repaired.mcap");
}

TEST_CASE("every flipped bit is noticed when everything is read") {
  const Folder folder;
  for (const bool compressed : {true, false}) {
    const Sample file = sample(folder, compressed);
    std::mt19937_64 random(5);
    for (std::size_t i = 0; i < 600; ++i) {
      // Every other one at the end, where the summary and the footer are.
      const std::size_t at = i % 2 == 0 ? random() % file.bytes.size()
                                        : file.bytes.size() - 1 - random() % (file.bytes.size() - file.flushed.back());
      std::vector<std::uint8_t> flipped = file.bytes;
      flipped[at] = static_cast<std::uint8_t>(flipped[at] ^ (1u << (random() % 8)));
      CAPTURE(at);
      const auto thorough = McapReader::read(Source(flipped, "flip.mcap"), {.thorough = true});
      const auto quick = McapReader::read(Source(flipped, "flip.mcap"));
      if (at < mcap::magic.size()) {  // no MCAP file
        REQUIRE_FALSE(thorough.ok());
        REQUIRE_FALSE(quick.ok());
        continue;
      }
      REQUIRE(thorough.ok());
      REQUIRE(quick.ok());
      REQUIRE_FALSE(thorough->contents().whole);
      // What is read is either what was written, or not there at all.
      std::size_t errors = 0;
      for (const Kept& each : read_all(*quick, {}, &errors)) {
        if (quick->contents().indexed)
          REQUIRE(std::find(file.messages.begin(), file.messages.end(), each) != file.messages.end());
      }
    }
  }
}

TEST_CASE("a summary that says something else than the data is noticed when everything is read and repaired") {
  const Folder folder;
  const Sample file = sample(folder, true);
  std::vector<std::uint8_t> lying = file.bytes;
  const std::size_t footer = lying.size() - mcap::tail_size + mcap::frame_size;
  const auto start = ByteReader(Bytes(lying).subspan(footer)).little<std::uint64_t>();
  std::size_t statistics = 0, chunk = 0;  // their first fields
  std::uint64_t stopped = 0;
  const Bytes summary = Bytes(lying).subspan(start, lying.size() - mcap::tail_size - start);
  REQUIRE(walk_records(summary, stopped, [&](mcap::Op op, std::uint64_t offset, Bytes) {
    if (op == mcap::Op::statistics) statistics = start + offset + mcap::frame_size;
    if (op == mcap::Op::chunk_index && chunk == 0) chunk = start + offset + mcap::frame_size;
  }));
  // The count of messages, and where the first chunk is; with a CRC that is right.
  for (const std::size_t at : {statistics, chunk + 16}) {
    lying = file.bytes;
    ++lying[at];
    ByteWriter(lying).little_at(footer + 16, crc32(Bytes(lying).subspan(start, footer + 16 - start)));
    const auto quick = McapReader::read(Source(lying, "lie.mcap"));
    REQUIRE(quick.ok());
    CHECK(quick->contents().indexed);
    const auto thorough = McapReader::read(Source(lying, "lie.mcap"), {.thorough = true});
    REQUIRE(thorough.ok());
    CHECK_FALSE(thorough->contents().whole);
    REQUIRE(thorough->contents().problems.size() == 1);
    CHECK(thorough->contents().problems[0].text.find("the summary has") != std::string::npos);
    write_bytes(folder / "lie.mcap", lying);
    const auto repaired = repair(folder / "lie.mcap", folder / "true.mcap");
    REQUIRE(repaired.ok());
    CHECK_FALSE(repaired->whole);
    const auto again = McapReader::open(folder / "true.mcap", {.thorough = true});
    REQUIRE(again.ok());
    CHECK(again->contents().whole);
    CHECK(read_all(*again) == file.messages);
    std::filesystem::remove(folder / "true.mcap");
  }
}

TEST_CASE("descriptions take no more memory than the limits allow however small the file is") {
  const Folder folder;
  constexpr ReadLimits tight{.description = 1000, .descriptions = 5000};
  auto writer = McapWriter::create(folder / "a.mcap");
  REQUIRE(writer.ok());
  for (std::uint32_t i = 0; i < 20; ++i) {
    ChannelInfo info = plain_channel("/t" + std::to_string(i));
    info.schema = std::string(i == 0 ? 1500 : 800, 'x');  // shrinks to nothing
    const auto id = writer->channel(info);
    REQUIRE(id.ok());
    for (std::uint64_t round = 0; round < 3; ++round)
      REQUIRE(writer->message({.channel = *id, .log_time = round, .data = as_bytes("m")}).ok());
  }
  REQUIRE(writer->finish().ok());
  for (const bool thorough : {false, true}) {
    const auto reader = McapReader::open(folder / "a.mcap", {.limits = tight, .thorough = thorough});
    REQUIRE(reader.ok());
    CHECK_FALSE(reader->contents().whole);
    std::size_t size = 0;
    for (const auto& [id, schema] : reader->contents().schemas) size += schema.data.size();
    CHECK(size <= 5000);
    CHECK(size > 3000);
    CHECK(reader->contents().problems[0].text.find("got one of 15") != std::string::npos);
    CHECK(read_all(*reader).size() == 60);
  }
  const auto repaired = repair(folder / "a.mcap", folder / "b.mcap", {}, tight);
  REQUIRE(repaired.ok());
  CHECK_FALSE(repaired->whole);
  CHECK(McapReader::open(folder / "a.mcap", {.thorough = true})->contents().whole);
}

TEST_CASE("a chunk that fails its CRC is lost alone") {
  const Folder folder;
  const Sample file = sample(folder, false);
  std::vector<std::uint8_t> last(file.messages[5].data.begin(), file.messages[5].data.end());
  std::vector<std::uint8_t> flipped = file.bytes;
  const auto found = std::search(flipped.begin(), flipped.end(), last.begin(), last.end());
  REQUIRE(found != flipped.end());
  *found ^= 1;
  const auto reader = McapReader::read(Source(flipped, "bad.mcap"));
  REQUIRE(reader.ok());
  CHECK(reader->contents().whole);  // as far as its summary says
  std::size_t errors = 0;
  std::vector<Kept> expected = file.messages;
  expected.erase(expected.begin() + 4, expected.begin() + 8);
  CHECK(read_all(*reader, {}, &errors) == expected);
  CHECK(errors == 1);
  write_bytes(folder / "bad.mcap", flipped);
  const auto repaired = repair(folder / "bad.mcap", folder / "whole.mcap");
  REQUIRE(repaired.ok());
  CHECK(repaired->messages == 8);
  REQUIRE(repaired->problems.size() == 2);  // the chunk, and all data together
  CHECK(repaired->problems[0].text.find("bad.mcap: byte ") != std::string::npos);
  CHECK(repaired->problems[0].text.find("CRC") != std::string::npos);
}

TEST_CASE("claims of a file take no memory that its bytes do not pay for") {
  std::vector<std::uint8_t> bytes(mcap::magic.begin(), mcap::magic.end());
  ByteWriter to(bytes);
  mcap::write(to, mcap::Header{"", "bomb"});
  const std::string tiny = "1234";
  mcap::write(to, mcap::Chunk{.start = 0,
                              .end = 1,
                              .size = std::uint64_t{1} << 60,
                              .crc = 0,
                              .compression = "zstd",
                              .stored_size = 4,
                              .stored = as_bytes(tiny)});
  mcap::write(to, mcap::Chunk{.start = 0,
                              .end = 1,
                              .size = 400u << 20,
                              .crc = 0,
                              .compression = "zstd",
                              .stored_size = 4,
                              .stored = as_bytes(tiny)});
  mcap::write(
      to,
      mcap::Chunk{
          .start = 0, .end = 1, .size = 4, .crc = 0, .compression = "lz4", .stored_size = 4, .stored = as_bytes(tiny)});
  const auto reader = McapReader::read(Source(bytes, "bomb.mcap"));
  REQUIRE(reader.ok());
  REQUIRE(reader->contents().problems.size() == 4);
  CHECK(reader->contents().problems[0].text.find("at most") != std::string::npos);
  CHECK(reader->contents().problems[1].text.find("cannot become") != std::string::npos);
  CHECK(reader->contents().problems[2].text.find("lz4") != std::string::npos);
  CHECK(reader->contents().problems[3].text.find("DataEnd") != std::string::npos);
}

TEST_CASE("a record as large as a disk is passed over and what follows it is read") {
  const Folder folder;
  const Sample file = sample(folder, true);
  const std::string path = folder / "hole.mcap";
  constexpr std::uint64_t hole = std::uint64_t{1} << 42;
  // Behind the first chunk; the hole itself takes no room on the disk.
  std::vector<std::uint8_t> first(file.bytes.begin(),
                                  file.bytes.begin() + static_cast<std::ptrdiff_t>(file.flushed[0]));
  ByteWriter to(first);
  to.byte(static_cast<std::uint8_t>(mcap::Op::attachment));
  to.little(hole);
  write_bytes(path, first);
  std::error_code refused;
  std::filesystem::resize_file(path, first.size() + hole, refused);
  if (refused) return;  // not every file system has files of that size
  {
    std::ofstream out(path, std::ios::binary | std::ios::app);
    const Bytes rest = Bytes(file.bytes).subspan(file.flushed[0]);
    out.write(reinterpret_cast<const char*>(rest.data()), static_cast<std::streamsize>(rest.size()));
  }
  const auto reader = McapReader::open(path, {.thorough = true});
  REQUIRE(reader.ok());
  CHECK(read_all(*reader) == file.messages);
  REQUIRE(reader->contents().problems.size() == 1);
  CHECK(reader->contents().problems[0].text.find("skipped") != std::string::npos);
}

TEST_CASE("what is no recording is refused in words") {
  const auto text = McapReader::read(Source(as_bytes("hello world, this is text"), "a.txt"));
  REQUIRE_FALSE(text.ok());
  CHECK(text.error().text.find("a.txt: byte 0: expected an MCAP file") != std::string::npos);
  CHECK_FALSE(McapReader::read(Source(Bytes{}, "empty")).ok());
  const auto missing = McapReader::open("/nowhere/a.mcap");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().fault == Fault::not_found);
  CHECK_FALSE(McapReader::open("/tmp").ok());
}

// As a full disk: writing fails for a while, and works again.
TEST_CASE("a disk that fills up costs the chunks that do not fit and no others") {
  const Folder folder;
  auto writer = McapWriter::create(folder / "a.mcap", {.compressed = false});
  REQUIRE(writer.ok());
  const std::string data(1000, 'x');
  REQUIRE(write_kept(*writer, {"/a", 0, 0, 0, data}).ok());
  REQUIRE(writer->flush().ok());
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto old = std::signal(SIGXFSZ, SIG_IGN);
  rlimit tight = before;
  tight.rlim_cur = writer->size() + 500;
  ::setrlimit(RLIMIT_FSIZE, &tight);
  const auto put = write_kept(*writer, {"/b", 1, 1, 1, data});
  const auto failed = writer->flush();
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old);
  REQUIRE(put.ok());
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.error().text.find("a.mcap") != std::string::npos);
  CHECK(writer->lost() == 1);
  CHECK(std::filesystem::file_size(folder / "a.mcap") == writer->size());
  REQUIRE(write_kept(*writer, {"/b", 2, 2, 2, data}).ok());
  REQUIRE(writer->finish().ok());
  const auto reader = McapReader::open(folder / "a.mcap", {.thorough = true});
  REQUIRE(reader.ok());
  CHECK(reader->contents().whole);
  const auto kept = read_all(*reader);
  REQUIRE(kept.size() == 2);
  CHECK(kept[1].topic == "/b");
}

}  // namespace
}  // namespace tandem::record
