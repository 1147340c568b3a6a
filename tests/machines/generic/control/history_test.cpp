// SPDX-License-Identifier: Apache-2.0
// Random lives of a machine against a model of what may be written, which knows nothing of how writes come about.
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <vector>

#include "tests/machines/generic/control/rig.hpp"

namespace tandem::generic::test {
namespace {

constexpr double cycle_time = 0.05;  // s
constexpr double watchdog = 0.22;    // s, of the speed

// Numbers on a register and in floating point, with and without rate and watchdog; a level and a pulse; a number whose
// type only the device knows.
Description plant() {
  Description plant;
  plant.name = "plant";
  plant.cycle = cycle_time;
  Declaration place = number("place", "mm", Type::int16);
  place.write = limited(-50, 200, 100);
  Declaration speed = number("speed", "m/s", Type::float64);
  speed.write = limited(-1, 1, 2);
  speed.write->idle = Output::Idle::zero;
  speed.write->watchdog = watchdog;
  Declaration gain = number("gain", "", Type::float64);
  gain.write = limited(0, 10, std::nullopt);
  gain.write->idle = Output::Idle::leave;
  gain.write->watchdog = watchdog;
  Declaration lamp = number("lamp", "", Type::bit);
  lamp.write.emplace();
  lamp.write->level = Output::Level::level;
  Declaration start = number("start", "", Type::bit);
  start.write.emplace();
  start.write->level = Output::Level::pulse;
  start.write->pulse = 0.12;
  Declaration parts = number("parts", "", Type::unknown);
  parts.write = limited(0, 1.5, 5);
  Declaration door = number("door", "", Type::bit);
  plant.signals = {place, speed, gain, lamp, start, parts, door};
  for (std::size_t i = 0; i < plant.signals.size(); ++i)
    plant.signals[i].at = ModbusPlace{ModbusTable::holding, static_cast<std::uint16_t>(10 * i), -1};
  plant.enable = "door";
  plant.on_stop = {{"speed", 0}, {"lamp", 0}};
  return plant;
}

// The same lives in every run, unless the environment asks for others.
const bool seeded = setenv("RC_PARAMS", "seed=7 max_success=200", 0) == 0;

struct Given {
  Instant at;
  double value;
};

// What has been allowed to the machine so far, in the words of the rules.
class Model {
 public:
  explicit Model(const Description& description) : description_(description), outputs_(6) {}

  void armed() {
    for (Of& each : outputs_) each = {};
  }
  void given(std::size_t output, double value, Instant at) { outputs_[output].given.push_back({at, value}); }
  void stopped() { ++stops_; }

  void judge(const FakeDevice::Arrival& arrival, const std::vector<double>& before) {
    if (arrival.stopped) return judge_on_stop(arrival);
    RC_ASSERT(arrival.armed);
    const Declaration& signal = description_.signals[arrival.declaration];
    Of& output = outputs_[arrival.declaration];
    RC_ASSERT(!output.given.empty());
    const Output& rules = *signal.write;
    if (rules.level != Output::Level::number) {
      RC_ASSERT(arrival.value == 0 || arrival.value == 1);
      if (arrival.value == 1) RC_ASSERT(was_given(output, 1));
      return;
    }
    RC_ASSERT(arrival.value >= rules.limits.lowest && arrival.value <= rules.limits.highest);
    const bool whole = signal.type == Type::int16 || signal.type == Type::unknown;
    const double step = whole ? 1 : 0;
    if (whole) RC_ASSERT(arrival.value == std::round(arrival.value));
    const double age = seconds(arrival.at - output.given.back().at);
    const bool idle = rules.watchdog && age > *rules.watchdog + 1e-9;
    if (idle) RC_ASSERT(rules.idle == Output::Idle::zero);  // leave: nothing more
    if (!rules.rate) {
      RC_ASSERT(was_given(output, arrival.value));
    } else {
      const double from = output.last ? output.last->value : before[arrival.declaration];
      const double dt = output.last ? seconds(arrival.at - output.last->at) : cycle_time;
      RC_ASSERT(std::abs(arrival.value - from) <= *rules.rate * dt + step + 1e-9);
      // Never away from everything that was asked for.
      double low = from, high = from;
      for (const Given& given : output.given) {
        low = std::min(low, given.value);
        high = std::max(high, given.value);
      }
      if (idle) low = std::min(low, 0.0), high = std::max(high, 0.0);
      RC_ASSERT(arrival.value >= low - step - 1e-9 && arrival.value <= high + step + 1e-9);
      if (idle) RC_ASSERT(std::abs(arrival.value) <= std::abs(from) + 1e-9);
    }
    output.last = Given{arrival.at, arrival.value};
  }

 private:
  struct Of {
    std::vector<Given> given;   // since the arm, while it was armed
    std::optional<Given> last;  // written
  };

