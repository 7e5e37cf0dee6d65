#include "http/server.hpp"

#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <sys/resource.h>

#include <agon/error.hpp>
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "http/connection.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"

namespace agon::serve {
namespace {

/// An address by which other machines may find this one: its first that is not for itself alone;
/// its own where it has none.
net::ip::address address_for_others() {
  net::ip::address found = net::ip::address_v4::loopback();
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return found;
  for (const ifaddrs* at = all; at != nullptr; at = at->ifa_next) {
    if (at->ifa_addr == nullptr || at->ifa_addr->sa_family != AF_INET ||
        (at->ifa_flags & IFF_LOOPBACK) != 0 || (at->ifa_flags & IFF_UP) == 0)
      continue;
    sockaddr_in in{};
    std::memcpy(&in, at->ifa_addr, sizeof in);
    found = net::ip::address_v4(ntohl(in.sin_addr.s_addr));
    break;
  }
  freeifaddrs(all);
  return found;
}

std::string url_of(const net::ip::address& address, std::uint16_t port) {
  const std::string host = address.to_string();
  return fmt::format("http://{}:{}", address.is_v6() ? "[" + host + "]" : host, port);
}

/// With as many connections as the system has files for, a part of them left for all else.
ServerOptions allowed(ServerOptions options) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return options;
  const rlim_t wanted = options.most_connections * 4 / 3 + 64;
  if (limit.rlim_cur < wanted) {
    limit.rlim_cur = std::min(wanted, limit.rlim_max);
    (void)setrlimit(RLIMIT_NOFILE, &limit);
  }
  options.most_connections =
      std::min(options.most_connections, static_cast<std::size_t>(limit.rlim_cur / 4 * 3));
  return options;
}

}  // namespace

void ServerLoop::listen() {
  Failed failed;
  const net::ip::address address = net::ip::make_address(options.address, failed);
  if (failed)
    throw Error(ErrorKind::usage,
                "'" + text::printable(options.address) + "' is no address of a machine",
                "--address",
                "write it in numbers: 127.0.0.1 for this machine alone, 0.0.0.0 for "
                "all its networks");
  const tcp::endpoint wanted(address, options.port);
  acceptor.open(wanted.protocol(), failed);
  if (!failed) acceptor.set_option(tcp::acceptor::reuse_address(true), failed);
  if (!failed) acceptor.bind(wanted, failed);
  if (!failed) acceptor.listen(net::socket_base::max_listen_connections, failed);
  if (!failed) at = acceptor.local_endpoint(failed);
  if (!failed) return;
  const std::string port = std::to_string(options.port);
  if (failed == net::error::address_in_use)
    throw Error(ErrorKind::failure, "port " + port + " of " + options.address + " is taken",
                "--port", "name another one, or 0 for any that is free");
  if (failed == net::error::access_denied)
    throw Error(ErrorKind::failure, "port " + port + " is not allowed to you", "--port",
                "name one above 1023, and put a reverse proxy before it");
  if (failed == boost::system::errc::address_not_available)
    throw Error(ErrorKind::failure, "this machine has no address " + options.address, "--address",
                "'ip address' lists those that it has");
  throw Error(ErrorKind::failure,
              "cannot listen at " + options.address + ", port " + port + ": " + failed.message(),
              "--address");
}

void ServerLoop::accept() {
  acceptor.async_accept([this](const Failed& failed, tcp::socket socket) {
    if (stopping) return;
    if (failed) {
      // No more files, say: others go on, and it is tried again with the next tick.
      waits_to_accept = true;
      return;
    }
    Failed gone;
    const tcp::endpoint from = socket.remote_endpoint(gone);
    if (!gone) {
      const std::string peer = address_text(from.address());
      if (const auto found = of_peer.find(peer);
          found != of_peer.end() && found->second >= options.most_of_one_peer)
        close_idle(&peer);
      else if (connections.size() >= options.most_connections)
        close_idle(nullptr);
      std::size_t& of_this = of_peer[peer];
      if (connections.size() < options.most_connections && of_this < options.most_of_one_peer) {
        ++of_this;
        const auto connection = std::make_shared<BrowserConnection>(*this, std::move(socket), peer);
        connections.insert(connection);
        connection->begin();
      } else {
        if (of_this == 0) of_peer.erase(peer);
        constexpr std::string_view kFull =
            "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 5\r\n"
            "Content-Length: 0\r\n\r\n";
        socket.non_blocking(true, gone);
        socket.write_some(net::buffer(kFull), gone);
      }
    }
    accept();
  });
}

void ServerLoop::close_idle(const std::string* peer) {
  std::shared_ptr<BrowserConnection> longest;
  for (const auto& connection : connections)
    if (const auto since = connection->idle_since();
        since && (peer == nullptr || connection->peer() == *peer) &&
        (!longest || *since < *longest->idle_since()))
      longest = connection;
  if (longest) longest->close();
}

void ServerLoop::tick() {
  ticks.expires_after(std::chrono::seconds(1));
  ticks.async_wait([this](const Failed& failed) {
    if (failed || stopping) return;
    const auto now = Clock::now();
    const std::vector<std::shared_ptr<BrowserConnection>> all(connections.begin(),
                                                              connections.end());
    for (const auto& connection : all) connection->tick(now);
    if (std::exchange(waits_to_accept, false)) accept();
    tick();
  });
}

void ServerLoop::forget(const std::shared_ptr<BrowserConnection>& connection,
                        const std::string& peer) {
  connections.erase(connection);
  if (const auto found = of_peer.find(peer); found != of_peer.end() && --found->second == 0)
    of_peer.erase(found);
}

void ServerLoop::run() {
  while (true) try {
      context.run();
      return;
    } catch (const std::exception& error) {
      text::say("agon: something broke that should not: {}\n", text::printable(error.what()));
    }
}

Server::Server(ServerOptions options, Handler handler)
    : loop_(std::make_unique<ServerLoop>(allowed(std::move(options)), std::move(handler))) {
  loop_->listen();
  loop_->accept();
  loop_->tick();
  loop_->thread = std::thread([loop = loop_.get()] { loop->run(); });
}

Server::~Server() {
  ServerLoop& loop = *loop_;
  loop.gate->post([&loop] {
    loop.stopping = true;
    Failed ignored;
    loop.acceptor.close(ignored);
    loop.ticks.cancel();
    const std::vector<std::shared_ptr<BrowserConnection>> all(loop.connections.begin(),
                                                              loop.connections.end());
    for (const auto& connection : all) connection->close();
  });
  loop.thread.join();
  loop.gate->shut();
  // What was asked of the thread in its last moments: streams that did not begin end here.
  loop.context.restart();
  loop.context.poll();
}

std::uint16_t Server::port() const {
  return loop_->at.port();
}

std::string Server::url() const {
  net::ip::address address = loop_->at.address();
  if (address.is_unspecified())
    address = address.is_v6() ? net::ip::address(net::ip::address_v6::loopback())
                              : net::ip::address(net::ip::address_v4::loopback());
  return url_of(address, port());
}

std::string Server::public_url() const {
  if (std::string named = loop_->hosts.url(); !named.empty()) return named;
  return loop_->at.address().is_unspecified() ? url_of(address_for_others(), port()) : url();
}

}  // namespace agon::serve
