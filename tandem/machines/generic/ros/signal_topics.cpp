// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/ros/signal_topics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/machines/generic/signal_text.hpp"
#include "tandem/machines/generic/topic_names.hpp"

namespace tandem::generic {
namespace {

namespace msgs = ros2::std_msgs;

constexpr Duration unheard_renewal = 1s;

std::string key_of(const Signal& signal) {
  std::string key = fmt::format("{} {} {} {}", signal.name, static_cast<int>(signal.kind),
                                static_cast<int>(signal.type), signal.count);
  for (const auto& [first, count] : signal.bounds) key += fmt::format(" {}+{}", first, count);
  for (const auto& [bit, text] : signal.bits) key += fmt::format(" {}={}", bit, text);
  return key;
}

// Row by row, as C has arrays; each dimension is labelled with its bounds on the device.
std::unique_ptr<msgs::Float64MultiArray> array_of(const Signal& signal) {
  auto array = std::make_unique<msgs::Float64MultiArray>();
  auto bounds = signal.bounds;
  if (bounds.empty()) bounds.emplace_back(0, signal.count);
  std::size_t stride = signal.count;
  for (const auto& [first, count] : bounds) {
    msgs::MultiArrayDimension dimension;
    dimension.label = fmt::format("{}..{}", first, first + static_cast<int>(count) - 1);
    dimension.size = static_cast<std::uint32_t>(count);
    dimension.stride = static_cast<std::uint32_t>(stride);
    array->layout.dim.push_back(std::move(dimension));
    stride /= std::max<std::size_t>(count, 1);
  }
  array->data.resize(signal.count);
  return array;
}

bool usable(SignalQuality quality) { return quality == SignalQuality::good || quality == SignalQuality::uncertain; }

}  // namespace

SignalTopics::Topic SignalTopics::open(const Signal& signal) {
  Topic topic;
  const std::string name = signal_topic(signal.name);
  const auto qos = ros2::Qos::latched();
  topic.key = key_of(signal);
  topic.deadband = signal.deadband.value_or(description_.signals[signal.declaration].deadband);
  topic.quality.emplace(node_.advertise<msgs::String>(name + "/quality", qos));
  if (signal.kind == Kind::text) {
    topic.value = node_.advertise<msgs::String>(name, qos);
  } else if (signal.count > 1) {
    topic.value = node_.advertise<msgs::Float64MultiArray>(name, qos);
    topic.array = array_of(signal);
  } else if (signal.kind == Kind::bit) {
    topic.value = node_.advertise<msgs::Bool>(name, qos);
  } else if (signal.kind == Kind::enumeration) {
    topic.value = node_.advertise<msgs::Int32>(name, qos);
    topic.text.emplace(node_.advertise<msgs::String>(name + "/text", qos));
  } else if (signal.kind == Kind::bit_field) {
    for (const auto& [bit, text] : signal.bits)
      topic.bits.push_back(node_.advertise<msgs::Bool>(name + "/" + text, qos));
  } else if (signal.kind == Kind::integer && signal.type == Type::uint64) {
    topic.value = node_.advertise<msgs::UInt64>(name, qos);
  } else if (signal.kind == Kind::integer) {
    topic.value = node_.advertise<msgs::Int64>(name, qos);
  } else {
    topic.value = node_.advertise<msgs::Float64>(name, qos);
  }
  return topic;
}

void SignalTopics::offer(const SignalList& signals) {
  std::vector<Topic> topics;
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < signals->size(); ++i) {
    const Signal& signal = (*signals)[i];
    if (signal.hidden) continue;
    // Mostly in the same order as before.
    const std::string key = key_of(signal);
    auto known = topics.size() < topics_.size() && topics_[topics.size()].key == key
                     ? topics_.begin() + static_cast<std::ptrdiff_t>(topics.size())
                     : std::ranges::find(topics_, key, &Topic::key);
    if (known == topics_.end()) {
      missing.push_back(topics.size());
      topics.emplace_back();
    } else {
      topics.push_back(std::move(*known));
      known->key.clear();
    }
    topics.back().signal = i;
    topics.back().looked = false;
  }
  topics_ = std::move(topics);  // closes those that are left, before others of their names open
  signals_ = signals;
  for (const std::size_t i : missing) {
    const std::size_t signal = topics_[i].signal;
    topics_[i] = open((*signals)[signal]);
    topics_[i].signal = signal;
    say(*topics_[i].quality, name(topics_[i].said));
  }
}

