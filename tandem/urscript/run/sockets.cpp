// SPDX-License-Identifier: Apache-2.0
#include "tandem/urscript/run/sockets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "tandem/urscript/run/socket_reader.hpp"

namespace tandem::urscript {

namespace {

constexpr double open_timeout = 2.0;       // s
constexpr std::int32_t most_numbers = 30;  // in one read, as on the controller
constexpr std::int32_t most_bytes = 512;
constexpr const char* first_socket = "socket_0";

using Reader = std::shared_ptr<SocketReader>;

Result<std::string> name_of(const Value& value) {
  if (value.integer() != nullptr) return to_text(value);
  auto text = text_of(value);
  if (!text) return std::move(text).error();
  if (text->empty() || text->size() > 256) return Error{Fault::invalid, "the name of a socket has 1 to 256 characters"};
  return std::string(*text);
}

// A list of `wanted` numbers after their count, filled up when there are fewer.
Result<Value> counted(std::vector<Value> numbers, std::size_t wanted, const Value& filler) {
  numbers.insert(numbers.begin(), Value(static_cast<std::int32_t>(numbers.size())));
  numbers.resize(wanted + 1, filler);
  return Value::make_list(std::move(numbers));
}

Outcome open(Call& call, SocketReader& reader) {
  auto address = text_of(call[0]);
  auto port = integer_of(call[1]);
  auto name = name_of(call[2]);
  if (!address) return std::move(address).error();
  if (!port || *port < 1 || *port > 65535)
    return Error{Fault::invalid, fmt::format("expected a port of 1 to 65535, got {}", to_text(call[1]))};
  if (!name) return std::move(name).error();
  Sockets& sockets = reader.sockets();
  if (!call.resumed()) {
    sockets.close(*name);
    reader.forget(*name);
    sockets.open(*name, *address, static_cast<std::uint16_t>(*port));
    call.state = call.cycle.number + static_cast<std::uint64_t>(std::ceil(open_timeout / call.cycle.step));
    return wait;
  }
  const Sockets::Status status = sockets.status(*name);
  if (status == Sockets::Status::open) return Value(true);
  if (status == Sockets::Status::opening && call.cycle.number < std::any_cast<std::uint64_t>(call.state)) return wait;
  sockets.close(*name);
  return Value(false);
}

Outcome close(Call& call, SocketReader& reader) {
  auto name = name_of(call[0]);
  if (!name) return std::move(name).error();
  reader.sockets().close(*name);
  reader.forget(*name);
  return Value(true);
}

Outcome send(SocketReader& reader, const Value& socket, Bytes bytes) {
  auto name = name_of(socket);
  if (!name) return std::move(name).error();
  const bool open = reader.sockets().status(*name) == Sockets::Status::open;
  return Value(open && reader.sockets().write(*name, bytes));
}

Outcome send_text(SocketReader& reader, const Value& socket, const std::string& text) {
  return send(reader, socket, as_bytes(text));
}

Outcome send_integer(Call& call, SocketReader& reader, bool one_byte) {
  auto number = integer_of(call[0]);
  if (!number) return std::move(number).error();
  std::vector<std::uint8_t> bytes;
  ByteWriter writer(bytes);
  if (one_byte) {
    writer.byte(static_cast<std::uint8_t>(*number & 0xFF));
  } else {
    writer.big(*number);
  }
  return send(reader, call[1], bytes);
}

Outcome read_whole(Call& call, SocketReader& reader, std::size_t width, std::int32_t most) {
  auto count = integer_of(call[0]);
  auto name = name_of(call[1]);
  auto timeout = number_of(call[2]);
  if (!count || *count < 1 || *count > most)
    return Error{Fault::invalid, fmt::format("expected a count of 1 to {}, got {}", most, to_text(call[0]))};
  if (!name) return std::move(name).error();
  if (!timeout) return std::move(timeout).error();
  const auto wanted = static_cast<std::size_t>(*count);
  const auto taken = [width, wanted](std::string& received) {
    const std::size_t there = std::min(wanted, received.size() / width);
    ByteReader bytes(as_bytes(received));
    std::vector<Value> numbers;
    for (std::size_t i = 0; i < there; ++i) {
      numbers.emplace_back(width == 4 ? bytes.big<std::int32_t>() : static_cast<std::int32_t>(bytes.byte()));
    }
    received.erase(0, there * width);
    return counted(std::move(numbers), wanted, Value(std::int32_t{-1}));
  };
  return reader.read(
      call, *name, *timeout,
      [&](std::string& received) -> std::optional<Value> {
        if (received.size() < wanted * width) return std::nullopt;
        return *taken(received);
      },
      taken);
}

// "(1.5, 2, -3e1)" to its numbers; nothing when it is not that.
std::optional<std::vector<Value>> bracketed(std::string_view text) {
  std::vector<Value> numbers;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at < end) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == ',' || *at == '+' || *at == '\r' || *at == '\n')) ++at;
    if (at == end) break;
    double number = 0.0;
    const auto read = std::from_chars(at, end, number);
    if (read.ec != std::errc()) return std::nullopt;
    numbers.emplace_back(number);
    at = read.ptr;
  }
  return numbers;
}

