// SPDX-License-Identifier: Apache-2.0
#include "tandem/xml/tree.hpp"

#include <doctest/doctest.h>

using namespace tandem;

namespace {

std::string error_of(std::string_view text, const xml::Limits& limits = {}) {
  const auto parsed = xml::parse(text, "a.xml", limits);
  return parsed ? "none" : parsed.error().text;
}

}  // namespace

TEST_CASE("an XML tree has names, attributes, texts and lines") {
  const auto root = xml::parse(R"(<?xml version="1.0" encoding="utf-8"?>
<!-- a comment -->
<robot name="a &amp; b">
  <link name='l&#49;&#x32;'
        id="&lt;&gt;&quot;&apos;"/>
  <Name>  GVL.<![CDATA[a<b&c ]]><!-- x -->end </Name>
  <empty></empty>
</robot>
)",
                               "a.xml");
  REQUIRE(root.ok());
  CHECK(root->name == "robot");
  CHECK(root->line == 3);
  CHECK(root->attribute("name")->value == "a & b");
  CHECK(root->attribute("other") == nullptr);
  REQUIRE(root->children.size() == 3);
  CHECK(root->children[0].line == 4);
  CHECK(root->children[0].attribute("name")->value == "l12");
  CHECK(root->children[0].attribute("id")->value == "<>\"'");
  CHECK(root->children[0].attribute("id")->line == 5);
  CHECK(root->text_of("Name") == "GVL.a<b&c end");
  CHECK(root->text_of("empty").empty());
  CHECK(root->child("missing") == nullptr);
}

TEST_CASE("a TwinCAT file in ISO-8859-1 comes out as UTF-8") {
  const std::string latin = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>K\xFChlung \x80</a>";
  CHECK(xml::parse(latin, "a.tpy")->text == "K\xC3\xBChlung \xEF\xBF\xBD");
  const std::string utf8 = "\xEF\xBB\xBF<?xml version=\"1.0\"?><a>K\xC3\xBChlung</a>";
  CHECK(xml::parse(utf8, "a.tmc")->text == "K\xC3\xBChlung");
}

TEST_CASE("what is not XML is refused with file and line") {
  CHECK(error_of("") == "a.xml: expected XML, got nothing");
  CHECK(error_of("<a>\n<b>\n</a>") == "a.xml:2: not well-formed XML: a tag is not closed by its own name");
  CHECK(error_of("<a>\n<b x=1/></a>").starts_with("a.xml:2: not well-formed XML"));
  CHECK(error_of("<a/>\n<b/>") == "a.xml:2: expected one root element, got more behind it");
  CHECK(error_of("<a/>\ntext").starts_with("a.xml:2:"));
  CHECK(error_of("<a\nx=\"1\" x=\"2\"/>") == "a.xml:2: not well-formed XML");
  CHECK(error_of("<a>K\xFChlung</a>") == "a.xml: not UTF-8 text");
  CHECK(error_of("<?xml version=\"1.0\" encoding=\"UTF-7\"?><a/>") ==
        "a.xml:1: encoding: expected UTF-8 or ISO-8859-1, got utf-7");
  CHECK(error_of(std::string_view("<a>\0</a>", 8)) == "a.xml: NUL at byte 3: not an XML file");
  CHECK(error_of("\xFF\xFE<") == "a.xml: expected UTF-8, got UTF-16; save the file as UTF-8");
}

TEST_CASE("no entity is expanded but those of XML, and no DOCTYPE accepted") {
  CHECK(error_of("<!DOCTYPE a [<!ENTITY x \"yyyy\">]><a>&x;</a>") == "a.xml:1: DOCTYPE is not accepted; remove it");
  CHECK(error_of("<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>") == "a.xml:1: DOCTYPE is not accepted; remove it");
  CHECK(error_of("<a>\n&x;</a>") ==
        "a.xml:2: expected &lt; &gt; &amp; &quot; &apos; or a character reference, got "
        "'&x'; write &amp; for a plain &");
  for (const char* bad : {"&", "&#;", "&#x;", "&#0;", "&#8;", "&#xD800;", "&#x110000;", "&#99999999999;", "&#-1;"}) {
    CHECK_MESSAGE(error_of(std::string("<a>") + bad + "</a>") != "none", bad);
  }
  CHECK(xml::parse("<a>&#x20AC;&#10;.</a>", "a.xml")->text == "\xE2\x82\xAC\n.");
}

TEST_CASE("hostile XML costs little") {
  xml::Limits few;
  few.elements = 10;
  few.attribute_bytes = 8;
  few.bytes = 1000;
  std::string wide = "<a>";
  for (int i = 0; i < 9; ++i) wide += "<b/>";
  CHECK(error_of(wide + "</a>", few) == "none");
  CHECK(error_of(wide + "<b/></a>", few) == "a.xml:1: more than 10 elements");
  CHECK(error_of("<a x=\"123456789\"/>", few) == "a.xml:1: an attribute of 9 bytes; at most 8");
  CHECK(error_of(std::string(1001, ' '), few) == "a.xml: 1001 bytes; at most 1000 are read");
  std::string deep;
  for (int i = 0; i < 90; ++i) deep += "<a>";
  std::string closed = deep;
  for (int i = 0; i < 90; ++i) closed += "</a>";
  CHECK(error_of(closed) == "none");
  CHECK(error_of("<a>" + closed + "</a>") == "a.xml:1: nested deeper than 90");
  for (int i = 0; i < 12; ++i) deep += deep.substr(0, 10'000);
  CHECK(error_of(deep) == "a.xml:1: nested deeper than 90");
}