bool SignalTopics::is_heard(const Topic& topic) {
  const auto heard = [](const auto& publisher) { return publisher.matched() > 0; };
  if (topic.text && heard(*topic.text)) return true;
  if (std::ranges::any_of(topic.bits, heard)) return true;
  return std::visit(
      [&](const auto& publisher) {
        if constexpr (requires { publisher.matched(); }) return heard(publisher);
        return false;
      },
      topic.value);
}

void SignalTopics::publish(const Readings& readings, Instant now) {
  for (Topic& topic : topics_) {
    const Reading& reading = readings.of[topic.signal];
    if (topic.looked && topic.changes == reading.changes) continue;
    if (reading.quality != topic.said) {
      topic.said = reading.quality;
      say(*topic.quality, name(topic.said));
    }
    if (!usable(topic.said)) {
      topic.published = false;
    } else {
      if (!recorded_ && topic.published && now - topic.renewed < unheard_renewal && !is_heard(topic)) continue;
      topic.renewed = now;
      publish_value(topic, (*signals_)[topic.signal], readings);
      topic.published = true;
    }
    topic.changes = reading.changes;
    topic.looked = true;
  }
}

void SignalTopics::publish_value(Topic& topic, const Signal& signal, const Readings& readings) {
  if (signal.kind == Kind::text) return say(std::get<To<msgs::String>>(topic.value), readings.texts[signal.text]);
  if (signal.count > 1) return publish_array(topic, signal, readings);
  const std::int64_t raw = readings.integers[signal.first];
  const double number = readings.numbers[signal.first];
  if (signal.kind == Kind::bit_field) return publish_bits(topic, signal, raw);
  if (signal.kind != Kind::number) return publish_integer(topic, signal, raw, number);
  const bool same = topic.published && std::abs(number - topic.number) <= topic.deadband;
  if (same) return;
  topic.number = number;
  msgs::Float64 message;
  message.data = number * signal.si_scale + signal.si_offset;
  std::get<To<msgs::Float64>>(topic.value).publish(message);
}

void SignalTopics::publish_integer(Topic& topic, const Signal& signal, std::int64_t raw, double number) {
  if (topic.published && topic.integer == raw && topic.number == number) return;
  const bool near = topic.published && topic.deadband > 0 && signal.kind == Kind::integer &&
                    std::abs(number - topic.number) <= topic.deadband;
  if (near) return;
  topic.integer = raw;
  topic.number = number;
  if (signal.kind == Kind::bit) {
    msgs::Bool message;
    message.data = number != 0;
    std::get<To<msgs::Bool>>(topic.value).publish(message);
  } else if (signal.kind == Kind::enumeration) {
    msgs::Int32 message;
    message.data = static_cast<std::int32_t>(raw);
    std::get<To<msgs::Int32>>(topic.value).publish(message);
    say(*topic.text, enumeration_text(signal, raw, room_));
  } else if (signal.type == Type::uint64) {
    msgs::UInt64 message;
    message.data = static_cast<std::uint64_t>(raw);
    std::get<To<msgs::UInt64>>(topic.value).publish(message);
  } else {
    msgs::Int64 message;
    message.data = raw;
    std::get<To<msgs::Int64>>(topic.value).publish(message);
  }
}

void SignalTopics::publish_bits(Topic& topic, const Signal& signal, std::int64_t raw) {
  const auto changed = topic.published ? static_cast<std::uint64_t>(raw ^ topic.integer) : ~std::uint64_t{0};
  topic.integer = raw;
  for (std::size_t i = 0; i < signal.bits.size(); ++i) {
    const int bit = signal.bits[i].first;
    if (((changed >> bit) & 1) == 0) continue;
    msgs::Bool message;
    message.data = ((static_cast<std::uint64_t>(raw) >> bit) & 1) != 0;
    topic.bits[i].publish(message);
  }
}

void SignalTopics::publish_array(Topic& topic, const Signal& signal, const Readings& readings) {
  bool same = topic.published;
  std::vector<double>& data = topic.array->data;
  for (std::size_t i = 0; i < signal.count; ++i) {
    const double value = readings.numbers[signal.first + i] * signal.si_scale + signal.si_offset;
    same = same && std::abs(value - data[i]) <= topic.deadband * std::abs(signal.si_scale);
  }
  if (same) return;
  for (std::size_t i = 0; i < signal.count; ++i)
    data[i] = readings.numbers[signal.first + i] * signal.si_scale + signal.si_offset;
  std::get<To<msgs::Float64MultiArray>>(topic.value).publish(*topic.array);
}

void SignalTopics::say(const To<msgs::String>& publisher, std::string_view text) {
  string_.data = text;
  publisher.publish(string_);
}

}  // namespace tandem::generic
