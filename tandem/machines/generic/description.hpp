// SPDX-License-Identifier: Apache-2.0
// A device as its file describes it: signals, what may be written, what the virtual device does. Plain data, checked by
// schema/; docs/generic.md is for people. Values are in the unit of the file; durations are seconds.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tandem/machines/machine.hpp"
#include "tandem/protocols/modbus/registers.hpp"
#include "tandem/yaml/tree.hpp"

namespace tandem::generic {

enum class Protocol : std::uint8_t { modbus, ads };

enum class ModbusTable : std::uint8_t { coil, discrete, holding, input };

// On the wire, so from 0, whatever the file counts from.
struct ModbusPlace {
  ModbusTable table = ModbusTable::holding;
  std::uint16_t address = 0;
  int bit = -1;  // of a register, 0 is the lowest; -1: the whole
  friend bool operator==(const ModbusPlace&, const ModbusPlace&) = default;
};
struct AdsPlace {
  std::string symbol;  // "GVL.aBelt[2].fSpeed"
  friend bool operator==(const AdsPlace&, const AdsPlace&) = default;
};
using At = std::variant<ModbusPlace, AdsPlace>;
// As a file with this base says it: "40011-40012", "holding 10-11", "MAIN.fX". `places`: registers or coils.
std::string place_text(const At& at, std::size_t places, int base);

// What one value is on the wire. On ADS BOOL is one byte and `text` is STRING(n) of n + 1 bytes.
enum class Type : std::uint8_t {
  unknown,  // ADS: as the PLC has it
  bit,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64,
  text,
};
const char* name(Type type);  // "int16"; text is "string"
std::optional<Type> type_named(std::string_view name);
std::size_t bytes_of(Type type);  // 0 for unknown and text

using Range = modbus::Range;
using Names = std::vector<std::pair<std::int64_t, std::string>>;  // raw value, text
using BitNames = std::vector<std::pair<int, std::string>>;        // bit, name

// What may be asked of an output.
struct Output {
  enum class Level : std::uint8_t { number, level, pulse };
  enum class Idle : std::uint8_t { hold, zero, follow, leave };
  Level level = Level::number;
  Range limits;                    // of numbers
  std::optional<double> rate;      // units per second; none: `rate: none` was written
  double pulse = 0;                // s
  Idle idle = Idle::hold;          // once the command is older than the watchdog
  std::string follow;              // the signal, of Idle::follow
  std::optional<double> watchdog;  // s; none: commands do not age
  std::optional<At> confirm;       // where it is read back; none: its own place
  double tolerance = 0;            // beside half a raw step
  bool shared = false;             // a bit of a register by read-modify-write
};

// What the virtual device does with a signal; which members count depends on the kind (docs/generic.md).
struct Sim {
  enum class Kind : std::uint8_t {
    constant,
    ramp,
    sine,
    square,
    step,
    follow,
    first_order,
    second_order,
    integrate,
    table,
    counter,
    expression,
    joint,
    recording
  };
  enum class Repeat : std::uint8_t { once, saw, triangle };
  enum class JointValue : std::uint8_t { position, velocity, effort };
  Kind kind = Kind::constant;
  std::string signal;  // follow, first_order, second_order, integrate, counter; joint: of the URDF
  double value = 0, from = 0, to = 1, time = 1, mean = 0, amplitude = 1, period = 1, phase = 0, low = 0, high = 1,
         duty = 0.5, at = 0, gain = 1, offset = 0, delay = 0, tau = 1, w = 1, zeta = 1, start = 0, per_second = 0;
  std::optional<double> rate;        // follow: most change, units per second
  std::optional<Range> limits;       // integrate
  bool wrap = false;                 // integrate: from one limit to the other
  bool hold = false, again = false;  // table: steps in the place of lines; from its beginning
  Repeat repeat = Repeat::once;
  std::vector<std::pair<double, double>> rows;  // table: s, value
  std::string text;                             // expression; recording: the file
  JointValue joint = JointValue::position;
  double noise = 0;  // standard deviation, added to any kind
  std::uint64_t seed = 1;
};

// At `at` seconds of the virtual device's life.
struct TimedFault {
  enum class Kind : std::uint8_t { exception, drop, freeze, value };
  double at = 0;
  Kind kind = Kind::drop;
  std::uint8_t code = 0;  // exception: 1 to 11
  double length = 0;      // s; 0: once for exceptions, for ever otherwise
  double value = 0;       // may be NaN
};

enum class Show : std::uint8_t { automatic, plot, lamp, gauge, slider, button, none };

// One entry under `signals`. Of a structure or an array on ADS it stands for all its members: `members` has what was
// given by member, under the member's own name.
struct Declaration {
  std::string name;
  yaml::Place place;  // in the file
  At at;
  Type type = Type::unknown;
  std::size_t text_length = 0;  // of Type::text, bytes
  std::size_t count = 1;        // Modbus: so many values of the type, one behind the other
  std::string plc_type;         // ADS: "ARRAY [1..4] OF ST_Belt"; empty: not given
  modbus::WordOrder order = modbus::WordOrder::abcd;
  double scale = 1, offset = 0;  // value = raw * scale + offset
  std::string unit;
  std::vector<double> invalid;  // raw
  std::optional<Range> expect;
  Names names;
  BitNames bits;
  std::optional<double> every;  // s
  double deadband = 0;
  std::optional<bool> critical;
  bool optional = false;
  bool alias = false;   // its place may be another signal's too
  bool hidden = false;  // of ours: the place where an output is read back; its name is confirm_name() of the output
  std::optional<Output> write;
  std::optional<Sim> sim;
  std::vector<TimedFault> faults;
  Show show = Show::automatic;
  std::string group;
  struct Member {
    std::string unit;
    Names names;
    BitNames bits;
    std::optional<Range> expect;
    std::optional<Sim> sim;
    std::optional<double> scale, offset, deadband;
    std::optional<std::vector<double>> invalid;  // raw
    std::optional<bool> critical;
  };
  std::map<std::string, Member> members;  // "fSpeed"
};

// The signal that reads an output's `confirm` back.
inline std::string confirm_name(std::string_view output) { return std::string(output) + ".confirm"; }
// Registers or coils that a signal takes on Modbus.
std::size_t modbus_places(const Declaration& declaration);

struct Joint {
  std::string name;                                         // in the URDF
  std::string position{}, velocity{}, effort{}, command{};  // signals; empty: unbound
  double kp = 1000, damping = 50;                           // of the virtual device's drive
};

struct Robot {
  std::string urdf;  // path of the file
  std::vector<Joint> joints;
  bool fixed = false;  // unbound joints are published at 0
};

// The type of a structure on a virtual PLC; a real one has to agree. Members are PLC type names, in order.
struct PlcStructure {
  std::string name;
  std::vector<std::pair<std::string, std::string>> members;  // "fSpeed", "REAL"
};

struct Limits {
  int holes = 16;    // registers between two signals that one request may read along
  double pause = 0;  // s, between requests
  int requests = 1;  // in flight
  int words = 125;   // most registers of one read
};

struct Description {
  std::string name;  // of the machine
  std::string file;  // relative paths count from its folder
  Protocol protocol = Protocol::modbus;
  double cycle = 0.05;  // s
  Limits limits;
  bool notify = false;      // ADS: the PLC sends changes; else one sum read a cycle
  bool sim_shared = false;  // Modbus virtual device: input registers are the holding ones
  std::vector<PlcStructure> types;
  std::vector<Declaration> signals;  // those of the file in its order, then hidden ones
  // arm
  double watchdog = 0.5;                                // s, of speeds and whatever asks for one
  std::optional<At> heartbeat;                          // 16 or 32 bits that count while armed
  std::string enable;                                   // an expression; empty: always
  std::vector<std::pair<std::string, double>> on_stop;  // written once at a stop
  std::optional<Robot> robot;
  int base = 0;                    // how the file counts registers: 0, 1 or 40001; for texts
  std::vector<std::string> notes;  // what `tandem check` says beside errors, each with its place
  // ROS
  std::string name_space;  // empty: "/" and the machine's name
  std::string tf_prefix;

  const Declaration* find(std::string_view signal) const {
    for (const Declaration& each : signals) {
      if (each.name == signal) return &each;
    }
    return nullptr;
  }
  bool writes() const {
    for (const Declaration& each : signals) {
      if (each.write) return true;
    }
    return false;
  }
};

}  // namespace tandem::generic
