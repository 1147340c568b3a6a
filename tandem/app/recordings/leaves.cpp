// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/recordings/leaves.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tandem/app/recordings/schema_text.hpp"
#include "tandem/base/nearest.hpp"
#include "tandem/ros2/messages/registry.hpp"

namespace tandem::app {

namespace {

// Collects the values of a CDR message.
class LeafVisitor final : public ros2::Visitor {
 public:
  LeafVisitor(std::vector<Leaf>& leaves, std::size_t longest, bool& cut)
      : leaves_(leaves), longest_(longest), cut_(cut) {}

  void end_message(const ros2::DynamicMessage&) override { value_done(); }
  bool field(const ros2::DynamicField& field) override {
    names_.push_back({path_.size(), std::nullopt});
    if (!path_.empty()) path_ += '.';
    path_ += field.name;
    single_ = field.kind == ros2::DynamicKind::float32;
    return true;
  }
  std::size_t begin_list(const ros2::DynamicField&, std::size_t count) override {
    names_.push_back({path_.size(), 0});
    next_element();
    cut_ = cut_ || count > longest_;
    return std::min(count, longest_);
  }
  void end_list(const ros2::DynamicField&) override {
    path_.resize(names_.back().size);
    names_.pop_back();
    value_done();
  }
  void boolean(bool value) override { leaf(value ? "true" : "false", value ? 1.0 : 0.0); }
  void byte(std::uint8_t value) override { leaf(fmt::format("{}", value), value); }
  void integer(std::int64_t value) override { leaf(fmt::format("{}", value), static_cast<double>(value)); }
  void natural(std::uint64_t value) override { leaf(fmt::format("{}", value), static_cast<double>(value)); }
  void real(double value) override {
    leaf(single_ ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value), value);
  }
  void text(std::string_view value) override { leaf(std::string(value), std::nullopt); }
  void wide_text(std::u16string_view value) override {
    leaf(fmt::format("{} wide characters", value.size()), std::nullopt);
  }

 private:
  // What the path was before a field, or before the elements of a list; of a list the next index.
  struct Level {
    std::size_t size = 0;
    std::optional<std::size_t> index;
  };

  void leaf(std::string text, std::optional<double> number) {
    leaves_.push_back({path_, std::move(text), number});
    value_done();
  }
  void next_element() { path_ += fmt::format(".{}", *names_.back().index); }
  // After a value: a field is left, a list goes on to its next element.
  void value_done() {
    if (names_.empty()) return;
    Level& level = names_.back();
    path_.resize(level.size);
    if (!level.index) return names_.pop_back();
    ++*level.index;
    next_element();
  }

  std::vector<Leaf>& leaves_;
  std::size_t longest_;
  bool& cut_;
  std::string path_;
  std::vector<Level> names_;
  bool single_ = false;  // the field is a float32
};

void flatten(const nlohmann::json& value, const std::string& path, std::size_t longest, bool& cut,
             std::vector<Leaf>& leaves) {
  const auto below = [&](const std::string& name) { return path.empty() ? name : path + "." + name; };
  if (value.is_object()) {
    for (const auto& [key, each] : value.items()) flatten(each, below(key), longest, cut, leaves);
  } else if (value.is_array()) {
    cut = cut || value.size() > longest;
    for (std::size_t i = 0; i < std::min(value.size(), longest); ++i)
      flatten(value[i], below(std::to_string(i)), longest, cut, leaves);
  } else if (value.is_string()) {
    leaves.push_back({path, value.get<std::string>(), std::nullopt});
  } else if (value.is_boolean()) {
    leaves.push_back({path, value.get<bool>() ? "true" : "false", value.get<bool>() ? 1.0 : 0.0});
  } else if (value.is_number()) {
    leaves.push_back({path, value.dump(), value.get<double>()});
  } else {
    leaves.push_back({path, "", std::nullopt});
  }
}

Result<void> read_json(Bytes data, std::size_t longest, bool& cut, std::vector<Leaf>& leaves) {
  constexpr int deepest = 32;
  bool too_deep = false;
  const auto watch = [&](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    too_deep = too_deep || depth > deepest;
    return !too_deep;
  };
  const auto value = nlohmann::json::parse(data.begin(), data.end(), watch, false);
  if (too_deep || value.is_discarded()) return Error{Fault::invalid, "expected JSON, got other text"};
  flatten(value, "", longest, cut, leaves);
  return {};
}

// Not waited for: progress that is not seen must not hold anything up.
void show_progress(const std::string& bytes) {
  pollfd watched{STDERR_FILENO, POLLOUT, 0};
  if (!bytes.empty() && ::poll(&watched, 1, 0) > 0) (void)!::write(STDERR_FILENO, bytes.data(), bytes.size());
}

}  // namespace

