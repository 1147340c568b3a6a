#include "tandem/app/doctor/network.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "tandem/net/resolver.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/net/url.hpp"

namespace tandem::app::doctor {

namespace {

struct SchemeFacts {
  std::string_view scheme;
  std::uint16_t port;
  std::string_view if_refused;  // the device is there, its port is not
};
constexpr std::array<SchemeFacts, 3> schemes = {{
    {"ads", 48898, "is TwinCAT running on it, and does its firewall let TCP 48898 in?"},
    {"modbus", 502, "is the PLC's Modbus TCP server switched on, on this port? Our virtual ones use 1502 and 1503"},
    {"rtde", 30004, "is the robot's controller started, and its RTDE enabled (Settings, Security, Services)?"},
}};
constexpr std::uint16_t mavlink_udp = 14551, mavlink_tcp = 5760;

// The other ports of a robot controller, as its device names them.
struct RobotPort {
  const char* key;
  std::uint16_t port;
  Grade without;
  const char* if_refused;
};
constexpr std::array<RobotPort, 3> robot_ports = {{
    {"primary", 30001, Grade::wrong, "enable its primary client interface (Settings, Security, Services)"},
    {"dashboard", 29999, Grade::note, "enable its dashboard server, or power on and release brakes at the pendant"},
    {"gripper", 63352, Grade::note, "install Robotiq's URCap, or tell us that there is no gripper"},
}};

Finding reached(const std::string& who, const std::string& text) { return {Grade::fine, who, text}; }

Finding tcp_port(const std::string& who, const std::string& host, std::uint16_t port, std::string_view if_refused,
                 Duration patience) {
  const auto connected = net::TcpSocket::connect(host, port, now() + patience);
  if (connected) return reached(who, fmt::format("{}:{} is open", host, port));
  const Error& error = connected.error();
  std::string fix = "check the cable, the device's power, and that it is in our network";
  if (error.code == ECONNREFUSED) fix = fmt::format("the computer is there: {}", if_refused);
  return {Grade::wrong, who, fmt::format("{}:{}: {}", host, port, error.text), fix};
}

Findings robot(const std::string& who, const net::Url& url, Duration patience) {
  Findings findings;
  for (const RobotPort& each : robot_ports) {
    const auto port = url.number(each.key, each.port, 1, 65535);
    if (!port) continue;  // the configuration's own check says so
    findings.push_back(tcp_port(who, url.host, static_cast<std::uint16_t>(*port), each.if_refused, patience));
    Finding& found = findings.back();
    if (found.grade == Grade::wrong) found.grade = each.without;
    found.text = fmt::format("{}: {}", each.key, found.text);
  }
  return findings;
}

Finding serial_line(const std::string& who, const std::string& file) {
  if (::access(file.c_str(), F_OK) != 0)
    return {Grade::wrong, who, fmt::format("{} is not there", file), "plug it in; `ls /dev/serial/by-id` lists them"};
  if (::access(file.c_str(), R_OK | W_OK) != 0)
    return {Grade::wrong, who, fmt::format("{}: this user may not open it", file),
            "usermod -aG dialout USER, and log in again"};
  return reached(who, fmt::format("{} is there and may be opened", file));
}

// Where we wait and the vehicle calls.
Finding awaited(const std::string& who, const std::string& host, std::uint16_t port, bool tcp) {
  std::string trouble;
  if (tcp) {
    if (const auto free = net::TcpListener::listen(host, port); !free) trouble = free.error().text;
  } else {
    if (const auto free = net::UdpSocket::bind(host, port); !free) trouble = free.error().text;
  }
  const char* const kind = tcp ? "TCP" : "UDP";
  if (trouble.empty())
    return reached(who, fmt::format("{} {}:{} is free: the vehicle has to be told to send there", kind, host, port));
  return {Grade::note, who, fmt::format("{} {}:{}: {}", kind, host, port, trouble),
          "if it is not a tandem that runs now but a ground station (ss -lnp says who): give each its own port"};
}

}  // namespace

Result<std::string> way_to(const std::string& host) {
  const auto to = net::resolve(host, 9, now() + 3s);
  if (!to) return to.error();
  const net::Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(to->address);
  address.sin_port = htons(to->port);
  // A datagram socket that is connected has asked for the route and sent nothing.
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return Error{Fault::unreachable, fmt::format("no route to {}: {}", host, std::strerror(errno)),
                 static_cast<std::uint32_t>(errno)};
  sockaddr_in own{};
  socklen_t size = sizeof own;
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&own), &size) != 0)
    return Error{Fault::unreachable, std::strerror(errno), static_cast<std::uint32_t>(errno)};
  std::array<char, INET_ADDRSTRLEN> text{};
  inet_ntop(AF_INET, &own.sin_addr, text.data(), text.size());
  return std::string(text.data());
}

