// SPDX-License-Identifier: Apache-2.0
// What errno means, as an Error that names the place and says what to do. Only for the sources of this folder.
#pragma once

#include <string>

#include "tandem/base/result.hpp"

namespace tandem::net {

// On a connection that stood: everything that ends it is `closed`.
Error connection_error(const std::string& doing, int error);

// While connecting to `where` ("192.168.2.1:502").
Error connect_error(const std::string& where, int error);

// While taking a local port; `kind` is "TCP" or "UDP".
Error bind_error(const char* kind, const std::string& host, unsigned int port, int error);

Error not_open(const std::string& doing);

// How many descriptors the system allows this process.
unsigned long descriptor_limit();

}  // namespace tandem::net
