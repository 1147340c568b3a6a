#include "tandem/runtime/control_protocol.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tandem/base/nearest.hpp"

namespace tandem::runtime {

namespace {

using nlohmann::json;

std::vector<std::string_view> all_commands() {
  std::vector<std::string_view> all = {"status", "metrics"};
  all.insert(all.end(), told_commands.begin(), told_commands.end());
  return all;
}

std::string line_of(const json& answer) { return answer.dump(-1, ' ', false, json::error_handler_t::replace) + '\n'; }
std::string refusal(std::string text) { return line_of({{"ok", false}, {"error", std::move(text)}}); }
std::string refusal(const Error& error) {
  return line_of({{"ok", false}, {"error", error.text}, {"fault", name(error.fault)}});
}

std::string text_of(const json& request, const char* key) {
  const auto found = request.find(key);
  return found != request.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

std::string answer_to(std::string_view request, std::string_view by, Controlled& controlled) {
  if (request.size() > longest_request) return refusal(fmt::format("a request has at most {} bytes", longest_request));
  const std::size_t brackets = static_cast<std::size_t>(
      std::count_if(request.begin(), request.end(), [](char c) { return c == '[' || c == '{'; }));
  const json parsed = brackets <= 16 ? json::parse(request, nullptr, false) : json();
  if (!parsed.is_object()) return refusal("expected one JSON object per line, such as {\"command\": \"status\"}");
  const std::string command = text_of(parsed, "command");
  const std::string machine = text_of(parsed, "machine");
  if (parsed.contains("machine") && machine.empty()) return refusal("'machine' is the name of a machine, as text");
  if (command == "status") return "{\"ok\":true,\"status\":" + json_from_status(controlled.status()) + "}\n";
  if (command == "metrics") return line_of({{"ok", true}, {"text", metrics_text(controlled.status())}});
  if (is_told(command)) {
    const auto done = controlled.command(command, machine, by);
    return done ? line_of({{"ok", true}, {"text", *done}}) : refusal(done.error());
  }
  return refusal(fmt::format("unknown command '{}'{}", printable(command), suggestion(command, all_commands())));
}

std::string control_path(const std::string& told) {
  if (!told.empty()) return told;
  const char* path = std::getenv("TANDEM_CONTROL");
  if (path != nullptr && *path != '\0') return path;
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && *runtime != '\0') return fmt::format("{}/tandem/control.sock", runtime);
  return fmt::format("/tmp/tandem-{}/control.sock", getuid());
}

}  // namespace tandem::runtime
