// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/recording/incidents.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace tandem::runtime {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_noted = 64, most_shown = 20;
constexpr Duration answer_within = 1s;
constexpr auto in_use = std::chrono::minutes(2);  // a file that was written to so lately may be another tandem's
constexpr std::size_t stamp_size = 17;            // "20261119T043015Z_"
constexpr std::string_view ending = ".mcap";

std::string subject(const Incident& incident) { return incident.machine.empty() ? "all" : incident.machine; }

record::mcap::Map metadata_of(const Incident& incident, UtcTime at) {
  return {{"machine", subject(incident)},
          {"cause", std::string(incident.cause)},
          {"text", incident.text},
          {"at", fmt::format("{}", at.time_since_epoch().count())}};
}

// A name that is free: two incidents in one second are rare.
fs::path free_name(const fs::path& folder, const std::string& name) {
  std::error_code ignored;
  fs::path path = folder / name;
  for (int i = 1; fs::exists(path, ignored); ++i)
    path = folder / fmt::format("{}_{}{}", name.substr(0, name.size() - ending.size()), i, ending);
  return path;
}

}  // namespace

std::string incident_name(UtcTime at, std::string_view machine, std::string_view cause) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(at);
  return fmt::format("{:%Y%m%dT%H%M%S}Z_{}_{}{}",
                     fmt::gmtime(static_cast<std::time_t>(whole.time_since_epoch().count())), machine, cause, ending);
}

bool is_incident_name(std::string_view name) {
  if (name.size() < stamp_size + ending.size() || !name.ends_with(ending)) return false;
  constexpr std::string_view form = "00000000T000000Z_";
  return std::equal(form.begin(), form.end(), name.begin(), [](char expected, char got) {
    return expected == '0' ? got >= '0' && got <= '9' : got == expected;
  });
}

Incidents::Incidents(const BlackBoxConfig& config, std::string folder, record::BlackBox& box, Clock& clock,
                     const FileClock& file_clock, OnEvent on_event)
    : config_(config),
      folder_(std::move(folder)),
      box_(box),
      clock_(clock),
      file_clock_(file_clock),
      on_event_(std::move(on_event)) {}

void Incidents::happened(Incident incident) { note(std::move(incident), nullptr); }

void Incidents::note(Incident incident, std::shared_ptr<Answer> answer) {
  const UtcTime at = file_clock_.utc(clock_.now());
  const std::lock_guard lock(noted_mutex_);
  if (noted_.size() < most_noted) noted_.push_back({std::move(incident), at, std::move(answer)});
}

Result<std::string> Incidents::write(Incident incident) {
  const auto answer = std::make_shared<Answer>();
  auto file = answer->get_future();
  note(std::move(incident), answer);
  if (file.wait_for(answer_within) == std::future_status::ready) return file.get();
  return Error{Fault::timeout, fmt::format("{}: expected a new file within {:.0f} s, got none yet; see `tandem status`",
                                           folder_, seconds(answer_within))};
}

void Incidents::look() {
  // The end of the program does not wait for a thread that hangs here.
  const std::unique_lock looking(looking_, std::try_to_lock);
  if (!looking) return;
  std::deque<Noted> noted;
  {
    const std::lock_guard lock(noted_mutex_);
    noted.swap(noted_);
  }
  Events events;
  for (const Noted& each : noted) {
    auto file = take(each, events);
    if (each.answer) each.answer->set_value(std::move(file));
  }
  report(events);
  for (const Event& event : events)
    if (on_event_) on_event_(event);
}

// What happens while a file is written belongs to it.
Result<std::string> Incidents::take(const Noted& noted, Events& events) {
  const Incident& incident = noted.incident;
  if (!files_.empty() && box_.extend(duration_of(config_.after))) {
    const std::string& file = files_.back().file->path();
    show(file, noted);
    events.push_back({incident.machine, "incident", fmt::format("{}: {}; in {}", incident.cause, incident.text, file)});
    return file;
  }
  auto file = begin(noted);
  show_trouble(file ? "" : file.error().text);
  if (file) {
    show(*file, noted);
  } else {
    events.push_back({incident.machine, "incident",
                      fmt::format("{}: {}; not written: {}", incident.cause, incident.text, file.error().text), true});
  }
  return file;
}

