// SPDX-License-Identifier: Apache-2.0
// The keys of one map of a description, taken one by one; what is wrong is collected with its place.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/machines/generic/description.hpp"
#include "tandem/yaml/tree.hpp"

namespace tandem::generic {

using Problem = yaml::FileError::Problem;

class Problems {
 public:
  explicit Problems(std::string file) : file_(std::move(file)) {}
  const std::string& file() const { return file_; }
  yaml::Place place(const yaml::Node& node) const { return {file_, node.line, node.column}; }
  void add(const yaml::Node& at, std::string text) { add(place(at), std::move(text)); }
  void add(yaml::Place at, std::string text);
  std::size_t count() const { return list_.size(); }
  bool full() const { return list_.size() >= most; }  // further ones are dropped
  std::vector<Problem> take();                        // in the order of the file

 private:
  static constexpr std::size_t most = 200;
  std::string file_;
  std::vector<Problem> list_;
};

// For people: 3276.7, not 3276.7000000000003.
std::string number_text(double value);

// Values as they are written. Nothing for anything else.
std::optional<double> number_in(const yaml::Node& node);           // finite; also 0x10
std::optional<std::int64_t> whole_in(const yaml::Node& node);      // also 0x10
std::optional<double> duration_in(const yaml::Node& node);         // s: "50 ms", "0.4 s", "2 min", "1 h", 0
std::optional<double> per_second_in(const yaml::Node& node);       // "200 /s", "12 /min", 200
std::optional<Range> range_in(const yaml::Node& node);             // [low, high], low <= high
std::optional<std::vector<double>> numbers_in(const yaml::Node&);  // [1, 0x2]
std::optional<bool> flag_in(const yaml::Node& node);               // true, false

// The value of a key; null where it is absent or `map` is no map.
const yaml::Node* item_of(const yaml::Node& map, std::string_view key);

// `owner` is what the keys belong to: "press", "press.arm". Twice the same key and what is no map are problems.
class Keys {
 public:
  Keys(const yaml::Node& map, std::string owner, Problems& problems);

  // Null where it is absent. Everything taken is known; finish() reports the rest.
  const yaml::Node* take(std::string_view key);
  void finish();

  // Each leaves the value alone where the key is absent or wrong.
  bool take_number(std::string_view key, double& value, double low = -1e300, double high = 1e300);
  bool take_whole(std::string_view key, int& value, int low, int high);
  bool take_duration(std::string_view key, double& value, double low, double high);
  bool take_flag(std::string_view key, bool& value);
  bool take_text(std::string_view key, std::string& value);
  // One of these words; its index.
  std::optional<std::size_t> take_choice(std::string_view key, std::initializer_list<std::string_view> words);

  const yaml::Node& node() const { return map_; }
  const std::string& owner() const { return owner_; }
  void wrong(const yaml::Node& at, std::string_view key, std::string_view text);
  // "pressure.scale: expected a number, got 'x'"
  void expected(const yaml::Node& at, std::string_view key, std::string_view what);

 private:
  const yaml::Node& map_;
  std::string owner_;
  Problems& problems_;
  std::vector<std::string_view> known_;
  std::vector<bool> taken_;
};

}  // namespace tandem::generic
