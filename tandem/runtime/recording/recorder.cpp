// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/recording/recorder.hpp"

namespace tandem::runtime {

namespace {

record::RecorderOptions recorder_options(const RecordConfig& config, const std::string& version) {
  record::RecorderOptions options;
  options.file = config.file;
  options.metadata = {{"tandem", version}};
  options.largest_file = static_cast<std::uint64_t>(config.megabytes * 1e6);
  return options;
}

// The residuals of a twin, by name: those of its values that say so.
ros2::tandem_msgs::Residual residual_of(const MachineStatus& machine) {
  ros2::tandem_msgs::Residual residual;
  residual.machine = machine.name;
  for (const auto& value : machine.twin_values) {
    for (std::size_t i = 0; i < value.numbers.size(); ++i) {
      residual.names.push_back(value.numbers.size() == 1 ? value.name : value.name + "." + std::to_string(i));
      residual.values.push_back(value.numbers[i]);
    }
  }
  return residual;
}

}  // namespace

RecordingWriter::RecordingWriter(const RecordConfig& config, const Watched& watched, Clock& clock,
                                 const std::string& version)
    : config_(config),
      watched_(watched),
      clock_(clock),
      file_clock_(clock),
      recorder_(recorder_options(config, version)),
      topics_(recorder_, file_clock_) {
  for (const LiveChannel& channel : live_channels()) {
    record::ChannelInfo info;
    info.topic = channel.topic;
    info.encoding = "json";
    info.schema_name = "tandem" + std::string(channel.topic.substr(channel.topic.rfind('/')));
    info.schema_encoding = "jsonschema";
    info.schema = channel.schema;
    info.lasts = channel.what == Live::scene;
    channels_[static_cast<std::size_t>(channel.what)] = recorder_.channel(info);
  }
}

net::Tap* RecordingWriter::field(const std::string& machine, std::string_view type, std::string_view device) {
  if (!config_.frames) return nullptr;
  auto& tap = fields_[machine];
  if (!tap) tap = std::make_unique<FieldTap>(recorder_, file_clock_, machine, type, device);
  return tap.get();
}

void RecordingWriter::keep(Live what, const std::string& message) {
  const UtcTime stamp = file_clock_.utc(clock_.now());
  recorder_.put(channels_[static_cast<std::size_t>(what)], stamp, stamp, as_bytes(message));
}

void RecordingWriter::tell(const Event& event) {
  const Instant now = clock_.now();
  record_event(recorder_, file_clock_, event, now);
  keep(Live::log, log_json(event, seconds(file_clock_.utc(now).time_since_epoch())));
}

void RecordingWriter::commanded(std::string_view machine, std::string_view what, std::string_view by, bool ok,
                                std::string_view text) {
  ros2::tandem_msgs::Command command;
  command.machine = machine;
  command.what = what;
  command.by = by;
  command.ok = ok;
  command.text = text;
  record_command(recorder_, file_clock_, std::move(command), clock_.now());
}

RecordingStatus RecordingWriter::status_from(const record::RecorderCounts& counts) {
  return {counts.file, counts.messages, counts.file_bytes, counts.dropped, counts.trouble};
}

RecordingStatus RecordingWriter::status() const { return status_from(recorder_.counts()); }
RecordingStatus RecordingWriter::finish() { return status_from(recorder_.finish()); }

void RecordingWriter::run(const std::stop_token& stop) {
  const Duration every = duration_of(1 / config_.picture_hz);
  std::string message;
  const auto say = [&](Live what) {
    compose(message, what, watched_, seconds(file_clock_.utc(clock_.now()).time_since_epoch()));
    keep(what, message);
  };
  say(Live::scene);
  Instant next = clock_.now(), next_status = next, next_latency = next;
  while (!stop.stop_requested()) {
    const Instant now = clock_.now();
    say(Live::picture);
    if (now >= next_status) {
      next_status = now + 100ms;
      const SystemStatus status = watched_.status();
      keep(Live::status, json_from_status(status));
      for (const MachineStatus& machine : status.machines) {
        if (!machine.twin_values.empty()) record_residual(recorder_, file_clock_, residual_of(machine), now);
      }
    }
    if (now >= next_latency) {
      next_latency = now + 1s;
      say(Live::latency);
    }
    next = std::max(next + every, now);
    clock_.sleep_until(next);
  }
}

}  // namespace tandem::runtime
