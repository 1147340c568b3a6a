// SPDX-License-Identifier: Apache-2.0
// A controller without sockets for tests: programs in, cycles on, faster than real time.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <initializer_list>
#include <string>

#include "tandem/machines/ur3e/virtual/controller.hpp"

namespace tandem::ur3e {

// Tool straight down beside the cubes, where moves of the base joint meet nothing.
inline ControllerSetup aside() {
  ControllerSetup setup;
  setup.start[0] = 0;
  return setup;
}

// With protective stops that are soon unlocked.
inline ControllerSetup soon_unlocked() {
  ControllerSetup setup = aside();
  setup.times.unlock = 0.3;
  return setup;
}

struct Bench {
  explicit Bench(const ControllerSetup& setup = aside()) : controller(setup) {}

  void cycles(int count) {
    for (int i = 0; i < count; ++i) step();
  }
  // Cycles until it holds, at most so many seconds of the controller's time; the number of cycles, or -1.
  int until(const std::function<bool()>& holds, double seconds) {
    const int most = static_cast<int>(seconds / controller_step);
    for (int i = 0; i < most; ++i) {
      if (holds()) return i;
      step();
    }
    return holds() ? most : -1;
  }
  // Starts the program and runs it to its end; how long that took, s, or a failed check.
  double run(const std::string& text, double seconds = 20) {
    controller.program(text);
    const int count = until([this] { return !controller.programs.running(); }, seconds);
    CHECK(count >= 0);
    CAPTURE(said());
    return count * controller_step;
  }
  // As if a client had written these inputs, whose values are in the variables.
  void write(std::initializer_list<std::string_view> names) {
    ur::Recipe recipe;
    for (const std::string_view name : names) recipe.add(ur::field_named(name).value());
    controller.inputs_written(recipe);
  }
  // Everything on 30001 so far, a line each.
  std::string said() const {
    std::string all;
    for (const auto& message : controller.messages) {
      if (const auto* text = std::get_if<ur::primary::Text>(&message)) all += text->text + "\n";
      if (const auto* code = std::get_if<ur::primary::ErrorCode>(&message)) all += code->text + "\n";
      if (const auto* error = std::get_if<ur::primary::RuntimeException>(&message))
        all += "line " + std::to_string(error->line) + ": " + error->text + "\n";
      if (const auto* key = std::get_if<ur::primary::KeyMessage>(&message)) all += key->title + " " + key->text + "\n";
      if (const auto* popup = std::get_if<ur::primary::Popup>(&message)) all += "popup: " + popup->text + "\n";
    }
    return all;
  }
  bool says(const std::string& words) const { return said().find(words) != std::string::npos; }
  const Joints& q() const { return controller.body.measured().position; }
  Eigen::Vector3d tool() const { return controller.tool(q()).translation(); }
  const ur::ControllerState& state() const { return controller.variables.state; }

  Controller controller;
  std::function<void()> each_cycle;  // after every cycle

 private:
  void step() {
    controller.step();
    if (each_cycle) each_cycle();
  }
};

}  // namespace tandem::ur3e
