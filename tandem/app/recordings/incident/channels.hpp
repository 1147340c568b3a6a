// SPDX-License-Identifier: Apache-2.0
// The channels of a recording that say something of a machine, and what their messages mean.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "tandem/app/recordings/incident/history.hpp"
#include "tandem/app/recordings/leaves.hpp"

namespace tandem::app::incident {

enum class Topic : std::uint8_t { events, commands, field, truth, residual, status, picture, scene, log, other };

struct Channel {
  Topic topic = Topic::other;
  std::string machine;  // empty: not of one alone
};

class Channels {
 public:
  explicit Channels(const record::McapReader& reader);

  const Channel& at(std::uint16_t id) const { return channels_.at(id); }
  std::set<std::uint16_t> of(std::initializer_list<Topic> topics) const;
  // Those of the window: all that say something of this machine, but events and commands.
  std::set<std::uint16_t> of_machine(const std::string& machine) const;
  // Of these, what reports its state and how it moves: where there is truth, no pictures.
  std::set<std::uint16_t> of_motion(const std::string& machine) const;
  // Whose field frames or events are in the file.
  std::set<std::string> machines() const;
  // What the file says of a machine beside its messages.
  void describe(const std::string& machine, History& into) const;

 private:
  const record::McapReader& reader_;
  std::map<std::uint16_t, Channel> channels_;
};

// Takes the messages of the window, by their time.
class WindowReader {
 public:
  WindowReader(const record::McapReader& reader, const Channels& channels, History& into);
  void take(const record::mcap::Message& message, Time time);

 private:
  void take_status(Bytes data, Time time);
  void take_picture(Bytes data, Time time);
  void take_scene(Bytes data);
  void take_frame(Bytes data, Time time);
  void take_truth(const record::mcap::Message& message, Time time);
  void take_residual(Bytes data, Time time);
  void take_log(Bytes data, Time time);

  const Channels& channels_;
  History& history_;
  LeafReader leaves_;
  std::vector<Leaf> values_;
  std::optional<std::size_t> main_frame_;  // of the machine's picture
  bool live_ = false;                      // by the newest status: only then a picture is a measurement
  std::string node_;                       // of the machine on ROS, as /rosout names it
};

}  // namespace tandem::app::incident
