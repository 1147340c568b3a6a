// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/virtual/programs/urp.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::ur3e {
namespace {

constexpr std::size_t deepest_xml = 100;
constexpr std::size_t most_elements = 200'000;
constexpr std::string_view xml_blanks = " \t\r\n";

class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : rest_(text) {}

  Result<XmlElement> document() {
    if (auto skipped = skip_prolog(); !skipped) return std::move(skipped).error();
    XmlElement root;
    if (auto read = element(root, 0); !read) return std::move(read).error();
    return root;
  }

 private:
  Error wrong(std::string_view what) const {
    return {Fault::invalid, fmt::format("invalid XML: {} before \"{}\"", what, rest_.substr(0, 20))};
  }

  bool take(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }

  // What comes before `end`, which is taken as well.
  Result<std::string_view> until(std::string_view end) {
    const std::size_t at = rest_.find(end);
    if (at == rest_.npos) return wrong(fmt::format("expected {}", end));
    const std::string_view found = rest_.substr(0, at);
    rest_.remove_prefix(at + end.size());
    return found;
  }

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(xml_blanks), rest_.size())); }

  Result<void> skip_prolog() {
    while (true) {
      skip_blanks();
      if (rest_.starts_with("<?") || rest_.starts_with("<!--")) {
        const auto skipped = until(rest_.starts_with("<?") ? "?>" : "-->");
        if (!skipped) return skipped.error();
      } else {
        return {};
      }
    }
  }

  Result<std::string> name() {
    const std::size_t end = std::min(rest_.find_first_of(" \t\r\n=/><\"'"), rest_.size());
    if (end == 0) return wrong("expected a name");
    std::string found(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return found;
  }

  Result<void> plain_text(std::string_view from, std::string& into) const {
    while (true) {
      const std::size_t at = from.find('&');
      into += from.substr(0, at);
      if (at == from.npos) return {};
      from.remove_prefix(at + 1);
      const std::size_t end = from.find(';');
      if (end == from.npos || end > 8) return wrong("a character that is not closed");
      const std::string_view entity = from.substr(0, end);
      from.remove_prefix(end + 1);
      if (entity == "lt")
        into += '<';
      else if (entity == "gt")
        into += '>';
      else if (entity == "amp")
        into += '&';
      else if (entity == "quot")
        into += '"';
      else if (entity == "apos")
        into += '\'';
      else if (entity == "#10" || entity == "#xa" || entity == "#xA")
        into += '\n';
      else if (entity == "#9" || entity == "#x9")
        into += '\t';
      else if (entity == "#13" || entity == "#xd" || entity == "#xD")
        into += '\r';
      else
        return wrong(fmt::format("unknown character &{};", entity));
    }
  }

  Result<void> attributes(XmlElement& into) {
    while (true) {
      skip_blanks();
      if (rest_.empty() || rest_.front() == '>' || rest_.front() == '/') return {};
      auto key = name();
      if (!key) return std::move(key).error();
      skip_blanks();
      if (!take("=")) return wrong("expected =");
      skip_blanks();
      const char quote = rest_.empty() ? '\0' : rest_.front();
      if (quote != '"' && quote != '\'') return wrong("expected a quoted value");
      rest_.remove_prefix(1);
      const auto value = until(std::string_view(&quote, 1));
      if (!value) return value.error();
      into.attributes.emplace_back(std::move(*key), "");
      if (auto read = plain_text(*value, into.attributes.back().second); !read) return read;
    }
  }

  Result<void> element(XmlElement& into, std::size_t depth) {
    if (depth > deepest_xml || ++count_ > most_elements) return wrong("too many elements");
    if (!take("<")) return wrong("expected an element");
    auto own_name = name();
    if (!own_name) return std::move(own_name).error();
    into.name = std::move(*own_name);
    if (auto read = attributes(into); !read) return read;
    if (take("/>")) return {};
    if (!take(">")) return wrong("expected >");
    while (!rest_.empty()) {
      if (take("</")) {
        const auto end = until(">");
        if (!end) return end.error();
        if (end->substr(0, std::min(end->find_first_of(xml_blanks), end->size())) != into.name)
          return wrong(fmt::format("expected </{}>", into.name));
        return {};
      }
      if (auto read = content(into, depth); !read) return read;
    }
    return wrong(fmt::format("expected </{}>", into.name));
  }

  Result<void> content(XmlElement& into, std::size_t depth) {
    if (take("<!--")) {
      const auto comment = until("-->");
      return comment ? Result<void>() : Result<void>(comment.error());
    }
    if (take("<![CDATA[")) {
      const auto data = until("]]>");
      if (!data) return data.error();
      into.text += *data;
      return {};
    }
    if (rest_.front() == '<') return element(into.children.emplace_back(), depth + 1);
    const std::string_view text = rest_.substr(0, rest_.find('<'));
    rest_.remove_prefix(text.size());
    return plain_text(text, into.text);
  }

  std::string_view rest_;
  std::size_t count_ = 0;
};

}  // namespace

std::string_view XmlElement::attribute(std::string_view attribute_name) const {
  for (const auto& [key, value] : attributes)
    if (key == attribute_name) return value;
  return {};
}

const XmlElement* XmlElement::child(std::string_view child_name) const {
  const auto found = std::ranges::find(children, child_name, &XmlElement::name);
  return found != children.end() ? &*found : nullptr;
}

Result<XmlElement> parse_xml(std::string_view text) { return XmlReader(text).document(); }

}  // namespace tandem::ur3e
