// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/device/control_script.hpp"

namespace tandem::ur3e::script {
namespace {

std::vector<Write> of(const command::MoveJoints& m) {
  return {{.code = Code::movej, .first = m.q, .third = {m.a, m.v, m.t, m.r}}};
}
std::vector<Write> of(const command::MoveLine& m) {
  return {{.code = Code::movel, .first = m.pose, .third = {m.a, m.v, m.t, m.r}}};
}
std::vector<Write> of(const command::MoveProcess& m) {
  return {{.code = Code::movep, .first = m.pose, .third = {m.a, m.v, 0, m.r}}};
}
std::vector<Write> of(const command::MoveCircle& m) {
  return {{.code = Code::movec,
           .one = m.fixed_orientation ? 1 : 0,
           .first = m.to,
           .second = m.via,
           .third = {m.a, m.v, 0, m.r}}};
}
std::vector<Write> of(const command::MovePath& path) {
  std::vector<Write> out;
  for (const command::PathPoint& point : path.points) {
    Write write = std::visit([](const auto& move) { return of(move); }, point).front();
    write.two = static_cast<std::int32_t>(write.code);
    write.one = static_cast<std::int32_t>(out.size());
    write.code = Code::path_point;
    out.push_back(write);
  }
  out.push_back({.code = Code::path});
  return out;
}
std::vector<Write> of(const command::Servo& s) {
  return {{.code = Code::servoj, .first = s.q, .third = {s.t, s.lookahead, s.gain}}};
}
std::vector<Write> of(const command::SpeedJoints& s) {
  return {{.code = Code::speedj, .first = s.qd, .third = {s.a, s.t}}};
}
std::vector<Write> of(const command::SpeedLine& s) {
  return {{.code = Code::speedl, .first = s.twist, .third = {s.a, s.t}}};
}
std::vector<Write> of(const command::StopJoints& s) { return {{.code = Code::stopj, .third = {s.a}}}; }
std::vector<Write> of(const command::StopLine& s) { return {{.code = Code::stopl, .third = {s.a}}}; }
std::vector<Write> of(const command::ToolCentre& t) { return {{.code = Code::tcp, .first = t.offset}}; }
std::vector<Write> of(const command::Payload& p) {
  return {{.code = Code::payload, .first = {p.mass, p.centre[0], p.centre[1], p.centre[2]}}};
}
std::vector<Write> of(const command::Freedrive& f) { return {{.code = Code::freedrive, .one = f.on ? 1 : 0}}; }
std::vector<Write> of(const command::ForceMode& f) {
  std::int32_t axes = 0;
  for (std::size_t i = 0; i < 6; ++i) axes |= f.compliant[i] ? 1 << i : 0;
  return {
      {.code = Code::force_mode, .one = axes, .two = f.type, .first = f.frame, .second = f.wrench, .third = f.limits}};
}
std::vector<Write> of(const command::EndForceMode&) { return {{.code = Code::end_force_mode}}; }
std::vector<Write> of(const command::DigitalOut& d) {
  const Code code = d.bank == command::Bank::standard       ? Code::standard_out
                    : d.bank == command::Bank::configurable ? Code::configurable_out
                                                            : Code::tool_out;
  return {{.code = code, .one = d.pin, .two = d.value ? 1 : 0}};
}
std::vector<Write> of(const command::AnalogOut& a) {
  return {{.code = Code::analog_out, .one = a.pin, .first = {a.ratio}}};
}
std::vector<Write> of(const command::ZeroForceSensor&) { return {{.code = Code::zero_force}}; }
std::vector<Write> of(const command::Nothing&) { return {{.code = Code::nothing}}; }

}  // namespace

std::vector<Write> writes_for(const command::Any& command) {
  return std::visit([](const auto& value) { return of(value); }, command);
}

void place(const Write& write, std::int32_t sequence, ur::ControllerInputs& into) {
  into.input_int_register[inputs::sequence] = sequence;
  into.input_int_register[inputs::code] = static_cast<std::int32_t>(write.code);
  into.input_int_register[inputs::one] = write.one;
  into.input_int_register[inputs::two] = write.two;
  for (std::size_t i = 0; i < 6; ++i) {
    into.input_double_register[inputs::first + i] = write.first[i];
    into.input_double_register[inputs::second + i] = write.second[i];
    into.input_double_register[inputs::third + i] = write.third[i];
  }
}

}  // namespace tandem::ur3e::script
