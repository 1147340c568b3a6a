#include "tandem/urscript/builtins.hpp"

namespace tandem::urscript {

void Builtins::add(std::string name, std::vector<Parameter> parameters, std::function<Outcome(Call&)> function) {
  std::string key = name;
  table_.insert_or_assign(std::move(key), std::make_unique<Builtin>(Builtin{std::move(name), std::move(parameters),
                                                                            std::move(function), false}));
}

void Builtins::add_waiting(std::string name, std::vector<Parameter> parameters,
                           std::function<Outcome(Call&)> function) {
  std::string key = name;
  add(std::move(name), std::move(parameters), std::move(function));
  table_.find(key)->second->takes_time = true;
}

const Builtin* Builtins::find(std::string_view name) const {
  const auto found = table_.find(name);
  return found == table_.end() ? nullptr : found->second.get();
}

std::vector<std::string_view> Builtins::names() const {
  std::vector<std::string_view> names;
  for (const auto& [name, builtin] : table_) names.push_back(name);
  return names;
}

}  // namespace tandem::urscript
