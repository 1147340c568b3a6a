// SPDX-License-Identifier: Apache-2.0
// Writes what the black box holds when something happens, one file for everything that happens close together, and
// keeps the folder of these files within its size.
#pragma once

#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <string>

#include "tandem/record/black_box.hpp"
#include "tandem/runtime/config/black_box.hpp"
#include "tandem/runtime/recording/field_tap.hpp"
#include "tandem/runtime/supervision/event.hpp"
#include "tandem/runtime/supervision/status.hpp"

namespace tandem::runtime {

class Incidents {
 public:
  // `on_event` learns of each file and of what could not be written.
  Incidents(const BlackBoxConfig& config, std::string folder, record::BlackBox& box, Clock& clock,
            const FileClock& file_clock, OnEvent on_event);

  // Any thread, a machine's too: notes it, and no more.
  void happened(Incident incident);
  // The same, and waits a second at most for the file, or why there will be none.
  Result<std::string> write(Incident incident);
  // Begins files for what was noted, and reports what has been written. A thread that may wait for a disk.
  void look();

  std::vector<IncidentStatus> newest() const;  // first; at most 20
  std::string trouble() const;                 // of the newest file; empty: none

 private:
  using Answer = std::promise<Result<std::string>>;
  struct Noted {
    Incident incident;
    UtcTime at;
    std::shared_ptr<Answer> answer;  // may be null
  };
  struct Written {
    std::shared_ptr<const record::WrittenFile> file;
    Incident incident;
    bool opened = false, ended = false;
    std::string told{};  // what could not be written
  };
  using Events = std::vector<Event>;

  void note(Incident incident, std::shared_ptr<Answer> answer);
  Result<std::string> take(const Noted& noted, Events& events);
  Result<std::string> begin(const Noted& noted);
  void show(const std::string& file, const Noted& noted);
  void show_trouble(std::string trouble);
  void report(Events& events);
  void make_room(std::uint64_t bytes) const;

  const BlackBoxConfig config_;
  const std::string folder_;
  record::BlackBox& box_;
  Clock& clock_;
  const FileClock file_clock_;
  const OnEvent on_event_;

  std::mutex noted_mutex_;
  std::deque<Noted> noted_;  // guarded

  std::mutex looking_;          // one at a time
  std::vector<Written> files_;  // of look()

  mutable std::mutex shown_mutex_;  // of what follows; nobody who holds it waits for a disk
  std::deque<IncidentStatus> newest_;
  std::string trouble_;
};

// "20261119T043015Z_lift_lost.mcap"
std::string incident_name(UtcTime at, std::string_view machine, std::string_view cause);
// Whether it is a name of that form.
bool is_incident_name(std::string_view name);

}  // namespace tandem::runtime
