// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/virtual/behaviour.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "tandem/machines/generic/expression.hpp"
#include "tandem/machines/generic/virtual/recorded.hpp"
#include "tandem/machines/generic/virtual/table.hpp"

namespace tandem::generic {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double longest_delay = 600;  // s

// The part behind the point; steps of time that should be whole count as such.
double fraction(double x) { return std::max(0.0, x - std::floor(x + 1e-9)); }

class Constant final : public Behaviour {
 public:
  explicit Constant(double value) : value_(value) {}
  double next(const Moment&) override { return value_; }
  void write(double value) override { value_ = value; }

 private:
  double value_;
};

// A function of time alone.
class OfTime final : public Behaviour {
 public:
  explicit OfTime(const Sim& sim) : sim_(sim) {}
  double next(const Moment& moment) override {
    const double t = moment.t;
    switch (sim_.kind) {
      case Sim::Kind::ramp:
        return sim_.from + (sim_.to - sim_.from) * risen(t / sim_.time);
      case Sim::Kind::sine:
        return sim_.mean + sim_.amplitude * std::sin(2 * std::numbers::pi * t / sim_.period + sim_.phase);
      case Sim::Kind::square:
        return fraction(t / sim_.period) < sim_.duty ? sim_.high : sim_.low;
      case Sim::Kind::step:
        return t + 1e-9 < sim_.at ? sim_.low : sim_.high;
      default:  // counter
        return sim_.start + std::floor(sim_.per_second * t + 1e-9);
    }
  }

 private:
  double risen(double turns) const {
    if (sim_.repeat == Sim::Repeat::once) return std::clamp(turns, 0.0, 1.0);
    if (sim_.repeat == Sim::Repeat::saw) return fraction(turns);
    const double part = 2 * fraction(turns / 2);
    return part < 1 ? part : 2 - part;
  }

  Sim sim_;
};

// One that reads one signal. An input that is not good passes on as such and leaves the state as it was.
class OfSignal : public Behaviour {
 public:
  explicit OfSignal(const Sim& sim) : sim_(sim) {}
  std::vector<std::string> names() const override { return {sim_.signal}; }
  double start(const Moment& moment) final {
    const double input = moment.inputs[0];
    return begin(std::isfinite(input) ? input : 0);
  }
  double next(const Moment& moment) final {
    const double input = moment.inputs[0];
    return std::isfinite(input) ? step(moment, input) : nan;
  }

 protected:
  virtual double begin(double input) = 0;
  virtual double step(const Moment& moment, double input) = 0;
  const Sim& sim() const { return sim_; }

 private:
  Sim sim_;
};

class Follow final : public OfSignal {
 public:
  Follow(const Sim& sim, const BehaviourSetup& setup)
      : OfSignal(sim), delay_(std::max(0.0, sim.delay - (setup.input_late ? setup.dt : 0.0)) / setup.dt) {
    if (sim.delay > longest_delay)
      throw std::invalid_argument(fmt::format("delay: expected at most {} s, got {}", longest_delay, sim.delay));
    past_.resize(static_cast<std::size_t>(std::ceil(delay_ - 1e-9)) + 1);
  }
  bool breaks_loops() const override { return sim().delay > 0; }

 protected:
  double begin(double input) override {
    std::ranges::fill(past_, input);
    return value_ = sim().gain * input + sim().offset;
  }
  double step(const Moment& moment, double input) override {
    newest_ = (newest_ + 1) % past_.size();
    past_[newest_] = input;
    const double wanted = sim().gain * delayed() + sim().offset;
    const double most = sim().rate.value_or(std::numeric_limits<double>::infinity()) * moment.dt;
    return value_ += std::clamp(wanted - value_, -most, most);
  }

 private:
  double ago(std::size_t steps) const { return past_[(newest_ + past_.size() - steps) % past_.size()]; }
  // Between two steps on a line.
  double delayed() const {
    const auto whole = static_cast<std::size_t>(delay_ + 1e-9);
    const double part = std::max(0.0, delay_ - static_cast<double>(whole));
    if (part < 1e-6 || whole + 1 >= past_.size()) return ago(whole);
    return (1 - part) * ago(whole) + part * ago(whole + 1);
  }

