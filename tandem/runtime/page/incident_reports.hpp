// SPDX-License-Identifier: Apache-2.0
// The reports on incidents that the page serves: /incidents/NAME.html for NAME.mcap of one folder. A report is made by
// a thread of its own when it is first asked for, so that the page, and the stop on it, never wait for it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "tandem/base/result.hpp"
#include "tandem/web/server/server.hpp"

namespace tandem::runtime {

// The metadata record in which the black box says what a file is of: machine, cause, text, at (ns since 1970, UTC).
inline constexpr std::string_view incident_metadata = "tandem_incident";

// The file's name without its folder and ".mcap", and the path of its report: "/incidents/NAME.html".
std::string report_name(std::string_view file);
std::string report_path(std::string_view file);

class IncidentReports {
 public:
  // One HTML page about a file; may take long. Called by the thread of the reports.
  using Make = std::function<Result<std::string>(const std::string& file)>;

  // `only`: of the folder only this file; empty: all that end in ".mcap".
  IncidentReports(std::string folder, Make make, std::string only = {});
  ~IncidentReports();  // waits for the report that is being made

  // Nothing: the path is not of a report. A report that is not ready yet is a page that asks again by itself. On the
  // server's thread only; what is asked for has passed the page's access control already.
  std::optional<web::Response> answer(std::string_view path);

 private:
  struct Version {
    std::uintmax_t size = 0;
    std::filesystem::file_time_type written{};
    bool operator==(const Version&) const = default;
  };
  struct Report {
    Version version;
    Result<std::string> page;
  };
  std::optional<Version> version_of(const std::string& name) const;
  void make(const std::string& name, const Version& version);

  const std::string folder_, only_;
  const Make make_;
  std::mutex mutex_;
  std::map<std::string, Report> reports_;  // guarded; by name
  bool busy_ = false;                      // guarded
  std::jthread worker_;
};

}  // namespace tandem::runtime
