// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/config/web.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "tandem/runtime/page/page.hpp"
#include "tandem/web/http/access.hpp"

namespace tandem::runtime {

namespace {

using machines::Option;
using machines::OptionKind;

constexpr std::size_t shortest_token = 16;

constexpr std::array<Option, 7> web_table = {{
    {"listen", OptionKind::text, "127.0.0.1:8088",
     "ADDRESS:PORT of the page, or off; control requires a token, viewing beyond loopback too"},
    {"view_token", OptionKind::text, "", "token required to view, at least 16 characters; default: TANDEM_VIEW_TOKEN"},
    {"control_token", OptionKind::text, "",
     "token required to control; default: TANDEM_CONTROL_TOKEN, or a new one for each run"},
    {"origins", OptionKind::texts, "[]", "allowed origins of other pages, such as [\"https://app.foxglove.dev\"]"},
    {"certificate", OptionKind::text, "", "PEM file of the certificate, for HTTPS"},
    {"key", OptionKind::text, "", "PEM file of the certificate's key"},
    {"plain", OptionKind::flag, "false", "serve beyond loopback without TLS; tokens can then be read on the network"},
}};
constexpr std::array<Option, 4> record_table = {{
    {"file", OptionKind::text, "", "MCAP file; an existing file is not overwritten: a number is added to the name"},
    {"megabytes", OptionKind::number, "0",
     "maximum size of a file (MB), after which the next one begins; 0 disables the limit", 0, 1e6},
    {"picture_hz", OptionKind::number, "20", "rate at which the scene is recorded, for replay on the page (Hz)", 1, 60},
    {"frames", OptionKind::flag, "true", "record the raw bytes of the field protocols, for replay as the device"},
}};

bool readable_by_all(const std::string& file) {
  struct stat about {};
  return ::stat(file.c_str(), &about) == 0 && S_ISREG(about.st_mode) && (about.st_mode & S_IROTH) != 0;
}

}  // namespace

std::vector<std::string> web_problems(const WebConfig& config) {
  std::vector<std::string> problems;
  if (config.listen.empty()) return problems;
  const auto check_token = [&](const std::string& token, std::string_view name, std::string_view variable) {
    if (!token.empty() && token.size() < shortest_token)
      problems.push_back(
          fmt::format("web.{} ({}): expected at least {} characters, got {}; create one: openssl rand -hex 16", name,
                      variable, shortest_token, token.size()));
  };
  check_token(config.view_token, "view_token", "or TANDEM_VIEW_TOKEN");
  check_token(config.control_token, "control_token", "or TANDEM_CONTROL_TOKEN");
  for (const std::string& file : config.token_files) {
    if (readable_by_all(file))
      problems.push_back(
          fmt::format("{0}: contains a token that every user of this computer can read; chmod o-r {0}, or set "
                      "TANDEM_VIEW_TOKEN and TANDEM_CONTROL_TOKEN",
                      file));
  }
  if (readable_by_all(config.key))
    problems.push_back(
        fmt::format("{0}: private key that every user of this computer can read; chmod o-r {0}", config.key));
  try {
    web::check(server_options(config));
    if (!web::names_loopback(config.listen) && config.certificate.empty() && !config.plain)
      problems.push_back(
          fmt::format("web.listen: {} is beyond loopback and without TLS, so tokens can be read on the network; set "
                      "`certificate` and `key` under `web`, or, on a trusted network, `plain: true` (--plain)",
                      config.listen));
  } catch (const std::exception& error) {
    problems.push_back(fmt::format("web: {}", error.what()));
  }
  return problems;
}

std::vector<std::string> record_problems(const RecordConfig& config) {
  if (config.file.empty()) return {};
  std::filesystem::path folder = std::filesystem::path(config.file).parent_path();
  if (folder.empty()) folder = ".";
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored))
    return {fmt::format("record.file: {0} is not a folder; mkdir -p {0}", folder.string())};
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    return {fmt::format("record.file: {} is not writable by this user; choose another with --record FILE",
                        folder.string())};
  if (std::filesystem::is_directory(config.file, ignored))
    return {fmt::format("record.file: expected a file, got the folder {}", config.file)};
  return {};
}

std::span<const Option> web_options() { return web_table; }
std::span<const Option> record_options() { return record_table; }

void open_page(WebConfig& config) {
  if (config.listen.empty()) config.listen = web_table[0].default_value;
}

void apply_web(WebConfig& config, const std::string& path, const machines::Options& options) {
  if (path == "web.listen") config.listen = options.text("listen") == "off" ? "" : options.text("listen");
  if (path == "web.view_token") config.view_token = options.text("view_token");
  if (path == "web.control_token") config.control_token = options.text("control_token");
  if (path == "web.origins") config.origins = options.texts("origins");
  if (path == "web.certificate") config.certificate = options.text("certificate");
  if (path == "web.key") config.key = options.text("key");
  if (path == "web.plain") config.plain = options.flag("plain");
}

void apply_record(RecordConfig& config, const std::string& path, const machines::Options& options) {
  if (path == "record.file") config.file = options.text("file");
  if (path == "record.megabytes") config.megabytes = options.number("megabytes");
  if (path == "record.picture_hz") config.picture_hz = options.number("picture_hz");
  if (path == "record.frames") config.frames = options.flag("frames");
}

void tokens_from(WebConfig& config, const std::function<const char*(const char*)>& environment) {
  const auto take = [&](std::string& token, const char* name) {
    if (const char* value = environment(name); token.empty() && value != nullptr) token = value;
  };
  take(config.view_token, "TANDEM_VIEW_TOKEN");
  take(config.control_token, "TANDEM_CONTROL_TOKEN");
}

}  // namespace tandem::runtime
