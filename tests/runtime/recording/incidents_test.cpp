// SPDX-License-Identifier: Apache-2.0
// What makes the black box of a running tandem write, and what is in its files.
#include "tandem/runtime/recording/incidents.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>

#include "tandem/record/mcap_reader.hpp"
#include "tandem/ros2/types/cdr.hpp"
#include "tandem/runtime/recording/recorder.hpp"
#include "tandem/runtime/system.hpp"
#include "tests/runtime/counter/machine.hpp"

namespace tandem::runtime {

namespace {

namespace fs = std::filesystem;

class BoxFolder {
 public:
  BoxFolder() {
    std::string name = (fs::temp_directory_path() / "tandem_box_XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  BoxFolder(const BoxFolder&) = delete;
  ~BoxFolder() { fs::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }
  std::vector<std::string> files(const std::string& folder = "incidents") const {
    std::vector<std::string> names;
    if (fs::is_directory(path_ / folder))
      for (const auto& each : fs::directory_iterator(path_ / folder)) names.push_back(each.path().filename().string());
    std::ranges::sort(names);
    return names;
  }
  std::string only() const {
    const auto names = files();
    REQUIRE(names.size() == 1);
    return (path_ / "incidents" / names.front()).string();
  }

 private:
  fs::path path_;
};

template <typename Holds>
bool comes_true(Holds holds) {
  const Instant until = now() + 20s;
  while (!holds() && now() < until) system_clock().sleep_until(now() + 5ms);
  return holds();
}

// One virtual machine with a black box in this folder.
struct BoxBench {
  BoxFolder folder;
  std::mutex mutex;
  std::vector<Event> events;
  std::unique_ptr<System> system;

  explicit BoxBench(const std::string& more = "black_box: { after: 0.2 }\n", bool with_state = true) {
    static const Registry registry({&counter::machine_type()});
    const ConfigText text{"test.yaml",
                          "ros: { enabled: false }\nmachines:\n  lift: { type: counter, device: virtual }\n"
                          "  other: { type: counter, device: virtual }\n" +
                              more};
    SystemOptions options;
    options.version = "test";
    options.supervision.longest_pause = 5s;  // a noisy computer is no paused process
    if (with_state) options.state_folder = folder.path();
    options.on_event = [this](const Event& event) {
      const std::lock_guard lock(mutex);
      events.push_back(event);
    };
    system = std::make_unique<System>(parse_config({&text, 1}, registry), options);
    system->start();
    REQUIRE(comes_true([&] { return machine(0).state == "live" && machine(1).state == "live"; }));
  }
  MachineStatus machine(std::size_t index) const { return system->status().machines.at(index); }
  std::vector<IncidentStatus> incidents() const { return system->status().incidents; }
  bool told(std::string_view kind, std::string_view part) {
    const std::lock_guard lock(mutex);
    return std::ranges::any_of(
        events, [&](const Event& event) { return event.kind == kind && event.text.find(part) != std::string::npos; });
  }
  void arm() {
    REQUIRE(comes_true([&] { return static_cast<bool>(system->command("arm", "lift", "a test")); }));
  }
  void end() {
    CHECK(system->stop(20s).empty());
    system->finish_recording();
  }
};

record::McapReader opened(const std::string& file) {
  auto reader = record::McapReader::open(file, {.thorough = true});
  if (!reader) FAIL(reader.error().text);
  CHECK(reader->contents().problems.empty());
  return std::move(*reader);
}

std::map<std::string, int> counts_of(const record::McapReader& reader) {
  std::map<std::string, int> counts;
  auto cursor = reader.messages();
  for (auto next = cursor.next(); next && *next; next = cursor.next())
    ++counts[reader.contents().channels.at((*next)->channel).topic];
  return counts;
}

}  // namespace

TEST_CASE("a stop writes what came before it and what follows") {
  BoxBench bench;
  bench.arm();
  REQUIRE(comes_true([&] { return bench.system->status().black_box->seconds > 0.3; }));
  REQUIRE(bench.system->command("stop", "lift", "a test"));
  REQUIRE(comes_true([&] { return bench.incidents().size() == 1; }));
  const IncidentStatus incident = bench.incidents().front();
  CHECK(incident.machine == "lift");
  CHECK(incident.cause == "stopped");
  CHECK(incident.text == "by a test");
  CHECK(comes_true([&] { return bench.told("incident", "tandem incident " + incident.file); }));
  bench.end();
  CHECK(incident.file == bench.folder.only());
  CHECK(incident.file.ends_with("Z_lift_stopped.mcap"));
  const auto reader = opened(incident.file);
  CHECK(reader.contents().whole);
  const auto metadata = reader.metadata("tandem_incident");
  CHECK(metadata.at("machine") == "lift");
  CHECK(metadata.at("cause") == "stopped");
  CHECK(metadata.at("text") == "by a test");
  const auto at = std::stoull(metadata.at("at"));
  CHECK(static_cast<double>(at) * 1e-9 == doctest::Approx(incident.at).epsilon(1e-9));
  CHECK(reader.contents().statistics.start < at);
  CHECK(reader.contents().statistics.end > at);
  const auto counts = counts_of(reader);
  for (const char* topic :
       {"/tandem/lift/events", "/tandem/commands", "/tandem/picture", "/tandem/status", "/tandem/scene", "/tandem/log"})
    CHECK_MESSAGE(counts.contains(topic), topic);
}

TEST_CASE("a stop of all machines is one incident of all") {
  BoxBench bench;
  REQUIRE(bench.system->command("stop", "", "a test"));
  REQUIRE(comes_true([&] { return bench.incidents().size() == 1; }));
  REQUIRE(bench.system->command("stop", "", "a test"));  // nothing is stopped by it
  bench.end();
  CHECK(bench.incidents().size() == 1);
  CHECK(bench.folder.only().ends_with("Z_all_stopped.mcap"));
}

TEST_CASE("a link that is lost while armed writes and one that is lost while disarmed does not") {
  BoxBench bench;
  REQUIRE(bench.system->command("unplug", "lift", "a test"));
  REQUIRE(comes_true([&] { return bench.told("lost", "") || bench.told("stale", ""); }));
  REQUIRE(bench.system->command("plug", "lift", "a test"));
  REQUIRE(comes_true([&] { return bench.machine(0).state == "live"; }));
  CHECK(bench.incidents().empty());
  bench.arm();
  REQUIRE(bench.system->command("unplug", "lift", "a test"));
  REQUIRE(comes_true([&] { return bench.incidents().size() == 1; }));
  CHECK(bench.incidents().front().cause == "lost");
  bench.end();
  CHECK(bench.folder.only().ends_with("Z_lift_lost.mcap"));
}

TEST_CASE("a snapshot gives the file and what happens close behind it is in the same") {
  BoxBench bench("black_box: { after: 60 }\n");
  const auto file = bench.system->snapshot("lift", "it jerked", "a test");
  REQUIRE(file);
  CHECK(file->ends_with("Z_lift_snapshot.mcap"));
  const auto second = bench.system->command("snapshot", "", "the page");
  REQUIRE(second);
  CHECK(*second == *file);
  REQUIRE(bench.system->command("stop", "other", "a test"));
  REQUIRE(comes_true([&] { return bench.incidents().size() == 3; }));
  CHECK(bench.incidents()[2].text == "it jerked, by a test");
  CHECK(bench.incidents()[1].machine == "all");
  CHECK(bench.incidents()[0].file == *file);
  const auto unknown = bench.system->snapshot("lft", "", "a test");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().text.find("did you mean 'lift'") != std::string::npos);
  REQUIRE(comes_true([&] { return bench.told("incident", "in " + *file); }));
  bench.end();
  CHECK(bench.folder.only() == *file);
  CHECK(opened(*file).contents().whole);
  CHECK(opened(*file).metadata("tandem_incident").at("cause") == "snapshot");  // what it began with
}

TEST_CASE("without a place for its files there is no black box and a snapshot says so") {
  for (const char* more : {"black_box: { enabled: false }\n", ""}) {
    BoxBench bench(more, *more != '\0');
    CHECK_FALSE(bench.system->status().black_box);
    REQUIRE(bench.system->command("stop", "", "a test"));
    const auto file = bench.system->snapshot("", "", "a test");
    REQUIRE_FALSE(file);
    CHECK(file.error().text.find("--black-box FOLDER") != std::string::npos);
    bench.end();
    CHECK(bench.folder.files().empty());
  }
}

TEST_CASE("a folder that is none is named in an event and disturbs nothing") {
  BoxBench bench("");
  std::ofstream(bench.folder / "incidents") << "a file";
  bench.arm();
  REQUIRE(bench.system->command("stop", "lift", "a test"));
  REQUIRE(comes_true([&] { return bench.told("incident", "not written: " + bench.folder.path()); }));
  const auto file = bench.system->snapshot("", "", "a test");
  REQUIRE_FALSE(file);
  CHECK(file.error().text.find("expected a folder") != std::string::npos);
  CHECK_FALSE(bench.system->status().black_box->trouble.empty());
  const auto samples = bench.machine(0).samples;
  CHECK(comes_true([&] { return bench.machine(0).samples > samples + 10; }));
  fs::remove(bench.folder / "incidents");
  CHECK(bench.system->snapshot("", "", "a test"));
  bench.end();
  CHECK(bench.folder.files().size() == 1);
}

TEST_CASE("old incidents make room for new ones and other files stay") {
  BoxBench bench("black_box: { after: 0, keep_megabytes: 1 }\n");
  fs::create_directories(bench.folder / "incidents");
  const auto old = [&](const std::string& name, std::chrono::hours age) {
    const std::string path = bench.folder / ("incidents/" + name);
    std::ofstream(path) << std::string(400'000, 'x');
    fs::last_write_time(path, fs::file_time_type::clock::now() - age);
  };
  old("20250101T000000Z_lift_lost.mcap", 48h);
  old("20250102T000000Z_lift_lost.mcap", 24h);
  old("20250103T000000Z_lift_lost.mcap", 0h);  // another tandem may be writing it
  old("mine.mcap", 48h);
  old("20250101_mine.mcap", 48h);
  const auto file = bench.system->snapshot("", "", "a test");
  REQUIRE(file);
  bench.end();
  const auto names = bench.folder.files();
  const std::set<std::string> left(names.begin(), names.end());
  CHECK_FALSE(left.contains("20250101T000000Z_lift_lost.mcap"));
  CHECK(left.contains("20250103T000000Z_lift_lost.mcap"));
  CHECK(left.contains("mine.mcap"));
  CHECK(left.contains("20250101_mine.mcap"));
  CHECK(left.contains(fs::path(*file).filename().string()));
}

TEST_CASE("a name says when and why") {
  CHECK(incident_name(UtcTime(1794976215s + 999ms), "lift", "lost") == "20261118T043015Z_lift_lost.mcap");
  CHECK(is_incident_name("20261118T033015Z_lift_lost.mcap"));
  for (const char* other : {"", "run.mcap", "20261118T033015_lift_lost.mcap", "20261118T033015Z_lift_lost.mcap.bak",
                            "2026111xT033015Z_lift_lost.mcap", "20261118T033015Z.mcap"})
    CHECK_FALSE_MESSAGE(is_incident_name(other), other);
}

namespace {

// Where one virtual device is, and whether a twin is off.
struct Stage final : Watched {
  SystemStatus status() const override { return {}; }
  Result<std::string> command(std::string_view, std::string_view, std::string_view) override { return std::string(); }
  std::vector<DrawnMachine> scenes() const override { return {}; }
  std::vector<Standing> pictures() const override { return {}; }
  std::vector<MachineLatency> latencies() const override { return {}; }
  std::vector<MachineTruth> truths() const override {
    const double time = seconds(now().time_since_epoch());
    return {{"lift", {{time, 2, 3}, 0.5, "m"}}};
  }
  std::vector<ResidualAlarm> residual_alarms() const override {
    return off ? std::vector<ResidualAlarm>{{"lift", "leg 1 deviates"}} : std::vector<ResidualAlarm>{};
  }
  std::atomic<bool> off{false};
};

}  // namespace

TEST_CASE("the truth of virtual devices is kept and an alarm of a residual writes once") {
  const BoxFolder folder;
  Stage stage;
  RecordingOptions options;
  options.incidents = folder / "incidents";
  options.version = "test";
  RecordingWriter writer(options, stage, system_clock(), {});
  {
    std::jthread thread([&](const std::stop_token& stop) { writer.run(stop); });
    REQUIRE(comes_true([&] { return writer.black_box()->seconds > 0.5; }));
    stage.off = true;
    REQUIRE(comes_true([&] { return writer.incidents().size() == 1; }));
    const double before = writer.black_box()->seconds;
    REQUIRE(comes_true([&] { return writer.black_box()->seconds > before + 0.5; }));  // it lasts
    stage.off = false;
    REQUIRE(comes_true([&] { return writer.black_box()->seconds > before + 1; }));
    stage.off = true;
    REQUIRE(comes_true([&] { return writer.incidents().size() == 2; }));
  }
  writer.finish();
  CHECK(writer.incidents().front().cause == "residual");
  CHECK(writer.incidents().front().text == "leg 1 deviates");
  const auto reader = opened(folder.only());
  auto cursor = reader.messages({reader.channels_of("/tandem/lift/truth")});
  std::size_t count = 0;
  double before = 0;
  for (auto next = cursor.next(); next && *next; next = cursor.next(), ++count) {
    ros2::tandem_msgs::Truth truth;
    REQUIRE(ros2::decode((*next)->data, truth));
    CHECK(truth.machine == "lift");
    CHECK(truth.unit == "m");
    CHECK(truth.speed == 0.5);
    REQUIRE(truth.position.size() == 3);
    CHECK(truth.position[0] > before);
    before = truth.position[0];
  }
  CHECK(count > 3);
}

}  // namespace tandem::runtime
