// SPDX-License-Identifier: Apache-2.0
#include "tandem/urscript/values/places.hpp"

#include <fmt/format.h>

#include <functional>
#include <limits>

#include "tandem/base/nearest.hpp"

namespace tandem::urscript {

namespace {

// One index or one member at a time: `m[i, j]` counts as two.
struct Path {
  std::span<const Step> steps;
  std::span<const Value> indices;
  std::uint32_t used = 0;  // indices of the first step that are behind us

  bool done() const { return steps.empty(); }
  bool last() const { return steps.size() == 1 && used + 1 >= steps[0].indices; }
  bool by_index() const { return steps[0].indices > 0; }
  Path next() const {
    Path path = *this;
    if (by_index()) path.indices = indices.subspan(1);
    if (++path.used >= steps[0].indices) {
      path.steps = steps.subspan(1);
      path.used = 0;
    }
    return path;
  }
};

using Change = std::function<Result<Value>(Value&)>;

Result<std::size_t> checked_index(const Value& index, std::size_t size, const char* of) {
  auto number = integer_of(index);
  if (!number)
    return Error{Fault::invalid, fmt::format("index of {}: expected an integer, got {}", of, type_name(index))};
  if (*number < 0 || static_cast<std::size_t>(*number) >= size) {
    return Error{Fault::invalid, fmt::format("index {} is outside {} of {} elements", *number, of, size)};
  }
  return static_cast<std::size_t>(*number);
}

Error no_member(const Value& value, std::string_view name) {
  if (value.structure() == nullptr) {
    return {Fault::invalid, fmt::format("only a struct has members; '.{}' of {}", printable(name), type_name(value))};
  }
  std::vector<std::string_view> known;
  for (const auto& [key, held] : value.structure()->members) known.push_back(key);
  return {Fault::invalid, fmt::format("the struct has no member '{}'{}", printable(name), suggestion(name, known))};
}

Result<Value> within_limits(Result<Value> changed, std::uint32_t weight, std::uint32_t depth) {
  if (!changed) return changed;
  if (weight > largest_list || depth > deepest_list) return Error{Fault::invalid, "the list has become too large"};
  return changed;
}

Result<Value> edit(Value& holder, const Path& path, const Change& change);

Result<Value> edit_pose(PoseValue& pose, const Path& path, const Change& change) {
  auto index = checked_index(path.indices.front(), pose.size(), "a pose");
  if (!index) return std::move(index).error();
  if (!path.last()) return Error{Fault::invalid, "the elements of a pose are numbers"};
  Value number(pose[*index]);
  auto changed = change(number);
  if (!changed) return changed;
  auto fits = number_of(number);
  if (!fits) return std::move(fits).error();
  pose[*index] = *fits;
  return changed;
}

Result<Value> edit_list(ListBody& body, const Path& path, const Change& change) {
  auto index = checked_index(path.indices.front(), body.items.size(), "a list");
  if (!index) return std::move(index).error();
  auto changed = edit(body.items[*index], path.next(), change);
  body.refresh();
  return within_limits(std::move(changed), body.weight, body.depth);
}

Result<Value> edit(Value& holder, const Path& path, const Change& change) {
  if (path.done()) return change(holder);
  if (path.by_index()) {
    if (PoseValue* pose = holder.pose()) return edit_pose(*pose, path, change);
    if (ListBody* body = holder.own_list()) return edit_list(*body, path, change);
    return Error{Fault::invalid, fmt::format("{} has no elements", type_name(holder))};
  }
  StructBody* body = holder.own_struct();
  Value* held = body == nullptr ? nullptr : body->find(path.steps[0].member);
  if (held == nullptr) return no_member(holder, path.steps[0].member);
  auto changed = edit(*held, path.next(), change);
  body->refresh();
  return within_limits(std::move(changed), body->weight, body->depth);
}

Result<Value> append_all(ListBody& list, const Value& more) {
  if (more.list() == nullptr)
    return Error{Fault::invalid, fmt::format("extend: expected a list, got {}", type_name(more))};
  const std::vector<Value> items = *more.list();
  for (const Value& item : items) {
    if (auto added = list.insert(list.items.size(), item); !added) return std::move(added).error();
  }
  return Value(None{});
}

Result<Value> remove_at(ListBody& list, std::size_t index) {
  Value removed = list.items[index];
  list.erase(index);
  return removed;
}

Result<Value> slice(const ListBody& list, const Value& begin, const Value& end) {
  auto first = integer_of(begin);
  auto last = integer_of(end);
  if (!first || !last) return Error{Fault::invalid, "slice needs two integers"};
  if (*first < 0 || *last < *first || static_cast<std::size_t>(*last) > list.items.size()) {
    return Error{Fault::invalid,
                 fmt::format("slice({}, {}) is outside a list of {} elements", *first, *last, list.items.size())};
  }
  return Value::make_list({list.items.begin() + *first, list.items.begin() + *last});
}

struct Method {
  std::string_view name;
  std::size_t arguments;
  Result<Value> (*call)(ListBody&, std::span<const Value>);
};

Result<Value> insert_at(ListBody& list, std::size_t index, const Value& value) {
  if (auto added = list.insert(index, value); !added) return std::move(added).error();
  return Value(None{});
}

const Method methods[] = {
    {"append", 1, [](ListBody& l, std::span<const Value> a) { return insert_at(l, l.items.size(), a[0]); }},
    {"extend", 1, [](ListBody& l, std::span<const Value> a) { return append_all(l, a[0]); }},
    {"insert", 2,
     [](ListBody& l, std::span<const Value> a) -> Result<Value> {
       auto index = checked_index(a[0], l.items.size() + 1, "a list");
       if (!index) return std::move(index).error();
       return insert_at(l, *index, a[1]);
     }},
    {"remove", 1,
     [](ListBody& l, std::span<const Value> a) -> Result<Value> {
       auto index = checked_index(a[0], l.items.size(), "a list");
       if (!index) return std::move(index).error();
       return remove_at(l, *index);
     }},
    {"pop", 0,
     [](ListBody& l, std::span<const Value>) -> Result<Value> {
       if (l.items.empty()) return Error{Fault::invalid, "pop of an empty list"};
       return remove_at(l, l.items.size() - 1);
     }},
    {"clear", 0,
     [](ListBody& l, std::span<const Value>) -> Result<Value> {
       l.items.clear();
       l.refresh();
       return Value(None{});
     }},
    {"length", 0,
     [](ListBody& l, std::span<const Value>) -> Result<Value> {
       return Value(static_cast<std::int32_t>(l.items.size()));
     }},
    {"slice", 2, [](ListBody& l, std::span<const Value> a) { return slice(l, a[0], a[1]); }},
};

}  // namespace

Result<Value> element(const Value& value, std::span<const Value> indices) {
  Value at = value;
  for (const Value& each : indices) {
    if (const PoseValue* pose = at.pose()) {
      auto index = checked_index(each, pose->size(), "a pose");
      if (!index) return std::move(index).error();
      at = Value((*pose)[*index]);
    } else if (at.list() != nullptr) {
      auto index = checked_index(each, at.list()->size(), "a list");
      if (!index) return std::move(index).error();
      at = Value((*at.list())[*index]);
    } else {
      return Error{Fault::invalid, fmt::format("{} has no elements", type_name(at))};
    }
  }
  return at;
}

Result<Value> member(const Value& value, std::string_view name) {
  const StructBody* body = value.structure();
  const Value* held = body == nullptr ? nullptr : body->find(name);
  if (held == nullptr) return no_member(value, name);
  return *held;
}

Result<void> store(Value& variable, const Place& place, std::span<const Value> indices, Value value) {
  const Path path{place.steps, indices};
  if (path.last() && path.by_index() && variable.list() != nullptr) {  // `a[i] = x`, without recounting the list
    auto index = checked_index(indices.front(), variable.list()->size(), "a list");
    if (!index) return std::move(index).error();
    return variable.own_list()->replace(*index, std::move(value));
  }
  auto changed = edit(variable, path, [&](Value& held) -> Result<Value> {
    held = value;
    return Value(None{});
  });
  if (!changed) return std::move(changed).error();
  return {};
}

Result<Value> call_method(Value& variable, const MethodCall& call, std::span<const Value> indices,
                          std::span<const Value> arguments) {
  std::vector<std::string_view> known;
  for (const Method& method : methods) {
    known.push_back(method.name);
    if (method.name != call.name) continue;
    if (method.arguments != arguments.size()) {
      return Error{Fault::invalid,
                   fmt::format("'{}': expected {} arguments, got {}", method.name, method.arguments, arguments.size())};
    }
    return edit(variable, Path{call.place.steps, indices}, [&](Value& held) -> Result<Value> {
      ListBody* list = held.own_list();
      if (list == nullptr)
        return Error{Fault::invalid, fmt::format("only a list has '{}', this is {}", method.name, type_name(held))};
      return method.call(*list, arguments);
    });
  }
  return Error{Fault::invalid,
               fmt::format("unknown method '{}'{}", printable(call.name), suggestion(call.name, known))};
}

}  // namespace tandem::urscript
