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
    {"listen", OptionKind::text, "127.0.0.1:8088", "ADDRESS:PORT of the page, or off; beyond loopback it needs tokens"},
    {"view_token", OptionKind::text, "", "required from viewers, at least 16 characters; else TANDEM_VIEW_TOKEN"},
    {"control_token", OptionKind::text, "", "required to control; else TANDEM_CONTROL_TOKEN, else one of the run"},
    {"origins", OptionKind::texts, "[]", "other pages that may connect: [\"https://app.foxglove.dev\"]"},
    {"certificate", OptionKind::text, "", "PEM file, for https"},
    {"key", OptionKind::text, "", "PEM file of the certificate's key"},
    {"plain", OptionKind::flag, "false", "serve beyond loopback without TLS, where tokens can be read on the way"},
}};
constexpr std::array<Option, 4> record_table = {{
    {"file", OptionKind::text, "", "MCAP file; an existing one is not overwritten, the name gets a number"},
    {"megabytes", OptionKind::number, "0", "of one file, then the next begins; 0: one file", 0, 1e6},
    {"picture_hz", OptionKind::number, "20", "how often the scene is kept, for the page's replay", 1, 60},
    {"frames", OptionKind::flag, "true", "keep the raw bytes of the field protocols, for a replay as the device"},
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
          fmt::format("web.{} ({}): expected at least {} characters, got {}; make one: openssl rand -hex 16", name,
                      variable, shortest_token, token.size()));
  };
  check_token(config.view_token, "view_token", "or TANDEM_VIEW_TOKEN");
  check_token(config.control_token, "control_token", "or TANDEM_CONTROL_TOKEN");
  for (const std::string& file : config.token_files) {
    if (readable_by_all(file))
      problems.push_back(
          fmt::format("{0}: has a token, and every user of this computer can read it; chmod o-r {0}, or give tokens in "
                      "TANDEM_VIEW_TOKEN and TANDEM_CONTROL_TOKEN",
                      file));
  }
  if (readable_by_all(config.key))
    problems.push_back(
        fmt::format("{0}: private key, and every user of this computer can read it; chmod o-r {0}", config.key));
  try {
    web::check(server_options(config));
    if (!web::names_loopback(config.listen) && config.certificate.empty() && !config.plain)
      problems.push_back(fmt::format(
          "web.listen: {} is beyond loopback and without TLS, so tokens can be read on the way; give `certificate` and "
          "`key` under `web`, or, on a network that you trust, `plain: true` (--plain)",
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
