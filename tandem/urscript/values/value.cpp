// SPDX-License-Identifier: Apache-2.0
#include "tandem/urscript/values/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace tandem::urscript {

namespace {

std::atomic<std::size_t> live{0};

Error too_large(std::size_t weight) {
  return {Fault::invalid, fmt::format("list: expected at most {} values, got {}", largest_list, weight)};
}
Error too_deep() { return {Fault::invalid, fmt::format("lists may be nested at most {} deep", deepest_list)}; }

Result<void> fits(std::size_t weight, std::uint32_t depth) {
  if (weight > largest_list) return too_large(weight);
  if (depth > deepest_list) return too_deep();
  return {};
}

}  // namespace

Payload::Payload(std::size_t bytes) : bytes_(bytes) { live.fetch_add(bytes_, std::memory_order_relaxed); }
Payload::Payload(const Payload& other) : Payload(other.bytes_) {}
Payload::~Payload() { live.fetch_sub(bytes_, std::memory_order_relaxed); }
void Payload::resize(std::size_t bytes) {
  live.fetch_add(bytes - bytes_, std::memory_order_relaxed);
  bytes_ = bytes;
}
std::size_t Payload::live_bytes() { return live.load(std::memory_order_relaxed); }

Value::Value(std::string text) : state_(std::make_shared<const TextBody>(std::move(text))) {}

const std::string* Value::text() const {
  const Text* held = std::get_if<Text>(&state_);
  return held == nullptr ? nullptr : &(*held)->text;
}

const std::vector<Value>* Value::list() const {
  const List* held = std::get_if<List>(&state_);
  return held == nullptr ? nullptr : &(*held)->items;
}

const StructBody* Value::structure() const {
  const Struct* held = std::get_if<Struct>(&state_);
  return held == nullptr ? nullptr : held->get();
}

ListBody* Value::own_list() {
  List* held = std::get_if<List>(&state_);
  if (held == nullptr) return nullptr;
  if (held->use_count() > 1) *held = std::make_shared<ListBody>(**held);
  return held->get();
}

StructBody* Value::own_struct() {
  Struct* held = std::get_if<Struct>(&state_);
  if (held == nullptr) return nullptr;
  if (held->use_count() > 1) *held = std::make_shared<StructBody>(**held);
  return held->get();
}

Result<Value> Value::make_list(std::vector<Value> items) {
  if (items.size() > largest_list) return too_large(items.size());
  auto body = std::make_shared<ListBody>(std::move(items));
  if (auto small = fits(body->weight, body->depth); !small) return std::move(small).error();
  Value value;
  value.state_ = std::move(body);
  return value;
}

Result<Value> Value::make_struct(std::vector<std::pair<std::string, Value>> members) {
  auto body = std::make_shared<StructBody>(std::move(members));
  if (auto small = fits(body->weight, body->depth); !small) return std::move(small).error();
  Value value;
  value.state_ = std::move(body);
  return value;
}

Result<Value> Value::make_text(std::string text) {
  if (text.size() > longest_text) {
    return Error{Fault::invalid, fmt::format("string: expected at most {} bytes, got {}", longest_text, text.size())};
  }
  return Value(std::move(text));
}

std::uint32_t Value::weight() const {
  if (const List* held = std::get_if<List>(&state_)) return (*held)->weight;
  if (const Struct* held = std::get_if<Struct>(&state_)) return (*held)->weight;
  if (const std::string* held = text()) return static_cast<std::uint32_t>(1 + held->size() / 16);
  return 1;
}

std::uint32_t Value::depth() const {
  if (const List* held = std::get_if<List>(&state_)) return (*held)->depth;
  if (const Struct* held = std::get_if<Struct>(&state_)) return (*held)->depth;
  return 0;
}

ListBody::ListBody(std::vector<Value> held) : items(std::move(held)), weight(1), depth(1), payload(sizeof(ListBody)) {
  refresh();
}

void ListBody::refresh() {
  weight = 1;
  depth = 1;
  for (const Value& item : items) {
    weight = std::min<std::uint32_t>(weight + item.weight(), largest_list + 1);
    depth = std::max(depth, item.depth() + 1);
  }
  payload.resize(sizeof(ListBody) + items.capacity() * sizeof(Value));
}

Result<void> ListBody::replace(std::size_t index, Value value) {
  const std::size_t would_be = weight - items[index].weight() + std::size_t{value.weight()};
  if (auto small = fits(would_be, value.depth() + 1); !small) return small;
  weight = static_cast<std::uint32_t>(would_be);
  depth = std::max(depth, value.depth() + 1);
  items[index] = std::move(value);
  return {};
}

Result<void> ListBody::insert(std::size_t index, Value value) {
  const std::size_t would_be = weight + std::size_t{value.weight()};
  if (auto small = fits(would_be, value.depth() + 1); !small) return small;
  weight = static_cast<std::uint32_t>(would_be);
  depth = std::max(depth, value.depth() + 1);
  items.insert(items.begin() + static_cast<std::ptrdiff_t>(index), std::move(value));
  payload.resize(sizeof(ListBody) + items.capacity() * sizeof(Value));
  return {};
}

void ListBody::erase(std::size_t index) {
  weight -= items[index].weight();
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(index));
}

StructBody::StructBody(std::vector<std::pair<std::string, Value>> held)
    : members(std::move(held)), weight(1), depth(1), payload(sizeof(StructBody)) {
  refresh();
}

void StructBody::refresh() {
  weight = 1;
  depth = 1;
  for (const auto& [name, value] : members) {
    weight = std::min<std::uint32_t>(weight + value.weight(), largest_list + 1);
    depth = std::max(depth, value.depth() + 1);
  }
  payload.resize(sizeof(StructBody) + members.capacity() * sizeof(members[0]));
}

const Value* StructBody::find(std::string_view name) const {
  for (const auto& [key, value] : members) {
    if (key == name) return &value;
  }
  return nullptr;
}

Value* StructBody::find(std::string_view name) { return const_cast<Value*>(std::as_const(*this).find(name)); }

}  // namespace tandem::urscript
