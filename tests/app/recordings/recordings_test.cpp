// SPDX-License-Identifier: Apache-2.0
// The commands on recordings, as a person runs them, and what takes messages apart.
#include <doctest/doctest.h>

#include "tandem/app/recordings/leaves.hpp"
#include "tandem/app/recordings/schema_text.hpp"
#include "tandem/ros2/messages/registry.hpp"
#include "tandem/ros2/types/message_text.hpp"
#include "tests/app/process.hpp"
#include "tests/record/recording.hpp"

namespace tandem::app {
namespace {

ros2::Value scalar_value(const std::string& text) { return {.kind = ros2::Value::Kind::scalar, .scalar = text}; }

std::vector<std::uint8_t> point_cdr(double x, double y) {
  const auto type = ros2::make_dynamic_type(*ros2::find_type("geometry_msgs/msg/Point"));
  REQUIRE(type.ok());
  const auto written =
      ros2::write_message(*type, {.kind = ros2::Value::Kind::map,
                                  .names = {"x", "y"},
                                  .items = {scalar_value(std::to_string(x)), scalar_value(std::to_string(y))}});
  REQUIRE(written.ok());
  return *written;
}

// Ten points at 10 Hz, and two texts of JSON.
void write_recording(const std::string& path) {
  auto writer = record::McapWriter::create(path);
  REQUIRE(writer.ok());
  const auto text = ros2::ros2msg_text("geometry_msgs/msg/Point");
  REQUIRE(text.ok());
  const auto points = writer->channel({.topic = "/point",
                                       .encoding = "cdr",
                                       .schema_name = "geometry_msgs/msg/Point",
                                       .schema_encoding = "ros2msg",
                                       .schema = *text});
  const auto notes = writer->channel({.topic = "/note", .encoding = "json"});
  REQUIRE((points.ok() && notes.ok()));
  for (std::uint32_t i = 0; i < 10; ++i) {
    const auto cdr = point_cdr(i, -2.5);
    const std::uint64_t time = 1'700'000'000'000'000'000u + i * 100'000'000u;
    REQUIRE(
        writer->message({.channel = *points, .sequence = i, .log_time = time, .publish_time = time, .data = cdr}).ok());
    if (i % 5 == 0) REQUIRE(writer->flush().ok());
  }
  for (const std::string note : {R"({"a":{"b":[1,2]},"t":"x,\"y\""})", R"({"a":{"b":[1,2,3]},"ok":true})"}) {
    REQUIRE(writer->message({.channel = *notes, .log_time = 1'700'000'001'000'000'000u, .data = as_bytes(note)}).ok());
  }
  REQUIRE(writer->finish().ok());
}

struct Told {
  int code = 0;
  std::string output;
};

Told tell(const std::vector<std::string>& arguments) {
  Process process(TANDEM_PROGRAM, arguments);
  const int code = process.finish(60s);
  return {code, process.output()};
}

std::string file_text(const std::string& path) {
  const auto bytes = record::file_bytes(path);
  return {bytes.begin(), bytes.end()};
}

// The same fields in the same order, all the way down. Names of nested types do not count: a text says
// "control_msgs/Goal" of a message and of a part of an action alike.
bool same_shape(const ros2::DynamicType& a, const ros2::DynamicMessage& one, const ros2::DynamicType& b,
                const ros2::DynamicMessage& other) {
  if (one.fields.size() != other.fields.size()) return false;
  for (std::size_t i = 0; i < one.fields.size(); ++i) {
    const auto& x = one.fields[i];
    const auto& y = other.fields[i];
    if (x.name != y.name || x.kind != y.kind || x.shape != y.shape || x.capacity != y.capacity ||
        x.text_capacity != y.text_capacity)
      return false;
    if (x.kind == ros2::DynamicKind::message && !same_shape(a, a.messages[x.message], b, b.messages[y.message]))
      return false;
  }
  return true;
}
bool same_shape(const ros2::DynamicType& a, const ros2::DynamicType& b) { return same_shape(a, a.root(), b, b.root()); }

TEST_CASE("every type that we know comes back from its text") {
  for (const std::string& name : ros2::known_types()) {
    CAPTURE(name);
    const auto text = ros2::ros2msg_text(name);
    if (!text) continue;  // a service or an action as a whole
    const auto ours = ros2::make_dynamic_type(*ros2::find_type(name));
    REQUIRE(ours.ok());
    const auto read = type_from_text(name, *text);
    if (!read) FAIL(read.error().text);
    CHECK(same_shape(*read, *ours));
    const auto again = type_from_text(name, text_from_type(*ours));
    REQUIRE(again.ok());
    CHECK(same_shape(*again, *ours));
  }
}

TEST_CASE("a text as people write it is read with its comments and constants") {
  const auto type = type_from_text("demo/msg/Thing",
                                   "# what it is\nHeader header\nuint8 KIND=3 # a constant\nstring<=5 name \"x\"\n"
                                   "Part[<=2] parts\nfloat64[3] at\n================\nMSG: demo/Part\nint32 n\n"
                                   "===\nMSG: std_msgs/Header\ntime stamp\nstring frame_id\n===\n"
                                   "MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n");
  if (!type) FAIL(type.error().text);
  CHECK(type->root().fields.size() == 4);
  CHECK(type->messages.size() == 4);
  for (const std::string bad :
       {"float64", "float64[x] a", "string<=z a", "[] a", "int8<=3 a", "float64 a\n===\nfloat64 b"}) {
    CAPTURE(bad);
    CHECK_FALSE(type_from_text("demo/msg/Thing", bad).ok());
  }
}

TEST_CASE("a text of endless fields is refused before it takes the memory") {
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += "int8 a" + std::to_string(i) + "\n";
  const auto fields = type_from_text("demo/msg/Thing", many);
  REQUIRE_FALSE(fields.ok());
  CHECK(fields.error().text.find("at most 10000 fields") != std::string::npos);
  std::string types = "int8 a\n";
  for (int i = 0; i < 20'000; ++i) types += "===\nMSG: demo/T" + std::to_string(i) + "\n";
  CHECK_FALSE(type_from_text("demo/msg/Thing", types).ok());
}

TEST_CASE("info repair and export tell what a recording holds") {
  const record::Folder folder;
  const std::string file = folder / "run.mcap";
  write_recording(file);
  Told told = tell({"info", file});
  CAPTURE(told.output);
  CHECK(told.code == 0);
  CHECK(told.output.find("geometry_msgs/msg/Point") != std::string::npos);
  CHECK(told.output.find("12 messages") != std::string::npos);
  CHECK(told.output.find("The file is complete") != std::string::npos);
  CHECK(tell({"info", file, "--json", "--check"}).output.find("\"whole\": true") != std::string::npos);
  CHECK(tell({"repair", file}).output.find("nothing to repair") != std::string::npos);

  told = tell({"export", file, "--topic", "/point", "--out", folder / "p.csv"});
  CHECK(told.code == 0);
  const std::string csv = file_text(folder / "p.csv");
  CHECK(csv.starts_with("log_time,publish_time,x,y,z\n1700000000.000000000,1700000000.000000000,0,-2.5,0\n"));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 11);
  told = tell({"export", file, "--topic", "/note"});
  CHECK(told.output.find("a.b.0,a.b.1,a.b.2,") != std::string::npos);
  CHECK(told.output.find("\"x,\"\"y\"\"\"") != std::string::npos);
  CHECK(tell({"export", file, "--topic", "/pont"}).output.find("/point") != std::string::npos);

  const auto bytes = record::file_bytes(file);
  record::write_bytes(folder / "cut.mcap", Bytes(bytes).first(bytes.size() / 2));
  told = tell({"info", folder / "cut.mcap"});
  CHECK(told.code == 1);
  CHECK(told.output.find("tandem repair") != std::string::npos);
  CHECK(tell({"export", folder / "cut.mcap", "--topic", "/point", "--out", folder / "cut.csv"}).code == 1);
  CHECK(file_text(folder / "cut.csv").size() > 100);
  CHECK(tell({"plot", folder / "cut.mcap", "/point.x", "--out", folder / "cut.svg"}).code == 1);
  told = tell({"replay", folder / "cut.mcap", "--web", "off", "--all-topics", "--fast"});
  CHECK(told.output.find("messages published") != std::string::npos);
  CHECK(told.code == 1);
  told = tell({"repair", folder / "cut.mcap"});
  CHECK(told.code == 0);
  CHECK(tell({"info", folder / "cut_repaired.mcap", "--check"}).code == 0);
  CHECK(tell({"info", folder / "p.csv"}).output.find("expected an MCAP file") != std::string::npos);
}

TEST_CASE("a recording that ends within a chunk counts only what can be read and says what repair saves") {
  const record::Folder folder;
  auto writer = record::McapWriter::create(folder / "run.mcap", {.compressed = false});
  REQUIRE(writer.ok());
  for (std::uint32_t i = 0; i < 20; ++i) {
    REQUIRE(record::write_kept(*writer, {"/a", i, i, i, R"({"a":1})"}).ok());
    if (i == 9) REQUIRE(writer->flush().ok());
  }
  const std::uint64_t first = writer->size();
  REQUIRE(writer->flush().ok());
  const auto bytes = record::file_bytes(folder / "run.mcap");
  record::write_bytes(folder / "torn.mcap", Bytes(bytes).first(first + (bytes.size() - first) / 2));
  const Told told = tell({"info", folder / "torn.mcap"});
  CAPTURE(told.output);
  CHECK(told.code == 1);
  CHECK(told.output.find(" 10 messages in 1 chunks") != std::string::npos);
  CHECK(told.output.find("more messages at its truncated end") != std::string::npos);
  CHECK(tell({"info", folder / "torn.mcap", "--json"}).output.find("messages_in_torn_chunk") != std::string::npos);
}

TEST_CASE("info tells a topic once that was published and heard") {
  const record::Folder folder;
  auto writer = record::McapWriter::create(folder / "run.mcap");
  REQUIRE(writer.ok());
  for (const char* direction : {"in", "out"}) {
    const auto id = writer->channel({.topic = "/a", .encoding = "json", .metadata = {{"direction", direction}}});
    REQUIRE(id.ok());
    for (std::uint64_t i = 0; i < 5; ++i)
      REQUIRE(writer->message({.channel = *id, .log_time = i, .data = as_bytes("{}")}).ok());
  }
  REQUIRE(writer->finish().ok());
  const std::string told = tell({"info", folder / "run.mcap", "--json"}).output;
  CAPTURE(told);
  CHECK(told.find("\"messages\": 10") != told.rfind("\"messages\": 10"));  // of the file, and of its one topic
  CHECK(told.find("\"topic\"") == told.rfind("\"topic\""));
}

TEST_CASE("a replay without a page publishes everything to its end") {
  const record::Folder folder;
  write_recording(folder / "run.mcap");
  const Told told = tell({"replay", folder / "run.mcap", "--web", "off", "--all-topics", "--fast"});
  CAPTURE(told.output);
  CHECK(told.code == 0);
  CHECK(told.output.find("10 messages published") != std::string::npos);
}

TEST_CASE("plot lists signals and draws those that are chosen") {
  const record::Folder folder;
  const std::string file = folder / "run.mcap";
  write_recording(file);
  Told told = tell({"plot", file, "--list"});
  CHECK(told.output.find("/point.x\n") != std::string::npos);
  CHECK(told.output.find("/note.a.b.1\n") != std::string::npos);
  told = tell({"plot", file, "/point.x", "/note.a", "--out", folder / "x.svg"});
  CAPTURE(told.output);
  CHECK(told.code == 0);
  CHECK(file_text(folder / "x.svg").find("<svg") != std::string::npos);
  CHECK(tell({"plot", file, "/point.x"}).code == 2);
  CHECK(tell({"plot", file, "/point.nothing", "--out", folder / "y.svg"}).code == 1);
  CHECK(tell({"plot", file, "/point.x", "--out", folder / "y.txt"}).code == 2);
}

}  // namespace
}  // namespace tandem::app
