// SPDX-License-Identifier: Apache-2.0
#include "tandem/urscript/library/builtins.hpp"

namespace tandem::urscript {

void Builtins::put(Builtin builtin) {
  std::unique_ptr<Builtin>& place = table_[builtin.name];
  if (place == nullptr) {
    place = std::make_unique<Builtin>(std::move(builtin));
  } else {
    *place = std::move(builtin);
  }
}

void Builtins::add(std::string name, std::vector<Parameter> parameters, std::function<Outcome(Call&)> function) {
  put({std::move(name), std::move(parameters), std::move(function), false, Effect::full});
}

void Builtins::add_limited(std::string name, Effect effect, std::vector<Parameter> parameters,
                           std::function<Outcome(Call&)> function) {
  put({std::move(name), std::move(parameters), std::move(function), false, effect});
}

void Builtins::add_waiting(std::string name, std::vector<Parameter> parameters,
                           std::function<Outcome(Call&)> function) {
  put({std::move(name), std::move(parameters), std::move(function), true, Effect::full});
}

const Builtin* Builtins::find(std::string_view name) const {
  const auto found = table_.find(name);
  return found == table_.end() ? nullptr : found->second.get();
}

void Builtins::add_written_array(std::string name, std::string function) {
  written_arrays_.insert_or_assign(std::move(name), std::move(function));
}

const Builtin* Builtins::writer_of(std::string_view array) const {
  const auto found = written_arrays_.find(array);
  return found != written_arrays_.end() ? find(found->second) : nullptr;
}

std::vector<std::string_view> Builtins::names() const {
  std::vector<std::string_view> names;
  for (const auto& [name, builtin] : table_) names.push_back(name);
  return names;
}

}  // namespace tandem::urscript
