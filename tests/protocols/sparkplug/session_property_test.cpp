// SPDX-License-Identifier: Apache-2.0
// Random histories of an edge node: connections, losses, refusals, rebirths, links, hosts, commands. Whatever happens,
// the host finds no assertion broken, and what it believes at the end is what is true.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "tandem/protocols/sparkplug/session.hpp"
#include "tests/full.hpp"
#include "tests/protocols/sparkplug/golden.hpp"
#include "tests/protocols/sparkplug/host.hpp"

namespace tandem::sparkplug {
namespace {

class History {
 public:
  explicit History(std::uint64_t seed) : random_(seed), session_(options(), static_cast<std::uint8_t>(seed)) {
    for (const char* name : {"a", "b", "c"}) devices_.push_back({name, true, {}});
    for (Snapshot& device : devices_) device.readings = {reading("x"), reading("y")};
  }

  void step() {
    switch (random_() % 12) {
      case 0:
        if (std::exchange(online_, false)) session_.lost();
        break;
      case 1:
      case 2:
        if (!online_) connect();
        break;
      case 3: {
        Snapshot& device = devices_[random_() % devices_.size()];
        device.alive = !device.alive;
        break;
      }
      case 4:
        if (devices_[0].readings.size() < 30) devices_[0].readings.push_back(reading("n" + std::to_string(made_++)));
        break;
      case 5: {
        Metric metric;
        metric.name = rebirth_metric;
        metric.type = DataType::boolean;
        metric.value = true;
        if (session_.command("spBv1.0/g/NCMD/n", encode({utc_, {metric}, {}}), random_() % 4 == 0).rebirth)
          host_.asks_rebirth();
        break;
      }
      case 6:
        host_online_ = random_() % 3 != 0;
        if (with_host_) tell_host();
        break;
      case 7:
        refusing_ = random_() % 4 == 0;
        break;
      default:
        for (Snapshot& device : devices_)
          for (Reading& each : device.readings)
            if (random_() % 3 == 0) change(each);
    }
    update();
  }

  // Everything is well for long enough.
  void settle() {
    refusing_ = false;
    if (!online_) connect();
    host_online_ = true;
    if (with_host_) tell_host();
    if (!online_) connect(), tell_host();
    for (int i = 0; i < 30; ++i) update();
  }

  void check() const {
    for (const std::string& id : host_.broken) FAIL_CHECK(id);
    REQUIRE(host_.node_alive());
    for (const Snapshot& device : devices_) {
      const auto seen = host_.devices.find(device.device);
      if (!device.alive) {
        CHECK((seen == host_.devices.end() || !seen->second.alive));
        continue;
      }
      REQUIRE(seen != host_.devices.end());
      CHECK(seen->second.alive);
      for (const Reading& each : device.readings) {
        const auto value = seen->second.values.find(each.name);
        REQUIRE(value != seen->second.values.end());
        if (!each.stale) CHECK(value->second == each.value);
      }
    }
    CHECK(session_.store().size() <= 50);
  }

 private:
  NodeOptions options() {
    with_host_ = random_() % 2 == 0;
    NodeOptions made;
    made.name = {"g", "n"};
    made.primary_host = with_host_ ? "h" : "";
    made.store = random_() % 2 == 0 ? 50 : 0;
    made.stop_command = random_() % 2 == 0;
    made.devices = {"a", "b", "c"};
    return made;
  }
  Reading reading(std::string name) { return {std::move(name), DataType::float64, "m", 1.0, false, false}; }
  void change(Reading& each) {
    each.value = static_cast<double>(random_() % 1000);
    each.stale = random_() % 10 == 0;
  }
  void connect() {
    const Outgoing will = session_.greet(utc_);
    host_.connects(will.topic, will.payload, will.qos, false);
    session_.connected();
    online_ = true;
    if (with_host_) host_.primary(false);
    if (with_host_) tell_host();  // it is retained
  }
  void tell_host() {
    if (!online_) return;
    host_.primary(host_online_);
    if (!session_.host(host_online_, ++host_time_)) return;
    if (const auto death = session_.farewell(utc_)) host_.hears(death->topic, death->payload, death->qos, false);
    host_.disconnects();
    session_.lost();
    online_ = false;
  }
  void update() {
    utc_ += 100 + random_() % 900;
    session_.update(devices_, utc_, [this](const Outgoing& message) {
      REQUIRE(online_);
      if (refusing_ && random_() % 2 == 0) return false;
      host_.hears(message.topic, message.payload, message.qos, false);
      return true;
    });
  }

  std::mt19937_64 random_;
  bool with_host_ = false;
  Session session_;
  Host host_{"g", "n"};
  std::vector<Snapshot> devices_;
  std::uint64_t utc_ = golden::time, host_time_ = 1;
  bool online_ = false, host_online_ = true, refusing_ = false;
  int made_ = 0;
};

}  // namespace

TEST_CASE("over random histories no assertion is broken, and the host ends up with the truth") {
  for (int seed = 1; seed <= count(300, 5000); ++seed) {
    CAPTURE(seed);
    History history(static_cast<std::uint64_t>(seed));
    for (int i = 0; i < 150; ++i) history.step();
    history.settle();
    history.check();
  }
}

}  // namespace tandem::sparkplug
