// SPDX-License-Identifier: Apache-2.0
// Reads the history of a machine out of a recording, in two passes: what happened in all of it, then the window.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "tandem/app/recordings/incident/channels.hpp"
#include "tandem/app/recordings/incident/explain.hpp"
#include "tandem/base/nearest.hpp"
#include "tandem/record/mcap_reader.hpp"
#include "tandem/ros2/messages/tandem_msgs.hpp"
#include "tandem/ros2/types/cdr.hpp"

namespace tandem::app::incident {

namespace {

using record::mcap::Message;

constexpr double most_window = 86'400;     // s
constexpr std::size_t most_machines = 40;  // that are compared

Time time_of(const Message& message) {
  return static_cast<Time>(std::min<std::uint64_t>(message.log_time, 1ULL << 62U));
}

// Calls take(message) for the chosen; the answer is how many parts of the file cannot be read.
template <typename Take>
std::size_t each(const record::McapReader& reader, record::Selection selection, Take take) {
  if (selection.channels.empty()) return 0;  // which would mean all
  std::size_t unread = 0;
  record::Cursor cursor = reader.messages(std::move(selection));
  while (true) {
    const auto next = cursor.next();
    if (!next) {
      ++unread;
    } else if (!*next) {
      return unread;
    } else {
      take(**next);
    }
  }
}

// Events, commands and openings of connections, of all machines and the whole file.
struct Overall {
  std::vector<Event> events;
  std::vector<Command> commands;
  std::set<std::string> opened;  // machines
  std::size_t unread = 0;
};

Overall read_overall(const record::McapReader& reader) {
  Overall overall;
  const Channels channels(reader);
  ros2::tandem_msgs::LinkEvent event;
  ros2::tandem_msgs::Command command;
  ros2::tandem_msgs::FieldFrame frame;
  record::Selection selection;
  selection.channels = channels.of({Topic::events, Topic::commands, Topic::field});
  overall.unread = each(reader, selection, [&](const Message& message) {
    const Channel& channel = channels.at(message.channel);
    if (channel.topic == Topic::events && ros2::decode(message.data, event)) {
      overall.events.push_back({time_of(message), event.machine, event.kind, event.text, event.bad});
    } else if (channel.topic == Topic::commands && ros2::decode(message.data, command)) {
      overall.commands.push_back(
          {time_of(message), command.machine, command.what, command.by, command.text, command.ok});
    } else if (channel.topic == Topic::field && ros2::decode(message.data, frame)) {
      if (frame.kind == ros2::tandem_msgs::FieldFrame::OPENED) overall.opened.insert(channel.machine);
    }
  });
  return overall;
}

// The machine that is meant where the incident names none: that of the choice, else the first that was commanded.
std::string named_machine(const Overall& overall, const Channels& channels, const std::string& asked) {
  if (!asked.empty()) return asked;
  for (const Command& command : overall.commands)
    if (!command.machine.empty()) return command.machine;
  const auto names = channels.machines();
  return names.empty() ? "" : *names.begin();
}

Result<Moment> chosen_moment(const record::McapReader& reader, const Overall& overall, const Channels& channels,
                             const Choice& choice, const std::vector<Moment>& found) {
  const auto names = channels.machines();
  if (!choice.machine.empty() && !names.contains(choice.machine)) {
    const std::vector<std::string_view> known(names.begin(), names.end());
    return Error{Fault::not_found, fmt::format("the recording contains no machine '{}'{}", printable(choice.machine),
                                               suggestion(choice.machine, known))};
  }
  const auto is_meant = [&](const Moment& moment) {
    return choice.machine.empty() || choice.machine == moment.machine;
  };
  if (choice.at) {
    constexpr Time close = 500'000'000;
    for (const Moment& moment : found)
      if (is_meant(moment) && std::abs(moment.at - *choice.at) < close) return moment;
    return Moment{*choice.at, named_machine(overall, channels, choice.machine), "chosen", "the time given by --at"};
  }
  if (auto marked = moment_of(reader)) {
    if (!names.contains(marked->machine) || !choice.machine.empty())
      marked->machine = named_machine(overall, channels, choice.machine);
    return *marked;
  }
  const auto first = std::ranges::find_if(found, is_meant);
  if (first != found.end()) return *first;
  return Error{Fault::not_found,
               channels.machines().empty()
                   ? "no machines of tandem in it; expected a recording of `record:` or the black box"
                   : "no incident in it: no latched stop and no loss while armed; choose a time with --at"};
}

// The black box wrote it for no machine alone: a stop of all, a snapshot.
bool is_of_all(const record::McapReader& reader, const Channels& channels) {
  const auto names = channels.machines();
  const auto marked = moment_of(reader);
  return marked && names.size() > 1 && !names.contains(marked->machine);
}

record::Selection window_of(const History& history, std::set<std::uint16_t> channels) {
  const auto edge = [&](double offset) {
    return static_cast<std::uint64_t>(std::max<Time>(0, history.moment.at + static_cast<Time>(offset * 1e9)));
  };
  return {std::move(channels), edge(-history.before), edge(history.after)};
}

// Each machine of the file with its states and its way.
void read_all(const record::McapReader& reader, const Channels& channels, History& history) {
  const auto names = channels.machines();
  struct One {
    std::set<std::uint16_t> channels;
    WindowReader reader;
  };
  std::vector<One> readers;
  std::set<std::uint16_t> any;
  history.all.reserve(std::min(names.size(), most_machines));
  for (const std::string& name : names) {
    if (history.all.size() == most_machines) {
      history.missing.push_back(fmt::format("{} of {} machines are compared", most_machines, names.size()));
      break;
    }
    History one;
    one.start = history.start, one.end = history.end, one.before = history.before, one.after = history.after;
    one.moment = history.moment, one.moment.machine = name;
    history.all.push_back(std::move(one));
    readers.push_back({channels.of_motion(name), WindowReader(reader, channels, history.all.back())});
    any.insert(readers.back().channels.begin(), readers.back().channels.end());
  }
  (void)each(reader, window_of(history, std::move(any)), [&](const Message& message) {
    for (One& one : readers)
      if (one.channels.contains(message.channel)) one.reader.take(message, time_of(message));
  });
}

}  // namespace

Result<History> read_history(const record::McapReader& reader, const std::string& file, const Choice& choice) {
  History history;
  history.file = file;
  const auto& statistics = reader.contents().statistics;
  history.start = static_cast<Time>(statistics.start), history.end = static_cast<Time>(statistics.end);
  history.before = std::clamp(choice.before, 0.0, most_window),
  history.after = std::clamp(choice.after, 0.0, most_window);
  Overall overall = read_overall(reader);
  const Channels channels(reader);
  std::vector<Moment> found = moments_of(overall.events);
  auto moment = chosen_moment(reader, overall, channels, choice, found);
  if (!moment) return moment.error();
  history.from_black_box = moment_of(reader).has_value();
  history.moment = std::move(*moment);
  if (choice.machine.empty() && !choice.at && is_of_all(reader, channels)) {
    read_all(reader, channels, history);
    if (const auto rows = machines_of(history); !rows.empty()) history.moment.machine = rows.front().machine;
  }
  const std::string& machine = history.moment.machine;
  const auto is_this = [&](const Moment& other) {
    return other.machine == machine && std::abs(other.at - history.moment.at) < 1'000'000'000;
  };
  std::erase_if(found, is_this);
  history.others = std::move(found);
  std::erase_if(overall.events, [&](const Event& event) { return !event.machine.empty() && event.machine != machine; });
  std::erase_if(overall.commands,
                [&](const Command& each) { return !each.machine.empty() && each.machine != machine; });
  history.events = std::move(overall.events), history.commands = std::move(overall.commands);
  history.has_opening = overall.opened.contains(machine);
  channels.describe(machine, history);

  record::Selection window = window_of(history, channels.of_machine(machine));
  WindowReader window_reader(reader, channels, history);
  std::size_t unread =
      each(reader, window, [&](const Message& message) { window_reader.take(message, time_of(message)); });
  unread = std::max(unread, overall.unread);
  if (unread > 0) history.missing.push_back(fmt::format("{} parts of the file cannot be read", unread));
  if (!reader.contents().whole) history.missing.emplace_back("the file is incomplete; its readable part is explained");
  const auto dropped = reader.metadata("tandem_end");
  if (const auto count = dropped.find("dropped"); count != dropped.end() && count->second != "0")
    history.missing.push_back(fmt::format("{} messages are not in the recording: the recorder's buffer was full",
                                          printable(count->second, 20)));
  return history;
}

}  // namespace tandem::app::incident
