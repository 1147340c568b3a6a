// Any bytes as a question to `tandem solve`, for every query of every machine: an answer in JSON or an error in words.
// Without `workspace`, which writes a file and takes seconds, and without files to read.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tandem/runtime/registry.hpp"

namespace {

using namespace tandem;

void require(bool holds) {
  if (!holds) std::abort();
}

std::vector<const machines::Query*> all_queries() {
  std::vector<const machines::Query*> queries;
  for (const auto* type : runtime::all_machines().types()) {
    for (const auto& query : type->queries) {
      if (query.name != "workspace") queries.push_back(&query);
    }
  }
  return queries;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto queries = all_queries();
  if (size == 0) return 0;
  const machines::Query& query = *queries[data[0] % queries.size()];
  std::string question(reinterpret_cast<const char*>(data) + 1, size - 1);
  auto object = nlohmann::json::parse(question, nullptr, false);
  if (object.is_object() && object.erase("geometry") > 0)
    question = object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const auto answer = query.answer(question, {});
  if (!answer) {
    require(!answer.error().text.empty());
  } else {
    require(!nlohmann::json::parse(*answer, nullptr, false).is_discarded());
  }
  return 0;
}
