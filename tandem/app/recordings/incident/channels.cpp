// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/recordings/incident/channels.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tandem/base/json_depth.hpp"
#include "tandem/ros2/messages/rcl_interfaces.hpp"
#include "tandem/ros2/messages/tandem_msgs.hpp"
#include "tandem/ros2/types/cdr.hpp"
#include "tandem/runtime/supervision/status.hpp"

namespace tandem::app::incident {

namespace {

using nlohmann::json;
using ros2::tandem_msgs::FieldFrame;

constexpr std::string_view prefix = "/tandem/";

Topic topic_of(std::string_view last) {
  if (last == "events") return Topic::events;
  if (last == "field") return Topic::field;
  if (last == "truth") return Topic::truth;
  if (last == "residual") return Topic::residual;
  return Topic::other;
}

Channel channel_of(const std::string& topic) {
  if (topic == "/rosout") return {Topic::log, ""};
  if (topic == "/tandem/events") return {Topic::events, ""};
  if (topic == "/tandem/commands") return {Topic::commands, ""};
  if (topic == "/tandem/status") return {Topic::status, ""};
  if (topic == "/tandem/picture") return {Topic::picture, ""};
  if (topic == "/tandem/scene") return {Topic::scene, ""};
  const std::size_t slash = topic.rfind('/');
  if (!topic.starts_with(prefix) || slash <= prefix.size()) return {};
  const Topic found = topic_of(std::string_view(topic).substr(slash + 1));
  return found == Topic::other ? Channel{} : Channel{found, topic.substr(prefix.size(), slash - prefix.size())};
}

json json_from(Bytes data) {
  constexpr std::size_t deepest = 32;
  if (is_deeper_than({reinterpret_cast<const char*>(data.data()), data.size()}, deepest)) return {};
  return json::parse(data.begin(), data.end(), nullptr, false);
}

// The machine's own object in {"machines":[{"name":...}]}; null: it is not there.
const json* machine_in(const json& whole, const std::string& machine) {
  const auto list = whole.is_object() ? whole.find("machines") : whole.end();
  if (list == whole.end() || !list->is_array()) return nullptr;
  for (const json& each : *list) {
    if (!each.is_object()) continue;
    const auto name = each.find("name");
    if (name != each.end() && name->is_string() && name->get_ref<const std::string&>() == machine) return &each;
  }
  return nullptr;
}

// A counter of what a gate of the machine refused: one number without a unit under such a name.
bool is_gate_counter(const machines::Value& value) {
  return value.numbers.size() == 1 && (value.name == "rejected" || value.name == "refused" || value.name == "timeouts");
}

}  // namespace

Channels::Channels(const record::McapReader& reader) : reader_(reader) {
  for (const auto& [id, channel] : reader.contents().channels) channels_[id] = channel_of(channel.topic);
}

std::set<std::uint16_t> Channels::of(std::initializer_list<Topic> topics) const {
  std::set<std::uint16_t> chosen;
  for (const auto& [id, channel] : channels_)
    if (std::ranges::find(topics, channel.topic) != topics.end()) chosen.insert(id);
  return chosen;
}

std::set<std::uint16_t> Channels::of_machine(const std::string& machine) const {
  std::set<std::uint16_t> chosen;
  for (const auto& [id, channel] : channels_) {
    const bool known = channel.topic == Topic::events || channel.topic == Topic::commands;
    if (channel.topic == Topic::other || known) continue;
    if (channel.machine.empty() || channel.machine == machine) chosen.insert(id);
  }
  return chosen;
}

std::set<std::uint16_t> Channels::of_motion(const std::string& machine) const {
  std::set<std::uint16_t> chosen = of({Topic::status});
  const std::size_t without = chosen.size();
  for (const auto& [id, channel] : channels_)
    if (channel.topic == Topic::truth && channel.machine == machine) chosen.insert(id);
  if (chosen.size() == without) chosen.merge(of({Topic::picture}));
  return chosen;
}

std::set<std::string> Channels::machines() const {
  std::set<std::string> names;
  for (const auto& [id, channel] : channels_)
    if (!channel.machine.empty()) names.insert(channel.machine);
  return names;
}

void Channels::describe(const std::string& machine, History& into) const {
  for (const auto& [id, channel] : channels_) {
    const auto& about = reader_.contents().channels.at(id);
    const auto* schema = reader_.schema(about);
    if (channel.topic == Topic::truth && channel.machine == machine) into.speed_signal = about.topic + ".speed";
    const bool is_odometry = schema != nullptr && schema->name == "nav_msgs/msg/Odometry";
    if (is_odometry && into.speed_signal.empty()) into.speed_signal = about.topic + ".twist.twist.linear.x";
    if (channel.topic != Topic::field || channel.machine != machine) continue;
    const auto value = [&](const char* key) {
      const auto found = about.metadata.find(key);
      return found == about.metadata.end() ? std::string() : found->second;
    };
    into.type = value("machine_type"), into.device = value("device");
  }
}

WindowReader::WindowReader(const record::McapReader& reader, const Channels& channels, History& into)
    : channels_(channels), history_(into), leaves_(reader) {
  // The scene is said once, at the beginning of a file.
  record::Selection scenes;
  scenes.channels = channels.of({Topic::scene});
  if (scenes.channels.empty()) return;
  auto cursor = reader.messages(std::move(scenes));
  for (auto next = cursor.next(); !next || *next; next = cursor.next())
    if (next) take_scene((**next).data);
}

void WindowReader::take(const record::mcap::Message& message, Time time) {
  switch (channels_.at(message.channel).topic) {
    case Topic::status:
      return take_status(message.data, time);
    case Topic::picture:
      return take_picture(message.data, time);
    case Topic::field:
      return take_frame(message.data, time);
    case Topic::truth:
      return take_truth(message, time);
    case Topic::residual:
      return take_residual(message.data, time);
    case Topic::log:
      return take_log(message.data, time);
    default:
      return;
  }
}

void WindowReader::take_status(Bytes data, Time time) {
  const std::string_view text(reinterpret_cast<const char*>(data.data()), data.size());
  if (is_deeper_than(text, 32)) return;
  const auto status = runtime::status_from_json(text);
  if (!status) return;
  const auto found = std::ranges::find(status->machines, history_.moment.machine, &runtime::MachineStatus::name);
  if (found == status->machines.end()) return;
  const runtime::MachineStatus& machine = *found;
  history_.type = machine.type, history_.device = machine.device, history_.is_virtual = machine.is_virtual;
  node_ = machine.node.substr(std::min(machine.node.rfind('/') + 1, machine.node.size()));
  State state{time,           machine.state, machine.cause,   machine.quality,        machine.arm, machine.arm_cause,
              machine.arm_by, machine.age,   machine.invalid, machine.stale_episodes, {},          {}};
  for (const machines::Value& value : machine.values) {
    if (is_gate_counter(value)) state.counters[value.name] = value.numbers.front();
    if (value.numbers.empty()) state.texts[value.name] = value.text;
  }
  live_ = machine.state == "live" && machine.quality == "live";
  history_.states.push_back(std::move(state));
}

void WindowReader::take_scene(Bytes data) {
  const json whole = json_from(data);
  const json* machine = machine_in(whole, history_.moment.machine);
  if (machine == nullptr || !machine->contains("scene") || !(*machine)["scene"].is_object()) return;
  const json& scene = (*machine)["scene"];
  const auto frames = scene.find("frames");
  const auto main = scene.find("main_frame");
  if (frames == scene.end() || !frames->is_array() || main == scene.end()) return;
  const auto place = std::ranges::find(*frames, *main);
  if (place != frames->end()) main_frame_ = static_cast<std::size_t>(place - frames->begin());
}

void WindowReader::take_picture(Bytes data, Time time) {
  if (!main_frame_ || !live_) return;
  const json whole = json_from(data);
  const json* machine = machine_in(whole, history_.moment.machine);
  if (machine == nullptr || !machine->contains("frames")) return;
  constexpr std::size_t numbers = 7;  // of a frame: position and orientation
  const json& frames = (*machine)["frames"];
  if (!frames.is_array() || frames.size() < (*main_frame_ + 1) * numbers) return;
  Place place{time, {}};
  for (std::size_t i = 0; i < 3; ++i) {
    const json& number = frames[*main_frame_ * numbers + i];
    if (!number.is_number()) return;
    place.position.push_back(number.get<double>());
  }
  history_.measured.places.push_back(std::move(place));
}

void WindowReader::take_frame(Bytes data, Time time) {
  FieldFrame frame;
  if (!ros2::decode(data, frame) || frame.kind > FieldFrame::BROKEN) return;
  const bool passes = frame.kind == FieldFrame::IN || frame.kind == FieldFrame::OUT;
  history_.frames.push_back({time, static_cast<Frame::Kind>(frame.kind), frame.connection, frame.data.size(),
                             passes ? std::string() : frame.peer});
}

void WindowReader::take_truth(const record::mcap::Message& message, Time time) {
  if (!leaves_.read(message, values_)) return;
  Place place{time, {}};
  for (const Leaf& leaf : values_) {
    if (leaf.path == "unit") history_.truth.unit = leaf.text;
    if (leaf.path == "speed" && leaf.number) place.speed = *leaf.number;
    if (leaf.path.starts_with("position.") && leaf.number) place.position.push_back(*leaf.number);
  }
  const bool finite = std::ranges::all_of(place.position, [](double value) { return std::isfinite(value); });
  if (!place.position.empty() && finite) history_.truth.places.push_back(std::move(place));
}

void WindowReader::take_residual(Bytes data, Time time) {
  ros2::tandem_msgs::Residual residual;
  if (!ros2::decode(data, residual)) return;
  Residual taken{time, {}};
  for (std::size_t i = 0; i < std::min(residual.names.size(), residual.values.size()); ++i)
    if (std::isfinite(residual.values[i])) taken.values.emplace_back(residual.names[i], residual.values[i]);
  if (!taken.values.empty()) history_.residuals.push_back(std::move(taken));
}

void WindowReader::take_log(Bytes data, Time time) {
  ros2::rcl_interfaces::Log line;
  if (node_.empty() || !ros2::decode(data, line) || line.level < ros2::rcl_interfaces::Log::WARN) return;
  const std::size_t dot = line.name.rfind('.');
  if (line.name.substr(dot == std::string::npos ? 0 : dot + 1) == node_) history_.log.push_back({time, line.msg});
}

}  // namespace tandem::app::incident
