// SPDX-License-Identifier: Apache-2.0
#include "tandem/yaml/tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <sstream>

#include "tandem/base/nearest.hpp"
#include "tandem/base/utf8.hpp"

namespace tandem::yaml {

namespace {

constexpr std::size_t most_bytes = 256 * 1024;
constexpr std::size_t most_nodes = 60'000;
constexpr std::size_t deepest = 32;

std::string join_problems(const std::vector<FileError::Problem>& problems) {
  std::string text;
  for (const auto& problem : problems) {
    if (!text.empty()) text += '\n';
    text += problem.place.text() + ": " + problem.text;
  }
  return text;
}

[[noreturn]] void refuse(const std::string& file, int line, int column, std::string why) {
  throw FileError({{{file, line, column}, std::move(why)}});
}

// Builds the tree from the parser's events; the document is at most as deep as the stack.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const std::string& file) : file_(file) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    plain(mark, anchor, "?");
    add(node(Node::Kind::nothing, mark));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(file_, mark.line + 1, mark.column + 1, "aliases (*name) are not used in Tandem's configuration");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    plain(mark, anchor, tag);
    Node scalar = node(Node::Kind::scalar, mark);
    scalar.scalar = value;
    scalar.quoted = tag == "!";
    add(std::move(scalar));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    plain(mark, anchor, tag);
    open(node(Node::Kind::sequence, mark));
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    plain(mark, anchor, tag);
    open(node(Node::Kind::map, mark));
  }
  void OnMapEnd() override { close(); }

  Node take() { return std::move(root_); }

 private:
  struct Level {
    Node node;
    Node key;  // of a map: read, its value still to come
    bool has_key = false;
  };

  Node node(Node::Kind kind, const YAML::Mark& mark) {
    if (++count_ > most_nodes) refuse(file_, mark.line + 1, 0, fmt::format("more than {} values", most_nodes));
    Node made;
    made.kind = kind;
    made.line = mark.line + 1;
    made.column = mark.column + 1;
    return made;
  }
  void plain(const YAML::Mark& mark, YAML::anchor_t anchor, const std::string& tag) {
    if (anchor != 0)
      refuse(file_, mark.line + 1, mark.column + 1, "anchors (&name) are not used in Tandem's configuration");
    if (!tag.empty() && tag != "?" && tag != "!") {
      refuse(file_, mark.line + 1, mark.column + 1,
             fmt::format("tags are not used in Tandem's configuration: {}", printable(tag)));
    }
  }
  void open(Node started) {
    if (stack_.size() >= deepest)
      refuse(file_, started.line, started.column, fmt::format("nested deeper than {}", deepest));
    stack_.push_back({std::move(started), {}, false});
  }
  void close() {
    Node finished = std::move(stack_.back().node);
    stack_.pop_back();
    add(std::move(finished));
  }
  void add(Node finished) {
    if (stack_.empty()) {
      root_ = std::move(finished);
      return;
    }
    Level& level = stack_.back();
    if (level.node.kind == Node::Kind::sequence) {
      level.node.items.push_back(std::move(finished));
    } else if (level.has_key) {
      level.node.keys.push_back(std::move(level.key));
      level.node.items.push_back(std::move(finished));
      level.has_key = false;
    } else {
      if (finished.kind != Node::Kind::scalar) {
        refuse(file_, finished.line, finished.column, fmt::format("a key is a word, not a {}", name(finished.kind)));
      }
      level.key = std::move(finished);
      level.has_key = true;
    }
  }

  const std::string& file_;
  Node root_;
  std::vector<Level> stack_;
  std::size_t count_ = 0;
};

// The parser itself recurses and scans before it reports; brackets are counted first so that it is never asked to.
void check_text(std::string_view text, const std::string& file) {
  if (text.size() > most_bytes) {
    refuse(file, 0, 0, fmt::format("{} bytes; a configuration has at most {}", text.size(), most_bytes));
  }
  const auto zero = text.find('\0');
  if (zero != std::string_view::npos) refuse(file, 0, 0, fmt::format("NUL at byte {}: not a text file", zero));
  if (!is_utf8(text)) refuse(file, 0, 0, "not UTF-8 text");
}

}  // namespace

std::string Place::text() const {
  if (line == 0) return file;
  return column == 0 ? fmt::format("{}:{}", file, line) : fmt::format("{}:{}:{}", file, line, column);
}

FileError::FileError(std::vector<Problem> problems)
    : std::runtime_error(join_problems(problems)), problems_(std::move(problems)) {}

const char* name(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::nothing:
      return "nothing";
    case Node::Kind::scalar:
      return "single value";
    case Node::Kind::sequence:
      return "list";
    case Node::Kind::map:
      return "map";
  }
  return "?";
}

Node parse(std::string_view text, const std::string& file) {
  check_text(text, file);
  TreeBuilder builder(file);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) return {};
    Node root = builder.take();
    TreeBuilder second(file);
    if (parser.HandleNextDocument(second)) refuse(file, 0, 0, "several documents (---); a file holds one");
    return root;
  } catch (const YAML::Exception& error) {
    refuse(file, error.mark.line + 1, error.mark.column + 1, "not YAML: " + error.msg);
  }
}

}  // namespace tandem::yaml
