// SPDX-License-Identifier: Apache-2.0
// Which MQTT broker, and as whom: the section `mqtt:` of a configuration.
#pragma once

#include <string>
#include <vector>

namespace tandem::mqtt {

struct BrokerOptions {
  std::string url;               // mqtt://HOST[:1883], mqtts://HOST[:8883]; empty: no broker
  std::string user;              // empty: none
  std::string password_file;     // its first line; empty: no password
  std::string authority;         // PEM file that signs the broker's certificate; empty: those of the system
  std::string certificate, key;  // PEM files: who we are; empty: not told
};

// What is wrong with them, each with what to do: an invalid URL, keys that need another one, files that cannot be read
// or that every user of this computer can read. Empty: nothing.
std::vector<std::string> broker_problems(const BrokerOptions& broker);
// What works but is seldom meant: a password that can be read on the network.
std::vector<std::string> broker_warnings(const BrokerOptions& broker);
// The URL as it may be shown.
std::string broker_text(const BrokerOptions& broker);

}  // namespace tandem::mqtt
