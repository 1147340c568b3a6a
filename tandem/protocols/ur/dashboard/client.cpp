// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/dashboard/client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace tandem::ur::dashboard {
namespace {

constexpr std::size_t line_chunk = 4096;

// For error texts: printable and short, whatever came.
std::string quoted(std::string_view answer) {
  std::string out = "\"";
  for (const char c : answer.substr(0, 120)) out += std::isprint(static_cast<unsigned char>(c)) != 0 ? c : '?';
  out += answer.size() > 120 ? "...\"" : "\"";
  return out;
}

Error unexpected(std::string_view asked, std::string_view expected, std::string_view seen) {
  return {Fault::device, fmt::format("dashboard: {}: expected \"{}\", got {}", asked, expected, quoted(seen))};
}

template <typename Mode>
Result<Mode> mode_named(std::string_view text, int first, int last, Verb verb) {
  for (int i = first; i <= last; ++i)
    if (text == ur::name(static_cast<Mode>(i))) return static_cast<Mode>(i);
  return Error{Fault::invalid, fmt::format("dashboard: {}: unknown mode {}", words(verb), quoted(text))};
}

}  // namespace

bool is_program_name(std::string_view name) {
  const auto allowed = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view(" ._-/").find(c) != std::string_view::npos;
  };
  return !name.empty() && name.size() <= 255 && name.front() != ' ' && name.back() != ' ' && name.front() != '-' &&
         std::ranges::all_of(name, allowed) && name.find("..") == std::string_view::npos;
}

Result<Client> Client::connect(const std::string& host, std::uint16_t port, Instant deadline, net::Tap* tap) {
  auto socket = net::TcpSocket::connect(host, port, deadline);
  if (!socket) return within("dashboard", std::move(socket).error());
  socket->tap(tap);
  Client client(std::move(*socket));
  auto greeting = client.read_line(deadline);
  if (!greeting) return within("dashboard greeting", std::move(greeting).error());
  if (greeting->find("Dashboard Server") == std::string::npos)
    return unexpected("greeting", "Connected: Universal Robots Dashboard Server", *greeting);
  return client;
}

Result<std::string> Client::read_line(Instant deadline) {
  for (bool first = true;; first = false) {
    const auto line = lines_.next();
    if (!line) {
      socket_.close();
      return line.error();
    }
    if (*line) return std::string(**line);
    if (!first && now() >= deadline) return Error{Fault::timeout, "dashboard: no complete line before the deadline"};
    auto count = socket_.read_some(lines_.room(line_chunk).first(line_chunk), deadline);
    if (!count) return std::move(count).error();
    lines_.received(*count);
  }
}

Result<void> Client::drop_leftovers() {
  for (int i = 0; i < 64; ++i) {
    lines_.clear();
    auto count = socket_.read_now(lines_.room(line_chunk).first(line_chunk));
    if (!count) return std::move(count).error();
    if (*count == 0) return {};
  }
  return Error{Fault::invalid, "dashboard: unexpected data from the controller"};
}

Result<std::string> Client::ask(std::string_view line, Instant deadline) {
  const bool clean =
      std::ranges::none_of(line, [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; });
  if (!clean || line.empty() || line.size() > longest_line)
    return Error{Fault::invalid, fmt::format("dashboard: {} cannot be sent as one line", quoted(line))};
  if (auto dropped = drop_leftovers(); !dropped) return std::move(dropped).error();
  auto written = socket_.write_all(as_bytes(std::string(line) + '\n'), deadline);
  if (!written) {
    socket_.close();
    return std::move(written).error();
  }
  auto answer = read_line(deadline);
  if (!answer) {
    // Its answer may still come and would be taken for the next one's.
    socket_.close();
    return within(fmt::format("dashboard: {}", line), std::move(answer).error());
  }
  if (answer->empty()) return Error{Fault::invalid, fmt::format("dashboard: {}: the answer is empty", line)};
  return answer;
}

Result<void> Client::perform(const Command& command, Instant deadline) {
  std::string line = words(command.verb);
  if (line.empty()) return Error{Fault::unsupported, "dashboard: empty command"};
  if (!command.argument.empty()) line += ' ' + command.argument;
  auto answer = ask(line, deadline);
  if (!answer) return std::move(answer).error();
  // What comes behind a name differs: a path before it, texts after it.
  const std::string whole = dashboard::answer(command, {});
  const std::size_t colon = whole.find(": ");
  const std::string_view expected =
      std::string_view(whole).substr(0, colon == std::string::npos ? whole.size() : colon + 2);
  const bool matches = command.verb == Verb::clear_operational_mode
                           ? answer->starts_with("No longer controlling the operational mode")
                           : answer->starts_with(expected);
  if (!matches) return unexpected(line, expected, *answer);
  return {};
}

Result<void> Client::load(const std::string& program, Instant deadline) {
  if (!is_program_name(program))
    return Error{
        Fault::invalid,
        fmt::format("dashboard: load: {} is not the name of a program: letters, digits, blanks and . _ - / only",
                    quoted(program))};
  return perform(Command{Verb::load, program}, deadline);
}

Result<std::string> Client::behind(Verb verb, std::string_view prefix, Instant deadline) {
  auto answer = ask(words(verb), deadline);
  if (!answer) return std::move(answer).error();
  if (!answer->starts_with(prefix)) return unexpected(words(verb), prefix, *answer);
  return answer->substr(prefix.size());
}

Result<RobotMode> Client::robot_mode(Instant deadline) {
  auto text = behind(Verb::robot_mode, "Robotmode: ", deadline);
  if (!text) return std::move(text).error();
  return mode_named<RobotMode>(*text, -1, 8, Verb::robot_mode);
}

Result<SafetyMode> Client::safety_status(Instant deadline) {
  auto text = behind(Verb::safety_status, "Safetystatus: ", deadline);
  if (!text) return std::move(text).error();
  return mode_named<SafetyMode>(*text, 1, 13, Verb::safety_status);
}

Result<bool> Client::running(Instant deadline) {
  auto text = behind(Verb::running, "Program running: ", deadline);
  if (!text) return std::move(text).error();
  return *text == "true";
}

Result<bool> Client::is_in_remote_control(Instant deadline) {
  auto text = ask(words(Verb::is_in_remote_control), deadline);
  if (!text) return std::move(text).error();
  if (*text != "true" && *text != "false") return unexpected(words(Verb::is_in_remote_control), "true or false", *text);
  return *text == "true";
}

Result<std::string> Client::polyscope_version(Instant deadline) {
  auto text = ask(words(Verb::polyscope_version), deadline);
  if (!text) return std::move(text).error();
  if (!text->starts_with("URSoftware ")) return unexpected(words(Verb::polyscope_version), "URSoftware ...", *text);
  return text;
}

}  // namespace tandem::ur::dashboard
