// SPDX-License-Identifier: Apache-2.0
// The single values of recorded messages, each by its path: "pose.position.x", "data.0".
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/app/terminal/progress.hpp"
#include "tandem/record/mcap_reader.hpp"
#include "tandem/ros2/types/dynamic.hpp"

namespace tandem::app {

struct Leaf {
  std::string path;
  std::string text;              // as it is printed
  std::optional<double> number;  // that can be drawn
};

// Takes messages of one file apart: CDR by the schema that the file carries, or by our own type of that name; JSON as
// it is.
class LeafReader {
 public:
  // Of lists at most this many elements are reported.
  explicit LeafReader(const record::McapReader& reader, std::size_t longest = 1000)
      : reader_(reader), longest_(longest) {}

  // Empties `leaves` first. The error says why messages of this channel cannot be read, or this one.
  Result<void> read(const record::mcap::Message& message, std::vector<Leaf>& leaves);
  // Whether a list was longer than that.
  bool cut() const { return cut_; }
  std::size_t longest() const { return longest_; }

 private:
  const Result<ros2::DynamicType>& type_of(const record::mcap::Channel& channel);

  const record::McapReader& reader_;
  std::size_t longest_;
  bool cut_ = false;
  std::map<std::uint16_t, Result<ros2::DynamicType>> types_;
};

// Calls each(message) for all of these topics and times, with a bar on standard error when it takes long. The answer is
// how many chunks cannot be read, each told on standard error.
struct TopicSelection {
  std::vector<std::string> topics;  // none: all
  double from = 0;                  // s since the file's first message
  std::optional<double> to;
};
std::size_t each_message(const record::McapReader& reader, const TopicSelection& selection, const std::string& what,
                         const std::function<void(const record::mcap::Message&)>& each);

// A bar on standard error for what takes long.
class ReadingBar {
 public:
  explicit ReadingBar(const std::string& what);
  ReadingBar(const ReadingBar&) = delete;
  ~ReadingBar();
  void show(double fraction);

 private:
  ProgressText text_;
};

// Opens it with a bar when that takes long, and says on standard error what is wrong with it; nothing when it is not to
// be read at all.
std::optional<record::McapReader> open_recording(const std::string& file, bool thorough = false, bool quiet = false);

// "1.234567" for ns.
std::string seconds_text(std::uint64_t ns);

}  // namespace tandem::app
