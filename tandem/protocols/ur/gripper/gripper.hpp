// SPDX-License-Identifier: Apache-2.0
// The Robotiq gripper's socket (63352): "SET POS 100\n" is answered "ack", "GET POS\n" is answered "POS 100\n".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/net/port_server.hpp"
#include "tandem/protocols/ur/framer.hpp"

namespace tandem::ur::gripper {

constexpr std::uint16_t tcp_port = 63352;
constexpr std::size_t longest_line = 1024;  // characters

enum class Variable : std::uint8_t {
  act,       // 1: activate
  gto,       // 1: go to the position asked for
  atr,       // automatic release
  ard,       // its direction
  force,     // FOR, 0..255
  speed,     // SPE, 0..255
  position,  // POS, 0 open .. 255 closed; read: where it is
  echo,      // PRE: the position asked for
  status,    // STA: 0 reset, 1 activating, 3 active
  object,    // OBJ: 0 moving, 1 and 2 stopped on an object while opening, closing, 3 arrived
  fault,     // FLT
  current,   // CUR, 10 mA
  count,     // COU
  msc,       // MSC
  sid,       // SID
};

const char* name(Variable variable);  // "POS"
std::optional<Variable> variable_named(std::string_view name);

struct Write {
  std::vector<std::pair<Variable, int>> pairs;
};
struct Read {
  Variable variable{};
};
using Request = std::variant<Write, Read>;

// Fault::not_found: a variable that the gripper does not have; Fault::invalid: not a request, or a value that is not
// a number from 0 to 255.
Result<Request> parse_request(std::string_view line);
std::string text(const Request& request);  // with its line end

// "POS 100"; faults are two hexadecimal digits.
std::string text(Variable variable, int value);
Result<std::pair<Variable, int>> parse_value(std::string_view line);

// Anyone who has the fingers.
class Device {
 public:
  virtual ~Device() = default;
  virtual int read(Variable variable) const = 0;
  virtual void write(Variable variable, int value) = 0;
};

class GripperSession final : public net::Session {
 public:
  explicit GripperSession(Device& device) : device_(device), lines_(longest_line) {}

  bool receive(Bytes bytes, net::Outbox& out) override;
  Progress progress() const override { return {completed_, lines_.partial()}; }

 private:
  Device& device_;
  LineFramer lines_;
  std::uint64_t completed_ = 0;
};

}  // namespace tandem::ur::gripper
