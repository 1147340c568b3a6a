// SPDX-License-Identifier: Apache-2.0
// The virtual device of a file: what the behaviours say is what the front serves, what clients write goes back.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "tandem/machines/generic/schema/read.hpp"
#include "tandem/machines/generic/virtual/behaviours.hpp"
#include "tandem/machines/generic/virtual/faults.hpp"
#include "tandem/machines/generic/virtual/front.hpp"
#include "tandem/machines/generic/virtual/joint_source.hpp"

namespace tandem::generic {
namespace {

constexpr Duration longest_wait = 10ms;
constexpr double longest_gap = 1;  // s: after a longer pause of the process time goes on where it was

// A fifth of the cycle: what clients read is as fresh as their own sampling can see.
Duration wait_for(const Description& description, double step) {
  return std::clamp(duration_of(description.cycle / 5), duration_of(step), longest_wait);
}

std::unique_ptr<Front> make_front(const std::shared_ptr<const Description>& description,
                                  const machines::VirtualSetup& setup) {
  return description->protocol == Protocol::modbus ? make_modbus_front(description, setup)
                                                   : make_ads_front(description, setup);
}

class Device final : public machines::VirtualDevice {
 public:
  Device(std::shared_ptr<const Description> description, const machines::VirtualSetup& setup)
      : description_(std::move(description)),
        clock_(setup.clock != nullptr ? *setup.clock : static_cast<Clock&>(system_clock())),
        joints_(make_joint_source(*description_)),
        front_(make_front(description_, setup)),
        behaviours_(*description_, front_->signals(), joints_.get()),
        wait_(wait_for(*description_, behaviours_.dt())) {
    const auto& signals = front_->signals();
    shown_.resize(signals.size());
    faults_.resize(signals.size());
    for (std::size_t i = 0; i < signals.size(); ++i)
      shown_[i].assign(elements(signals[i]), std::numeric_limits<double>::infinity());
    put_texts();
    show();
  }

  std::string url() const override { return front_->url(); }
  std::string listening() const override { return front_->listening(); }

  void run(std::stop_token stop) override {
    began_ = clock_.now() - duration_of(behaviours_.time());
    while (!stop.stop_requested()) {
      front_->serve(clock_.now() + wait_);
      advance();
    }
  }

 private:
  static std::size_t elements(const Signal& signal) {
    return signal.kind == Kind::text ? 0 : std::max<std::size_t>(1, signal.count);
  }

  void advance() {
    take();
    const double now = seconds(clock_.now() - began_);
    const double gap = now - behaviours_.time();
    if (gap > longest_gap) began_ += duration_of(gap - longest_gap);
    const double until = std::min(now, behaviours_.time() + longest_gap);
    while (behaviours_.time() + behaviours_.dt() <= until) behaviours_.advance();
    misbehave();
    show();
  }

  // What clients wrote.
  void take() {
    const auto& signals = front_->signals();
    for (std::size_t i = 0; i < signals.size(); ++i) {
      for (std::size_t element = 0; element < elements(signals[i]); ++element) {
        const auto written = front_->take_written(i, element);
        if (!written) continue;
        behaviours_.write(i, element, *written);
        shown_[i][element] = std::numeric_limits<double>::infinity();  // if it is not kept, clients see that
      }
    }
  }

  void misbehave() {
    const auto& signals = front_->signals();
    for (std::size_t i = 0; i < signals.size(); ++i) {
      const Declaration& declaration = description_->signals[signals[i].declaration];
      if (declaration.faults.empty()) continue;
      const FaultState state = faults_at(declaration, description_->cycle, behaviours_.time());
      if (state == faults_[i]) continue;
      front_->fault(i, {.exception = state.exception, .silent = state.silent});
      faults_[i] = state;
    }
  }

  void show() {
    const auto& signals = front_->signals();
    for (std::size_t i = 0; i < signals.size(); ++i) {
      if (faults_[i].frozen) continue;
      for (std::size_t element = 0; element < shown_[i].size(); ++element) {
        const double value = faults_[i].value.value_or(behaviours_.value(i, element));
        double& shown = shown_[i][element];
        if (value == shown || (std::isnan(value) && std::isnan(shown))) continue;
        front_->put(i, element, value);
        shown = value;
      }
    }
  }

  void put_texts() {
    const auto& signals = front_->signals();
    for (std::size_t i = 0; i < signals.size(); ++i) {
      if (signals[i].kind != Kind::text) continue;
      const auto& sim = description_->signals[signals[i].declaration].sim;
      if (sim && sim->kind == Sim::Kind::constant) front_->put_text(i, sim->text);
    }
  }

  std::shared_ptr<const Description> description_;
  Clock& clock_;
  std::unique_ptr<JointSource> joints_;
  std::unique_ptr<Front> front_;
  Behaviours behaviours_;
  Duration wait_;
  Instant began_{};
  std::vector<std::vector<double>> shown_;  // what clients read, by signal and element
  std::vector<FaultState> faults_;
};

}  // namespace

std::unique_ptr<machines::VirtualDevice> make_virtual_device(const machines::VirtualSetup& setup) {
  const auto* own = dynamic_cast<const OwnDescription*>(setup.own.get());
  if (own == nullptr || own->description == nullptr)
    throw std::invalid_argument("expected a file that describes the device, got none; see docs/generic.md");
  return std::make_unique<Device>(own->description, setup);
}

}  // namespace tandem::generic
