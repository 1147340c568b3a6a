// SPDX-License-Identifier: Apache-2.0
// A described machine over a device that a test holds in its hand, on a clock that only the test moves.
#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tandem/machines/generic/control/machine.hpp"
#include "tandem/machines/generic/device/judge.hpp"
#include "tandem/machines/generic/units.hpp"

namespace tandem::generic::test {

inline Declaration number(std::string name, std::string unit = "", Type type = Type::float64) {
  Declaration signal;
  signal.name = std::move(name);
  signal.unit = std::move(unit);
  signal.type = type;
  return signal;
}

inline Output limited(double low, double high, std::optional<double> rate) {
  Output output;
  output.limits = {low, high};
  output.rate = rate;
  return output;
}

// As a link would lay them out.
inline Signal signal_of(const Declaration& declared, std::size_t index, double cycle) {
  Signal signal;
  signal.name = declared.name;
  signal.declaration = index;
  signal.type = declared.type == Type::unknown ? Type::int16 : declared.type;  // as this device has it
  signal.count = declared.count;
  signal.scale = declared.scale;
  signal.offset = declared.offset;
  signal.unit = declared.unit;
  if (const auto unit = unit_named(declared.unit)) {
    signal.si_scale = unit->scale;
    signal.si_offset = unit->offset;
  }
  signal.expect = declared.expect;
  signal.names = declared.names;
  signal.bits = declared.bits;
  signal.period = std::max(declared.every.value_or(cycle), cycle);
  signal.critical = declared.critical.value_or(false);
  signal.optional = declared.optional;
  signal.hidden = declared.hidden;
  const bool integer = signal.type != Type::float32 && signal.type != Type::float64;
  if (declared.type == Type::text) {
    signal.kind = Kind::text;
  } else if (declared.type == Type::bit) {
    signal.kind = Kind::bit;
  } else if (!declared.names.empty()) {
    signal.kind = Kind::enumeration;
  } else if (!declared.bits.empty()) {
    signal.kind = Kind::bit_field;
  } else if (integer && declared.scale == 1 && declared.offset == 0 && declared.unit.empty()) {
    signal.kind = Kind::integer;
  }
  return signal;
}

// The device: what it has, what it does next, and everything that reached it.
struct FakeDevice {
  struct Arrival {
    std::size_t declaration;
    double value;
    Instant at;
    bool armed, stopped;  // the latch at that time
    std::size_t group;    // requests, counted
  };
  enum class Answer { takes, refuses, silent, silent_but_takes, ignores };

  std::vector<double> values;  // in the unit of the file, of each declaration; NaN is bad
  std::vector<std::string> texts;
  Answer answer = Answer::takes;
  bool there = true, answers = true, beat_refused = false;
  std::function<void()> on_scan, on_write;  // what happens meanwhile
  std::vector<Arrival> arrivals;
  std::vector<std::uint32_t> beats;
  std::size_t requests = 0;
};

class FakeLink final : public Link {
 public:
  FakeLink(std::shared_ptr<const Description> description, FakeDevice& device, const Clock& clock,
           const std::atomic<bool>& armed, const std::atomic<bool>& stopped)
      : description_(std::move(description)), device_(device), clock_(clock), armed_(armed), stopped_(stopped) {
    std::size_t first = 0, text = 0;
    for (std::size_t i = 0; i < description_->signals.size(); ++i) {
      Signal signal = signal_of(description_->signals[i], i, description_->cycle);
      if (signal.kind == Kind::text) {
        signal.text = text++;
      } else {
        signal.first = first;
        first += signal.count;
      }
      signals_.push_back(std::move(signal));
    }
    device_.values.resize(signals_.size(), 0);
    device_.texts.resize(signals_.size());
  }

