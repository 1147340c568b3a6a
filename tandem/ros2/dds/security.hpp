// SPDX-License-Identifier: Apache-2.0
// DDS Security with the folders that `ros2 security` makes: who we are, whom we trust, what each may say.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tandem/base/result.hpp"

namespace tandem::ros2 {

struct Security {
  enum class Strategy {
    permissive,  // without the files, go on unprotected and say so
    enforce,     // without the files, do not start
  };
  std::string keystore;  // folder with enclaves/
  Strategy strategy = Strategy::enforce;
};

// The folder of an enclave: "/lab/arm" is KEYSTORE/enclaves/lab/arm.
std::string enclave_folder(const std::string& keystore, const std::string& enclave);

// What DDS wants to know of the enclave, as names and values. An error names the file that is missing.
using SecurityProperties = std::vector<std::pair<std::string, std::string>>;
Result<SecurityProperties> security_properties(const std::string& keystore, const std::string& enclave);

// The files are there; whether they are good: dates, signatures, the key, and that not every user can read that one.
// DDS checks all but the last, and does not say what is wrong.
Result<void> check_security(const std::string& keystore, const std::string& enclave);

}  // namespace tandem::ros2
