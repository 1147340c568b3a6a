// SPDX-License-Identifier: Apache-2.0
// The pendant's programs from a folder: .script files, and of .urp files what can be read.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"

namespace tandem::ur3e {

struct ProgramFiles {
  std::map<std::string, std::string, std::less<>> scripts;  // "box.urp" and the URScript that play runs
  std::map<std::string, std::string, std::less<>> broken;   // "lid.urp" and why it cannot be loaded
};

// All of them, by name. A box.script is also box.urp, as PolyScope saves both; a .urp alone is read as far as it
// consists of moves to fixed way-points, waits, script, folders and comments. An error: the folder cannot be read, or
// has more than 1000 programs.
Result<ProgramFiles> programs_from(const std::string& folder);

// A .urp file (gzip'd XML) as URScript named `name`. Total: any bytes give a script or an error.
Result<std::string> script_from_urp(Bytes file, std::string_view name);
// The same of what is inside.
Result<std::string> script_from_xml(std::string_view xml, std::string_view name);

}  // namespace tandem::ur3e
