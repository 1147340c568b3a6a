// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/recording/recorder.hpp"

namespace tandem::runtime {

namespace {

constexpr Duration truth_every = 20ms;
// Of the black box alone; a file has more of both.
constexpr double box_picture_hz = 10;
constexpr Duration box_status_every = 1s, file_status_every = 100ms;

std::unique_ptr<record::Recorder> file_from(const RecordingOptions& wanted) {
  if (wanted.file.file.empty()) return nullptr;
  record::RecorderOptions options;
  options.file = wanted.file.file;
  options.metadata = {{"tandem", wanted.version}};
  options.largest_file = static_cast<std::uint64_t>(wanted.file.megabytes * 1e6);
  return std::make_unique<record::Recorder>(std::move(options));
}

std::unique_ptr<record::BlackBox> box_from(const RecordingOptions& wanted) {
  if (wanted.incidents.empty()) return nullptr;
  record::BlackBoxOptions options;
  options.keep = duration_of(wanted.black_box.seconds);
  options.bytes = static_cast<std::size_t>(wanted.black_box.megabytes * 1e6);
  options.metadata = {{"tandem", wanted.version}};
  options.restamp = restamp_message;
  return std::make_unique<record::BlackBox>(std::move(options));
}

RecordingStatus status_from(const record::RecorderCounts& counts) {
  return {counts.file, counts.messages, counts.file_bytes, counts.dropped, counts.trouble};
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

RecordingWriter::RecordingWriter(const RecordingOptions& options, const Watched& watched, Clock& clock,
                                 const OnEvent& on_event)
    : config_(options.file),
      watched_(watched),
      clock_(clock),
      file_clock_(clock),
      file_(file_from(options)),
      box_(box_from(options)),
      both_(file_ && box_ ? std::make_unique<record::Tee>(*file_, *box_) : nullptr),
      incidents_(
          box_ ? std::make_unique<Incidents>(options.black_box, options.incidents, *box_, clock, file_clock_, on_event)
               : nullptr),
      folder_(options.incidents),
      topics_(all(), file_clock_) {
  for (const LiveChannel& channel : live_channels()) {
    record::ChannelInfo info;
    info.topic = channel.topic;
    info.encoding = "json";
    info.schema_name = "tandem" + std::string(channel.topic.substr(channel.topic.rfind('/')));
    info.schema_encoding = "jsonschema";
    info.schema = channel.schema;
    info.lasts = channel.what == Live::scene;
    channels_[static_cast<std::size_t>(channel.what)] = all().channel(info);
  }
}

record::Sink& RecordingWriter::all() {
  if (both_) return *both_;
  return file_ ? static_cast<record::Sink&>(*file_) : *box_;
}

record::Sink* RecordingWriter::frames() {
  if (config_.frames || !file_) return &all();
  return both_ ? &both_->second_only() : nullptr;
}

net::Tap* RecordingWriter::field(const std::string& machine, std::string_view type, std::string_view device) {
  record::Sink* const sink = frames();
  if (sink == nullptr) return nullptr;
  auto& tap = fields_[machine];
  if (!tap) tap = std::make_unique<FieldTap>(*sink, file_clock_, machine, type, device);
  return tap.get();
}

void RecordingWriter::keep(Live what, const std::string& message) {
  const UtcTime stamp = file_clock_.utc(clock_.now());
  all().put(channels_[static_cast<std::size_t>(what)], stamp, stamp, as_bytes(message));
}

void RecordingWriter::tell(const Event& event) {
  const Instant now = clock_.now();
  record_event(all(), file_clock_, event, now);
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
  record_command(all(), file_clock_, std::move(command), clock_.now());
}

void RecordingWriter::happened(const Incident& incident) {
  if (incidents_) incidents_->happened(incident);
}

Result<std::string> RecordingWriter::snapshot(Incident incident) { return incidents_->write(std::move(incident)); }

std::optional<RecordingStatus> RecordingWriter::status() const {
  if (!file_) return std::nullopt;
  return status_from(file_->counts());
}

std::optional<BlackBoxStatus> RecordingWriter::black_box() const {
  if (!box_) return std::nullopt;
  const record::BlackBoxCounts counts = box_->counts();
  const std::string trouble = counts.trouble.empty() ? incidents_->trouble() : counts.trouble;
  return BlackBoxStatus{folder_, counts.seconds, counts.bytes, counts.dropped, trouble};
}

std::vector<IncidentStatus> RecordingWriter::incidents() const {
  return incidents_ ? incidents_->newest() : std::vector<IncidentStatus>{};
}

std::optional<RecordingStatus> RecordingWriter::finish() {
  if (box_) {
    incidents_->look();
    box_->finish();
    incidents_->look();
  }
  if (!file_) return std::nullopt;
  return status_from(file_->finish());
}

void RecordingWriter::say(Live what) {
  compose(message_, what, watched_, seconds(file_clock_.utc(clock_.now()).time_since_epoch()));
  keep(what, message_);
}

void RecordingWriter::keep_truths(Instant now) {
  for (MachineTruth& truth : watched_.truths()) {
    const auto [channel, fresh] = truths_.try_emplace(truth.machine);
    if (fresh) channel->second = truth_channel(all(), truth.machine);
    ros2::tandem_msgs::Truth message;
    message.machine = truth.machine;
    message.unit = truth.motion.unit;
    message.position = std::move(truth.motion.position);
    message.speed = truth.motion.speed;
    record_truth(all(), file_clock_, channel->second, std::move(message), now);
  }
}

void RecordingWriter::keep_status(Instant now) {
  const SystemStatus status = watched_.status();
  keep(Live::status, json_from_status(status));
  for (const MachineStatus& machine : status.machines) {
    if (!machine.twin_values.empty()) record_residual(all(), file_clock_, residual_of(machine), now);
  }
}

// Once for each time that one begins.
void RecordingWriter::watch_residuals() {
  std::set<std::string_view> alarmed;
  for (const auto& [machine, why] : watched_.residual_alarms()) {
    alarmed.insert(machine);
    if (!alarmed_.contains(machine)) happened({std::string(machine), "residual", why});
  }
  alarmed_ = std::move(alarmed);
}

void RecordingWriter::run(const std::stop_token& stop) {
  const Duration picture_every = duration_of(1 / (file_ ? config_.picture_hz : box_picture_hz));
  const Duration status_every = file_ ? file_status_every : box_status_every;
  say(Live::scene);
  Instant next = clock_.now(), next_picture = next, next_status = next, next_latency = next;
  const auto due = [](Instant now, Instant& at, Duration every) {
    if (now < at) return false;
    at = std::max(at + every, now);
    return true;
  };
  while (!stop.stop_requested()) {
    const Instant now = clock_.now();
    if (due(now, next, truth_every)) keep_truths(now);
    if (due(now, next_picture, picture_every)) say(Live::picture);
    if (due(now, next_status, status_every)) keep_status(now);
    if (due(now, next_latency, 1s)) say(Live::latency);
    if (incidents_) {
      watch_residuals();
      incidents_->look();
    }
    clock_.sleep_until(std::min(next, next_picture));
  }
}

}  // namespace tandem::runtime
