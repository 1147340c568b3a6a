// SPDX-License-Identifier: Apache-2.0
// A session of our edge node for another decoder: prints "TOPIC HEX" for each message. With arguments it reads those
// as payloads, in hexadecimal, and prints what is in them.
#include <fmt/format.h>

#include <span>

#include "tandem/protocols/sparkplug/session.hpp"
#include "tests/protocols/sparkplug/golden.hpp"

namespace {

using namespace tandem::sparkplug;

void show(const Outgoing& message) { fmt::print("{} {}\n", message.topic, golden::hex(message.payload)); }

std::string text_of(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *whole);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return "null";
}

int read(std::span<char*> payloads) {
  for (const char* hex : payloads) {
    const auto payload = decode(golden::bytes(hex));
    if (!payload) {
      fmt::print("error {}\n", payload.error().text);
      continue;
    }
    for (const Metric& metric : payload->metrics)
      fmt::print("{} {} {}\n", metric.name, static_cast<int>(metric.type), text_of(metric.value));
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1) return read({arguments + 1, static_cast<std::size_t>(count - 1)});
  NodeOptions options;
  options.name = {"lab", "cell1"};
  options.stop_command = true;
  options.store = 10;
  Session session(options, 7);
  show(session.greet(golden::time));
  session.connected();
  std::vector<Snapshot> devices = {{"lift",
                                    true,
                                    {{"State", DataType::string, "", std::string("live"), false, false},
                                     {"Armed", DataType::boolean, "", true, false, false},
                                     {"Values/speed", DataType::float64, "m/s", -0.25, false, false},
                                     {"Last fault", DataType::string, "", Value(), false, false},
                                     {"Link/Samples", DataType::int64, "", std::int64_t{1} << 40, false, true}}}};
  const Send send = [](const Outgoing& message) { return show(message), true; };
  session.update(devices, golden::time + 1, send);
  devices[0].readings[2].value = 1.5;
  session.update(devices, golden::time + 500, send);
  for (auto& reading : devices[0].readings) reading.stale = reading.name == "Values/speed";
  session.update(devices, golden::time + 1000, send);
  session.lost();
  devices[0].readings[2].stale = false;
  devices[0].readings[2].value = 2.5;
  session.update(devices, golden::time + 1500, send);
  show(session.greet(golden::time + 2000));
  session.connected();
  session.update(devices, golden::time + 2500, send);
  devices[0].alive = false;
  devices[0].readings[0].value = std::string("down");
  session.update(devices, golden::time + 3000, send);
  show(*session.farewell(golden::time + 3500));
  return 0;
}