  double delay_;  // steps
  std::vector<double> past_;
  std::size_t newest_ = 0;
  double value_ = 0;
};

class FirstOrder final : public OfSignal {
 public:
  using OfSignal::OfSignal;
  bool breaks_loops() const override { return true; }

 protected:
  double begin(double input) override { return value_ = sim().gain * input; }
  double step(const Moment& moment, double input) override {
    return value_ += -std::expm1(-moment.dt / sim().tau) * (sim().gain * input - value_);
  }

 private:
  double value_ = 0;
};

class SecondOrder final : public OfSignal {
 public:
  using OfSignal::OfSignal;
  bool breaks_loops() const override { return true; }

 protected:
  double begin(double input) override {
    state_ = {sim().gain * input, 0};
    return state_.y;
  }
  double step(const Moment& moment, double input) override {
    const double rest = sim().gain * input;
    state_ = oscillated({state_.y - rest, state_.v}, sim().w, sim().zeta, moment.dt);
    return state_.y += rest;
  }

 private:
  Oscillation state_;
};

class Integrate final : public OfSignal {
 public:
  using OfSignal::OfSignal;
  bool breaks_loops() const override { return true; }

 protected:
  double begin(double) override { return value_ = sim().start; }
  double step(const Moment& moment, double input) override {
    value_ += sim().gain * input * moment.dt;
    if (!sim().limits) return value_;
    const auto [low, high] = *sim().limits;
    if (!sim().wrap) return value_ = std::clamp(value_, low, high);
    const double width = high - low;
    if (width > 0 && (value_ < low || value_ >= high)) value_ -= width * std::floor((value_ - low) / width);
    return value_;
  }

 private:
  double value_ = 0;
};

// Counts how often the signal becomes true.
class Edges final : public OfSignal {
 public:
  using OfSignal::OfSignal;

 protected:
  double begin(double input) override {
    high_ = input != 0;
    return count_ = sim().start;
  }
  double step(const Moment&, double input) override {
    if (input != 0 && !high_) ++count_;
    high_ = input != 0;
    return count_;
  }

 private:
  double count_ = 0;
  bool high_ = false;
};

// A counter begins again at 0 where its type ends, as in a PLC.
class Wrapped final : public Behaviour {
 public:
  Wrapped(std::unique_ptr<Behaviour> counter, double modulus) : counter_(std::move(counter)), modulus_(modulus) {}
  std::vector<std::string> names() const override { return counter_->names(); }
  double start(const Moment& moment) override { return wrapped(counter_->start(moment)); }
  double next(const Moment& moment) override { return wrapped(counter_->next(moment)); }

 private:
  double wrapped(double count) const { return std::isfinite(count) ? std::fmod(count, modulus_) : count; }
  std::unique_ptr<Behaviour> counter_;
  double modulus_;
};

class Expressed final : public Behaviour {
 public:
  explicit Expressed(Expression expression, std::uint64_t seed) : expression_(std::move(expression)), noise_(seed) {}
  std::vector<std::string> names() const override { return expression_.names(); }
  bool reads_now(std::size_t input) const override { return expression_.reads_now(input); }
  double next(const Moment& moment) override {
    return expression_.evaluate({moment.inputs, moment.earlier, moment.t, moment.dt, &noise_});
  }

 private:
  Expression expression_;
  std::uint64_t noise_;
};

class OfJoint final : public Behaviour {
 public:
  OfJoint(const Sim& sim, const BehaviourSetup& setup) : sim_(sim), setup_(setup) {}
  double next(const Moment&) override {
    return (setup_.joints->value(sim_.signal, sim_.joint) - setup_.si_offset) / setup_.si_scale;
  }

