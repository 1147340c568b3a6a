#include "tandem/runtime/config_web.hpp"

#include <array>

namespace tandem::runtime {

namespace {

using machines::Option;
using machines::OptionKind;

constexpr std::array<Option, 6> web_table = {{
    {"listen", OptionKind::text, "127.0.0.1:8088", "ADDRESS:PORT of the page; beyond this computer it needs a token"},
    {"view_token", OptionKind::text, "", "what a viewer must know; else TANDEM_VIEW_TOKEN"},
    {"control_token", OptionKind::text, "", "what one must know to move machines; else TANDEM_CONTROL_TOKEN"},
    {"origins", OptionKind::texts, "[]", "other pages that may connect: [\"https://app.foxglove.dev\"]"},
    {"certificate", OptionKind::text, "", "PEM file, for https"},
    {"key", OptionKind::text, "", "PEM file of the certificate's key"},
}};
constexpr std::array<Option, 4> record_table = {{
    {"file", OptionKind::text, "", "MCAP file; an existing one is not overwritten, the name gets a number"},
    {"megabytes", OptionKind::number, "0", "of one file, then the next begins; 0: one file", 0, 1e6},
    {"picture_hz", OptionKind::number, "20", "how often the scene is kept, for the page's replay", 1, 60},
    {"frames", OptionKind::flag, "true", "keep the raw bytes of the field protocols, for a replay as the device"},
}};

}  // namespace

std::span<const Option> web_options() { return web_table; }
std::span<const Option> record_options() { return record_table; }

void open_page(WebConfig& config) {
  if (config.listen.empty()) config.listen = web_table[0].default_value;
}

void apply_web(WebConfig& config, const std::string& path, const machines::Options& options) {
  if (path == "web.listen") config.listen = options.text("listen");
  if (path == "web.view_token") config.view_token = options.text("view_token");
  if (path == "web.control_token") config.control_token = options.text("control_token");
  if (path == "web.origins") config.origins = options.texts("origins");
  if (path == "web.certificate") config.certificate = options.text("certificate");
  if (path == "web.key") config.key = options.text("key");
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
