// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <string>

#include "tandem/machines/generic/virtual/recorded.hpp"
#include "tandem/record/mcap_writer.hpp"

using namespace tandem;
using namespace tandem::generic;

namespace {

// Values every 0.1 s, after half a second in which another topic had one; CDR as ROS 2 writes it.
std::string written(const std::string& topic, std::initializer_list<double> values,
                    const std::string& other = "/other/x") {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("recorded_" + std::to_string(::getpid()) + ".mcap")).string();
  std::filesystem::remove(path);
  auto writer = record::McapWriter::create(path);
  REQUIRE(writer);
  const auto put = [&](const std::string& name, std::uint64_t time, double value) {
    record::ChannelInfo info;
    info.topic = name;
    info.encoding = "cdr";
    info.schema_name = "std_msgs/msg/Float64";
    info.schema_encoding = "ros2msg";
    info.schema = "float64 data\n";
    const auto channel = writer->channel(info);
    REQUIRE(channel);
    std::array<std::uint8_t, 12> data{0, 1, 0, 0};
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (std::size_t i = 0; i < 8; ++i) data[4 + i] = static_cast<std::uint8_t>(bits >> (8 * i));
    REQUIRE(writer->message({.channel = *channel, .log_time = time, .publish_time = time, .data = data}));
  };
  std::uint64_t time = 1'000'000'000'000;
  put(other, time, 1);
  time += 500'000'000;
  for (const double value : values) {
    put(topic, time, value);
    time += 100'000'000;
  }
  REQUIRE(writer->finish());
  return path;
}

}  // namespace

TEST_CASE("A signal repeats what a recording has of it, in the unit of the file") {
  const std::string path = written("/lab/belts_1/fSpeed", {2e5, 3e5, 1e5});
  Sim sim;
  sim.kind = Sim::Kind::recording;
  sim.text = path;
  const auto behaviour = make_behaviour(sim, {.si_scale = 1e5, .name = "belts[1].fSpeed"});  // bar of Pa
  const auto at = [&](double t) { return behaviour->next({.t = t, .dt = 0.001}); };
  CHECK(at(0) == doctest::Approx(2));  // before its first one
  CHECK(at(0.5) == doctest::Approx(2));
  CHECK(at(0.599) == doctest::Approx(2));
  CHECK(at(0.6) == doctest::Approx(3));
  CHECK(at(9) == doctest::Approx(1));
  CHECK_THROWS_AS((void)make_behaviour(sim, {.name = "another"}), std::invalid_argument);
  sim.text = path + ".none";
  CHECK_THROWS_AS((void)make_behaviour(sim, {.name = "belts[1].fSpeed"}), std::invalid_argument);
  std::filesystem::remove(path);
}

TEST_CASE("Of machines with a signal of the same name the own one counts, otherwise the only one") {
  const std::string path = written("/left/pressure", {2}, "/right/pressure");
  Sim sim;
  sim.kind = Sim::Kind::recording;
  sim.text = path;
  const auto first = [&](const std::string& node) {
    return make_behaviour(sim, {.name = "pressure", .node = node})->next({.t = 0, .dt = 0.001});
  };
  CHECK(first("/left") == 2);
  CHECK(first("/right") == 1);
  CHECK_THROWS_WITH_AS(
      (void)first("/press"),
      doctest::Contains("expected /press/pressure, or one topic that ends in /pressure, got /left/pressure, "
                        "/right/pressure"),
      std::invalid_argument);
  std::filesystem::remove(path);
}
