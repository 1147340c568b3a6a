// SPDX-License-Identifier: Apache-2.0
// CPU of this process per message published to a real mosquitto on loopback: our client with its own thread beside a
// bare libmosquitto loop in the calling thread; and what a whole update of an edge node costs.
#include <fmt/format.h>
#include <mosquitto.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <thread>
#include <vector>

#include "bench/side_by_side.hpp"
#include "tandem/protocols/mqtt/client.hpp"
#include "tandem/protocols/sparkplug/session.hpp"
#include "tests/protocols/mqtt/broker.hpp"

namespace {

using namespace tandem;

const std::string payload(200, 'x');  // bytes; about ten metrics of Sparkplug

[[noreturn]] void give_up(const std::string& why) {
  fmt::print(stderr, "bench_mqtt: messages dropped: {}\n", why);
  std::exit(1);
}

// A textbook loop: publish, then let the library read and write.
class Bare {
 public:
  explicit Bare(const mqtt::Broker& broker) : handle_(mosquitto_new("bare", true, nullptr)) {
    mosquitto_connect(handle_, "127.0.0.1", broker.port(), 60);
    for (int i = 0; i < 100; ++i) mosquitto_loop(handle_, 5, 1);
  }
  ~Bare() { mosquitto_destroy(handle_); }
  void publish() {
    mosquitto_publish(handle_, nullptr, "bench/bare", static_cast<int>(payload.size()), payload.data(), 0, false);
    mosquitto_loop(handle_, 0, 1);
  }

 private:
  mosquitto* handle_;
};

// So many messages, then a pause of a millisecond for each of them at most: what a cycle of 1 kHz, or a fleet, does.
template <typename Publish, typename Done>
double window(int messages, int at_once, const Publish& publish, const Done& done) {
  const double start = bench::process_time();
  for (int i = 0; i < messages; i += at_once) {
    for (int k = 0; k < at_once; ++k) publish();
    std::this_thread::sleep_for(1ms);
  }
  while (!done()) std::this_thread::sleep_for(1ms);  // all have left: no window pays for another
  return (bench::process_time() - start) / messages;
}

void beside_bare(const mqtt::Broker& broker, mqtt::Client& client, int at_once, const std::string& name,
                 double at_most_us) {
  Bare bare(broker);
  const int messages = at_once == 1 ? 200 : 40 * at_once;
  const int windows = bench::quick() ? 5 : 60;
  double ours = std::numeric_limits<double>::infinity(), theirs = ours, pause = ours;
  std::vector<double> ratios;
  // The pauses are no part of a message.
  for (int i = 0; i < windows / 2; ++i)
    pause = std::min(pause, window(
                                messages, at_once, [] {}, [] { return true; }));
  for (int i = 0; i < windows; ++i) {
    const double peer = window(
                            messages, at_once, [&] { bare.publish(); }, [] { return true; }) -
                        pause;
    const std::uint64_t sent = client.counters().sent + static_cast<std::uint64_t>(messages);
    const double own = window(
                           messages, at_once,
                           [&] {
                             if (!client.publish({"bench/ours", payload, 0, false})) give_up(client.counters().trouble);
                           },
                           [&] { return client.counters().sent >= sent; }) -
                       pause;
    theirs = std::min(theirs, peer);
    ours = std::min(ours, own);
    ratios.push_back(peer / own);
  }
  fmt::print("{}: ours {:.2f} us, bare libmosquitto {:.2f} us\n", name, ours * 1e6, theirs * 1e6);
  bench::report({.name = name,
                 .peer = "bare libmosquitto",
                 .ours = ours * 1e6,
                 .theirs = theirs * 1e6,
                 .unit = "us",
                 .ratio = theirs / ours,
                 .low = bench::quantile(ratios, 0.1),
                 .high = bench::quantile(ratios, 0.9),
                 .wanted = at_most_us > 0 ? fmt::format("at most {:g} us", at_most_us) : "",
                 .met = at_most_us <= 0 || ours * 1e6 <= at_most_us});
}

// What the calling thread pays: a machine that publishes from its cycle.
void caller(mqtt::Client& client) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < (bench::quick() ? 5 : 60); ++i) {
    const double start = bench::thread_time();
    for (int k = 0; k < 200; ++k) {
      if (!client.publish({"bench/ours", payload, 0, false})) give_up(client.counters().trouble);
    }
    least = std::min(least, (bench::thread_time() - start) / 200);
    while (client.waiting() > 0) std::this_thread::sleep_for(1ms);
  }
  fmt::print("publish(), the caller's part: {:.2f} us\n", least * 1e6);
  bench::report_at_most("publish(), the caller's part", least * 1e6, "us");
}

// Twenty machines of a hundred numbers, a tenth of which change: births aside, numbering and encoding.
void edge_node() {
  sparkplug::NodeOptions options;
  options.name = {"lab", "cell1"};
  sparkplug::Session session(options, 0);
  (void)session.greet(1);
  session.connected();
  std::vector<sparkplug::Snapshot> machines;
  for (int m = 0; m < 20; ++m) {
    sparkplug::Snapshot& machine = machines.emplace_back();
    machine.device = fmt::format("machine{}", m);
    machine.alive = true;
    for (int i = 0; i < 100; ++i)
      machine.readings.push_back(
          {fmt::format("Values/value {}", i), sparkplug::DataType::float64, "m", 1.0, false, false});
  }
  std::size_t bytes = 0, messages = 0;
  const sparkplug::Send send = [&](const sparkplug::Outgoing& message) {
    bytes += message.payload.size();
    ++messages;
    return true;
  };
  std::uint64_t utc = 1'700'000'000'000;
  session.update(machines, utc, send);
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < (bench::quick() ? 20 : 400); ++i) {
    for (auto& machine : machines)
      for (std::size_t k = static_cast<std::size_t>(i) % 10; k < 100; k += 10) machine.readings[k].value = 1.0 + i;
    const double start = bench::thread_time();
    session.update(machines, utc += 500, send);
    least = std::min(least, (bench::thread_time() - start) / 20);
  }
  fmt::print("Sparkplug, a machine with 100 values of which 10 change: {:.2f} us ({} messages, {} bytes)\n",
             least * 1e6, messages, bytes);
  bench::report_at_most("Sparkplug, a machine with 100 values of which 10 change", least * 1e6, "us");
}

}  // namespace

int main() {
  const mqtt::Broker broker;
  mqtt::Loop loop;
  mqtt::Client client(loop, broker.options(), "ours", 60s, {});
  if (!mqtt::eventually([&] { return client.counters().connected; })) return 1;
  beside_bare(broker, client, 1, "one message in a millisecond", 20);
  beside_bare(broker, client, 20, "20 messages in a millisecond", 20);
  caller(client);
  edge_node();
  client.leave({}, now() + 1s);
  return 0;
}
