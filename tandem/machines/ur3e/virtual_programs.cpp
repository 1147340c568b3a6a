#include "tandem/machines/ur3e/virtual_programs.hpp"

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

}  // namespace

void Programs::start(std::string_view text) {
  const auto program = urscript::Program::parse(text);
  if (!program) return complain_("script", {program.error().code, 0, program.error().text});
  const auto code = program->link(builtins_);
  if (!code) return complain_(program->name(), {code.error().code, 0, code.error().text});
  auto made = std::make_unique<urscript::Interpreter>(*code);
  if (program->secondary()) {
    if (secondary_.size() >= most_secondary) secondary_.erase(secondary_.begin());
    secondary_.push_back(std::move(made));
    return;
  }
  main_.reset();  // ends its motion before the next begins its own
  main_ = std::move(made);
  paused_ = false;
  ++started_;
}

void Programs::stop() {
  main_.reset();
  secondary_.clear();
  paused_ = false;
}

void Programs::pause() { paused_ = main_ != nullptr; }

void Programs::resume() { paused_ = false; }

void Programs::step(urscript::Cycle cycle, bool main_may_run) {
  for (auto& program : secondary_) {
    program->step(cycle);
    if (!program->running()) finish(*program);
  }
  std::erase_if(secondary_, [](const auto& program) { return !program->running(); });
  if (!main_ || paused_ || !main_may_run) return;
  main_->step(cycle);
  if (main_->running()) return;
  const auto ended = std::move(main_);
  finish(*ended);
}

void Programs::finish(urscript::Interpreter& program) {
  if (program.error()) complain_(program.name(), *program.error());
}

ur::RuntimeState Programs::state() const {
  if (!main_) return ur::RuntimeState::stopped;
  return paused_ ? ur::RuntimeState::paused : ur::RuntimeState::playing;
}

bool Programs::load(std::string_view name) {
  name = name.substr(name.rfind('/') + 1);
  if (!plain(name) || !files.contains(name)) return false;
  loaded_ = name;
  return true;
}

bool Programs::play() {
  if (paused()) {
    resume();
    return true;
  }
  const auto file = files.find(loaded_);
  if (loaded_.empty() || file == files.end()) return false;
  start(file->second);
  return true;
}

}  // namespace tandem::ur3e