  static bool was_given(const Of& output, double value) {
    return std::ranges::any_of(output.given, [&](const Given& given) { return given.value == value; });
  }
  void judge_on_stop(const FakeDevice::Arrival& arrival) {
    RC_ASSERT(!arrival.armed);
    RC_ASSERT(arrival.value == 0);
    RC_ASSERT(arrival.declaration == 1 || arrival.declaration == 3);
    ++on_stop_[arrival.declaration];
    RC_ASSERT(on_stop_[arrival.declaration] <= stops_);
  }

  const Description& description_;
  std::vector<Of> outputs_;
  std::map<std::size_t, int> on_stop_;
  int stops_ = 0;
};

struct Step {
  int what = 0;
  std::size_t output = 0;
  double value = 0;
};

class Life {
 public:
  Life() : rig_(plant()), model_(*rig_.description) {
    rig_.at("door") = 1;
    rig_.connect();
    cycle();
  }

  std::size_t writes() const { return rig_.device.arrivals.size(); }

  void take(const Step& step) {
    using Answer = FakeDevice::Answer;
    switch (step.what) {
      case 0: {
        static constexpr const char* names[] = {"place", "speed", "gain", "lamp", "start", "parts"};
        const std::size_t output = step.output % 6;
        const bool bit = output == 3 || output == 4;
        const double value = bit ? std::round(std::abs(step.value)) : step.value * (output == 0 ? 100 : 1.5);
        if (rig_.post(names[output], value)) model_.given(output, value, rig_.clock.now());
        break;
      }
      case 1:
        if (step.output % 4 != 0) {  // mostly all is well again
          rig_.at("door") = 1;
          rig_.device.answers = true;
          rig_.device.answer = Answer::takes;
          if (rig_.stopped) rig_.reset();
          cycle();
        }
        if (!rig_.armed && !rig_.stopped) model_.armed();
        rig_.arm();
        break;
      case 2:
        rig_.disarm();
        break;
      case 3:
        if (!rig_.stopped) model_.stopped();
        rig_.stop();
        break;
      case 4:
        rig_.reset();
        break;
      case 5:
        rig_.device.answer = static_cast<Answer>(step.output % 5);
        break;
      case 6:
        rig_.device.answer = Answer::takes;
        break;
      case 7:
        rig_.at("door") = step.output % 3 == 0 ? std::nan("") : static_cast<double>(step.output % 2);
        break;
      case 8:  // moved by hand
        rig_.device.values[step.output % 3] = step.value * 3;
        break;
      case 9:
        rig_.device.answers = step.output % 2 == 0;
        break;
      case 10:
        rig_.device.there = false;
        break;
      case 11:
        rig_.clock.advance(duration_of(std::abs(step.value)));
        break;
      default:
        break;
    }
    cycle();
  }

 private:
  void cycle() {
    if (!rig_.device.there && ++away_ > 2) {
      away_ = 0;
      rig_.device.there = true;
    }
    const std::vector<double> before = rig_.device.values;
    const std::size_t known = rig_.device.arrivals.size();
    const bool was_stopped = rig_.stopped;
    if (!linked_) linked_ = rig_.machine->connect(rig_.clock.now() + 1s).ok();
    if (!linked_) return rig_.clock.advance(duration_of(cycle_time));
    rig_.lost.clear();
    (void)rig_.cycle();
    if (!rig_.lost.empty()) linked_ = false;
    for (std::size_t i = known; i < rig_.device.arrivals.size(); ++i) model_.judge(rig_.device.arrivals[i], before);
    if (rig_.stopped && !was_stopped) model_.stopped();  // by the machine itself
  }

  Rig rig_;
  Model model_;
  int away_ = 0;
  bool linked_ = true;
};

rc::Gen<Step> any_step() {
  // Commands, arms and healthy devices come often enough that something is written.
  const auto what = rc::gen::weightedElement<int>(
      {{24, 0}, {8, 1}, {1, 2}, {1, 3}, {1, 4}, {1, 5}, {1, 6}, {1, 7}, {1, 8}, {1, 9}, {1, 10}, {1, 11}, {20, 12}});
  return rc::gen::map(rc::gen::tuple(what, rc::gen::inRange<std::size_t>(0, 30), rc::gen::inRange(-1000, 1001)),
                      [](const std::tuple<int, std::size_t, int>& t) {
                        return Step{std::get<0>(t), std::get<1>(t), std::get<2>(t) / 400.0};
                      });
}

}  // namespace

TEST_CASE("over random lives no write is outside limits or rate, disarmed, too old, or of a value nobody gave") {
  REQUIRE(seeded);
  std::size_t written = 0;
  CHECK(rc::check("no write breaks a rule", [&] {
    Life life;
    const auto steps = *rc::gen::container<std::vector<Step>>(120, any_step());
    for (const Step& step : steps) life.take(step);
    written += life.writes();
  }));
  CHECK(written > 2000);
}

}  // namespace tandem::generic::test