 private:
  Sim sim_;
  BehaviourSetup setup_;
};

// How many values the raw type has; 0 for those that do not wrap.
double values_of(Type type) {
  switch (type) {
    case Type::bit:
      return 2;
    case Type::int8:
      return 128;
    case Type::uint8:
      return 256;
    case Type::int16:
      return 32768;
    case Type::uint16:
      return 65536;
    case Type::int32:
      return 2147483648.0;
    case Type::uint32:
      return 4294967296.0;
    default:
      return 0;
  }
}

std::unique_ptr<Behaviour> make_counter(const Sim& sim, const BehaviourSetup& setup) {
  std::unique_ptr<Behaviour> counter;
  if (sim.signal.empty()) {
    counter = std::make_unique<OfTime>(sim);
  } else {
    counter = std::make_unique<Edges>(sim);
  }
  const double modulus = values_of(setup.type) * setup.scale;
  if (!(modulus > 0)) return counter;
  return std::make_unique<Wrapped>(std::move(counter), modulus);
}

std::unique_ptr<Behaviour> make_expressed(const Sim& sim) {
  auto expression = Expression::parse(sim.text);
  if (!expression) throw std::invalid_argument(fmt::format("expression: {}", expression.error().text));
  return std::make_unique<Expressed>(std::move(*expression), sim.seed);
}

std::unique_ptr<Behaviour> make_of_joint(const Sim& sim, const BehaviourSetup& setup) {
  if (setup.joints == nullptr)
    throw std::invalid_argument(fmt::format("joint {}: expected a robot with a URDF, got none", sim.signal));
  if (std::isnan(setup.joints->value(sim.signal, sim.joint)))
    throw std::invalid_argument(fmt::format("joint: expected a movable joint of the URDF, got '{}'", sim.signal));
  return std::make_unique<OfJoint>(sim, setup);
}

}  // namespace

Oscillation oscillated(const Oscillation& from, double w, double zeta, double dt) {
  const double a = zeta * w * dt;  // decay within the step
  const double square = (1 - zeta * zeta) * w * w;
  double c = 0, s = 0;  // exp(-a) cos(wd dt) and exp(-a) sin(wd dt) / wd; the latter is exp(-a) dt at zeta = 1
  if (const double turn = std::sqrt(std::abs(square)) * dt; turn < 1e-6) {
    c = std::exp(-a);
    s = c * dt;
  } else if (square > 0) {
    c = std::exp(-a) * std::cos(turn);
    s = std::exp(-a) * std::sin(turn) / turn * dt;
  } else {  // both roots apart: cosh of a large number would overflow
    const double slow = std::exp(turn - a), fast = std::exp(-turn - a);
    c = (slow + fast) / 2;
    s = (slow - fast) / (2 * turn) * dt;
  }
  return {from.y * c + (from.v + zeta * w * from.y) * s, from.v * c - (zeta * w * from.v + w * w * from.y) * s};
}

std::unique_ptr<Behaviour> make_behaviour(const Sim& sim, const BehaviourSetup& setup) {
  switch (sim.kind) {
    case Sim::Kind::constant:
      return std::make_unique<Constant>(sim.value);
    case Sim::Kind::ramp:
    case Sim::Kind::sine:
    case Sim::Kind::square:
    case Sim::Kind::step:
      return std::make_unique<OfTime>(sim);
    case Sim::Kind::follow:
      return std::make_unique<Follow>(sim, setup);
    case Sim::Kind::first_order:
      return std::make_unique<FirstOrder>(sim);
    case Sim::Kind::second_order:
      return std::make_unique<SecondOrder>(sim);
    case Sim::Kind::integrate:
      return std::make_unique<Integrate>(sim);
    case Sim::Kind::table:
      return make_table(sim);
    case Sim::Kind::counter:
      return make_counter(sim, setup);
    case Sim::Kind::expression:
      return make_expressed(sim);
    case Sim::Kind::joint:
      return make_of_joint(sim, setup);
    case Sim::Kind::recording:
      return make_recorded(sim, setup);
  }
  throw std::invalid_argument("sim: unknown kind");
}

}  // namespace tandem::generic
