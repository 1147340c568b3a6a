// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/virtual/script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "tandem/machines/cable_robot/virtual/faults.hpp"

namespace tandem::cable_robot {
namespace {

constexpr double longest_script = 1e6;  // s
constexpr double most_slip = 1;         // m

// The rest of a text, word by word.
class ScriptWords {
 public:
  explicit ScriptWords(const std::string& text) : text_(text), stream_(text) {}

  [[noreturn]] void refuse(std::string_view expected) const {
    throw std::invalid_argument(fmt::format("faults: \"{}\": expected {}", text_, expected));
  }
  std::string word() {
    std::string next;
    if (!(stream_ >> next)) refuse("a time in seconds and a word like cut, stick, slip, silence");
    return next;
  }
  double number(double lowest, double highest, std::string_view what) {
    double value = 0;
    if (!(stream_ >> value) || !(value >= lowest && value <= highest))
      refuse(fmt::format("{} from {} to {}", what, lowest, highest));
    return value;
  }
  int winch(int count) {
    const double value = number(0, count - 1, "the number of a winch");
    if (value != std::floor(value)) refuse("a whole number of a winch");
    return static_cast<int>(value);
  }
  void end() {
    std::string more;
    if (stream_ >> more) refuse(fmt::format("nothing after that, got \"{}\"", more));
  }

 private:
  const std::string& text_;
  std::istringstream stream_;
};

void put_bit(std::atomic<std::uint16_t>& bits, int i, bool on) {
  const auto bit = static_cast<std::uint16_t>(1U << i);
  if (on)
    bits |= bit;
  else
    bits &= static_cast<std::uint16_t>(~bit);
}

}  // namespace

FaultScript::FaultScript(std::span<const std::string> texts, int winches) {
  for (const std::string& text : texts) add(text, winches);
  std::ranges::stable_sort(events_, {}, &Event::at);
}

void FaultScript::add(const std::string& text, int winches) {
  enum class Subject { winch, answers, device };
  struct Phrase {
    std::string_view word;
    Subject subject;
    Verb verb;
    Verb over = {};  // of answers: what ends it
  };
  static constexpr std::array<Phrase, 10> phrases{{
      {"cut", Subject::winch, Verb::cut},
      {"stick", Subject::winch, Verb::stick},
      {"break", Subject::winch, Verb::break_cell},
      {"slip", Subject::winch, Verb::slip},
      {"repair", Subject::winch, Verb::repair},
      {"silence", Subject::answers, Verb::silence, Verb::silence_over},
      {"late", Subject::answers, Verb::late, Verb::late_over},
      {"exception", Subject::answers, Verb::exception, Verb::exception_over},
      {"close", Subject::device, Verb::close},
      {"restart", Subject::device, Verb::restart},
  }};
  ScriptWords words(text);
  Event event;
  event.at = duration_of(words.number(0, longest_script, "a time in seconds"));
  const std::string word = words.word();
  const auto phrase = std::ranges::find(phrases, word, &Phrase::word);
  if (phrase == phrases.end())
    words.refuse(
        fmt::format("cut, stick, break, slip, repair, silence, late, exception, close or restart, got \"{}\"", word));
  event.verb = phrase->verb;
  if (phrase->subject == Subject::winch) event.winch = words.winch(winches);
  if (event.verb == Verb::slip) event.amount = words.number(-most_slip, most_slip, "metres");
  if (event.verb == Verb::late) event.amount = words.number(0, longest_script, "seconds of delay");
  if (phrase->subject == Subject::answers) {
    const double lasts = words.number(0, longest_script, "its duration in seconds");
    events_.push_back({event.at + duration_of(lasts), phrase->over, 0, 0});
  }
  words.end();
  events_.push_back(event);
}

void FaultScript::play(Duration running, WinchFaults& faults) {
  for (; next_ < events_.size() && events_[next_].at <= running; ++next_) perform(events_[next_], faults);
}

void FaultScript::perform(const Event& event, WinchFaults& faults) {
  switch (event.verb) {
    case Verb::cut:
      return put_bit(faults.cut, event.winch, true);
    case Verb::stick:
      return put_bit(faults.stuck, event.winch, true);
    case Verb::break_cell:
      return put_bit(faults.broken, event.winch, true);
    case Verb::slip:
      return faults.slip(event.winch, event.amount);
    case Verb::repair:
      put_bit(faults.cut, event.winch, false);
      put_bit(faults.stuck, event.winch, false);
      return put_bit(faults.broken, event.winch, false);
    case Verb::silence:
      return faults.next(WinchFaults::no_answer, WinchFaults::always);
    case Verb::silence_over:
      return faults.next(WinchFaults::no_answer, 0);
    case Verb::late:
      faults.delay(duration_of(event.amount));
      return faults.next(WinchFaults::late_answer, WinchFaults::always);
    case Verb::late_over:
      return faults.next(WinchFaults::late_answer, 0);
    case Verb::exception:
      return faults.next(WinchFaults::exception_answer, WinchFaults::always);
    case Verb::exception_over:
      return faults.next(WinchFaults::exception_answer, 0);
    case Verb::close:
      return faults.next(WinchFaults::close_connection);
    case Verb::restart:
      return faults.next(WinchFaults::restart);
  }
}

}  // namespace tandem::cable_robot