Outcome read_floats(Call& call, SocketReader& reader) {
  auto count = integer_of(call[0]);
  auto name = name_of(call[1]);
  auto timeout = number_of(call[2]);
  if (!count || *count < 1 || *count > most_numbers)
    return Error{Fault::invalid, fmt::format("expected a count of 1 to {}, got {}", most_numbers, to_text(call[0]))};
  if (!name) return std::move(name).error();
  if (!timeout) return std::move(timeout).error();
  const auto wanted = static_cast<std::size_t>(*count);
  const Value filler(std::numeric_limits<double>::quiet_NaN());
  return reader.read(
      call, *name, *timeout,
      [&](std::string& received) -> std::optional<Value> {
        const std::size_t close = received.find(')');
        if (close == std::string::npos) return std::nullopt;
        const std::size_t open = received.find('(');
        std::optional<std::vector<Value>> numbers;
        if (open < close) numbers = bracketed(std::string_view(received).substr(open + 1, close - open - 1));
        received.erase(0, close + 1);
        if (!numbers) numbers.emplace();
        if (numbers->size() > wanted) numbers->resize(wanted);
        return *counted(*std::move(numbers), wanted, filler);
      },
      [&](std::string&) { return counted({}, wanted, filler); });
}

std::string unescaped(std::string_view text) {
  constexpr std::string_view letters = "nrt\\", meant = "\n\r\t\\";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 1 < text.size();
    const std::size_t found = escape ? letters.find(text[i + 1]) : std::string_view::npos;
    if (found == std::string_view::npos) {
      out += text[i];
    } else {
      out += meant[found];
      ++i;
    }
  }
  return out;
}

Outcome read_string(Call& call, SocketReader& reader) {
  auto name = name_of(call[0]);
  auto before = text_of(call[1]);
  auto after = text_of(call[2]);
  auto escapes = truth_of(call[3]);
  auto timeout = number_of(call[4]);
  if (!name) return std::move(name).error();
  if (!before) return std::move(before).error();
  if (!after) return std::move(after).error();
  if (!escapes) return std::move(escapes).error();
  if (!timeout) return std::move(timeout).error();
  const std::string prefix = *escapes ? unescaped(*before) : std::string(*before);
  const std::string suffix = *escapes ? unescaped(*after) : std::string(*after);
  return reader.read(
      call, *name, *timeout,
      [&](std::string& received) -> std::optional<Value> {
        const std::size_t start = received.find(prefix);
        if (received.empty() || start == std::string::npos) return std::nullopt;
        const std::size_t begin = start + prefix.size();
        const std::size_t end =
            suffix.empty() ? std::min(received.size(), begin + longest_text) : received.find(suffix, begin);
        if (end == std::string::npos) return std::nullopt;
        Value text(received.substr(begin, std::min(end - begin, longest_text)));
        received.erase(0, end + suffix.size());
        return text;
      },
      [](std::string&) -> Result<Value> { return Value(""); });
}

