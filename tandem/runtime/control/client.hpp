// SPDX-License-Identifier: Apache-2.0
// The other end of the control socket, as `tandem status` and its friends use it.
#pragma once

#include <string>

#include "tandem/base/clock.hpp"
#include "tandem/runtime/control/protocol.hpp"

namespace tandem::runtime {

// One request line, one answer line without its end. Fault::refused with a clear text when no tandem runs there.
Result<std::string> ask(const std::string& path, const std::string& request, Duration timeout);

Result<SystemStatus> ask_status(const std::string& path, Duration timeout = 2s);
// Writes the black box: the file.
Result<std::string> ask_snapshot(const std::string& path, std::string_view machine, std::string_view why,
                                 Duration timeout = 2s);
// metrics, arm, stop, reset: the text of the answer.
Result<std::string> ask_text(const std::string& path, std::string_view command, std::string_view machine,
                             Duration timeout = 2s);

// Begins or clears faults; the text of the answer.
Result<std::string> ask_chaos(const std::string& path, std::string_view terms, std::string_view machine, bool i_know,
                              Duration timeout = 2s);
// Of machines with fault proxies; an empty machine means all.
Result<std::vector<chaos::Report>> ask_chaos_reports(const std::string& path, std::string_view machine,
                                                     Duration timeout = 2s);

}  // namespace tandem::runtime
