// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/modbus/device_faults.hpp"

namespace tandem::modbus {
namespace {

// Places in a frame: transaction 0, protocol 2, length 4, unit 6, function 7, then its data.
constexpr std::size_t function_at = 7;
constexpr std::size_t data_at = 8;

void raise(std::vector<std::uint8_t>& frame, std::size_t at) {
  if (at < frame.size()) ++frame[at];
}

void fit_length(std::vector<std::uint8_t>& frame) {
  const std::size_t length = frame.size() - 6;
  frame[4] = static_cast<std::uint8_t>(length >> 8);
  frame[5] = static_cast<std::uint8_t>(length);
}

bool reads(std::uint8_t function) { return (function >= 1 && function <= 4) || function == 23; }
bool writes(std::uint8_t function) { return function == 5 || function == 6 || function == 15 || function == 16; }

}  // namespace

bool DeviceFaults::due(Kind kind) {
  int left = left_[kind].load();
  while (left > 0 && !left_[kind].compare_exchange_weak(left, left == always ? always : left - 1)) {
  }
  if (left <= 0) return false;
  ++happened_[kind];
  return true;
}

bool DeviceFaults::take_cut() {
  const bool cut = cut_;
  cut_ = false;
  return cut;
}

AnswerFate DeviceFaults::answer(std::vector<std::uint8_t>& frame) {
  if (frame.size() <= data_at) return {};
  const std::uint8_t only = function_.load();
  if (only != 0 && (frame[function_at] & 0x7f) != only) return {};
  if (due(no_answer)) return {.kind = AnswerFate::Kind::drop};
  if (due(close_connection)) return {.kind = AnswerFate::Kind::close};
  spoil(frame);
  AnswerFate fate;
  if (due(late_answer)) fate.delay = Duration{delay_.load()};
  return fate;
}

void DeviceFaults::spoil(std::vector<std::uint8_t>& frame) {
  const std::uint8_t function = frame[function_at];
  if (due(exception_answer)) {
    frame.resize(data_at + 1);
    frame[function_at] = function | 0x80;
    frame[data_at] = exception_.load();
    fit_length(frame);
  }
  if (due(wrong_transaction)) raise(frame, 0);  // the high byte: the low one may be the id of the next request
  if (due(wrong_protocol)) raise(frame, 3);
  if (due(wrong_unit)) raise(frame, 6);
  if (due(wrong_function)) raise(frame, function_at);
  if (writes(function) && due(wrong_echo)) raise(frame, data_at + 1);
  if (reads(function) && due(wrong_byte_count)) --frame[data_at];
  if (frame.size() > data_at + 2 && due(short_answer)) {
    frame.resize(frame.size() - 2);
    fit_length(frame);
  }
  if (due(lying_length)) frame[4] = frame[5] = 0xff;
  if (due(garbage_answer)) frame.assign(40, 0xa5);
  if (due(double_answer)) {
    const std::vector<std::uint8_t> once = frame;
    frame.insert(frame.end(), once.begin(), once.end());
  }
  if (due(cut_answer)) {
    frame.resize(frame.size() / 2);
    cut_ = true;
  }
}

}  // namespace tandem::modbus