Result<std::string> Incidents::begin(const Noted& noted) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error || !fs::is_directory(folder_, error))
    return Error{Fault::device, fmt::format("{}: expected a folder, got: {}; choose another with --black-box FOLDER",
                                            folder_, error ? error.message() : "a file")};
  if (::access(folder_.c_str(), W_OK | X_OK) != 0)
    return Error{Fault::device,
                 fmt::format("{}: {}; choose another with --black-box FOLDER", folder_, std::strerror(errno))};
  make_room(box_.counts().bytes);
  const Incident& incident = noted.incident;
  std::string path = free_name(folder_, incident_name(noted.at, subject(incident), incident.cause));
  files_.push_back({box_.write(path, metadata_of(incident, noted.at), duration_of(config_.after)), incident});
  return path;
}

void Incidents::show(const std::string& file, const Noted& noted) {
  const Incident& incident = noted.incident;
  const std::lock_guard lock(shown_mutex_);
  newest_.push_front(
      {file, subject(incident), std::string(incident.cause), incident.text, seconds(noted.at.time_since_epoch())});
  if (newest_.size() > most_shown) newest_.pop_back();
}

// Each file twice: when what was before is in it, and when it ended badly.
void Incidents::report(Events& events) {
  using Stage = record::WrittenFile::Stage;
  for (Written& written : files_) {
    const auto state = written.file->state();
    const bool failed = state.stage == Stage::failed;
    if (!written.opened && state.stage != Stage::opening) {
      written.opened = true;
      written.told = state.trouble;
      const std::string how = state.trouble.empty()
                                  ? fmt::format("explain it: tandem incident {}", written.file->path())
                                  : fmt::format("not {}: {}", failed ? "written" : "complete", state.trouble);
      events.push_back({written.incident.machine, "incident",
                        fmt::format("{}: {}; {}", written.incident.cause, written.incident.text, how),
                        !state.trouble.empty()});
    }
    if (!state.trouble.empty()) show_trouble(state.trouble);
    written.ended = failed || state.stage == Stage::whole;
    if (!written.ended) continue;
    if (state.trouble != written.told)
      events.push_back({written.incident.machine, "incident", "not complete: " + state.trouble, true});
    make_room(0);
  }
  std::erase_if(files_, [](const Written& written) { return written.ended; });
}

// Deletes the oldest until so many bytes have room; never one that is being written.
void Incidents::make_room(std::uint64_t bytes) const {
  struct Kept {
    fs::path path;
    std::uint64_t size = 0;
    bool used = false;
  };
  std::vector<Kept> kept;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator each(folder_, error), end; !error && each != end; each.increment(error)) {
    if (!is_incident_name(each->path().filename().string())) continue;
    std::error_code gone;
    const std::uint64_t size = each->file_size(gone);
    const auto written = each->last_write_time(gone);
    if (!gone) kept.push_back({each->path(), size, now - written < in_use});
    bytes += gone ? 0 : size;
  }
  std::ranges::sort(kept, {}, &Kept::path);
  for (const Kept& each : kept) {
    if (static_cast<double>(bytes) <= config_.keep_megabytes * 1e6) return;
    if (!each.used && fs::remove(each.path, error)) bytes -= each.size;
  }
}

void Incidents::show_trouble(std::string trouble) {
  const std::lock_guard lock(shown_mutex_);
  trouble_ = std::move(trouble);
}

std::vector<IncidentStatus> Incidents::newest() const {
  const std::lock_guard lock(shown_mutex_);
  return {newest_.begin(), newest_.end()};
}

std::string Incidents::trouble() const {
  const std::lock_guard lock(shown_mutex_);
  return trouble_;
}

}  // namespace tandem::runtime
