// SPDX-License-Identifier: Apache-2.0
// What is in the address of a request: %XX and the keys behind the "?".
#pragma once

#include <string>
#include <string_view>

namespace tandem::web {

// The value of a key in "a=1&b=2", with %XX and + decoded; empty if it is not there or badly written.
std::string query_value(std::string_view query, std::string_view key);
std::string_view raw_query_value(std::string_view query, std::string_view key);  // the same, as it came
// %XX decoded; false for what is no byte, and for bytes that no path has (zero).
bool percent_decode(std::string_view text, std::string& decoded);

}  // namespace tandem::web
