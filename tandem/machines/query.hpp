// SPDX-License-Identifier: Apache-2.0
// How the machines read the JSON of `tandem solve`: one object on a line, fields known by name, finite numbers. Only
// for their solve.cpp. Parsing and writing are compiled once, in query.cpp: they cost a unit four seconds.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "tandem/base/nearest.hpp"
#include "tandem/base/result.hpp"

namespace tandem::machines::query {

using Json = nlohmann::ordered_json;

Error wrong(std::string text);

// On one line; bytes that are not UTF-8 are replaced.
std::string to_text(const Json& value);
// What is there, in a few characters, for an error.
std::string seen(const Json& value);

// The object on this line; an error names what is unknown, too deep or not JSON.
Result<Json> object_from(std::string_view text, std::span<const std::string_view> fields);
Result<double> number_from(const Json& value, const std::string& name);
// As many as `numbers` has room for.
Result<void> read_list(const Json& value, const std::string& name, std::span<double> numbers);

}  // namespace tandem::machines::query
