// SPDX-License-Identifier: Apache-2.0
// plot: values of a recording over time.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "tandem/app/commands.hpp"
#include "tandem/app/recordings/leaves.hpp"
#include "tandem/app/recordings/recordings.hpp"
#include "tandem/base/nearest.hpp"
#include "tandem/plot/figure.hpp"

namespace tandem::app {

namespace {

constexpr std::size_t most_lines = 64;
constexpr std::size_t columns_of_points = 2000;  // more cannot be seen

// A signal as it was asked for: all leaves of the topic at or below the path.
struct Wanted {
  std::string topic, path;
  bool takes(const std::string& leaf) const {
    return path.empty() || leaf == path || (leaf.starts_with(path) && leaf[path.size()] == '.');
  }
};

// The longest topic that the signal begins with.
std::optional<Wanted> wanted_of(const record::McapReader& reader, const std::string& signal) {
  std::optional<Wanted> best;
  for (const auto& [id, channel] : reader.contents().channels) {
    const std::string& topic = channel.topic;
    const bool begins = signal.starts_with(topic) && (signal.size() == topic.size() || signal[topic.size()] == '.');
    if (!begins || (best && best->topic.size() >= topic.size())) continue;
    best = Wanted{topic, signal.size() > topic.size() ? signal.substr(topic.size() + 1) : ""};
  }
  return best;
}

int list_signals(const record::McapReader& reader) {
  constexpr std::size_t most = 100;  // of one topic
  LeafReader decode(reader);
  std::vector<Leaf> leaves;
  for (const auto& [id, channel] : reader.contents().channels) {
    record::Selection one;
    one.channels = {id};
    auto cursor = reader.messages(std::move(one));
    const auto first = cursor.next();
    if (!first || !*first) continue;
    if (const auto read = decode.read(**first, leaves); !read) {
      fmt::print(stderr, "tandem: {}\n", read.error().text);
      continue;
    }
    std::size_t shown = 0;
    for (const Leaf& leaf : leaves) {
      if (!leaf.number) continue;
      if (++shown > most) break;
      fmt::print("{}.{}\n", printable(channel.topic), printable(leaf.path));
    }
    if (shown > most) fmt::print("{}...\n", printable(channel.topic));
  }
  return success;
}

// What is drawn of very many values: of each column of points the first, least, greatest and last.
plot::Line thinned(plot::Line line) {
  const std::size_t count = line.x.size();
  if (count <= 4 * columns_of_points) return line;
  plot::Line thin = line;
  thin.x.clear();
  thin.y.clear();
  for (std::size_t column = 0; column < columns_of_points; ++column) {
    const std::size_t begin = column * count / columns_of_points, end = (column + 1) * count / columns_of_points;
    std::size_t low = begin, high = begin;
    for (std::size_t i = begin; i < end; ++i) {
      if (line.y[i] < line.y[low] || std::isnan(line.y[low])) low = i;
      if (line.y[i] > line.y[high] || std::isnan(line.y[high])) high = i;
    }
    std::array<std::size_t, 4> chosen = {begin, std::min(low, high), std::max(low, high), end - 1};
    for (const std::size_t i : chosen) {
      thin.x.push_back(line.x[i]);
      thin.y.push_back(line.y[i]);
    }
  }
  return thin;
}

// One panel for each topic, one line for each value.
class Drawing {
 public:
  explicit Drawing(std::uint64_t start) : start_(start) {}

  void add(const std::string& topic, const Leaf& leaf, std::uint64_t time) {
    auto& lines = topics_[topic];
    auto found = lines.find(leaf.path);
    if (found == lines.end()) {
      if (lines_ >= most_lines) return static_cast<void>(more_ = true);
      ++lines_;
      found = lines.emplace(leaf.path, plot::Line{}).first;
      order_[topic].push_back(leaf.path);
    }
    found->second.x.push_back(static_cast<double>(time - start_) * 1e-9);
    found->second.y.push_back(leaf.number && std::isfinite(*leaf.number) ? *leaf.number : std::nan(""));
  }
  bool empty() const { return lines_ == 0; }
  bool more() const { return more_; }

  plot::Figure figure(const std::string& title) {
    plot::Figure figure;
    figure.title = title;
    figure.columns = 1;
    for (auto& [topic, lines] : topics_) {
      plot::Panel panel;
      panel.title = topic;
      panel.x.label = "time in s";
      int next = 0;
      for (const std::string& path : order_[topic]) {
        plot::Line line = thinned(std::move(lines[path]));
        line.label = path;
        line.color = plot::line_color(next++);
        panel.lines.push_back(std::move(line));
      }
      figure.panels.push_back(std::move(panel));
    }
    figure.height = 90 + 330 * static_cast<double>(figure.panels.size());
    return figure;
  }

 private:
  std::uint64_t start_;
  std::map<std::string, std::map<std::string, plot::Line>> topics_;
  std::map<std::string, std::vector<std::string>> order_;
  std::size_t lines_ = 0;
  bool more_ = false;
};

bool usable(const PlotArguments& arguments) {
  if (arguments.signals.empty()) {
    fmt::print(stderr, "tandem: plot: expected signals, got none; `tandem plot {} --list` shows them\n",
               arguments.file);
    return false;
  }
  if (arguments.out.empty()) {
    fmt::print(stderr, "tandem: plot: expected --out with the figure's name, got none\n");
    return false;
  }
  if (const auto format = plot::format_of(arguments.out); !format) {
    fmt::print(stderr, "tandem: {}\n", format.error().text);
    return false;
  }
  return true;
}

}  // namespace

int plot_recording(const PlotArguments& arguments) {
  if (!arguments.list && !usable(arguments)) return usage;
  const auto reader = open_recording(arguments.file);
  if (!reader) return failure;
  if (arguments.list) return list_signals(*reader);
  std::vector<Wanted> wanted;
  TopicSelection selection{{}, arguments.from, arguments.to};
  for (const std::string& signal : arguments.signals) {
    auto each = wanted_of(*reader, signal);
    if (!each) {
      fmt::print(stderr, "tandem: {}: no topic of '{}'; `tandem plot {} --list` shows the available signals\n",
                 arguments.file, printable(signal), arguments.file);
      return failure;
    }
    selection.topics.push_back(each->topic);
    wanted.push_back(std::move(*each));
  }
  Drawing drawing(reader->contents().statistics.start);
  LeafReader decode(*reader, 100'000);
  std::vector<Leaf> leaves;
  std::optional<Error> unread;
  const std::size_t lost = each_message(*reader, selection, "reading", [&](const record::mcap::Message& message) {
    if (auto read = decode.read(message, leaves); !read) return static_cast<void>(unread = read.error());
    const std::string& topic = reader->contents().channels.at(message.channel).topic;
    for (const Wanted& each : wanted) {
      if (each.topic != topic) continue;
      for (const Leaf& leaf : leaves) {
        if (leaf.number && each.takes(leaf.path)) drawing.add(topic, leaf, message.log_time);
      }
    }
  });
  if (unread) fmt::print(stderr, "tandem: {}\n", unread->text);
  if (drawing.empty()) {
    fmt::print(stderr, "tandem: {}: no signals with these names; `tandem plot {} --list` shows the available signals\n",
               arguments.file, arguments.file);
    return failure;
  }
  if (drawing.more()) fmt::print(stderr, "tandem: only the first {} values are drawn\n", most_lines);
  const auto written = plot::write(drawing.figure(arguments.file), arguments.out);
  if (!written) return fail(written.error().text);
  fmt::print("{}\n", arguments.out);
  return lost == 0 && !unread && reader->contents().whole ? success : failure;
}

}  // namespace tandem::app
