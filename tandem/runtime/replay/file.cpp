// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/replay/file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "tandem/ros2/types/cdr.hpp"

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
  names.reserve(machines.size());
  for (const RecordedMachine& machine : machines) names.push_back(machine.name);
  if (machines.empty())
    return Error{Fault::not_found,
                 "the recording contains no field frames; expected a file recorded by tandem (record: { file: ... })"};
  if (name.empty() && machines.size() == 1) return machines.front();
  if (name.empty())
    return Error{Fault::invalid, fmt::format("the recording contains several machines: {}; choose one with --machine",
                                             fmt::join(names, ", "))};
  const auto found = std::ranges::find(machines, name, &RecordedMachine::name);
  if (found != machines.end()) return *found;
  return Error{Fault::not_found,
               fmt::format("the recording contains no machine \"{}\"; it contains {}", name, fmt::join(names, ", "))};
}

using Frames = std::function<Result<void>(const record::mcap::Message&)>;

// Calls each(message) and, where a part of the file cannot be read, unread().
Result<void> each_frame(const record::McapReader& reader, const record::Selection& selection, const Frames& each,
                        const std::function<void()>& unread) {
  record::Cursor cursor = reader.messages(selection);
  while (true) {
    const auto message = cursor.next();
    if (!message) {
      unread();
    } else if (!*message) {
      return {};
    } else if (auto taken = each(**message); !taken) {
      return taken;
    }
  }
}

// Finds where the numbers of a channel's messages leave some out: those that the recorder had no room for, or that lay
// in a part of the file that is lost. Neither log times nor the file keep the order of the numbers exactly, as several
// threads may put frames of one machine; so all are known before a gap is.
class FrameGaps {
 public:
  void take(const record::mcap::Message& message) { seen_[message.channel].push_back(message.sequence); }
  void finish() {
    for (auto& [channel, numbers] : seen_) {
      std::sort(numbers.begin(), numbers.end());
      for (std::size_t i = 1; i < numbers.size(); ++i)
        if (numbers[i] - numbers[i - 1] > 1) behind_[channel].push_back(numbers[i]);
    }
    seen_.clear();
  }
  // Whether this is the first message behind a gap. Asked in the order of time.
  bool begins_behind_one(const record::mcap::Message& message) {
    auto& behind = behind_[message.channel];
    const auto passed = std::upper_bound(behind.begin(), behind.end(), message.sequence);
    if (passed == behind.begin()) return false;
    behind.erase(behind.begin(), passed);
    return true;
  }

 private:
  std::map<std::uint16_t, std::vector<std::uint32_t>> seen_, behind_;  // by channel; the first number behind each gap
};

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
  std::uint64_t read = 0;
  const auto show = [&] {  // everything is read twice
    if (progress && ++read % 1024 == 0 && chosen->frames > 0)
      progress(0.5 * static_cast<double>(read) / static_cast<double>(chosen->frames));
  };
  FrameGaps gaps;
  const auto count = [&](const record::mcap::Message& message) -> Result<void> {
    show();
    gaps.take(message);
    return {};
  };
  if (auto counted = each_frame(reader, selection, count, [] {}); !counted) return std::move(counted).error();
  gaps.finish();

  ConversationBuilder builder;
  std::set<std::uint32_t> unbegun;
  std::size_t torn = 0;
  FieldFrame frame;
  const auto take = [&](const record::mcap::Message& message) -> Result<void> {
    show();
    if (gaps.begins_behind_one(message)) torn += builder.tear();
    if (auto decoded = ros2::decode(message.data, frame); !decoded) return decoded;
    auto added = builder.add(frame);
    // The second file of a recording, or frames are lost: the next connection is whole again.
    const bool begun = added || added.error().fault != Fault::not_found;
    if (!begun) unbegun.insert(frame.connection);
    return begun ? std::move(added) : Result<void>();
  };
  if (auto taken = each_frame(reader, selection, take, [&] { torn += builder.tear(); }); !taken)
    return std::move(taken).error();
  FieldRecording recording{chosen->name, chosen->type, chosen->device, builder.take(), unbegun.size(), torn};
  if (recording.conversations.empty() && recording.unbegun > 0)
    return Error{Fault::not_found, fmt::format("{}: the recording does not contain the beginning of any of its {} "
                                               "connections; expected the file in which they were opened",
                                               chosen->name, recording.unbegun)};
  return recording;
}

}  // namespace tandem::runtime
