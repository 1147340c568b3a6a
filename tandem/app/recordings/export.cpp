// SPDX-License-Identifier: Apache-2.0
// export: one topic as CSV.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <unordered_map>

#include "tandem/app/app.hpp"
#include "tandem/app/recordings/leaves.hpp"
#include "tandem/app/recordings/recordings.hpp"
#include "tandem/base/nearest.hpp"

namespace tandem::app {

namespace {

// The columns of all messages; one that only some messages have is behind what it follows there.
class Columns {
 public:
  void take(const std::vector<Leaf>& leaves) {
    std::size_t next = 0;
    for (const Leaf& leaf : leaves) {
      const auto known = places_.find(leaf.path);
      if (known != places_.end()) {
        next = known->second + 1;
      } else {
        names_.insert(names_.begin() + static_cast<std::ptrdiff_t>(next), leaf.path);
        for (std::size_t i = next; i < names_.size(); ++i) places_[names_[i]] = i;
        ++next;
      }
    }
  }
  const std::vector<std::string>& names() const { return names_; }
  std::size_t place(const std::string& name) const { return places_.at(name); }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> places_;
};

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

bool known_topic(const record::McapReader& reader, const std::string& file, const std::string& topic) {
  std::vector<std::string_view> known;
  for (const auto& [id, channel] : reader.contents().channels) {
    if (channel.topic == topic) return true;
    known.push_back(channel.topic);
  }
  fmt::print(stderr, "tandem: {}: no topic '{}'{}\n", file, printable(topic), suggestion(topic, known));
  return false;
}

// A file, or standard output.
class CsvFile {
 public:
  explicit CsvFile(const std::string& path) : file_(path.empty() ? stdout : std::fopen(path.c_str(), "wbx")) {}
  CsvFile(const CsvFile&) = delete;
  ~CsvFile() { close(); }
  bool is_open() const { return file_ != nullptr; }
  void write(const std::string& text) {
    good_ = good_ && std::fwrite(text.data(), 1, text.size(), file_) == text.size();
  }
  // Whether everything is written.
  bool close() {
    if (file_ == nullptr) return good_;
    good_ = (file_ == stdout ? std::fflush(file_) : std::fclose(file_)) == 0 && good_;
    file_ = nullptr;
    return good_;
  }
  bool good() const { return good_; }

 private:
  std::FILE* file_;
  bool good_ = true;
};

}  // namespace

int export_recording(const ExportArguments& arguments) {
  const auto reader = open_recording(arguments.file);
  if (!reader) return failure;
  if (!known_topic(*reader, arguments.file, arguments.topic)) return failure;
  LeafReader decode(*reader);
  std::vector<Leaf> leaves;
  Columns columns;
  std::optional<Error> unread;
  std::size_t rows = 0, bad = 0;
  const TopicSelection selection{{arguments.topic}, 0, std::nullopt};
  const std::size_t lost = each_message(*reader, selection, "looking", [&](const record::mcap::Message& message) {
    const auto read = decode.read(message, leaves);
    if (read) return columns.take(leaves);
    if (!unread) unread = read.error();
    ++bad;
  });
  if (unread) fmt::print(stderr, "tandem: {}; {} messages skipped\n", unread->text, bad);
  if (decode.cut()) {
    fmt::print(stderr, "tandem: {}: of longer lists only the first {} elements are written\n", arguments.topic,
               decode.longest());
  }
  CsvFile out(arguments.out);
  if (!out.is_open()) {
    fmt::print(stderr, "tandem: {}: expected a new file in a writable folder\n", arguments.out);
    return failure;
  }
  std::string line = "log_time,publish_time";
  for (const std::string& name : columns.names()) line += "," + csv_cell(name);
  out.write(line + "\n");
  std::vector<std::string> cells;
  each_message(*reader, selection, "writing", [&](const record::mcap::Message& message) {
    if (!out.good() || !decode.read(message, leaves)) return;
    cells.assign(columns.names().size(), "");
    for (const Leaf& leaf : leaves) cells[columns.place(leaf.path)] = csv_cell(leaf.text);
    line = seconds_text(message.log_time) + "," + seconds_text(message.publish_time);
    for (const std::string& cell : cells) line += "," + cell;
    out.write(line + "\n");
    ++rows;
  });
  if (!out.close()) {
    fmt::print(stderr, "tandem: {}: could not be written\n", arguments.out.empty() ? "standard output" : arguments.out);
    return failure;
  }
  if (!arguments.out.empty()) {
    fmt::print("{}: {} messages, {} columns\n", arguments.out, rows, columns.names().size() + 2);
  }
  return lost == 0 && bad == 0 && reader->contents().whole ? success : failure;
}

}  // namespace tandem::app
