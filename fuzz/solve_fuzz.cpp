// SPDX-License-Identifier: Apache-2.0
// Any bytes as a question to `tandem solve`: an answer in JSON or an error in words. An input is what follows `tandem
// solve` on a command line, "MACHINE QUERY {...}". Without `workspace`, which writes a file and takes seconds, and
// without files to read.
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tandem/runtime/registry.hpp"

namespace {

using namespace tandem;

void require(bool holds) {
  if (!holds) std::abort();
}

const machines::Query* query_at_front(std::string_view& text) {
  for (const auto* type : runtime::all_machines().types()) {
    for (const auto& query : type->queries) {
      const std::string words = std::string(type->name) + " " + std::string(query.name) + " ";
      if (query.name == "workspace" || !text.starts_with(words)) continue;
      text.remove_prefix(words.size());
      return &query;
    }
  }
  return nullptr;
}

}  // namespace

// Every query has an example that is answered, so that the corpus, which begins with them, gets to the mathematics.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  for (const auto* type : runtime::all_machines().types()) {
    for (const auto& query : type->queries) {
      if (query.name != "workspace") require(query.answer(std::string(query.example), {}).ok());
    }
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const machines::Query* const query = query_at_front(text);
  if (query == nullptr) return 0;
  std::string question(text);
  auto object = nlohmann::json::parse(question, nullptr, false);
  if (object.is_object() && object.erase("geometry") > 0)
    question = object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const auto answer = query->answer(question, {});
  if (!answer) {
    require(!answer.error().text.empty());
  } else {
    require(!nlohmann::json::parse(*answer, nullptr, false).is_discarded());
  }
  return 0;
}