Findings look_at_device(const runtime::MachineConfig& machine, Duration patience) {
  const std::string& who = machine.name;
  if (machine.is_virtual) return {reached(who, "virtual: runs beside its machine, nothing to reach")};
  const auto url = net::parse_url(machine.device);
  if (!url) return {{Grade::wrong, who, url.error().text, "see docs for the form of its device"}};
  const std::string_view link = url->value("link").value_or(url->scheme == "mavlink" ? "udpin" : "");
  if (link == "serial") return {serial_line(who, std::string(url->value("device").value_or("")))};
  const std::uint16_t mavlink_port = url->port.value_or(link.starts_with("tcp") ? mavlink_tcp : mavlink_udp);
  if (link == "udpin" || link == "tcpin") return {awaited(who, url->host, mavlink_port, link == "tcpin")};
  Findings findings;
  const auto way = way_to(url->host);
  if (!way) {
    findings.push_back({Grade::wrong, who, way.error().text,
                        "give this computer an address in the device's network (ip address add ...), or name the "
                        "device by its address"});
    return findings;
  }
  findings.push_back(reached(who, fmt::format("packets to {} leave from {}", url->host, *way)));
  for (const SchemeFacts& scheme : schemes) {
    if (scheme.scheme != url->scheme) continue;
    findings.push_back(tcp_port(who, url->host, url->port.value_or(scheme.port), scheme.if_refused, patience));
  }
  if (link == "tcp")
    findings.push_back(tcp_port(who, url->host, mavlink_port, "does the autopilot serve MAVLink there?", patience));
  if (url->scheme == "rtde" && all_well(findings))
    for (Finding& each : robot(who, *url, patience)) findings.push_back(std::move(each));
  if (url->scheme == "ads" && !way->starts_with("127.")) {
    const auto own = url->value("own");
    findings.push_back({Grade::note, who,
                        fmt::format("the PLC answers only whom it has a route to: AMS net id {} at {}",
                                    own ? std::string(*own) : *way + ".1.1", *way),
                        "if it stays silent: on the PLC, TwinCAT Router, Edit Routes, Add, with these two"});
  }
  return findings;
}

Findings look_at_ports(const runtime::Config& config) {
  Findings findings;
  if (!config.web.listen.empty()) {
    const std::size_t colon = config.web.listen.rfind(':');
    const std::string host = config.web.listen.substr(0, colon);
    const int port = colon == std::string::npos ? 0 : std::atoi(config.web.listen.c_str() + colon + 1);
    const auto free = net::TcpListener::listen(host, static_cast<std::uint16_t>(port));
    if (free) {
      findings.push_back({Grade::fine, "ports", fmt::format("{} is free for the page", config.web.listen)});
    } else {
      findings.push_back({Grade::note, "ports", fmt::format("page: {}", free.error().text),
                          "another tandem may run: `tandem status`; or choose one: --web 127.0.0.1:8090"});
    }
  }
  return findings;
}

}  // namespace tandem::app::doctor
