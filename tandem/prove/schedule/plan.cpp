// SPDX-License-Identifier: Apache-2.0
#include "tandem/prove/schedule/plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string_view>

namespace tandem::prove {
namespace {

// The standard's generator is the same everywhere, its distributions are not.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  double between(double low, double high) {
    constexpr double steps = 9007199254740992.0;  // 2^53
    const double share = static_cast<double>(random_() >> 11) / steps;
    return std::round((low + share * (high - low)) * 1000) / 1000;
  }
  bool happens(double probability) { return between(0, 1) < probability; }
  template <typename T, std::size_t count>
  const T& one_of(const std::array<T, count>& all) {
    return all[static_cast<std::size_t>(random_() % count)];
  }

 private:
  std::mt19937_64 random_;
};

// FNV-1a: the strands of a machine stay the same whichever machines are beside it.
std::uint64_t seed_of(std::uint64_t seed, std::string_view name, std::string_view strand) {
  std::uint64_t hash = 14695981039346656037ULL ^ seed;
  for (const std::string_view part : {name, strand}) {
    for (const char letter : part) hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211ULL;
    hash = (hash ^ 255U) * 1099511628211ULL;
  }
  return hash;
}

void add_commands(std::vector<Action>& all, std::uint64_t seed, const Subject& machine, double length) {
  Dice dice(seed_of(seed, machine.name, "commands"));
  constexpr std::array<std::string_view, 3> ways{"direct", "socket", "service"};
  const auto add = [&](double at, const char* verb) {
    if (at < length) all.push_back({at, machine.name, verb, 0, 0, 0, std::string(dice.one_of(ways))});
  };
  double at = dice.between(0.6, 1.2);
  add(at, "arm");
  while ((at += dice.between(0.3, 1.8)) < length) {
    const double chance = dice.between(0, 1);
    if (chance >= 0.95) add(at, "reset");
    if (chance < 0.6) add(at, "arm");
    if (chance < 0.6 || chance >= 0.95) continue;
    if (chance < 0.78) {
      add(at, "stop");
      at += dice.between(0.3, 1.5);
    }
    add(at, "reset");
    add(at += dice.between(0.02, 0.3), "arm");
  }
}

void add_motions(std::vector<Action>& all, std::uint64_t seed, const Subject& machine, double length) {
  Dice dice(seed_of(seed, machine.name, "motions"));
  for (double at = dice.between(0.5, 1.5); at < length;) {
    Action action{at, machine.name, "move", 0, 0, 0};
    if (machine.goals && dice.happens(0.5)) {
      action.verb = "goal";
      action.lasts = dice.between(0.5, 2.5);
      action.a = std::round(dice.between(-0.5, 0.5) * action.lasts * 1000) / 1000;  // at most 1 rad/s on the way
      action.b = dice.happens(0.2) ? 1 : 0;
    } else if (machine.stamped && dice.happens(0.15)) {
      action.verb = "old_move";
      action.lasts = 0.5;
      action.a = dice.between(-1, 1);
      action.b = dice.between(-1, 1);
    } else {
      action.lasts = dice.between(0.4, 3);
      action.a = dice.between(0.4, 1) * (dice.happens(0.8) ? 1 : -1);
      action.b = dice.between(-1, 1);
    }
    all.push_back(action);
    at += action.lasts + dice.between(0, 0.9);
  }
}

Action fault_of(Dice& dice, const Subject& machine, double at) {
  constexpr std::array<std::string_view, 8> streams{"delay", "black_hole", "reset_link", "half_open",
                                                    "slice", "replay",     "restart",    "unplug"};
  constexpr std::array<std::string_view, 8> datagrams{"delay",      "black_hole", "loss",    "half_open",
                                                      "reset_link", "replay",     "restart", "unplug"};
  Action action{at, machine.name, std::string(dice.one_of(machine.datagrams ? datagrams : streams)), 0, 0, 0};
  action.lasts = dice.between(0.05, 2.2);
  if (action.verb == "delay") {
    action.a = dice.between(0.02, 0.6);
    action.b = dice.between(0, 0.05);
  } else if (action.verb == "loss") {
    action.a = dice.between(0.01, 0.4);
  } else if (action.verb == "slice") {
    action.a = std::round(dice.between(1, 16));
  } else if (action.verb == "replay") {
    action.a = dice.between(0.05, 0.5);
  } else if (action.verb == "restart") {
    action.lasts = dice.between(0.1, 1);
  }
  return action;
}

void add_faults(std::vector<Action>& all, std::uint64_t seed, const Subject& machine, double length) {
  Dice dice(seed_of(seed, machine.name, "faults"));
  double at = dice.between(2, 4);
  while (true) {
    const Action action = fault_of(dice, machine, at);
    // What waits in a line that was slow still comes afterwards.
    if (at + action.lasts + action.a + calm_end > length) return;
    all.push_back(action);
    at += action.lasts + dice.between(1.2, 3);
  }
}

}  // namespace

std::vector<Action> plan(std::uint64_t seed, std::span<const Subject> machines, double length) {
  std::vector<Action> all;
  for (const Subject& machine : machines) {
    if (machine.moves) add_commands(all, seed, machine, length);
    if (machine.moves) add_motions(all, seed, machine, length);
    add_faults(all, seed, machine, length);
  }
  for (Action& action : all) {
    action.at = std::round(action.at * 1000) / 1000;
    action.lasts = std::round(action.lasts * 1000) / 1000;
  }
  std::ranges::stable_sort(all, {}, &Action::at);
  return all;
}

}  // namespace tandem::prove
