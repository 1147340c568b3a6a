// SPDX-License-Identifier: Apache-2.0
#include "tandem/xml/tree.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "tandem/base/nearest.hpp"
#include "tandem/base/text.hpp"
#include "tandem/base/utf8.hpp"

namespace tandem::xml {

namespace {

constexpr int deepest = 90;  // the parser's own end is at 100

Error refused(const std::string& file, int line, std::string_view why) {
  return {Fault::invalid, line > 0 ? fmt::format("{}:{}: {}", file, line, why) : fmt::format("{}: {}", file, why)};
}

// The character of "lt", "#65" or "#x41".
std::optional<char32_t> character_of(std::string_view entity) {
  constexpr std::pair<std::string_view, char32_t> known[] = {
      {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [name, character] : known) {
    if (entity == name) return character;
  }
  if (entity.size() < 2 || entity.front() != '#') return std::nullopt;
  entity.remove_prefix(1);
  const int base = entity.front() == 'x' ? 16 : 10;
  if (base == 16) entity.remove_prefix(1);
  std::uint32_t point = 0;
  const auto [end, error] = std::from_chars(entity.data(), entity.data() + entity.size(), point, base);
  if (error != std::errc() || end != entity.data() + entity.size()) return std::nullopt;
  const bool is_control = point < 0x20 && point != '\t' && point != '\n' && point != '\r';
  if (is_control || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) return std::nullopt;
  return static_cast<char32_t>(point);
}

// Character references are decoded here and not by the library, whose own can end the process (CVE-2024-50615).
Result<std::string> decoded(std::string_view raw, const std::string& file, int line) {
  std::string text;
  text.reserve(raw.size());
  while (true) {
    const std::size_t start = raw.find('&');
    text += raw.substr(0, start);
    if (start == raw.npos) return text;
    raw.remove_prefix(start + 1);
    const std::size_t end = raw.substr(0, 12).find(';');
    const auto point = end == raw.npos ? std::nullopt : character_of(raw.substr(0, end));
    if (!point) {
      return refused(file, line,
                     fmt::format("expected &lt; &gt; &amp; &quot; &apos; or a character reference, got '&{}'; write "
                                 "&amp; for a plain &",
                                 printable(raw.substr(0, std::min<std::size_t>(end, 10)))));
    }
    append_utf8(text, *point);
    raw.remove_prefix(end + 1);
  }
}

class TreeBuilder {
 public:
  TreeBuilder(const std::string& file, const Limits& limits) : file_(file), limits_(limits) {}

  Result<void> fill(Element& element, const tinyxml2::XMLElement& source, int depth) {
    element.name = source.Name();
    element.line = source.GetLineNum();
    if (depth > deepest) return refused(file_, element.line, fmt::format("nested deeper than {}", deepest));
    if (++elements_ > limits_.elements) {
      return refused(file_, element.line, fmt::format("more than {} elements", limits_.elements));
    }
    if (const auto taken = take_attributes(element, source); !taken) return taken;
    for (const tinyxml2::XMLNode* node = source.FirstChild(); node != nullptr; node = node->NextSibling()) {
      if (const auto taken = take(element, *node, depth); !taken) return taken;
    }
    element.text = std::string(trimmed(element.text));
    return {};
  }

 private:
  Result<void> take_attributes(Element& element, const tinyxml2::XMLElement& source) {
    for (const auto* from = source.FirstAttribute(); from != nullptr; from = from->Next()) {
      const std::string_view raw = from->Value();
      const int line = from->GetLineNum();
      if (raw.size() > limits_.attribute_bytes) {
        return refused(file_, line,
                       fmt::format("an attribute of {} bytes; at most {}", raw.size(), limits_.attribute_bytes));
      }
      auto value = decoded(raw, file_, line);
      if (!value) return std::move(value).error();
      element.attributes.push_back({from->Name(), *std::move(value), line});
    }
    return {};
  }

  Result<void> take(Element& element, const tinyxml2::XMLNode& node, int depth) {
    if (const auto* child = node.ToElement()) {
      element.children.emplace_back();
      return fill(element.children.back(), *child, depth + 1);
    }
    if (const auto* text = node.ToText()) {
      if (text->CData()) {
        element.text += text->Value();
        return {};
      }
      auto piece = decoded(text->Value(), file_, node.GetLineNum());
      if (!piece) return std::move(piece).error();
      element.text += *piece;
      return {};
    }
    if (node.ToUnknown() != nullptr) return refused(file_, node.GetLineNum(), "<! ...> is not accepted here");
    return {};
  }

  const std::string& file_;
  const Limits& limits_;
  std::size_t elements_ = 0;
};

// "iso-8859-1" of <?xml version="1.0" encoding="ISO-8859-1"?>; empty: not said.
std::string encoding_of(std::string_view text) {
  if (!text.starts_with("<?xml")) return {};
  text = text.substr(0, std::min<std::size_t>(text.find("?>"), 200));
  const std::size_t key = text.find("encoding");
  const std::size_t open = key == text.npos ? text.npos : text.find_first_of("\"'", key);
  if (open == text.npos) return {};
  const std::string_view rest = text.substr(open + 1);
  std::string name(rest.substr(0, rest.find(text[open])));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return name;
}

Result<std::string> utf8_of(std::string_view text, const std::string& file) {
  const bool is_utf16 = text.starts_with("\xFE\xFF") || text.starts_with("\xFF\xFE");
  if (is_utf16) return refused(file, 0, "expected UTF-8, got UTF-16; save the file as UTF-8");
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (const std::size_t zero = text.find('\0'); zero != text.npos) {
    return refused(file, 0, fmt::format("NUL at byte {}: not an XML file", zero));
  }
  const std::string encoding = encoding_of(text);
  const bool is_latin = encoding == "iso-8859-1" || encoding == "windows-1252" || encoding == "latin1";
  if (!is_latin && !encoding.empty() && encoding != "utf-8" && encoding != "us-ascii") {
    return refused(file, 1, fmt::format("encoding: expected UTF-8 or ISO-8859-1, got {}", printable(encoding)));
  }
  if (is_utf8(text)) return std::string(text);
  if (!is_latin) return refused(file, 0, "not UTF-8 text");
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    append_utf8(out, byte >= 0x80 && byte < 0xA0 ? replacement_character : byte);
  }
  return out;
}

// Counted before the library builds a tree of it.
Result<void> check_size(std::string_view text, const std::string& file, const Limits& limits) {
  if (text.size() > limits.bytes) {
    return refused(file, 0, fmt::format("{} bytes; at most {} are read", text.size(), limits.bytes));
  }
  const auto tags = static_cast<std::size_t>(std::count(text.begin(), text.end(), '<'));
  const auto values = static_cast<std::size_t>(std::count(text.begin(), text.end(), '='));
  if (tags > 3 * limits.elements || values > 3 * limits.elements) {
    return refused(file, 0, fmt::format("more than {} elements", limits.elements));
  }
  return {};
}

}  // namespace

const Attribute* Element::attribute(std::string_view called) const {
  const auto found =
      std::find_if(attributes.begin(), attributes.end(), [&](const auto& a) { return a.name == called; });
  return found == attributes.end() ? nullptr : &*found;
}

const Element* Element::child(std::string_view called) const {
  const auto found = std::find_if(children.begin(), children.end(), [&](const auto& c) { return c.name == called; });
  return found == children.end() ? nullptr : &*found;
}

std::string_view Element::text_of(std::string_view called) const {
  const Element* found = child(called);
  return found == nullptr ? std::string_view() : found->text;
}

Result<Element> parse(std::string_view text, const std::string& file, const Limits& limits) {
  if (const auto checked = check_size(text, file, limits); !checked) return checked.error();
  const auto readable = utf8_of(text, file);
  if (!readable) return readable.error();
  tinyxml2::XMLDocument document(false);
  if (document.Parse(readable->data(), readable->size()) != tinyxml2::XML_SUCCESS) {
    if (document.ErrorID() == tinyxml2::XML_ERROR_EMPTY_DOCUMENT) return refused(file, 0, "expected XML, got nothing");
    const bool is_deep = document.ErrorID() == tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED;
    std::string why = is_deep ? fmt::format("nested deeper than {}", deepest) : std::string("not well-formed XML");
    if (document.ErrorID() == tinyxml2::XML_ERROR_MISMATCHED_ELEMENT) why += ": a tag is not closed by its own name";
    return refused(file, document.ErrorLineNum(), why);
  }
  const tinyxml2::XMLElement* root = document.RootElement();
  if (root == nullptr) return refused(file, 0, "expected an element, got none");
  for (const tinyxml2::XMLNode* node = document.FirstChild(); node != nullptr; node = node->NextSibling()) {
    if (node == root || node->ToComment() != nullptr || node->ToDeclaration() != nullptr) continue;
    if (node->ToUnknown() != nullptr) return refused(file, node->GetLineNum(), "DOCTYPE is not accepted; remove it");
    return refused(file, node->GetLineNum(), "expected one root element, got more behind it");
  }
  Element element;
  if (const auto filled = TreeBuilder(file, limits).fill(element, *root, 1); !filled) return filled.error();
  return element;
}

}  // namespace tandem::xml