std::optional<std::string> take_line(std::string& received) {
  const std::size_t end = received.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = received.substr(0, end);
  received.erase(0, end + 1);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (line.size() > longest_text) line.resize(longest_text);
  return line;
}

Outcome read_line(Call& call, SocketReader& reader) {
  auto name = name_of(call[0]);
  auto timeout = number_of(call[1]);
  if (!name) return std::move(name).error();
  if (!timeout) return std::move(timeout).error();
  return reader.read(
      call, *name, *timeout,
      [](std::string& received) -> std::optional<Value> {
        auto line = take_line(received);
        if (!line) return std::nullopt;
        return Value(*std::move(line));
      },
      [](std::string&) -> Result<Value> { return Value(""); });
}

// Sends "GET name", answers the number of the line "name number", 0 when none comes within two seconds.
Outcome ask_variable(Call& call, SocketReader& reader) {
  auto variable = text_of(call[0]);
  auto name = name_of(call[1]);
  if (!variable) return std::move(variable).error();
  if (!name) return std::move(name).error();
  if (!call.resumed()) {
    Outcome sent = send_text(reader, call[1], fmt::format("GET {}\n", *variable));
    if (sent.error() != nullptr) return sent;
  }
  return reader.read(
      call, *name, open_timeout,
      [&](std::string& received) -> std::optional<Value> {
        auto line = take_line(received);
        if (!line) return std::nullopt;
        std::int32_t number = 0;
        const std::size_t space = line->rfind(' ');
        if (space != std::string::npos) std::from_chars(line->data() + space + 1, line->data() + line->size(), number);
        return Value(number);
      },
      [](std::string&) -> Result<Value> { return Value(std::int32_t{0}); });
}

}  // namespace

void add_socket_library(Builtins& builtins, Sockets& sockets) {
  const Reader reader = std::make_shared<SocketReader>(sockets);
  const Parameter socket("socket_name", first_socket);
  const Parameter timeout("timeout", 2.0);
  builtins.add_waiting("socket_open", {"address", "port", socket},
                       [reader](Call& call) { return open(call, *reader); });
  builtins.add("socket_close", {socket}, [reader](Call& call) { return close(call, *reader); });
  builtins.add("socket_send_int", {"value", socket},
               [reader](Call& call) { return send_integer(call, *reader, false); });
  builtins.add("socket_send_byte", {"value", socket},
               [reader](Call& call) { return send_integer(call, *reader, true); });
  builtins.add("socket_send_string", {"str", socket},
               [reader](Call& call) { return send_text(*reader, call[1], to_text(call[0])); });
  builtins.add("socket_send_line", {"str", socket},
               [reader](Call& call) { return send_text(*reader, call[1], to_text(call[0]) + "\n"); });
  builtins.add("socket_set_var", {"name", "value", socket}, [reader](Call& call) {
    return send_text(*reader, call[2], fmt::format("SET {} {}\n", to_text(call[0]), to_text(call[1])));
  });
  builtins.add_waiting("socket_get_var", {"name", socket},
                       [reader](Call& call) { return ask_variable(call, *reader); });
  builtins.add_waiting("socket_read_binary_integer", {"number", socket, timeout},
                       [reader](Call& call) { return read_whole(call, *reader, 4, most_numbers); });
  builtins.add_waiting("socket_read_byte_list", {"number", socket, timeout},
                       [reader](Call& call) { return read_whole(call, *reader, 1, most_bytes); });
  builtins.add_waiting("socket_read_ascii_float", {"number", socket, timeout},
                       [reader](Call& call) { return read_floats(call, *reader); });
  builtins.add_waiting(
      "socket_read_string",
      {socket, Parameter("prefix", ""), Parameter("suffix", ""), Parameter("interpret_escape", false), timeout},
      [reader](Call& call) { return read_string(call, *reader); });
  builtins.add_waiting("socket_read_line", {socket, timeout},
                       [reader](Call& call) { return read_line(call, *reader); });
}

}  // namespace tandem::urscript
