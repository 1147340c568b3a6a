// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/page/incident_reports.hpp"

#include <fmt/format.h>

#include "tandem/base/nearest.hpp"

namespace tandem::runtime {

namespace {

constexpr std::size_t most_reports = 8;    // that are kept
constexpr std::size_t longest_name = 200;  // characters
constexpr std::string_view prefix = "/incidents/", suffix = ".html", extension = ".mcap";
constexpr std::string_view head = "<head>", html = "text/html; charset=utf-8";
constexpr std::string_view ask_again = "<meta http-equiv=\"refresh\" content=\"1\"/>";
constexpr std::string_view wait_page =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
    "<title>Incident</title></head><body><p>Reading the recording ...</p></body></html>\n";

web::Response response(int status, std::string_view type, std::string_view text) {
  web::Response answer;
  answer.status = status;
  answer.content_type = type;
  answer.body = std::make_shared<const std::vector<std::uint8_t>>(text.begin(), text.end());
  return answer;
}

web::Response words(int status, const std::string& text) {
  return response(status, "text/plain; charset=utf-8", text + "\n");
}

// The page, which the browser asks for again until it is of the newest version of its file.
web::Response for_now(std::string page) {
  const std::size_t place = page.find(head);
  if (place != std::string::npos) page.insert(place + head.size(), ask_again);
  return response(200, html, page);
}

// A file's own name: no folder, no way out of one, nothing hidden.
bool is_plain_name(std::string_view name) {
  return !name.empty() && name.size() <= longest_name && name.front() != '.' &&
         name.find_first_of("/\\") == std::string_view::npos;
}

}  // namespace

std::string report_name(std::string_view file) {
  return std::filesystem::path(file).filename().replace_extension().string();
}

std::string report_path(std::string_view file) { return fmt::format("{}{}{}", prefix, report_name(file), suffix); }

IncidentReports::IncidentReports(std::string folder, Make make, std::string only)
    : folder_(std::move(folder)), only_(report_name(only)), make_(std::move(make)) {}

IncidentReports::~IncidentReports() = default;

std::optional<IncidentReports::Version> IncidentReports::version_of(const std::string& name) const {
  const std::filesystem::path file = std::filesystem::path(folder_) / (name + std::string(extension));
  std::error_code problem;
  // No links, which could lead anywhere.
  if (std::filesystem::symlink_status(file, problem).type() != std::filesystem::file_type::regular) return std::nullopt;
  Version version{std::filesystem::file_size(file, problem), {}};
  if (!problem) version.written = std::filesystem::last_write_time(file, problem);
  return problem ? std::nullopt : std::optional(version);
}

std::optional<web::Response> IncidentReports::answer(std::string_view path) {
  if (!path.starts_with(prefix)) return std::nullopt;
  path.remove_prefix(prefix.size());
  const bool is_report = path.ends_with(suffix) && is_plain_name(path);
  const std::string name(is_report ? path.substr(0, path.size() - suffix.size()) : "");
  const bool is_offered = is_plain_name(name) && (only_.empty() || name == only_);
  const auto version = is_offered && !folder_.empty() ? version_of(name) : std::nullopt;
  if (!version) return words(404, "no such incident; `tandem incident --list` shows them");
  const std::lock_guard lock(mutex_);
  const auto known = reports_.find(name);
  if (known != reports_.end() && known->second.version == *version) {
    const auto& page = known->second.page;
    return page ? response(200, html, *page) : words(500, page.error().text);
  }
  if (!busy_) {
    worker_ = std::jthread([this, name, made = *version] { make(name, made); });  // the last one has ended
    busy_ = true;
  }
  // While the file grows, what it said before is better than nothing.
  const bool has_older = known != reports_.end() && known->second.page.ok();
  return for_now(has_older ? *known->second.page : std::string(wait_page));
}

void IncidentReports::make(const std::string& name, const Version& version) {
  Result<std::string> page = [&]() -> Result<std::string> {
    try {
      return make_((std::filesystem::path(folder_) / (name + std::string(extension))).string());
    } catch (const std::exception& error) {
      return Error{Fault::invalid, fmt::format("{}: {}", printable(name, longest_name), error.what())};
    }
  }();
  const std::lock_guard lock(mutex_);
  if (reports_.size() >= most_reports) reports_.erase(reports_.begin());
  reports_.insert_or_assign(name, Report{version, std::move(page)});
  busy_ = false;
}

}  // namespace tandem::runtime
