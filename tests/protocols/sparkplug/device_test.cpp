// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/sparkplug/device.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace tandem::sparkplug {
namespace {

constexpr std::uint64_t t = 1'700'000'000'000;

Reading number(std::string name, double value, bool stale = false) {
  return {std::move(name), DataType::float64, "m", value, stale, false};
}
Reading counter(std::int64_t value) { return {"count", DataType::int64, "", value, false, true}; }

Property quality_of(const Sample& sample) {
  const Metric metric = metric_from(sample, false);
  REQUIRE(metric.properties.size() == 1);
  return metric.properties[0];
}

}  // namespace

TEST_CASE("only what has changed by more than its dead band is told, and once") {
  std::uint64_t aliases = 0;
  Device device("lift", false, aliases);
  device.take({number("x", 10.0), number("y", 0)});
  CHECK(device.birth(t).size() == 2);
  CHECK(device.changes(t + 1).empty());
  device.birth_due = false;
  device.take({number("x", 10.005), number("y", 0)});  // within 0.1 %
  CHECK_FALSE(device.birth_due);
  CHECK(device.changes(t + 2).empty());
  device.take({number("x", 10.02), number("y", 0)});
  const auto changed = device.changes(t + 3);
  REQUIRE(changed.size() == 1);
  CHECK(changed[0].value == Value(10.02));
  CHECK(changed[0].alias == 1);
  CHECK(device.changes(t + 4).empty());
}

TEST_CASE("a slow drift is told once it has added up") {
  std::uint64_t aliases = 0;
  Device device("lift", false, aliases);
  device.take({number("x", 1)});
  (void)device.birth(t);
  std::size_t told = 0;
  for (int i = 1; i <= 100; ++i) {
    device.take({number("x", 1 + i * 1e-4)});
    told += device.changes(t + static_cast<std::uint64_t>(i)).size();
  }
  CHECK(told >= 8);
  CHECK(told <= 10);
}

TEST_CASE("counters are told at most every 10 s") {
  std::uint64_t aliases = 0;
  Device device("lift", false, aliases);
  device.take({counter(0)});
  (void)device.birth(t);
  std::size_t told = 0;
  for (int i = 1; i <= 60; ++i) {  // 30 s
    device.take({counter(i)});
    told += device.changes(t + static_cast<std::uint64_t>(i) * 500).size();
  }
  CHECK(told == 3);
}

TEST_CASE("stale is told once with quality 500 and the last value, and good again with 192") {
  std::uint64_t aliases = 0;
  Device device("lift", false, aliases);
  device.take({number("x", 1)});
  (void)device.birth(t);
  device.take({number("x", 1.5, true)});
  auto changed = device.changes(t + 1);
  REQUIRE(changed.size() == 1);
  CHECK(changed[0].value == Value(1.0));
  CHECK(quality_of(changed[0]).value == Value(std::int64_t{500}));
  for (int i = 2; i < 10; ++i) {
    device.take({number("x", i, true)});
    CHECK(device.changes(t + static_cast<std::uint64_t>(i)).empty());
  }
  device.take({number("x", 1)});
  changed = device.changes(t + 20);
  REQUIRE(changed.size() == 1);
  CHECK(quality_of(changed[0]).value == Value(std::int64_t{192}));
}

TEST_CASE("NaN and infinity are null with quality 0") {
  std::uint64_t aliases = 0;
  Device device("lift", false, aliases);
  device.take({number("x", 1), number("y", 1)});
  (void)device.birth(t);
  device.take({number("x", std::nan("")), number("y", std::numeric_limits<double>::infinity())});
  const auto changed = device.changes(t + 1);
  REQUIRE(changed.size() == 2);
  for (const Sample& sample : changed) {
    CHECK(sample.value == Value());
    CHECK(quality_of(sample).value == Value(std::int64_t{0}));
  }
}

TEST_CASE("aliases are of the whole node; a name keeps its type, and another type gets another name") {
  std::uint64_t aliases = 0;
  Device first("a", true, aliases), second("b", true, aliases);
  first.take({number("x", 1)});
  second.take({number("x", 1)});
  second.birth_due = false;
  second.take({{"x", DataType::string, "", std::string("unknown"), false, false}});
  CHECK(second.birth_due);
  std::vector<std::uint64_t> all;
  for (Device* device : {&first, &second})
    for (const Metric& metric : device->birth(t)) all.push_back(*metric.alias);
  CHECK(all == std::vector<std::uint64_t>{1, 3, 2, 4, 5});
  const auto birth = second.birth(t);
  CHECK(birth[2].name == "x/text");
  CHECK(birth[1].value == Value());  // not said any more
}

TEST_CASE("a machine cannot name the stop button, and its metrics are bounded") {
  std::uint64_t aliases = 0;
  Device device("a", true, aliases);
  device.take({{"Device Control/stop", DataType::boolean, "", true, false, false}});
  CHECK(device.birth(t).at(0).value == Value(false));
  std::vector<Reading> many;
  for (int i = 0; i < 5000; ++i) many.push_back(number("v" + std::to_string(i), i));
  device.take(many);
  CHECK(device.size() == 2000);
}

}  // namespace tandem::sparkplug
