// SPDX-License-Identifier: Apache-2.0
// Incidents explained: recordings and histories in which everything is known by construction.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "tandem/app/recordings/incident/incident.hpp"
#include "tandem/app/recordings/incident/report.hpp"
#include "tandem/xml/tree.hpp"
#include "tests/app/process.hpp"
#include "tests/app/recordings/incident_scene.hpp"

namespace tandem::app::incident {
namespace {

Result<History> history_of(const std::string& file, const Choice& choice = {}) {
  const auto reader = record::McapReader::open(file);
  if (!reader) return reader.error();
  return read_history(*reader, file, choice);
}

const Entry* entry_with(const Incident& incident, std::string_view source, std::string_view text) {
  for (const Entry& entry : incident.timeline)
    if (entry.source == source && entry.text.find(text) != std::string::npos) return &entry;
  return nullptr;
}

bool holds_text(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

struct Told {
  int code = 0;
  std::string output;
};
Told tell(const std::vector<std::string>& arguments) {
  Process process(TANDEM_PROGRAM, arguments);
  const int code = process.finish(60s);
  return {code, process.output()};
}

}  // namespace

TEST_CASE("a lost link is explained with the distances and times that are known") {
  const record::Folder folder;
  const Time at = write_scene(folder / "run.mcap");
  const auto history = history_of(folder / "run.mcap");
  if (!history) FAIL(history.error().text);
  CHECK(history->moment.at == at);
  CHECK(history->moment.machine == "lift");
  CHECK(history->moment.cause == "lost");
  CHECK(history->has_opening);
  const Incident incident = explain(*history);
  const Numbers& numbers = incident.numbers;
  REQUIRE(numbers.motion);
  CHECK(numbers.motion->by_truth);
  CHECK(numbers.motion->unit == "m");
  CHECK(numbers.motion->speed.value() == doctest::Approx(speed).epsilon(0.001));
  CHECK(numbers.motion->distance.value() == doctest::Approx(way).epsilon(0.005));
  // It counts as standing below a hundredth of its speed: 5 ms before it does, and one sample is 10 ms.
  CHECK(std::abs(numbers.motion->standstill.value() - braking_time) < 0.016);
  CHECK(numbers.last_from_device.value() == doctest::Approx(last_bytes).epsilon(1e-6));
  CHECK(numbers.next_from_device.value() == doctest::Approx(back).epsilon(1e-6));
  CHECK(numbers.link_lost);
  CHECK(numbers.live_again.value() == doctest::Approx(back).epsilon(1e-6));
  REQUIRE(numbers.armed_again);
  CHECK(numbers.armed_again->t == doctest::Approx(armed).epsilon(1e-6));
  CHECK(numbers.armed_again->by == "page");
  REQUIRE(numbers.refusals.size() == 2);
  CHECK(numbers.refusals[0].what == "invalid samples");
  CHECK((numbers.refusals[0].before == 3 && numbers.refusals[0].after == 0));
  CHECK(numbers.refusals[1].what == "refused commands");
  CHECK((numbers.refusals[1].before == 0 && numbers.refusals[1].after == 1));
}

TEST_CASE("the timeline tells each change once, with its author and its time") {
  const record::Folder folder;
  write_scene(folder / "run.mcap");
  const auto history = history_of(folder / "run.mcap");
  REQUIRE(history.ok());
  const Incident incident = explain(*history);
  CHECK(incident.title == "lift: the link was lost while armed");
  const auto at = [&](std::string_view source, std::string_view text) {
    const Entry* entry = entry_with(incident, source, text);
    CAPTURE(text);
    REQUIRE(entry != nullptr);
    return entry->t;
  };
  CHECK(at("chaos", "blackhole, seed 7") == doctest::Approx(-1));
  CHECK(at("gate", "3 samples refused as invalid") == doctest::Approx(-1).epsilon(0.01));
  CHECK(at("command", "unplug by page: done: unplugged") == doctest::Approx(-0.3));
  CHECK(at("field", "last 25 bytes from the device, then silent until +2.000 s") == doctest::Approx(last_bytes));
  CHECK(at("link", "lost: no answer; disarmed") == 0);
  CHECK(at("arm", "armed -> disarmed by link") == doctest::Approx(0));
  CHECK(at("command", "arm by page: refused: not armed: the link is not live") == doctest::Approx(1));
  CHECK(at("link", "live: after 2000 ms") == doctest::Approx(back));
  CHECK(at("command", "arm by page: done: armed") == doctest::Approx(armed));
  // What a command said is not told again by its event and by the latch.
  CHECK(entry_with(incident, "event", "unplugged") == nullptr);
  CHECK(entry_with(incident, "arm", "disarmed -> armed") == nullptr);
  CHECK(std::ranges::is_sorted(incident.timeline, {}, &Entry::t));
  REQUIRE(incident.because.size() == 4);
  CHECK(incident.because[0] == "no answer; disarmed");
  CHECK(incident.because[1].starts_with("chaos 1.000 s before: blackhole"));
  CHECK(incident.because[2] == "unplugged by page, 0.300 s before");
  CHECK(incident.because[3] == "last bytes from the device 0.120 s before");
}

TEST_CASE("without truth only what was measured is claimed") {
  const record::Folder folder;
  write_scene(folder / "run.mcap", {.truth = false});
  const auto history = history_of(folder / "run.mcap");
  REQUIRE(history.ok());
  const auto motion = motion_of(*history);
  REQUIRE(motion);
  CHECK_FALSE(motion->by_truth);
  CHECK(motion->speed.value() == doctest::Approx(speed).epsilon(0.02));
  CHECK_FALSE(motion->distance);
  CHECK_FALSE(motion->standstill);
  REQUIRE(motion->gap);
  CHECK(motion->gap->from == doctest::Approx(last_bytes).epsilon(0.2));  // pictures are recorded every 20 ms
  CHECK(motion->gap->to == doctest::Approx(back).epsilon(0.01));
  CHECK(motion->gap->apart == doctest::Approx(way - last_bytes * speed).epsilon(0.01));
}

TEST_CASE("a file of the black box says itself what it is of") {
  const record::Folder folder;
  const Time at = write_scene(folder / "run.mcap", {.incident = false});
  const std::string file = folder / "20261119T043015Z_lift_snapshot.mcap";
  write_copy(
      folder / "run.mcap", file,
      {.incident = {
           {"machine", "lift"}, {"cause", "snapshot"}, {"text", "asked for by page"}, {"at", std::to_string(at)}}});
  const auto history = history_of(file);
  REQUIRE(history.ok());
  CHECK(history->from_black_box);
  CHECK(history->moment.at == at);
  const Incident incident = explain(*history);
  CHECK(incident.title == "lift: a snapshot was asked for");
  CHECK(incident.because == std::vector<std::string>{"asked for by page"});
  CHECK_FALSE(incident.numbers.link_lost);

  const Told listed = tell({"incident", "--list", folder.path().string()});
  CHECK(listed.code == 0);
  CHECK(holds_text(listed.output, "lift: snapshot: asked for by page"));
  CHECK_FALSE(holds_text(listed.output, "run.mcap"));
  CHECK(tell({"incident", "--list", folder / "none"}).code == 1);
}

TEST_CASE("a record that is not one of the black box is none") {
  const record::Folder folder;
  write_scene(folder / "run.mcap", {.incident = false});
  for (const std::string bad : {"", "-3", "soon", "99999999999999999999", "12x"}) {
    const std::string file = folder / ("bad" + std::to_string(std::hash<std::string>{}(bad)) + ".mcap");
    write_copy(folder / "run.mcap", file, {.incident = {{"machine", "lift"}, {"cause", "lost"}, {"at", bad}}});
    const auto reader = record::McapReader::open(file);
    REQUIRE(reader.ok());
    CHECK_FALSE(moment_of(*reader));
  }
}

TEST_CASE("a recording without an incident says so, and any moment of it can be chosen") {
  const record::Folder folder;
  const Time zero = write_scene(folder / "run.mcap", {.incident = false});
  const auto none = history_of(folder / "run.mcap");
  REQUIRE_FALSE(none.ok());
  CHECK(holds_text(none.error().text, "no incident in it"));
  const auto chosen = history_of(folder / "run.mcap", {.machine = "", .at = zero});
  REQUIRE(chosen.ok());
  CHECK(explain(*chosen).title == "lift: the moment that was chosen");
  const auto unknown = history_of(folder / "run.mcap", {.machine = "lif", .at = zero});
  REQUIRE_FALSE(unknown.ok());
  CHECK(holds_text(unknown.error().text, "did you mean 'lift'"));
}

TEST_CASE("the report is well-formed, has no scripts and shows strangers' words as text") {
  const record::Folder folder;
  write_scene(folder / "run.mcap");
  const auto history = history_of(folder / "run.mcap");
  REQUIRE(history.ok());
  const Incident incident = explain(*history);
  const auto page = html_of(*history, incident);
  REQUIRE(page.ok());
  constexpr std::string_view head = "<!doctype html>\n";
  REQUIRE(page->starts_with(head));
  const auto tree = xml::parse(page->substr(head.size()), "report", {16 << 20, 1'000'000, 1 << 20});
  if (!tree) FAIL(tree.error().text);
  CHECK(tree->name == "html");
  for (const char* forbidden : {"<script", "javascript:", "onload=", "src=", "<link", "@import"})
    CHECK_FALSE(holds_text(*page, forbidden));
  CHECK(holds_text(*page, "&lt;script&gt;alert(&quot;1&quot;)"));
  CHECK(holds_text(*page, "0.250 m by truth"));
  CHECK(figure_of(*history).panels.size() == 4);  // no twin, no residual

  const auto read = nlohmann::json::parse(json_of(*history, incident));
  CHECK(read["incident"]["machine"] == "lift");
  CHECK(read["numbers"]["motion"]["by"] == "truth");
  CHECK(read["numbers"]["motion"]["distance"].get<double>() == doctest::Approx(way).epsilon(0.005));
  CHECK(read["timeline"].size() == incident.timeline.size());
}

TEST_CASE("the text fits a terminal and names commands that work as they are") {
  const record::Folder folder;
  const std::string file = folder / "a run.mcap";
  write_scene(file);
  const Told told = tell({"incident", file, "--html", folder / "why.html"});
  CAPTURE(told.output);
  CHECK(told.code == 0);
  CHECK(std::filesystem::file_size(folder / "why.html") > 10'000);
  CHECK(holds_text(told.output, "why: no answer; disarmed"));
  CHECK(holds_text(told.output, "moved after it            0.250 m by truth"));
  CHECK(holds_text(told.output, fmt::format("tandem replay '{}' --as device --machine lift", file)));
  std::istringstream lines(told.output);
  for (std::string line; std::getline(lines, line);) {
    const bool is_command = line.starts_with("  tandem ") || line.find(folder.path().string()) != std::string::npos;
    if (!is_command) CHECK_MESSAGE(line.size() <= 120, line);
    CHECK_MESSAGE(line.find('\x01') == std::string::npos, line);
  }
  CHECK(tell({"incident"}).code == 2);
  CHECK(tell({"incident", file, "--at", "soon"}).code == 1);
  CHECK(tell({"incident", folder / "none.mcap"}).code == 1);
}

TEST_CASE("damaged files are explained as far as they go, or refused in words") {
  const record::Folder folder;
  write_scene(folder / "run.mcap");
  const auto bytes = record::file_bytes(folder / "run.mcap");
  record::write_bytes(folder / "cut.mcap", Bytes(bytes).first(bytes.size() * 9 / 10));
  const Told told = tell({"incident", folder / "cut.mcap"});
  CHECK(told.code == 1);
  CHECK(holds_text(told.output, "tandem repair"));
  std::mt19937_64 random(21);
  std::size_t explained = 0;
  for (int round = 0; round < 60; ++round) {
    auto damaged = bytes;
    for (int i = 0; i < 12; ++i) damaged[random() % damaged.size()] ^= static_cast<std::uint8_t>(1 + random() % 255);
    if (round % 3 == 0) damaged.resize(random() % damaged.size());
    record::write_bytes(folder / "damaged.mcap", damaged);
    const auto history = history_of(folder / "damaged.mcap");
    if (!history) {
      CHECK_FALSE(history.error().text.empty());
      continue;
    }
    const Incident incident = explain(*history);
    CHECK_FALSE(text_of(*history, incident).empty());
    CHECK(html_of(*history, incident).ok());
    ++explained;
  }
  MESSAGE(explained << " of 60 damaged files were explained");
}

TEST_CASE("messages that are not what their topics promise are passed over") {
  const record::Folder folder;
  write_scene(folder / "run.mcap");
  const auto reader = record::McapReader::open(folder / "run.mcap");
  auto writer = record::McapWriter::create(folder / "odd.mcap");
  REQUIRE((reader.ok() && writer.ok()));
  std::mt19937_64 random(4);
  std::uint64_t time = reader->contents().statistics.start;
  const std::vector<std::string> texts = {"{",
                                          "[]",
                                          "null",
                                          R"({"machines":3})",
                                          R"({"machines":[{"name":"lift"}]})",
                                          R"({"machines":[{"name":"lift","scene":{"frames":["a"],"main_frame":"a"}}]})",
                                          R"({"machines":[{"name":"lift","frames":[1,2]}]})",
                                          R"({"machines":[{"name":"lift","frames":[1e999,null,"x",0,0,0,1]}]})",
                                          std::string(5000, '[')};
  for (const auto& [id, channel] : reader->contents().channels) {
    record::ChannelInfo info{channel.topic, channel.encoding, "", "", "", channel.metadata};
    if (const auto* schema = reader->schema(channel))
      info.schema_name = schema->name, info.schema_encoding = schema->encoding, info.schema = schema->data;
    const auto made = writer->channel(info);
    REQUIRE(made.ok());
    for (int i = 0; i < 200; ++i) {
      std::vector<std::uint8_t> data(random() % 80);
      for (auto& byte : data) byte = static_cast<std::uint8_t>(random() % 4 == 0 ? random() : 0);
      const std::string& text = texts[random() % texts.size()];
      if (channel.encoding == "json") data.assign(text.begin(), text.end());
      time += 1'000'000;
      REQUIRE(writer->message({.channel = *made, .log_time = time, .publish_time = time, .data = data}).ok());
    }
  }
  REQUIRE(writer->finish().ok());
  const auto history = history_of(folder / "odd.mcap", {.machine = "lift", .at = static_cast<Time>(time)});
  REQUIRE(history.ok());
  const Incident incident = explain(*history);
  CHECK_FALSE(text_of(*history, incident).empty());
  CHECK(html_of(*history, incident).ok());
}

}  // namespace tandem::app::incident
