// SPDX-License-Identifier: Apache-2.0
// The files of the page, as they were built into the program. There are no others: no path reaches the file system.
#pragma once

#include <span>
#include <string_view>

namespace tandem::web {

struct PageFile {
  std::string_view path;  // "/assets/index-4f3a.js"
  std::string_view type;  // "text/javascript; charset=utf-8"
  std::string_view tag;   // ETag, of the content; weak, since it goes with both forms
  bool hashed = false;    // the name changes with the content: may be kept indefinitely
  std::string_view plain;
  std::string_view gzip;  // empty: would not be smaller
};

std::span<const PageFile> page_files();  // sorted by path; made by tools/embed_page.py
bool page_built();                       // false: only a note is there that says so

const PageFile* page_file(std::string_view path);  // "/" is "/index.html"; nullptr: there is none

}  // namespace tandem::web