  Result<void> connect(Instant) override {
    if (!device_.there) return Error{Fault::refused, "nothing listens there"};
    open_ = true;
    return {};
  }
  void disconnect() noexcept override { open_ = false; }
  bool open() const override { return open_; }
  const std::vector<Signal>& signals() const override { return signals_; }

  Result<Scan> scan(Instant now, Readings& readings, Instant) override {
    if (!device_.there) return Error{Fault::closed, "closed by the device"};
    Scan scan;
    scan.requests = 1;
    ++counters_.requests;
    if (!device_.answers) {
      ++counters_.timeouts;
      return scan;
    }
    if (device_.on_scan) device_.on_scan();
    scan.readable = now;
    for (std::size_t i = 0; i < signals_.size(); ++i) read(i, now, readings);
    scan.answered = static_cast<std::uint32_t>(signals_.size());
    return scan;
  }

  Result<void> write(std::span<const Write> writes, std::vector<Written>& outcomes, Instant) override {
    if (!device_.there) return Error{Fault::closed, "closed by the device"};
    ++device_.requests;
    for (const Write& write : writes) {
      device_.arrivals.push_back({write.declaration, write.value, clock_.now(), armed_, stopped_, device_.requests});
      outcomes.push_back({write.declaration, take(write)});
    }
    if (device_.on_write) device_.on_write();
    return {};
  }
  Result<void> beat(std::uint32_t count, Instant) override {
    if (device_.beat_refused) return Error{Fault::device, "exception 2, illegal data address", 2};
    device_.beats.push_back(count);
    return {};
  }
  std::vector<Note> take_notes() override { return {}; }
  LinkCounters counters() const override { return counters_; }
  std::string delays() const override { return {}; }

 private:
  void read(std::size_t i, Instant now, Readings& readings) {
    const Signal& signal = signals_[i];
    Reading& reading = readings.of[i];
    if (signal.kind == Kind::text) {
      judge_text(signal, device_.texts[i], readings, i);
    } else if (std::isnan(device_.values[i])) {
      judge_failed(signal, 0, signal.count, "broken", readings, i);
    } else {
      for (std::size_t k = 0; k < signal.count; ++k) {
        const double raw = (device_.values[i] - signal.offset) / signal.scale + static_cast<double>(k);
        const auto integer = static_cast<std::int64_t>(std::llround(raw));
        const bool floating = signal.type == Type::float32 || signal.type == Type::float64;
        judge_number(signal, description_->signals[i], k, floating ? raw : static_cast<double>(integer), integer,
                     readings, i);
      }
    }
    reading.received = now;
  }

  Result<void> take(const Write& write) {
    using Answer = FakeDevice::Answer;
    const Answer answer = device_.answer;
    if (answer == Answer::takes || answer == Answer::silent_but_takes) device_.values[write.declaration] = held(write);
    if (answer == Answer::refuses) {
      ++counters_.writes_refused;
      return Error{Fault::device, "exception 3, illegal data value", 3};
    }
    if (answer == Answer::silent || answer == Answer::silent_but_takes) {
      ++counters_.writes_unknown;
      return Error{Fault::timeout, "no answer within 500 ms"};
    }
    ++counters_.writes_done;
    return {};
  }

  // What a variable of its type makes of it.
  double held(const Write& write) const {
    const Signal& signal = signals_[write.declaration];
    if (signal.type == Type::float32 || signal.type == Type::float64) return write.value;
    return std::round((write.value - signal.offset) / signal.scale) * signal.scale + signal.offset;
  }

  std::shared_ptr<const Description> description_;
  FakeDevice& device_;
  const Clock& clock_;
  const std::atomic<bool>&armed_, &stopped_;
  std::vector<Signal> signals_;
  LinkCounters counters_;
  bool open_ = false;
};

// The latch as the runtime has it, without its locks.
struct Rig {
  // With ROS in real time, which is that of its messages.
  explicit Rig(Description made, ros2::Context* ros = nullptr)
      : time(ros != nullptr ? static_cast<Clock&>(system_clock()) : clock),
        description(std::make_shared<const Description>(std::move(made))) {
    machines::Setup setup{.name = description->name, .device = "modbus://127.0.0.1:1", .options = {}};
    setup.clock = &time;
    setup.ros = ros;
    auto made_link = std::make_unique<FakeLink>(description, device, time, armed, stopped);
    machine = std::make_unique<Machine>(setup, description, std::move(made_link));
  }

