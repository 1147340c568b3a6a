// SPDX-License-Identifier: Apache-2.0
// TCP acknowledgements without delay.
#pragma once

#include "tandem/net/socket.hpp"

namespace tandem::net {

// Acknowledges at once what has arrived, instead of up to 40 ms later with our next bytes. A peer with Nagle's
// algorithm sends the rest of what it has to say only then.
void acknowledge(const TcpSocket& socket);

}  // namespace tandem::net
