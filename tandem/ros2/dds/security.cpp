// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/dds/security.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "tandem/base/certificate.hpp"

namespace tandem::ros2 {
namespace {

struct File {
  const char* property;
  const char* name;
};

constexpr std::array<File, 6> required = {{
    {"dds.sec.auth.builtin.PKI-DH.identity_ca", "identity_ca.cert.pem"},
    {"dds.sec.auth.builtin.PKI-DH.identity_certificate", "cert.pem"},
    {"dds.sec.auth.builtin.PKI-DH.private_key", "key.pem"},
    {"dds.sec.access.builtin.Access-Permissions.permissions_ca", "permissions_ca.cert.pem"},
    {"dds.sec.access.builtin.Access-Permissions.governance", "governance.p7s"},
    {"dds.sec.access.builtin.Access-Permissions.permissions", "permissions.p7s"},
}};
constexpr File revoked = {"dds.sec.auth.builtin.PKI-DH.identity_crl", "crl.pem"};

// Who has the key of an enclave speaks in its name.
Result<void> check_key_mode(const std::string& key) {
  struct stat about {};
  if (::stat(key.c_str(), &about) != 0 || (about.st_mode & S_IROTH) == 0) return {};
  return Error{Fault::invalid,
               fmt::format("{0}: private key that every user of this computer can read; chmod o-r {0}", key)};
}

Error missing(const std::filesystem::path& path, const char* why) {
  return {Fault::invalid, fmt::format("security: {}: {}", path.string(), why)};
}

}  // namespace

std::string enclave_folder(const std::string& keystore, const std::string& enclave) {
  std::filesystem::path path = std::filesystem::path(keystore) / "enclaves";
  if (enclave.size() > 1) path /= enclave.substr(enclave.front() == '/' ? 1 : 0);
  return path.string();
}

Result<SecurityProperties> security_properties(const std::string& keystore, const std::string& enclave) {
  if (keystore.empty()) return Error{Fault::invalid, "security: no keystore is named"};
  if (enclave.empty() || enclave.front() != '/' || enclave.find("..") != std::string::npos) {
    return Error{Fault::invalid, fmt::format("security: enclave \"{}\": expected a name such as /lab/arm", enclave)};
  }
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::absolute(enclave_folder(keystore, enclave), ignored);
  if (!std::filesystem::is_directory(folder, ignored)) return missing(folder, "no such folder");

  SecurityProperties properties = {{"dds.sec.auth.plugin", "builtin.PKI-DH"},
                                   {"dds.sec.crypto.plugin", "builtin.AES-GCM-GMAC"},
                                   {"dds.sec.access.plugin", "builtin.Access-Permissions"}};
  for (const File& file : required) {
    const std::filesystem::path path = folder / file.name;
    if (!std::filesystem::is_regular_file(path, ignored)) return missing(path, "no such file");
    if (!std::ifstream(path)) return missing(path, "cannot be read");
    properties.emplace_back(file.property, "file://" + path.string());
  }
  if (std::filesystem::is_regular_file(folder / revoked.name, ignored)) {
    properties.emplace_back(revoked.property, "file://" + (folder / revoked.name).string());
  }
  return properties;
}

Result<void> check_security(const std::string& keystore, const std::string& enclave) {
  const std::string folder = enclave_folder(keystore, enclave) + "/";
  Result<void> good = check_key_mode(folder + "key.pem");
  if (good) good = check_certificate(folder + "cert.pem", folder + "identity_ca.cert.pem", folder + "key.pem");
  for (const char* file : {"governance.p7s", "permissions.p7s"}) {
    if (good) good = check_signed(folder + file, folder + "permissions_ca.cert.pem");
  }
  if (!good) return Error{Fault::invalid, "security: " + good.error().text};
  return {};
}

}  // namespace tandem::ros2
