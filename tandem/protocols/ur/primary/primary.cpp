// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/primary/primary.hpp"

#include <fmt/format.h>

namespace tandem::ur::primary {
namespace {

std::string rest_of(ByteReader& reader) {
  const Bytes bytes = reader.rest();
  return {bytes.begin(), bytes.end()};
}

std::string short_text(ByteReader& reader) { return std::string(reader.text(reader.byte())); }

bool flag(ByteReader& reader) { return reader.byte() != 0; }

template <typename T>
T number(ByteReader& reader) {
  return reader.big<T>();
}

// Braces keep the order of reading.
MessageBody decode_body(std::uint8_t type, ByteReader& r) {
  using I = std::int32_t;
  using U = std::uint32_t;
  switch (type) {
    case 0:
      return Text{rest_of(r)};
    case 1:
      return Label{number<I>(r), rest_of(r)};
    case 2:
      return Popup{number<U>(r), r.byte(), flag(r), flag(r), flag(r), short_text(r), rest_of(r)};
    case 3:
      return Version{short_text(r), r.byte(), r.byte(), number<I>(r), number<I>(r), rest_of(r)};
    case 5:
      return SafetyModeChange{number<I>(r), number<I>(r), r.byte(), number<U>(r), number<U>(r)};
    case 6:
      return ErrorCode{number<I>(r), number<I>(r), number<I>(r), number<U>(r), number<U>(r), rest_of(r)};
    case 7:
      return KeyMessage{number<I>(r), number<I>(r), short_text(r), rest_of(r)};
    case 9:
      return RequestValue{number<U>(r), r.byte(), rest_of(r)};
    case 10:
      return RuntimeException{number<I>(r), number<I>(r), rest_of(r)};
    default: {
      const Bytes body = r.rest();
      return OtherMessage{type, {body.begin(), body.end()}};
    }
  }
}

class BodyWriter {
 public:
  explicit BodyWriter(std::vector<std::uint8_t>& out) : w_(out) {}

  void operator()(const Text& m) { type(0).text(m.text); }
  void operator()(const Label& m) {
    type(1).big(m.id);
    w_.text(m.text);
  }
  void operator()(const Popup& m) {
    type(2).big(m.request);
    w_.byte(m.requested_type);
    for (const bool is : {m.warning, m.error, m.blocking}) w_.byte(is ? 1 : 0);
    short_text(m.title);
    w_.text(m.text);
  }
  void operator()(const Version& m) {
    type(3);
    short_text(m.project);
    w_.byte(m.major);
    w_.byte(m.minor);
    numbers(m.bugfix, m.build);
    w_.text(m.date);
  }
  void operator()(const SafetyModeChange& m) {
    type(5);
    numbers(m.code, m.argument, m.safety_mode, m.data_type, m.data);
  }
  void operator()(const ErrorCode& m) {
    type(6);
    numbers(m.code, m.argument, m.level, m.data_type, m.data);
    w_.text(m.text);
  }
  void operator()(const KeyMessage& m) {
    type(7);
    numbers(m.code, m.argument);
    short_text(m.title);
    w_.text(m.text);
  }
  void operator()(const RequestValue& m) {
    type(9);
    numbers(m.request, m.requested_type);
    w_.text(m.text);
  }
  void operator()(const RuntimeException& m) {
    type(10);
    numbers(m.line, m.column);
    w_.text(m.text);
  }
  void operator()(const OtherMessage& m) { type(m.type).bytes(m.body); }

 private:
  ByteWriter& type(std::uint8_t number) {
    w_.byte(number);
    return w_;
  }
  // Its length has one byte; what is longer is cut.
  void short_text(std::string_view text) {
    text = text.substr(0, 255);
    w_.byte(static_cast<std::uint8_t>(text.size()));
    w_.text(text);
  }
  template <typename... T>
  void numbers(T... values) {
    (w_.big(values), ...);
  }

  ByteWriter w_;
};

// Writes the header now and the length when the packet is complete.
class Envelope {
 public:
  Envelope(Kind kind, std::vector<std::uint8_t>& out) : out_(out), begin_(out.size()) {
    ByteWriter writer(out_);
    writer.zeros(4);
    writer.big(kind);
  }
  ~Envelope() { ByteWriter(out_).big_at(begin_, static_cast<std::int32_t>(out_.size() - begin_)); }
  Envelope(const Envelope&) = delete;
  Envelope& operator=(const Envelope&) = delete;

 private:
  std::vector<std::uint8_t>& out_;
  std::size_t begin_;
};

Result<Packet> whole(Packet packet, const ByteReader& reader, const char* what) {
  if (!reader.ok()) return Error{Fault::invalid, fmt::format("{}: too short for its type", what)};
  return packet;
}

}  // namespace

Result<Packet> decode(Bytes packet) {
  ByteReader reader(packet);
  const auto size = reader.big<std::uint32_t>();
  const auto kind = reader.big<std::int8_t>();
  if (!reader.ok() || size != packet.size())
    return Error{Fault::invalid,
                 fmt::format("primary packet: expected {} bytes by its length, got {}", size, packet.size())};
  switch (static_cast<Kind>(kind)) {
    case Kind::robot_state: {
      auto state = decode_sub_packages(reader.rest());
      if (!state) return std::move(state).error();
      return Packet(std::move(*state));
    }
    case Kind::robot_message: {
      RobotMessage message;
      message.timestamp = reader.big<std::uint64_t>();
      message.source = reader.big<std::int8_t>();
      const std::uint8_t type = reader.byte();
      message.body = decode_body(type, reader);
      return whole(std::move(message), reader, "robot message");
    }
    case Kind::program_state: {
      ProgramState state;
      state.timestamp = reader.big<std::uint64_t>();
      state.type = reader.big<std::int8_t>();
      state.first = reader.big<std::uint16_t>();
      state.body = rest_of(reader);
      return whole(std::move(state), reader, "program state");
    }
    default: {
      const Bytes body = reader.rest();
      return Packet(OtherPacket{kind, {body.begin(), body.end()}});
    }
  }
}

void encode(const RobotState& state, std::vector<std::uint8_t>& out) {
  const Envelope envelope(Kind::robot_state, out);
  encode_sub_packages(state, out);
}

void encode(const RobotMessage& message, std::vector<std::uint8_t>& out) {
  const Envelope envelope(Kind::robot_message, out);
  ByteWriter writer(out);
  writer.big(message.timestamp);
  writer.big(message.source);
  BodyWriter body(out);
  std::visit(body, message.body);
}

void encode(const ProgramState& state, std::vector<std::uint8_t>& out) {
  const Envelope envelope(Kind::program_state, out);
  ByteWriter writer(out);
  writer.big(state.timestamp);
  writer.big(state.type);
  writer.big(state.first);
  writer.text(state.body);
}

}  // namespace tandem::ur::primary
