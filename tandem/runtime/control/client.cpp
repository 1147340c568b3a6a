// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/control/client.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tandem/net/socket.hpp"
#include "tandem/runtime/control/trust.hpp"

namespace tandem::runtime {

namespace {

using nlohmann::json;
constexpr std::size_t longest_answer = 64 * 1024 * 1024;  // the status of thousands of machines

Error not_running(const std::string& path) {
  return {Fault::refused, fmt::format("no tandem is running here: no answer on {}", path)};
}

// Nothing of another user is believed: it could say that a machine has stopped.
Result<void> check_place(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  auto checked = check_control_folder(folder.empty() ? "." : folder);
  if (checked) checked = check_control_socket(path);
  if (checked) return {};
  if (checked.error().fault == Fault::not_found) return not_running(path);
  return Error{Fault::refused, fmt::format("control socket {}", checked.error().text)};
}

Result<void> check_peer(int socket, const std::string& path) {
  const auto peer = peer_of(socket);
  if (!peer) return Error{Fault::refused, fmt::format("control socket {}: {}", path, peer.error().text)};
  if (is_trusted(peer->user)) return {};
  return Error{Fault::refused, fmt::format("control socket {}: expected a tandem of user {} or root, got process {} of "
                                           "user {}",
                                           path, ::geteuid(), peer->process, peer->user)};
}

Error no_answer(const std::string& path, Duration timeout) {
  return {Fault::timeout, fmt::format("control socket {}: no answer within {:.1f} s", path, seconds(timeout))};
}

// A tandem that does not go on accepts nobody, and the kernel would wait for it without end.
void limit_waiting(int socket, Duration timeout) {
  const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(timeout).count();
  const timeval limit{whole / 1'000'000, whole % 1'000'000};
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

Result<net::Descriptor> connect_to(const std::string& path, Duration timeout) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return Error{Fault::invalid, fmt::format("control socket {}: the path is too long", path)};
  std::memcpy(address.sun_path, path.data(), path.size());
  if (const auto place = check_place(path); !place) return place.error();
  net::Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket) return Error{Fault::busy, fmt::format("control socket {}: {}", path, std::strerror(errno))};
  limit_waiting(socket.get(), timeout);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    if (const auto peer = check_peer(socket.get(), path); !peer) return peer.error();
    return socket;
  }
  if (errno == ENOENT || errno == ECONNREFUSED) return not_running(path);
  if (errno == EAGAIN) return no_answer(path, timeout);
  return Error{Fault::refused, fmt::format("control socket {}: {}", path, std::strerror(errno))};
}

Result<json> parsed(const Result<std::string>& line) {
  if (!line) return line.error();
  const json answer = json::parse(*line, nullptr, false);
  if (!answer.is_object() || !answer.contains("ok"))
    return Error{Fault::invalid, "invalid answer: expected one from tandem"};
  if (answer["ok"] == true) return answer;
  const bool unknown = answer.value("fault", "") == name(Fault::not_found);
  return Error{unknown ? Fault::not_found : Fault::device, answer.value("error", "refused")};
}

}  // namespace

Result<std::string> ask(const std::string& path, const std::string& request, Duration timeout) {
  auto socket = connect_to(path, timeout);
  if (!socket) return socket.error();
  const std::string line = request + '\n';
  if (::send(socket->get(), line.data(), line.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(line.size())) {
    return Error{Fault::closed, fmt::format("control socket {}: {}", path, std::strerror(errno))};
  }
  const Instant deadline = real_now() + timeout;
  std::string answer;
  std::array<char, 16384> bytes;
  while (answer.size() < longest_answer) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - real_now()).count();
    pollfd watched{socket->get(), POLLIN, 0};
    if (left <= 0 || ::poll(&watched, 1, static_cast<int>(left)) == 0) {
      return no_answer(path, timeout);
    }
    const ssize_t count = ::recv(socket->get(), bytes.data(), bytes.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Error{Fault::closed, fmt::format("control socket {}: closed before the answer", path)};
    answer.append(bytes.data(), static_cast<std::size_t>(count));
    const auto end = answer.find('\n');
    if (end != std::string::npos) return answer.substr(0, end);
  }
  return Error{Fault::invalid, fmt::format("control socket {}: the answer is too long", path)};
}

Result<SystemStatus> ask_status(const std::string& path, Duration timeout) {
  const auto answer = parsed(ask(path, R"({"command": "status"})", timeout));
  if (!answer) return answer.error();
  return status_from_json(answer->value("status", json::object()).dump());
}

namespace {

Result<std::string> text_for(const std::string& path, json request, std::string_view machine, Duration timeout) {
  if (!machine.empty()) request["machine"] = machine;
  const auto answer = parsed(ask(path, request.dump(-1, ' ', false, json::error_handler_t::replace), timeout));
  if (!answer) return answer.error();
  return answer->value("text", "");
}

}  // namespace

Result<std::string> ask_text(const std::string& path, std::string_view command, std::string_view machine,
                             Duration timeout) {
  return text_for(path, {{"command", command}}, machine, timeout);
}

Result<std::string> ask_snapshot(const std::string& path, std::string_view machine, std::string_view why,
                                 Duration timeout) {
  return text_for(path, {{"command", "snapshot"}, {"text", why}}, machine, timeout);
}

Result<std::string> ask_chaos(const std::string& path, std::string_view terms, std::string_view machine, bool i_know,
                              Duration timeout) {
  return text_for(path, {{"command", "chaos"}, {"terms", terms}, {"i_know", i_know}}, machine, timeout);
}

Result<std::vector<chaos::Report>> ask_chaos_reports(const std::string& path, std::string_view machine,
                                                     Duration timeout) {
  json request = {{"command", "chaos"}};
  if (!machine.empty()) request["machine"] = machine;
  const auto answer = parsed(ask(path, request.dump(-1, ' ', false, json::error_handler_t::replace), timeout));
  if (!answer) return answer.error();
  return chaos::reports_from_json(answer->value("reports", json::array()).dump());
}

}  // namespace tandem::runtime
