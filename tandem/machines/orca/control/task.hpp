// SPDX-License-Identifier: Apache-2.0
// The demonstration: dives to a height above the floor, holds its place, flies a box by vision, and again. When vision
// is lost it holds its depth, says so, heaves gently until the SLAM has a map, and goes on where it was. Only what it
// wants comes out of it; the helm obeys while the vehicle is armed by us, and not otherwise.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tandem/base/short_text.hpp"
#include "tandem/machines/orca/commands.hpp"
#include "tandem/machines/orca/device/vehicle.hpp"

namespace tandem::orca {

struct BoxOptions {
  double side = 2;              // m
  double height = 2;            // m above the floor, by the sonar
  Duration hold = 5s;           // before each box
  double near = 0.2;            // m: a corner is reached
  double dive = 0.7;            // share of the stick
  double search = 0.4;          // also, up and down
  double search_reach = 0.5;    // m above the height
  Duration steady = 2s;         // of vision until it is trusted
  Duration search_after = 4s;   // without it
  Duration leg_patience = 60s;  // for one side
  double sonar_least = 0.2, sonar_most = 50;
  Duration sonar_timeout = 1s;
};

class BoxTask {
 public:
  enum class Stage : std::uint8_t {
    wait_for_sonar,  // nothing may be dived to
    dive,
    find_vision,  // at its height, and vision is not used yet, or no more
    search,       // the same; up and down, as one camera sees no depth without moving
    hold,
    fly,
  };

  struct Wish {
    Mode mode = Mode::alt_hold;
    double heave = 0;                   // stick, -1 to 1, up
    std::optional<GoalCommand> goal{};  // in GUIDED
  };

  explicit BoxTask(const BoxOptions& options = {}) : options_(options) {}

  void restart();
  // `waiting` is what vision waits for; empty while the vehicle is carried by it.
  Wish step(const Vehicle& vehicle, std::string_view waiting, Instant now);

  Stage stage() const { return stage_; }
  int corner() const { return corner_; }          // that it flies to, 0 to 3; the last is where it began
  std::uint64_t boxes() const { return boxes_; }  // done since it was armed
  // For people; changes with the stage, not with every number.
  std::string_view text() const { return text_; }

 private:
  void enter(Stage stage, Instant now, std::string_view text);
  void begin_blind(Instant now, std::string_view waiting);
  void begin_hold(const Vehicle& vehicle, Instant now);
  void begin_corner(int corner, Instant now);
  void go_on(const Vehicle& vehicle, Instant now);
  std::optional<double> height(const Vehicle& vehicle, Instant now) const;
  double search_heave(const Vehicle& vehicle, Instant now);
  Wish guided(const Vehicle& vehicle, Instant now);
  std::array<double, 3> corner_place() const;

  BoxOptions options_;
  Stage stage_ = Stage::wait_for_sonar;
  Instant since_{};         // of the stage
  Instant blind_since_{};   // vision is not used; the epoch while it is
  Instant seeing_since_{};  // the other way round
  bool rises_ = true;       // while it searches
  bool boxed_ = false;      // home_ and corner_ mean something
  bool flies_ = false;      // goes on to fly after blindness, and not to hold
  bool guided_ = false;     // since_ counts from when the mode was GUIDED
  std::array<double, 3> home_{};
  double yaw_ = 0;
  int corner_ = 0;
  std::uint64_t jumps_ = 0;  // of the estimate, as the box began
  std::uint64_t boxes_ = 0;
  ShortText<100> text_;
};

}  // namespace tandem::orca
