// SPDX-License-Identifier: Apache-2.0
#include "tandem/prove/checker/history.hpp"

#include <algorithm>
#include <charconv>
#include <functional>

#include "tandem/prove/checker/cdr.hpp"
#include "tandem/prove/checker/json.hpp"
#include "tandem/prove/checker/published.hpp"
#include "tandem/record/mcap_reader.hpp"

namespace tandem::prove::checker {
namespace {

using Data = std::span<const std::uint8_t>;

std::uint64_t whole_number(const std::string& text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string_view text_in(Data data) { return {reinterpret_cast<const char*>(data.data()), data.size()}; }

class Reader {
 public:
  explicit Reader(History& history) : history_(history) {}

  // The machines are those that the channels of field frames name.
  void describe(const record::mcap::Channel& channel) {
    const auto machine = channel.metadata.find("machine"), type = channel.metadata.find("machine_type");
    if (machine == channel.metadata.end() || type == channel.metadata.end()) return;
    MachineHistory& made = machine_named(machine->second);
    made.type = type->second;
  }

  void take(const std::string& topic, double t, Data data) {
    if (topic == "/tandem/commands") return take_command(t, data);
    if (topic == "/tandem/status") return take_status(t, data);
    if (topic == "/tandem/prove/marks") return take_mark(t, data);
    if (topic == "/tandem/prove/truth") return take_truth(t, data);
    if (topic == "/tandem/prove/goals") return take_goal(t, data);
    for (MachineHistory& machine : history_.machines) {
      const std::string own = "/tandem/" + machine.name;
      if (topic == own + "/field") return take_frame(machine.frames, t, data);
      if (topic == own + "/device_field") return take_frame(machine.device_frames, t, data);
      if (topic == own + "/events") return take_event(machine, t, data);
      if (topic == published_topic(machine.type, machine.name)) {
        if (auto values = published_values(machine.type, data)) return machine.published.push_back({t, *values});
        return no_sense();
      }
    }
  }

  // Deeds whose end was not seen lasted to the end.
  void finish() {
    for (auto& [number, place] : open_) history_.machines[place.first].deeds[place.second].end = history_.length;
  }

 private:
  void no_sense() { ++history_.unread; }
  MachineHistory& machine_named(const std::string& name) {
    const auto known = std::ranges::find(history_.machines, name, &MachineHistory::name);
    if (known != history_.machines.end()) return *known;
    history_.machines.emplace_back().name = name;
    return history_.machines.back();
  }
  MachineHistory* find(const std::string& name) {
    const auto known = std::ranges::find(history_.machines, name, &MachineHistory::name);
    return known == history_.machines.end() ? nullptr : &*known;
  }

  static void skip_stamp(Cdr& cdr) {
    cdr.number<std::int32_t>();
    cdr.number<std::uint32_t>();
  }

  void take_command(double t, Data data) {
    Cdr cdr(data);
    skip_stamp(cdr);
    const std::string machine = cdr.text();
    Command command{t, cdr.text(), cdr.text(), cdr.number<std::uint8_t>() != 0};
    if (!cdr.ok()) return no_sense();
    for (MachineHistory& one : history_.machines)
      if (machine.empty() || machine == one.name) one.commands.push_back(command);
  }

  void take_event(MachineHistory& machine, double t, Data data) {
    Cdr cdr(data);
    skip_stamp(cdr);
    cdr.text();
    const std::string kind = cdr.text();
    machine.events.push_back({t, kind, cdr.text()});
    if (!cdr.ok()) machine.events.pop_back(), no_sense();
  }

  void take_frame(std::vector<Frame>& into, double t, Data data) {
    Cdr cdr(data);
    skip_stamp(cdr);
    Frame frame;
    frame.t = t;
    frame.connection = cdr.number<std::uint32_t>();
    const auto kind = cdr.number<std::uint8_t>();
    cdr.number<std::uint8_t>();
    cdr.text();
    cdr.text();
    const Data bytes = cdr.bytes();
    if (!cdr.ok() || kind > Frame::broken) return no_sense();
    frame.kind = static_cast<Frame::Kind>(kind);
    frame.bytes.assign(bytes.begin(), bytes.end());
    into.push_back(std::move(frame));
  }

  void take_status(double t, Data data) {
    const auto json = json_from(text_in(data));
    if (!json) return no_sense();
    for (const Json& one : (*json)["machines"].items)
      if (auto* machine = find(one["name"].text))
        machine->statuses.push_back({t, one["state"].text, one["quality"].text, one["arm"].text});
  }

  void take_truth(double t, Data data) {
    const auto json = json_from(text_in(data));
    auto* machine = json ? find((*json)["machine"].text) : nullptr;
    if (machine == nullptr) return no_sense();
    Truth truth{t, {}, (*json)["speed"].number};
    for (const Json& number : (*json)["position"].items) truth.position.push_back(number.number);
    machine->truth.push_back(std::move(truth));
  }

  void take_goal(double t, Data data) {
    const auto json = json_from(text_in(data));
    auto* machine = json ? find((*json)["machine"].text) : nullptr;
    if (machine == nullptr) return no_sense();
    machine->goals.push_back({t, (*json)["goal"].text, (*json)["state"].text});
  }

  void take_mark(double t, Data data) {
    const auto json = json_from(text_in(data));
    if (!json) return no_sense();
    const Json& mark = *json;
    if (mark["verb"].text == "stall") {
      history_.stalls.push_back({t - mark["lasts"].number, t});
      return;
    }
    if (mark["verb"].text == "begin") return void(history_.begun = t);
    if (mark["verb"].text == "end") return void(history_.ended = t);
    const auto number = static_cast<std::uint64_t>(mark["number"].number);
    if (mark["phase"].text == "end") {
      const auto place = open_.find(number);
      if (place == open_.end()) return no_sense();
      Deed& deed = history_.machines[place->second.first].deeds[place->second.second];
      deed.end = t;
      deed.ok = mark["ok"].number != 0;
      open_.erase(place);
      return;
    }
    auto* machine = find(mark["machine"].text);
    if (machine == nullptr) return no_sense();
    open_[number] = {static_cast<std::size_t>(machine - history_.machines.data()), machine->deeds.size()};
    machine->deeds.push_back(
        {t, t, mark["verb"].text, mark["by"].text, false, mark["lasts"].number, mark["a"].number, mark["b"].number});
  }

  History& history_;
  std::map<std::uint64_t, std::pair<std::size_t, std::size_t>> open_;  // number: machine, deed
};

}  // namespace

Result<History> read_history(const std::string& file) {
  auto reader = record::McapReader::open(file);
  if (!reader) return std::move(reader).error();
  History history;
  Reader into(history);
  for (const auto& [id, channel] : reader->contents().channels) into.describe(channel);
  for (const auto& [id, channel] : reader->contents().channels) {
    if (channel.topic != "/tandem/prove/marks") continue;
    if (const auto seed = channel.metadata.find("seed"); seed != channel.metadata.end())
      history.seed = whole_number(seed->second);
  }
  const record::mcap::Map end = reader->metadata("tandem_end");
  if (const auto dropped = end.find("dropped"); dropped != end.end()) history.dropped = whole_number(dropped->second);
  auto cursor = reader->messages();
  std::uint64_t first = 0;
  while (true) {
    auto message = cursor.next();
    if (!message) return std::move(message).error();
    if (!*message) break;
    const auto& one = **message;
    if (first == 0) first = one.log_time;
    const double t = 1e-9 * static_cast<double>(one.log_time - first);
    history.length = std::max(history.length, t);
    const auto channel = reader->contents().channels.find(one.channel);
    if (channel != reader->contents().channels.end()) into.take(channel->second.topic, t, one.data);
  }
  into.finish();
  return history;
}

}  // namespace tandem::prove::checker
