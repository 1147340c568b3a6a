// SPDX-License-Identifier: Apache-2.0
#include "tandem/net/system_error.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cerrno>
#include <system_error>

namespace tandem::net {

namespace {

std::string words(int error) { return std::generic_category().message(error); }

bool out_of_descriptors(int error) { return error == EMFILE || error == ENFILE; }

bool out_of_memory(int error) { return error == ENOBUFS || error == ENOMEM; }

bool no_route(int error) {
  return error == ENETUNREACH || error == EHOSTUNREACH || error == ENETDOWN || error == EHOSTDOWN;
}

Error error_with_code(int error, Fault fault, std::string text) {
  return {fault, std::move(text), static_cast<unsigned int>(error)};
}

// The errors that can come from any call.
Error common_error(const std::string& doing, int error) {
  if (out_of_descriptors(error)) {
    return error_with_code(
        error, Fault::busy,
        fmt::format("{}: no file descriptors left (limit {}); close programs or raise it with ulimit -n", doing,
                    descriptor_limit()));
  }
  if (out_of_memory(error)) {
    return error_with_code(error, Fault::busy,
                           fmt::format("{}: no buffer space left in the system ({})", doing, words(error)));
  }
  if (no_route(error)) {
    return error_with_code(
        error, Fault::unreachable,
        fmt::format("{}: no route ({}); check cable, address and network mask", doing, words(error)));
  }
  if (error == EACCES || error == EPERM) {
    return error_with_code(
        error, Fault::unsupported,
        fmt::format("{}: not permitted ({}); a firewall or missing privileges", doing, words(error)));
  }
  return error_with_code(error, Fault::invalid, fmt::format("{}: {}", doing, words(error)));
}

}  // namespace

unsigned long descriptor_limit() {
  rlimit limit{};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 0;
}

Error not_open(const std::string& doing) { return {Fault::closed, doing + ": the socket is not open"}; }

Error connection_error(const std::string& doing, int error) {
  switch (error) {
    case ECONNRESET:
      return error_with_code(error, Fault::closed, doing + ": the peer reset the connection");
    case ECONNREFUSED:
      return error_with_code(error, Fault::refused, doing + ": nothing listens there");
    case ETIMEDOUT:
      return error_with_code(error, Fault::closed, doing + ": the peer stopped answering; the connection is lost");
    case EPIPE:
    case ECONNABORTED:
    case ENOTCONN:
    case ESHUTDOWN:
    case EBADF:
      return error_with_code(error, Fault::closed,
                             fmt::format("{}: the connection is closed ({})", doing, words(error)));
    default:
      return common_error(doing, error);
  }
}

Error connect_error(const std::string& where, int error) {
  switch (error) {
    case ECONNREFUSED:
      return error_with_code(
          error, Fault::refused,
          fmt::format("nothing listens on {}; start the device there, or check address and port", where));
    case ETIMEDOUT:
      return error_with_code(error, Fault::timeout, fmt::format("connect to {}: no answer; is the device on?", where));
    case ECONNRESET:
    case ECONNABORTED:
      return error_with_code(error, Fault::closed, fmt::format("connect to {}: the peer reset the connection", where));
    case EADDRNOTAVAIL:
      return error_with_code(error, Fault::busy,
                             fmt::format("connect to {}: no local port is free for another connection", where));
    case EINVAL:
    case EAFNOSUPPORT:
      return error_with_code(error, Fault::unreachable, fmt::format("connect to {}: invalid peer address", where));
    default:
      return common_error("connect to " + where, error);
  }
}

Error bind_error(const char* kind, const std::string& host, unsigned int port, int error) {
  switch (error) {
    case EADDRINUSE:
      return error_with_code(error, Fault::busy,
                             fmt::format("{} port {} on {} is in use by another program", kind, port, host));
    case EADDRNOTAVAIL:
      return error_with_code(error, Fault::unreachable,
                             fmt::format("{} port {}: {} is not an address of this computer; listen on 127.0.0.1 or on "
                                         "an address that `ip address` lists",
                                         kind, port, host));
    case EACCES:
      return error_with_code(
          error, Fault::unsupported,
          fmt::format("{} port {} on {} needs privileges; choose one above 1023 with --port", kind, port, host));
    default:
      return common_error(fmt::format("listen on {} port {} of {}", kind, port, host), error);
  }
}

}  // namespace tandem::net
