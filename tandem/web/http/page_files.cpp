// SPDX-License-Identifier: Apache-2.0
#include "tandem/web/http/page_files.hpp"

#include <algorithm>

namespace tandem::web {

const PageFile* page_file(std::string_view path) {
  if (path == "/") path = "/index.html";
  const auto files = page_files();
  const auto found = std::ranges::lower_bound(files, path, {}, &PageFile::path);
  return found != files.end() && found->path == path ? &*found : nullptr;
}

}  // namespace tandem::web
