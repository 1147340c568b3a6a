// SPDX-License-Identifier: Apache-2.0
// A small world on a socket for other people's Foxglove clients: prints its port, and ends when standard input does.
// With "replay" it plays a recording that is not there. "secret" is the token to control.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>
#include <thread>
#include <utility>

#include "tandem/web/hub/hub.hpp"

using namespace tandem;
using namespace tandem::web;

namespace {

using nlohmann::json;

constexpr std::uint64_t start_ns = 1'700'000'000'000'000'000;

std::vector<std::uint8_t> bytes_of_text(const std::string& text) { return {text.begin(), text.end()}; }

// geometry_msgs/msg/Point, little-endian CDR.
std::vector<std::uint8_t> point(double x, double y, double z) {
  std::vector<std::uint8_t> out;
  ByteWriter writer(out);
  writer.little(std::uint32_t{0x100});
  for (const double value : {x, y, z}) writer.little(value);
  return out;
}

class SmallWorld {
 public:
  explicit SmallWorld(bool replay) : hub_(world(replay)) {
    point_ = hub_.add_channel(
        {"/point", "cdr", "geometry_msgs/msg/Point", "float64 x\nfloat64 y\nfloat64 z\n", "ros2msg", 0});
    echo_ = hub_.add_channel({"/echo", "json", "Echo", "{\"type\":\"object\"}", "jsonschema", 0});
    log_ = hub_.add_channel({"/log", "json", "Log", "{\"type\":\"object\"}", "jsonschema", 2});
    for (int i = 1; i <= 3; ++i) hub_.publish(log_, start_ns, as_bytes(json{{"line", i}}.dump()));
    const ServiceSchema schema{"json", "Numbers", "jsonschema", "{\"type\":\"object\"}"};
    hub_.add_service({"/add", "Add", schema, schema});
    tell_graph();
  }
  Hub& hub() { return hub_; }

 private:
  World world(bool replay) {
    World world;
    world.metadata = {{"tandem", "test"}, {"mode", replay ? "replay" : "live"}};
    world.time = true;
    world.publish = [this](ClientId, const ClientChannel& channel, Bytes message) -> Result<void> {
      const std::string text(message.begin(), message.end());
      hub_.publish(echo_, start_ns, as_bytes(json{{"topic", channel.topic}, {"text", text}}.dump()), false);
      return {};
    };
    world.call = [this](ClientId, std::uint32_t, std::string_view, Bytes request, const ServiceAnswer& answer) {
      const json numbers = json::parse(request.begin(), request.end(), nullptr, false);
      if (!numbers.is_object() || !numbers.contains("a"))
        return answer(Error{Fault::invalid, "expected the numbers a and b", 0});
      later_.push_back([answer, sum = numbers.value("a", 0) + numbers.value("b", 0)] {
        answer(bytes_of_text(json{{"sum", sum}}.dump()));
      });
    };
    world.parameters = [this](const std::vector<std::string>& names) {
      std::vector<Parameter> out;
      for (const auto& [name, value] : values_)
        if (names.empty() || std::find(names.begin(), names.end(), name) != names.end())
          out.push_back({name, value, ""});
      return out;
    };
    world.set_parameter = [this](const Parameter& parameter) -> Result<void> {
      if (!values_.contains(parameter.name) || !parameter.value) return Error{Fault::not_found, "no such parameter", 0};
      values_[parameter.name] = *parameter.value;
      return {};
    };
    world.asset = [](std::string_view uri) -> Result<std::vector<std::uint8_t>> {
      if (uri != "package://tandem/hello") return Error{Fault::not_found, "no such asset", 0};
      return bytes_of_text("hello");
    };
    if (replay) {
      world.data_time = {start_ns, start_ns + 5'500'000'000};
      world.playback = [this](const PlaybackRequest& request) {
        hub_.tell_playback({request.play ? PlaybackState::Status::playing : PlaybackState::Status::paused,
                            request.seek.value_or(start_ns), request.speed, request.seek.has_value(), request.id});
      };
    }
    world.tick = [this] { tick(); };
    return world;
  }

  void tick() {
    const double t = static_cast<double>(++ticks_) / 60;
    const std::uint64_t stamp = start_ns + ticks_ * 16'666'667;
    if (hub_.wanted(point_)) hub_.publish(point_, stamp, point(std::cos(t), std::sin(t), -2.5));
    hub_.tell_time(stamp);
    for (const auto& answer : std::exchange(later_, {})) answer();
    // Once somebody listens to /echo, a channel comes; when nobody does any more, it goes.
    if (hub_.wanted(echo_) == (extra_ != 0)) return;
    if (extra_ == 0) {
      extra_ = hub_.add_channel({"/extra", "json", "", "", "", 0});
    } else {
      hub_.remove_channel(std::exchange(extra_, 0));
    }
    tell_graph();
  }

  void tell_graph() {
    ConnectionGraph graph{{{"/point", {"/world"}}}, {{"/echo", {"/listener"}}}, {{"/add", {"/world"}}}};
    if (extra_ != 0) graph.published.push_back({"/extra", {"/world"}});
    hub_.set_graph(graph);
  }

  ChannelId point_ = 0, echo_ = 0, log_ = 0, extra_ = 0;
  std::uint64_t ticks_ = 0;
  std::map<std::string, std::string> values_ = {{"/world.rate", "60"}, {"/world.name", "\"small\""}};
  std::vector<std::function<void()>> later_;
  Hub hub_;
};

}  // namespace

int main(int count, char** arguments) {
  SmallWorld world(count > 1 && std::string_view(arguments[1]) == "replay");
  ServerOptions options;
  options.listen = "127.0.0.1:0";
  options.access.control_token = "secret";
  Server server(options, world.hub());
  world.hub().attach(server);
  std::jthread thread([&](const std::stop_token& stop) { server.run(stop); });
  std::printf("listening %u\n", unsigned{server.local().port});
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  return 0;
}