const Result<ros2::DynamicType>& LeafReader::type_of(const record::mcap::Channel& channel) {
  const auto known = types_.find(channel.id);
  if (known != types_.end()) return known->second;
  auto type = [&]() -> Result<ros2::DynamicType> {
    const record::mcap::Schema* schema = reader_.schema(channel);
    if (schema == nullptr) return Error{Fault::not_found, "the file has no schema for it"};
    const ros2::TypeSupport* ours = ros2::find_type(schema->name);
    if (schema->encoding == "ros2msg") {
      auto own = type_from_text(schema->name, schema->data);
      if (own || ours == nullptr) return own;
    }
    if (ours != nullptr) return ros2::make_dynamic_type(*ours);
    return Error{Fault::unsupported, fmt::format("expected a schema as ros2msg, got '{}' for {}",
                                                 printable(schema->encoding), printable(schema->name))};
  }();
  return types_.emplace(channel.id, std::move(type)).first->second;
}

Result<void> LeafReader::read(const record::mcap::Message& message, std::vector<Leaf>& leaves) {
  leaves.clear();
  const auto channel = reader_.contents().channels.find(message.channel);
  if (channel == reader_.contents().channels.end()) return Error{Fault::not_found, "no such channel"};
  const auto& [id, about] = *channel;
  if (about.encoding == "json") {
    auto read = read_json(message.data, longest_, cut_, leaves);
    return read ? read : Result<void>(within(about.topic, read.error()));
  }
  if (about.encoding != "cdr") {
    return Error{Fault::unsupported, fmt::format("{}: expected messages as cdr or json, got '{}'",
                                                 printable(about.topic), printable(about.encoding))};
  }
  const auto& type = type_of(about);
  if (!type) return within(about.topic, type.error());
  LeafVisitor visitor(leaves, longest_, cut_);
  auto walked = ros2::walk(*type, message.data, visitor);
  return walked ? walked : Result<void>(within(about.topic, walked.error()));
}

ReadingBar::ReadingBar(const std::string& what) : text_(what, ::isatty(STDERR_FILENO) == 1, system_clock().now()) {}
ReadingBar::~ReadingBar() { show_progress(text_.end()); }
void ReadingBar::show(double fraction) { show_progress(text_.at(fraction, system_clock().now())); }

std::size_t each_message(const record::McapReader& reader, const TopicSelection& selection, const std::string& what,
                         const std::function<void(const record::mcap::Message&)>& each) {
  const auto& count = reader.contents().statistics;
  const auto later = [&](double seconds) {
    return count.start + static_cast<std::uint64_t>(std::clamp(seconds * 1e9, 0.0, 4e18));
  };
  record::Selection chosen;
  for (const std::string& topic : selection.topics) chosen.channels.merge(reader.channels_of(topic));
  chosen.from = selection.from > 0 ? later(selection.from) : 0;
  if (selection.to) chosen.to = later(*selection.to);
  const std::uint64_t start = std::max(chosen.from, count.start),
                      end = std::max(start + 1, std::min(chosen.to, count.end));
  ReadingBar bar(what);
  std::size_t lost = 0, seen = 0;
  auto cursor = reader.messages(std::move(chosen));
  for (;;) {
    const auto next = cursor.next();
    if (!next) {
      fmt::print(stderr, "tandem: {}\n", next.error().text);
      ++lost;
      continue;
    }
    if (!*next) break;
    each(**next);
    if (++seen % 1024 == 0) {
      const double fraction = static_cast<double>((*next)->log_time - start) / static_cast<double>(end - start);
      bar.show(fraction);
    }
  }
  return lost;
}

std::optional<record::McapReader> open_recording(const std::string& file, bool thorough, bool quiet) {
  auto reader = [&] {
    ReadingBar bar("reading " + file);
    record::ReadOptions options;
    options.thorough = thorough;
    options.progress = [&bar](double fraction) { bar.show(fraction); };
    return record::McapReader::open(file, options);
  }();
  if (!reader) {
    fmt::print(stderr, "tandem: {}\n", reader.error().text);
    return std::nullopt;
  }
  if (!quiet && !reader->contents().whole) {
    for (const record::Problem& problem : reader->contents().problems) fmt::print(stderr, "tandem: {}\n", problem.text);
    fmt::print(stderr,
               "tandem: {} is incomplete; its readable part is used (`tandem repair {}` writes a complete file)\n",
               file, file);
  }
  return std::move(*reader);
}

std::string seconds_text(std::uint64_t ns) { return fmt::format("{}.{:09}", ns / 1'000'000'000, ns % 1'000'000'000); }

}  // namespace tandem::app
