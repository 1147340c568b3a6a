// SPDX-License-Identifier: Apache-2.0
// Quality of service, with the profiles that ROS users know.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tandem/base/clock.hpp"

namespace tandem::ros2 {

enum class Reliability : std::uint8_t { best_effort, reliable };
enum class Durability : std::uint8_t { is_volatile, transient_local };
enum class Liveliness : std::uint8_t { automatic, manual_by_topic };
enum class History : std::uint8_t { keep_last, keep_all };

// Whether a topic belongs to all who publish on it, or to one. Ours alone: peers do not know it, and all of them match.
// An exclusive subscription receives the first publisher that speaks, until that one is gone; of a second publisher an
// Event reports, here and on the side of an exclusive publisher.
enum class Ownership : std::uint8_t { shared, exclusive };

struct Qos {
  History history = History::keep_last;
  int depth = 10;  // of keep_last
  Reliability reliability = Reliability::reliable;
  Durability durability = Durability::is_volatile;
  Duration deadline = Duration::max();  // max: none
  Duration lifespan = Duration::max();
  Liveliness liveliness = Liveliness::automatic;
  Duration liveliness_lease = Duration::max();
  Ownership ownership = Ownership::shared;
  Duration owner_silence = Duration::max();  // exclusive: an owner that says nothing for this long may be replaced
  bool acts = true;                          // ours, of a subscription: something may move by what it receives

  bool operator==(const Qos&) const = default;

  // For who only looks: a twin, a plot.
  static Qos looking(Qos qos) {
    qos.acts = false;
    return qos;
  }
  static Qos standard(int depth = 10) { return {.depth = depth}; }
  static Qos sensor_data() { return {.depth = 5, .reliability = Reliability::best_effort}; }
  // The last value for everyone who comes later: /tf_static, /robot_description.
  static Qos latched(int depth = 1) { return {.depth = depth, .durability = Durability::transient_local}; }
  static Qos clock() { return {.depth = 1, .reliability = Reliability::best_effort}; }
  static Qos tf() { return {.depth = 100}; }
  static Qos tf_static() { return latched(); }
  // ROS says 10, which a burst of calls overruns before they are acknowledged; peers do not see the depth.
  static Qos services() { return {.depth = 1000}; }
  static Qos parameters() { return {.depth = 1000}; }  // its services, and /parameter_events
  static Qos rosout() {
    return {.depth = 1000, .durability = Durability::transient_local, .lifespan = std::chrono::seconds(10)};
  }
  static Qos discovery_writer() { return latched(); }
  static Qos discovery_reader() { return {.history = History::keep_all, .durability = Durability::transient_local}; }
};

// "reliable, transient_local, keep_last 1"
std::string to_text(const Qos& qos);

// Why a reader with `requested` never receives a writer with `offered`, in words; "" when it does.
std::string incompatibility(const Qos& offered, const Qos& requested, std::string_view publisher = "the publisher",
                            std::string_view subscriber = "the subscriber");

}  // namespace tandem::ros2
