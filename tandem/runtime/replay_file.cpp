#include "tandem/runtime/replay_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "tandem/ros2/cdr.hpp"

namespace tandem::runtime {
namespace {

using ros2::tandem_msgs::FieldFrame;

std::string metadata_of(const record::mcap::Channel& channel, const std::string& key) {
  const auto found = channel.metadata.find(key);
  return found == channel.metadata.end() ? std::string() : found->second;
}

bool holds_frames(const record::McapReader& reader, const record::mcap::Channel& channel) {
  const auto* schema = reader.schema(channel);
  return schema != nullptr && schema->name == FieldFrame::type_name && channel.encoding == "cdr";
}

Result<RecordedMachine> chosen_machine(const record::McapReader& reader, const std::string& name) {
  const auto machines = recorded_machines(reader);
  std::vector<std::string> names;
  for (const RecordedMachine& machine : machines) names.push_back(machine.name);
  if (machines.empty())
    return Error{Fault::not_found,
                 "the recording holds no field frames; expected a file that tandem recorded (record: { file: ... })"};
  if (name.empty() && machines.size() == 1) return machines.front();
  if (name.empty())
    return Error{Fault::invalid, fmt::format("the recording holds several machines: {}; choose one with --machine",
                                             fmt::join(names, ", "))};
  const auto found = std::ranges::find(machines, name, &RecordedMachine::name);
  if (found != machines.end()) return *found;
  return Error{Fault::not_found,
               fmt::format("the recording holds no machine \"{}\"; it holds {}", name, fmt::join(names, ", "))};
}

}  // namespace

std::vector<RecordedMachine> recorded_machines(const record::McapReader& reader) {
  std::vector<RecordedMachine> machines;
  for (const auto& [id, channel] : reader.contents().channels) {
    if (!holds_frames(reader, channel)) continue;
    const auto& counts = reader.contents().statistics.channel_messages;
    const auto count = counts.find(id);
    machines.push_back({metadata_of(channel, "machine"), metadata_of(channel, "machine_type"),
                        metadata_of(channel, "device"), count == counts.end() ? 0 : count->second});
  }
  return machines;
}

Result<FieldRecording> read_field_recording(const record::McapReader& reader, const std::string& machine,
                                            const std::function<void(double)>& progress) {
  auto chosen = chosen_machine(reader, machine);
  if (!chosen) return std::move(chosen).error();
  record::Selection selection;
  for (const auto& [id, channel] : reader.contents().channels)
    if (holds_frames(reader, channel) && metadata_of(channel, "machine") == chosen->name) selection.channels.insert(id);
  ConversationBuilder builder;
  std::set<std::uint32_t> unbegun;
  std::uint64_t read = 0;
  FieldFrame frame;
  record::Cursor cursor = reader.messages(std::move(selection));
  while (true) {
    auto message = cursor.next();
    if (!message) return std::move(message).error();
    if (!*message) break;
    if (progress && ++read % 1024 == 0 && chosen->frames > 0)
      progress(static_cast<double>(read) / static_cast<double>(chosen->frames));
    if (auto decoded = ros2::decode((*message)->data, frame); !decoded) return std::move(decoded).error();
    if (auto added = builder.add(frame); !added) {
      // The second file of a recording, or a lost chunk: the next connection is whole again.
      if (added.error().fault != Fault::not_found) return std::move(added).error();
      unbegun.insert(frame.connection);
    }
  }
  FieldRecording recording{chosen->name, chosen->type, chosen->device, builder.take(), unbegun.size()};
  if (recording.conversations.empty() && recording.unbegun > 0)
    return Error{Fault::not_found, fmt::format("{}: the recording holds the beginning of none of its {} connections; "
                                               "expected the file in which they were opened",
                                               chosen->name, recording.unbegun)};
  return recording;
}

}  // namespace tandem::runtime