  void connect() { REQUIRE(machine->connect(time.now() + 1s)); }
  // Live, armed, and one cycle old: what is posted now counts.
  void start() {
    connect();
    (void)cycle();
    arm();
    (void)cycle();
  }
  void arm() {
    if (stopped || armed) return;
    ++arms;
    armed = true;
  }
  void disarm() { armed = false; }
  void stop() {
    armed = false;
    stopped = true;
  }
  void reset() { armed = stopped = false; }

  machines::Cycle cycle() {
    const machines::Permit permit(armed, time, time.now() + 10s, &stopped, &arms);
    auto done = machine->cycle(permit);
    if (!done) {
      armed = false;
      lost = done.error().text;
      machine->disconnect();
      return {};
    }
    if (done->disarm) armed = false;
    if (done->stop) stop();
    if (done->disarm || done->stop) why = std::string(done->why);
    return *done;
  }
  void cycles(int count) {
    for (int i = 0; i < count; ++i) (void)cycle();
  }

  const OutputInfo& output(std::string_view name) { return *machine->commands().find(name); }
  Result<void> post(std::string_view name, double value) {
    return machine->commands().post(output(name), value, time.now());
  }
  std::size_t index(std::string_view name) const {
    return static_cast<std::size_t>(description->find(name) - description->signals.data());
  }
  double& at(std::string_view name) { return device.values[index(name)]; }
  // Values that reached the device for this output, in their order.
  std::vector<double> written(std::string_view name) const {
    std::vector<double> values;
    for (const auto& each : device.arrivals) {
      if (each.declaration == index(name)) values.push_back(each.value);
    }
    return values;
  }
  std::string text(std::string_view name) const {
    for (const auto& value : machine->values()) {
      if (value.name == name) return value.text;
    }
    return {};
  }

  ManualClock clock;
  Clock& time;  // of the machine
  std::shared_ptr<const Description> description;
  FakeDevice device;
  std::atomic<bool> armed{false}, stopped{false};
  std::atomic<std::uint64_t> arms{0};
  std::unique_ptr<Machine> machine;
  std::string why, lost;
};

// A press as in the examples: a valve with limits and a rate, a pump, a start pulse, ten cycles a second.
inline Description press() {
  Description press;
  press.name = "press";
  press.cycle = 0.1;
  Declaration valve = number("valve", "%", Type::int16);
  valve.scale = 0.1;
  valve.at = ModbusPlace{ModbusTable::holding, 100, -1};
  valve.write = limited(-100, 100, 200);
  Declaration pump = number("pump", "", Type::bit);
  pump.at = ModbusPlace{ModbusTable::coil, 5, -1};
  pump.write.emplace();
  pump.write->level = Output::Level::level;
  Declaration start = number("start", "", Type::bit);
  start.at = ModbusPlace{ModbusTable::coil, 9, -1};
  start.write.emplace();
  start.write->level = Output::Level::pulse;
  start.write->pulse = 0.2;
  Declaration pressure = number("pressure", "bar");
  pressure.expect = Range{0, 350};
  pressure.at = ModbusPlace{ModbusTable::input, 0, -1};
  Declaration safety = number("safety", "", Type::uint16);
  safety.bits = {{0, "door_closed"}, {1, "e_stop_ok"}};
  safety.at = ModbusPlace{ModbusTable::holding, 20, -1};
  press.signals = {pressure, safety, valve, pump, start};
  return press;
}

}  // namespace tandem::generic::test
