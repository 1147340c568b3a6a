// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/full_node.hpp"

#include <fmt/format.h>

#include "tandem/ros2/dds/participant.hpp"
#include "tandem/ros2/messages/registry.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::ros2 {
namespace {

namespace description = type_description_interfaces;

description::IndividualTypeDescription described(const TypeDescription& type) {
  description::IndividualTypeDescription message;
  message.described_name = type.name;
  const auto add = [&](std::string name, int id, std::size_t capacity, std::size_t string_capacity,
                       std::string nested) {
    description::Field& field = message.described_fields.emplace_back();
    field.name = std::move(name);
    field.type.type_id = static_cast<std::uint8_t>(id);
    field.type.capacity = capacity;
    field.type.string_capacity = string_capacity;
    field.type.nested_type_name = std::move(nested);
  };
  for (const FieldDescription& field : type.fields) {
    add(field.name, field.type_id, field.capacity, field.string_capacity, field.nested);
  }
  if (type.fields.empty()) add("structure_needs_at_least_one_member", 3, 0, 0, "");
  return message;
}

// What its file says: of a message that of its own, of a service and an action all their parts, whose messages come
// from no file of their own.
description::TypeSource source_of(const TypeDescription& type, const std::vector<TypeDescription>& referenced) {
  const std::size_t start = type.name.find('/') + 1;
  const std::string kind = type.name.substr(start, type.name.find('/', start) - start);
  if (kind == "msg") return {type.name, kind, definition_text(type, {})};
  std::vector<const char*> parts = {"_Request", "_Response"};
  if (kind == "action") parts = {"_Goal", "_Result", "_Feedback"};
  std::string text;
  for (const char* part : parts) {
    const auto found = std::ranges::find(referenced, type.name + part, &TypeDescription::name);
    if (found == referenced.end()) return {type.name, "implicit", ""};
    text += (part == parts.front() ? "" : "---\n") + definition_text(*found, {});
  }
  return {type.name, kind, text};
}

}  // namespace

description::GetTypeDescription::Response describe_type(const description::GetTypeDescription::Request& request) {
  description::GetTypeDescription::Response response;
  const TypeSupport* type = find_type(request.described_name);
  if (type == nullptr) {
    response.failure_reason = fmt::format("unknown type '{}'", request.described_name);
    return response;
  }
  if (!request.type_hash.empty() && request.type_hash != type->hash) {
    response.failure_reason =
        fmt::format("type '{}' has hash {} here, not {}", type->name, type->hash, request.type_hash);
    return response;
  }
  response.successful = true;
  response.type_description.type_description = described(type->description);
  for (const TypeDescription& other : type->referenced) {
    response.type_description.referenced_type_descriptions.push_back(described(other));
  }
  std::ranges::sort(response.type_description.referenced_type_descriptions, {},
                    &description::IndividualTypeDescription::described_name);
  if (request.include_type_sources) {
    response.type_sources.push_back(source_of(type->description, type->referenced));
    for (const TypeDescription& other : type->referenced) response.type_sources.push_back(source_of(other, {}));
  }
  return response;
}

FullNode::FullNode(Context& context, std::string_view name, std::string_view name_space, Clock& clock)
    : Node(context, name, name_space),
      clock_(clock, {.follow = context.options().use_sim_time,
                     .on_jump =
                         [this](Duration jump) {
                           const std::lock_guard lock(jump_mutex_);
                           if (on_jump_) on_jump_(jump);
                         }}),
      parameters_(*this, clock_),
      rosout_(advertise<rcl_interfaces::Log>("/rosout", Qos::rosout())),
      descriptions_(*this, "~/get_type_description", describe_type) {
  parameters_.declare("use_sim_time", context.options().use_sim_time,
                      {.description = "use the time on /clock instead of the system time",
                       .changed = [this](const ParameterValue& value) { clock_.follow(std::get<bool>(value)); }});
  clock_.listen(*this);
  entry()->clock = &clock_;
}

void FullNode::on_time_jump(std::function<void(Duration)> callback) {
  const std::lock_guard lock(jump_mutex_);
  on_jump_ = std::move(callback);
}

void FullNode::log(LogLevel level, std::string_view text) const {
  rcl_interfaces::Log message;
  message.stamp = ros2::message_from(clock_.utc());
  message.level = static_cast<std::uint8_t>(level);
  message.name = full_name().substr(1);
  std::ranges::replace(message.name, '/', '.');
  message.msg = text;
  rosout_.publish(message);
}

}  // namespace tandem::ros2
