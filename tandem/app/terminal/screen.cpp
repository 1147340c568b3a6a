// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/terminal/screen.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tandem/app/terminal/render.hpp"

namespace tandem::app {

namespace {

constexpr std::size_t recent_beside_values = 6;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0, end = 0; start < text.size(); start = end + 1) {
    end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
  }
  return lines;
}

// Plain ASCII, as addresses are.
void append_wrapped(std::vector<std::string>& lines, const std::string& text, std::size_t columns) {
  for (std::size_t start = 0; start < text.size(); start += columns) lines.push_back(text.substr(start, columns));
}

void append_recent(std::vector<std::string>& lines, const std::deque<std::string>& recent, std::size_t most,
                   const ScreenSize& size) {
  if (lines.size() + 2 > size.rows) return;
  const std::size_t count = std::min({recent.size(), most, size.rows - lines.size() - 1});
  if (count == 0) return;
  lines.emplace_back();
  for (std::size_t i = recent.size() - count; i < recent.size(); ++i)
    lines.push_back(cut("  " + recent[i], size.columns));
}

}  // namespace

std::vector<std::string> screen_lines(const runtime::SystemStatus& status, const std::string& kept,
                                      const std::deque<std::string>& recent, const ScreenSize& size) {
  const RenderOptions options{true, size.columns};
  const std::vector<std::string> whole = split(render(status, options));
  std::vector<std::string> lines = {whole.front()};
  append_wrapped(lines, kept, std::max<std::size_t>(size.columns, 1));
  if (lines.size() + whole.size() - 1 <= size.rows) {
    lines.insert(lines.end(), whole.begin() + 1, whole.end());
    append_recent(lines, recent, recent_beside_values, size);
  } else {
    const std::vector<std::string> brief = split(render_brief(status, options));
    if (lines.size() + brief.size() < size.rows) lines.emplace_back();
    const std::size_t room = size.rows - std::min(lines.size(), size.rows);
    if (brief.size() <= room) {
      lines.insert(lines.end(), brief.begin(), brief.end());
      append_recent(lines, recent, recent.size(), size);
    } else if (room > 0) {
      lines.insert(lines.end(), brief.begin(), brief.begin() + static_cast<std::ptrdiff_t>(room - 1));
      lines.push_back(cut(fmt::format("  and {} more: `tandem status`", brief.size() - (room - 1)), size.columns));
    }
  }
  if (lines.size() > size.rows) lines.resize(size.rows);
  return lines;
}

}  // namespace tandem::app
