// SPDX-License-Identifier: Apache-2.0
// What is in an MCAP file, found in one of two ways.
#pragma once

#include "tandem/record/mcap_reader.hpp"

namespace tandem::record {

// By the summary at its end. The error says why that does not do.
Result<Contents> contents_by_summary(Source& source, const ReadLimits& limits);
// By reading everything. A summary that says something else is a problem.
Result<Contents> contents_by_scan(Source& source, const ReadOptions& options);

}  // namespace tandem::record
