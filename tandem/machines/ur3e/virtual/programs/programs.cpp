// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/virtual/programs/programs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::ur3e {
namespace {

constexpr std::size_t most_secondary = 16;

// The names of files that are looked at: no paths out of the folder, nothing for a shell.
bool plain(std::string_view name) {
  const auto good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.' || c == ' ';
  };
  return !name.empty() && name.size() <= 128 && name.front() != '.' && std::ranges::all_of(name, good);
}

// The first call of something that does not exist, as it would be reported when the program comes to it.
std::optional<urscript::RuntimeError> first_refusal(const urscript::Code& code) {
  const auto found = std::ranges::find(code.instructions, urscript::Op::refuse, &urscript::Instruction::op);
  if (found == code.instructions.end()) return std::nullopt;
  return urscript::RuntimeError{found->line, found->column, code.names[found->a]};
}

}  // namespace

bool Programs::start(std::string_view text, std::uint32_t client) {
  const auto program = urscript::Program::parse(text);
  const auto refused = [this](const std::string& name, const Error& error) {
    complain_(name, {error.code, 0, error.text});
    return false;
  };
  if (!program) return refused("script", program.error());
  const auto code = program->link(builtins_);
  if (!code) return refused(program->name(), code.error());
  // Single lines, such as the call of a program that was sent before, do not end the one that runs for an error.
  if (const auto missing = program->bare() ? first_refusal(**code) : std::nullopt) {
    complain_(program->name(), *missing);
    return false;
  }
  if (warn && !(*code)->warnings.empty())
    warn(program->name() + ": " + (*code)->warnings.front().text + "; the program stops there");
  auto made = std::make_unique<urscript::Interpreter>(*code);
  if (program->secondary()) {
    if (secondary_.size() >= most_secondary) secondary_.erase(secondary_.begin());
    secondary_.push_back({std::move(made), client});
    return true;
  }
  end_main();  // ends its motion before the next begins its own
  main_ = std::move(made);
  client_ = client;
  ++started_;
  report_(Event::started, main_->name());
  return true;
}

void Programs::end_main() {
  paused_ = false;
  if (!main_) return;
  const auto ended = std::move(main_);
  report_(Event::stopped, ended->name());
}

void Programs::stop() {
  end_main();
  secondary_.clear();
}

void Programs::pause() {
  if (!main_ || paused_) return;
  paused_ = true;
  report_(Event::paused, main_->name());
}

void Programs::resume() { paused_ = false; }

void Programs::step(urscript::Cycle cycle, bool main_may_run) {
  for (auto& [program, client] : secondary_) {
    acting_ = client;
    program->step(cycle);
    if (!program->running()) finish(*program);
  }
  acting_ = 0;
  std::erase_if(secondary_, [](const Secondary& each) { return !each.program->running(); });
  if (!main_ || paused_ || !main_may_run) return;
  acting_ = client_;
  main_->step(cycle);
  acting_ = 0;
  if (main_->running()) return;
  finish(*main_);
  end_main();
}

void Programs::finish(urscript::Interpreter& program) {
  if (program.error()) complain_(program.name(), *program.error());
}

ur::RuntimeState Programs::state() const {
  if (!main_) return ur::RuntimeState::stopped;
  return paused_ ? ur::RuntimeState::paused : ur::RuntimeState::playing;
}

std::optional<std::string> Programs::load(std::string_view name) {
  const std::string_view file = name.substr(name.rfind('/') + 1);
  if (plain(file) && broken_files.contains(file)) return fmt::format("Error while loading program: {}", name);
  if (!plain(file) || !files.contains(file)) return fmt::format("File not found: {}", name);
  loaded_ = file;
  return std::nullopt;
}

bool Programs::play(std::uint32_t client) {
  if (paused()) {
    resume();
    return true;
  }
  const auto file = files.find(loaded_);
  if (loaded_.empty() || file == files.end()) return false;
  return start(file->second, client);
}

}  // namespace tandem::ur3e
