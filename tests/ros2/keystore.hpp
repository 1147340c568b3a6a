// SPDX-License-Identifier: Apache-2.0
// A keystore of its own for a test, laid out as `ros2 security` does, made with the openssl command.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace tandem::ros2 {

// What an enclave may do; topics as DDS calls them, "rt/chatter", with * for any.
struct Rights {
  std::vector<std::string> publish = {"*"};
  std::vector<std::string> subscribe = {"*"};
  int days = 30;  // of the certificate; negative: it ended yesterday
};

class Keystore {
 public:
  Keystore() {
    std::string name = (std::filesystem::temp_directory_path() / "tandem-keystore-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    root_ = name;
    run("openssl ecparam -name prime256v1 -genkey -noout -out ca.key");
    run("openssl req -new -x509 -sha256 -key ca.key -out ca.pem -days 30 -subj /CN=testCA");
    write("governance.xml", governance());
    sign("governance.xml", "governance.p7s");
  }
  ~Keystore() { std::filesystem::remove_all(root_); }
  Keystore(const Keystore&) = delete;
  Keystore& operator=(const Keystore&) = delete;

  const std::filesystem::path& folder() const { return root_; }
  std::filesystem::path enclave(const std::string& name) const { return root_ / "enclaves" / name.substr(1); }

  // "/talker"; its folder has all six files.
  void add(const std::string& name, const Rights& rights = {}) const {
    const std::filesystem::path to = enclave(name);
    std::filesystem::create_directories(to);
    run("openssl ecparam -name prime256v1 -genkey -noout -out " + (to / "key.pem").string());
    std::filesystem::permissions(to / "key.pem",
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    run(fmt::format("openssl req -new -sha256 -key {}/key.pem -out request.csr -subj '/CN=\\{}'", to.string(), name));
    run(
        fmt::format("openssl x509 -req -sha256 -days {} -in request.csr -CA ca.pem -CAkey ca.key -CAcreateserial "
                    "-out {}/cert.pem",
                    rights.days, to.string()));
    write("permissions.xml", permissions(name, rights));
    sign("permissions.xml", (to / "permissions.p7s").string());
    for (const char* file : {"identity_ca.cert.pem", "permissions_ca.cert.pem"}) {
      std::filesystem::copy_file(root_ / "ca.pem", to / file);
    }
    std::filesystem::copy_file(root_ / "governance.p7s", to / "governance.p7s");
  }

 private:
  void run(const std::string& command) const {
    const std::string whole = "cd " + root_.string() + " && " + command + " >log 2>&1";
    if (std::system(whole.c_str()) != 0) throw std::runtime_error("failed: " + command);
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(root_ / name) << text; }
  void sign(const std::string& from, const std::string& to) const {
    run(fmt::format("openssl smime -sign -text -in {} -out {} -signer ca.pem -inkey ca.key", from, to));
  }

  static std::string domains() { return "<domains><id_range><min>0</min><max>230</max></id_range></domains>"; }

  // The rules that `ros2 security create_keystore` writes: everything signed and encrypted, nobody unknown.
  static std::string governance() {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<dds><domain_access_rules><domain_rule>" + domains() +
           "<allow_unauthenticated_participants>false</allow_unauthenticated_participants>"
           "<enable_join_access_control>true</enable_join_access_control>"
           "<discovery_protection_kind>ENCRYPT</discovery_protection_kind>"
           "<liveliness_protection_kind>ENCRYPT</liveliness_protection_kind>"
           "<rtps_protection_kind>SIGN</rtps_protection_kind>"
           "<topic_access_rules><topic_rule><topic_expression>*</topic_expression>"
           "<enable_discovery_protection>true</enable_discovery_protection>"
           "<enable_liveliness_protection>true</enable_liveliness_protection>"
           "<enable_read_access_control>true</enable_read_access_control>"
           "<enable_write_access_control>true</enable_write_access_control>"
           "<metadata_protection_kind>ENCRYPT</metadata_protection_kind>"
           "<data_protection_kind>ENCRYPT</data_protection_kind>"
           "</topic_rule></topic_access_rules></domain_rule></domain_access_rules></dds>\n";
  }

  static std::string permissions(const std::string& name, const Rights& rights) {
    const auto rule = [](const char* verb, const std::vector<std::string>& topics) {
      std::string text = fmt::format("<{}><topics><topic>ros_discovery_info</topic>", verb);
      for (const std::string& topic : topics) text += "<topic>" + topic + "</topic>";
      return text + fmt::format("</topics></{}>", verb);
    };
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<dds><permissions><grant name=\"{}\">"
        "<subject_name>CN={}</subject_name><validity><not_before>2020-01-01T00:00:00</not_before>"
        "<not_after>2120-01-01T00:00:00</not_after></validity><allow_rule>{}{}{}</allow_rule>"
        "<default>DENY</default></grant></permissions></dds>\n",
        name, name, domains(), rule("publish", rights.publish), rule("subscribe", rights.subscribe));
  }

  std::filesystem::path root_;
};

}  // namespace tandem::ros2
