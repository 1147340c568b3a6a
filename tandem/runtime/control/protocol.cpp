// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/control/protocol.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "tandem/base/nearest.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/runtime/control/trust.hpp"

namespace tandem::runtime {

namespace {

using nlohmann::json;

std::vector<std::string_view> all_commands() {
  std::vector<std::string_view> all = {"status", "metrics", "page", "chaos"};
  all.insert(all.end(), accepted_commands.begin(), accepted_commands.end());
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

std::string answer_to_chaos(const json& request, const std::string& machine, std::string_view by,
                            Controlled& controlled) {
  const auto terms = request.find("terms");
  if (terms == request.end()) {
    const auto reports = controlled.chaos_reports(machine);
    return reports ? "{\"ok\":true,\"reports\":" + chaos::json_from_reports(*reports) + "}\n"
                   : refusal(reports.error());
  }
  if (!terms->is_string()) return refusal("'terms' is what to do to the link, as text, such as \"delay=50ms\"");
  const json i_know = request.value("i_know", json(false));
  if (!i_know.is_boolean()) return refusal("'i_know' is true or false");
  const auto done = controlled.inject(terms->get<std::string>(), machine, i_know.get<bool>(), by);
  return done ? line_of({{"ok", true}, {"text", *done}}) : refusal(done.error());
}

}  // namespace

Result<std::string> Controlled::snapshot(std::string_view /*machine*/, std::string_view /*text*/,
                                         std::string_view /*by*/) {
  return Error{Fault::unsupported, "snapshot: there is no black box here"};
}

Result<std::string> Controlled::inject(std::string_view, std::string_view, bool, std::string_view) {
  return Error{Fault::unsupported, "chaos: no machine has a fault proxy here"};
}

Result<std::vector<chaos::Report>> Controlled::chaos_reports(std::string_view) const {
  return std::vector<chaos::Report>{};
}

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
  if (command == "metrics") return line_of({{"ok", true}, {"text", metrics_text(controlled.status_with_metrics())}});
  if (command == "page") {
    const std::string page = controlled.control_page();
    return page.empty() ? refusal("no page is served; start tandem with --web 127.0.0.1:8088")
                        : line_of({{"ok", true}, {"text", page}});
  }
  if (command == "chaos") return answer_to_chaos(parsed, machine, by, controlled);
  if (is_told(command)) {
    const auto done = command == "snapshot" ? controlled.snapshot(machine, text_of(parsed, "text"), by)
                                            : controlled.command(command, machine, by);
    return done ? line_of({{"ok", true}, {"text", *done}}) : refusal(done.error());
  }
  return refusal(fmt::format("unknown command '{}'{}", printable(command), suggestion(command, all_commands())));
}

namespace {

// Of --control or $TANDEM_CONTROL: one place that the user chose, whatever is there.
std::string chosen_path(const std::string& given) {
  if (!given.empty()) return given;
  const char* path = std::getenv("TANDEM_CONTROL");
  return path != nullptr ? path : "";
}

// The usual folders, best first. `to_ask`: also what XDG_RUNTIME_DIR usually is, which it is not set to under
// `sudo -u USER`.
std::vector<std::string> usual_folders(bool to_ask) {
  std::vector<std::string> folders;
  const auto add = [&](const char* variable, std::string_view folder) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value == '/') folders.push_back(fmt::format("{}/{}", value, folder));
  };
  add("XDG_RUNTIME_DIR", "tandem");
  if (to_ask) folders.push_back(fmt::format("/run/user/{}/tandem", ::geteuid()));
  folders.push_back(fmt::format("/tmp/tandem-{}", ::geteuid()));
  add("HOME", ".tandem");
  return folders;
}

// Whether it can be used as it is, or made.
Result<void> usable(const std::string& folder) {
  auto checked = check_control_folder(folder);
  const bool missing = !checked && checked.error().fault == Fault::not_found;
  const std::string written = missing ? folder.substr(0, folder.rfind('/')) : folder;
  if (missing) checked = check_control_folder(written);
  if (!checked) return checked.error();
  if (::access(written.c_str(), W_OK | X_OK) != 0)
    return Error{Fault::refused, fmt::format("{}: not writable", written)};
  return {};
}

std::string socket_in(const std::string& folder) { return folder + "/control.sock"; }

// False for the file that a process leaves behind when it is killed.
bool is_listened_to(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return false;
  std::memcpy(address.sun_path, path.data(), path.size());
  const net::Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return true;
  return errno != ECONNREFUSED && errno != ENOENT;  // another reason is for the caller to report
}

}  // namespace

ControlPlace control_place(const std::string& given) {
  if (auto chosen = chosen_path(given); !chosen.empty()) return {std::move(chosen), ""};
  const auto folders = usual_folders(false);
  ControlPlace place{socket_in(folders.front()), ""};
  for (const std::string& folder : folders) {
    const auto good = usable(folder);
    if (good) return {socket_in(folder), place.passed_over};
    place.passed_over += (place.passed_over.empty() ? "" : "; ") + good.error().text;
  }
  return place;  // listening there fails and says why
}

std::string control_path(const std::string& given) {
  if (auto chosen = chosen_path(given); !chosen.empty()) return chosen;
  for (const std::string& folder : usual_folders(true)) {
    std::string path = socket_in(folder);
    if (check_control_folder(folder) && check_control_socket(path) && is_listened_to(path)) return path;
  }
  return control_place("").path;
}

}  // namespace tandem::runtime
