// SPDX-License-Identifier: Apache-2.0
#include "tandem/urscript/run/interpreter_mode.hpp"
#include "tandem/base/text.hpp"

#include <fmt/format.h>

namespace tandem::urscript {

namespace {

constexpr std::size_t longest_statement = 64 * 1024;  // bytes
constexpr std::size_t most_waiting = 1'000;           // statements
constexpr std::size_t most_waiting_bytes = 4u << 20;  // of their text
constexpr std::size_t most_interpreted = 1'000'000;   // instructions since the last clear
constexpr std::string_view clearing = "clear_interpreter";

void acknowledge(const InterpreterMode::Answers& answers, std::uint32_t id, std::string_view text) {
  *answers += fmt::format("ack: {}: {}\n", id, text);
}

}  // namespace

void InterpreterMode::discard(const Answers& answers, std::string_view reason, std::string_view text) {
  *answers += fmt::format("discard: {}: {}\n", reason, text);
}

void InterpreterMode::receive(std::string_view line, Interpreter* program, const Answers& answers) {
  line = trimmed(line);
  if (line.empty() || command(line, answers)) return;
  if (line.size() > longest_statement) return discard(answers, "the statement is too long", line.substr(0, 64));
  if (queue_.size() + held_.size() >= most_waiting || waiting_bytes() + line.size() > most_waiting_bytes)
    return discard(answers, "too many statements are waiting; send skipbuffer or wait", line);
  if (clear_expected_) {
    held_.push_back({std::string(line), answers});
    return;
  }
  admit(line, program, answers);
}

// The lines that are no statements.
bool InterpreterMode::command(std::string_view line, const Answers& answers) {
  const auto state = [&](std::size_t number) {
    *answers += fmt::format("state: {}: {}\n", number, line);
    return true;
  };
  if (line == "statelastexecuted") return state(last_executed_);
  if (line == "statelastinterpreted") return state(last_id_);
  if (line == "statelastcleared") return state(last_cleared_);
  if (line == "stateunexecuted") return state(queue_.size() + held_.size());
  if (line != "abort" && line != "skipbuffer") return false;
  if (line == "skipbuffer") {
    skip();
  } else if (abort) {
    abort();
  }
  acknowledge(answers, 0, line);
  return true;
}

std::size_t InterpreterMode::waiting_bytes() const {
  std::size_t bytes = 0;
  for (const Statement& statement : queue_) bytes += statement.text.size();
  for (const Held& held : held_) bytes += held.text.size();
  return bytes;
}

void InterpreterMode::skip() {
  queue_.clear();
  for (const Held& held : held_) discard(held.answers, "skipped", held.text);
  held_.clear();
  clear_expected_ = current_may_clear_;
}

void InterpreterMode::admit(std::string_view text, Interpreter* program, const Answers& answers) {
  if (program == nullptr || !program->running()) return discard(answers, "no program is running", text);
  if (!base_) base_ = program->code_size();
  if (program->code_size().instructions > base_->instructions + most_interpreted)
    return discard(answers, "too many statements were interpreted; send clear_interpreter()", text);
  const auto function = program->add_statements(text, builtins_);
  if (!function) return discard(answers, function.error().text, text);
  if (++last_id_ == 0) last_id_ = 1;
  const bool may_clear = text.find(clearing) != text.npos;
  queue_.push_back({last_id_, *function, std::string(text), may_clear});
  clear_expected_ = may_clear;
  acknowledge(answers, last_id_, text);
}

void InterpreterMode::admit_held(Interpreter& program) {
  while (!held_.empty() && !clear_expected_) {
    const Held held = std::move(held_.front());
    held_.pop_front();
    admit(held.text, &program, held.answers);
  }
}

void InterpreterMode::step(Interpreter& program) {
  if (!base_) base_ = program.code_size();
  if (end_asked_ && !end_asked_by_statement_) program.stop_statements();
  if (program.runs_statements()) return;
  if (clear_asked_) clear(program);
  if (current_may_clear_) {  // done, whether it has cleared or not
    current_may_clear_ = clear_expected_ = false;
    admit_held(program);
  }
  if (end_asked_) return end(program);
  if (!active_ || queue_.empty()) return;
  const Statement next = std::move(queue_.front());
  queue_.pop_front();
  last_executed_ = next.id;
  current_may_clear_ = next.may_clear;
  program.start_statements(next.function);
}

void InterpreterMode::end(Interpreter& program) {
  if (clear_on_end_) {
    clear(program);
  } else {
    base_ = program.code_size();
  }
  active_ = end_asked_ = end_asked_by_statement_ = false;
}

// What waits was linked with what goes now: it is linked again, and dropped when that is no longer possible.
void InterpreterMode::clear(Interpreter& program) {
  clear_asked_ = false;
  program.forget_statements(*base_);
  last_cleared_ = last_executed_;
  std::deque<Statement> waiting = std::move(queue_);
  queue_.clear();
  for (Statement& statement : waiting) {
    const auto function = program.add_statements(statement.text, builtins_);
    if (!function) continue;
    statement.function = *function;
    queue_.push_back(std::move(statement));
  }
}

void InterpreterMode::reset() {
  for (const Held& held : held_) discard(held.answers, "no program is running", held.text);
  held_.clear();
  queue_.clear();
  base_.reset();
  active_ = end_asked_ = end_asked_by_statement_ = clear_asked_ = clear_expected_ = current_may_clear_ = false;
  last_id_ = last_executed_ = last_cleared_ = 0;
}

void InterpreterMode::add_builtins(Builtins& builtins) {
  builtins.add_waiting("interpreter_mode", {Parameter("clearQueueOnEnter", true), Parameter("clearOnEnd", true)},
                       [this](Call& call) -> Outcome {
                         if (call.resumed()) return active_ ? Outcome(wait) : Outcome(Value(None{}));
                         const auto clear_queue = truth_of(call[0]);
                         const auto clear_on_end = truth_of(call[1]);
                         if (!clear_queue) return clear_queue.error();
                         if (!clear_on_end) return clear_on_end.error();
                         if (call.thread != 1 || active_)
                           return Error{Fault::invalid, "only the main thread can enter it, and only once at a time"};
                         if (*clear_queue) {
                           if (!queue_.empty()) last_cleared_ = queue_.back().id;
                           skip();
                         }
                         clear_on_end_ = *clear_on_end;
                         active_ = true;
                         call.state = true;
                         return wait;
                       });
  builtins.add("end_interpreter", {}, [this](Call& call) -> Outcome {
    if (!active_) return Value(None{});
    end_asked_ = true;
    end_asked_by_statement_ = call.thread == Interpreter::statement_thread;
    return Value(None{});
  });
  builtins.add("clear_interpreter", {}, [this](Call&) -> Outcome {
    if (!active_) return Error{Fault::invalid, "works in interpreter mode only"};
    clear_asked_ = true;
    return Value(None{});
  });
}

}  // namespace tandem::urscript
