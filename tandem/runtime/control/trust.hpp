// SPDX-License-Identifier: Apache-2.0
// Whom the control socket trusts: our own user and root. Every user of a computer can make folders and sockets in /tmp,
// so both ends check who owns the place and who is at the other end.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <string>

#include "tandem/base/result.hpp"

namespace tandem::runtime {

// `self` is who we are, in all of these.
bool is_trusted(uid_t user, uid_t self = ::geteuid());

// A folder that a control socket may be in: it belongs to us or to root, and neither its group nor others can
// replace files in it. A symbolic link is accepted only from root. Fault::not_found when it does not exist.
Result<void> check_control_folder(const std::string& folder, uid_t self = ::geteuid());
// The socket itself, before connecting. Fault::not_found when it does not exist.
Result<void> check_control_socket(const std::string& path, uid_t self = ::geteuid());

struct Peer {
  uid_t user = 0;
  pid_t process = 0;
};
// Who is at the other end of a connected Unix domain socket, as the kernel says.
Result<Peer> peer_of(int socket);

}  // namespace tandem::runtime
